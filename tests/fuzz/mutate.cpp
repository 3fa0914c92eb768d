// Mutations of tokens: most mutants of a rule file are still rule files, or nearly, so that the fuzzer gets past the
// lexer. One mutation in three changes bytes at random as usual.

#include "base/random.hpp"
#include "grammar/lexer/lexer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

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

void mutate(Pieces& pieces, zug::Random& random) {
    static const Pieces gaps = {"", " ", "\n", "\n  ", "   ", " # note\n", "\n\n# note\n", "\t", "\r\n", "\n\n\n"};
    const auto pick = [&](std::size_t n) {
        return static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(n)));
    };
    const auto at = pick(pieces.size());
    const auto begin = pieces.begin();
    const auto length = std::min<std::ptrdiff_t>(1 + pick(8), static_cast<std::ptrdiff_t>(pieces.size()) - at);
    switch (random.below(8)) {
    case 0: pieces.erase(begin + at, begin + at + length); break;
    case 1: { // a copy of some tokens elsewhere
        const Pieces copy(begin + at, begin + at + length);
        pieces.insert(begin + pick(pieces.size()), copy.begin(), copy.end());
        break;
    }
    case 2:
        std::swap(pieces[static_cast<std::size_t>(at)], pieces[static_cast<std::size_t>(pick(pieces.size()))]);
        break;
    case 3:
        pieces.insert(begin + at, " " +
                                      std::string(zug::syntax::spelling(static_cast<zug::syntax::Tok>(
                                          pick(1 + static_cast<std::size_t>(zug::syntax::Tok::Me))))) +
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

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    zug::Random random(seed);
    if (random.below(3) == 0) return LLVMFuzzerMutate(data, size, max_size);
    auto pieces = split(std::string(reinterpret_cast<const char*>(data), size));
    for (auto times = 1 + random.below(4); times > 0 && !pieces.empty(); --times) mutate(pieces, random);
    std::string text;
    for (const auto& piece : pieces) text += piece;
    const auto length = std::min(text.size(), max_size);
    std::memcpy(data, text.data(), length);
    return length;
}
