// Mutations of rule files: of tokens, so that mutants get past the lexer, and of declarations and operands, so that
// they get past the parser and often past the checker. One mutation in three changes bytes at random as usual.

#include "base/random.hpp"
#include "grammar/lexer/lexer.hpp"
#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Pieces = std::vector<std::string>; // a token, what stands between it and the next, a token, ...

Pieces split(const std::string& text) {
    zug::diag::Report report;
    const auto lexed = zug::syntax::lex(text, {}, 0, static_cast<std::uint32_t>(text.size()), report);
    Pieces pieces;
    std::uint32_t at = 0;
    for (const auto& token : lexed.tokens) {
        pieces.push_back(text.substr(at, token.begin - at));
        pieces.push_back(text.substr(token.begin, token.end - token.begin));
        at = token.end;
    }
    return pieces;
}

std::ptrdiff_t pick(zug::Random& random, std::size_t n) {
    return static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(n)));
}

void mutate_tokens(Pieces& pieces, zug::Random& random) {
    static const Pieces gaps = {"", " ", "\n", "\n  ", "   ", " # note\n", "\n\n# note\n", "\t", "\r\n", "\n\n\n"};
    const auto at = pick(random, pieces.size());
    const auto begin = pieces.begin();
    const auto length = std::min<std::ptrdiff_t>(1 + pick(random, 8), static_cast<std::ptrdiff_t>(pieces.size()) - at);
    switch (random.below(8)) {
    case 0: pieces.erase(begin + at, begin + at + length); break;
    case 1: { // a copy of some tokens elsewhere
        const Pieces copy(begin + at, begin + at + length);
        pieces.insert(begin + pick(random, pieces.size()), copy.begin(), copy.end());
        break;
    }
    case 2:
        std::swap(pieces[static_cast<std::size_t>(at)], pieces[static_cast<std::size_t>(pick(random, pieces.size()))]);
        break;
    case 3:
        pieces.insert(begin + at, " " +
                                      std::string(zug::syntax::spelling(static_cast<zug::syntax::Tok>(
                                          pick(random, 1 + static_cast<std::size_t>(zug::syntax::Tok::Me))))) +
                                      " ");
        break;
    case 4: pieces[static_cast<std::size_t>(at)] = std::string(1U + random.below(60), 'n'); break;
    case 5: pieces.erase(begin, begin + at); break;
    case 6: pieces.erase(begin + at, pieces.end()); break;
    default:
        pieces[static_cast<std::size_t>(at | 1) % pieces.size()] +=
            gaps[random.below(static_cast<std::uint32_t>(gaps.size()))];
    }
}

// -- by structure: the result mostly parses, and often has a meaning

// Places in `pieces`.
struct Range {
    std::size_t from = 0, to = 0;
};

Pieces cut(const Pieces& pieces, Range range) {
    return {pieces.begin() + static_cast<std::ptrdiff_t>(range.from),
            pieces.begin() + static_cast<std::ptrdiff_t>(range.to)};
}

void replace(Pieces& pieces, Range range, const Pieces& by) {
    const auto at = pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(range.from),
                                 pieces.begin() + static_cast<std::ptrdiff_t>(range.to));
    pieces.insert(at, by.begin(), by.end());
}

// Declarations: they begin in the first column.
std::vector<Range> declarations(const Pieces& pieces) {
    std::vector<Range> all;
    for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
        const bool begins = i == 0 || pieces[i].ends_with('\n');
        if (begins && !all.empty()) all.back().to = i;
        if (begins) all.push_back({i, pieces.size()});
    }
    return all;
}

// Operands: names and numbers, with what follows them in brackets, and groups in parentheses or braces.
std::vector<Range> operands(const Pieces& pieces) {
    std::vector<Range> all;
    std::vector<std::size_t> open;
    for (std::size_t i = 1; i < pieces.size(); i += 2) {
        const std::string& token = pieces[i];
        if (token == "(" || token == "[" || token == "{") {
            const bool follows = i > 2 && pieces[i - 1].empty() && std::isalnum(pieces[i - 2].back()) != 0;
            open.push_back(follows ? i - 2 : i);
        } else if ((token == ")" || token == "]" || token == "}") && !open.empty()) {
            all.push_back({open.back(), i + 1});
            open.pop_back();
        } else if (!token.empty() && std::isalnum(static_cast<unsigned char>(token.front())) != 0) {
            all.push_back({i, i + 1});
        }
    }
    return all;
}

template <class Picks>
std::string any(const Pieces& pieces, zug::Random& random, Picks&& picks, std::string otherwise) {
    std::vector<std::size_t> found;
    for (std::size_t i = 1; i < pieces.size(); i += 2)
        if (!pieces[i].empty() && picks(pieces[i].front())) found.push_back(i);
    return found.empty() ? otherwise : pieces[found[static_cast<std::size_t>(pick(random, found.size()))]];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

void mutate_structure(Pieces& pieces, zug::Random& random) {
    static const Pieces numbers = {"0",
                                   "1",
                                   "2",
                                   "7",
                                   "8",
                                   "63",
                                   "64",
                                   "65",
                                   "255",
                                   "256",
                                   "4095",
                                   "65535",
                                   "65536",
                                   "65537",
                                   "1e6",
                                   "4194305",
                                   "2147483647",
                                   "4294967296",
                                   "1099511627776",
                                   "9223372036854775807"};
    const auto parts = random.below(3) == 0 ? declarations(pieces) : operands(pieces);
    if (parts.empty()) return mutate_tokens(pieces, random);
    const Range own = parts[static_cast<std::size_t>(pick(random, parts.size()))];
    const Range other = parts[static_cast<std::size_t>(pick(random, parts.size()))];
    switch (random.below(7)) {
    case 0: return replace(pieces, own, cut(pieces, other));
    case 1: return replace(pieces, {own.to, own.to}, cut(pieces, other));
    case 2: return replace(pieces, own, {});
    case 3: return replace(pieces, own, {numbers[static_cast<std::size_t>(pick(random, numbers.size()))]});
    case 4: return replace(pieces, own, {any(pieces, random, is_letter, "me")});
    case 5: return replace(pieces, own, {any(pieces, random, is_digit, "0")});
    default: { // the same operand, in an operation with another
        static const Pieces operators = {" + ", " - ", " * ",  " div ", " mod ", " and ", " or ", " \\ ",
                                         " & ", " = ", " in ", " < ",   ".",     "..",    ", ",   " union "};
        Pieces joined = cut(pieces, own);
        joined.push_back(operators[static_cast<std::size_t>(pick(random, operators.size()))]);
        const Pieces right = cut(pieces, other);
        joined.insert(joined.end(), right.begin(), right.end());
        return replace(pieces, own, joined);
    }
    }
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    zug::Random random(seed);
    if (random.below(3) == 0) return LLVMFuzzerMutate(data, size, max_size);
    std::string text(reinterpret_cast<const char*>(data), size);
    const bool by_structure = random.below(2) == 0;
    for (auto times = 1 + random.below(4); times > 0; --times) {
        Pieces pieces = split(text);
        if (pieces.empty()) break;
        by_structure ? mutate_structure(pieces, random) : mutate_tokens(pieces, random);
        text.clear();
        for (const auto& piece : pieces) text += piece;
    }
    const auto length = std::min(text.size(), max_size);
    std::memcpy(data, text.data(), length);
    return length;
}
