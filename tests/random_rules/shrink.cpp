#include "tests/random_rules/shrink.hpp"

#include "grammar/lexer/lexer.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace zug::random_rules {

namespace {

using Pieces = std::vector<std::string>;

constexpr const char* simple_values[] = {"true", "false", "0", "1", "me", "none", "{}", "cell", "(ply >= 1)"};

// Each token with the blanks before it.
Pieces words_of(const std::string& text) {
    diag::Report report;
    const auto lexed = syntax::lex(text, {}, 0, static_cast<std::uint32_t>(text.size()), report);
    Pieces pieces;
    std::uint32_t at = 0;
    for (const auto& token : lexed.tokens) {
        pieces.push_back(text.substr(at, token.end - at));
        at = token.end;
    }
    return pieces;
}

Pieces lines_of(const std::string& text) {
    Pieces pieces;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) pieces.push_back(line + "\n");
    return pieces;
}

std::string joined(const Pieces& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return text;
}

class Shrinker {
public:
    Shrinker(const std::function<bool(const std::string&)>& holds, int questions) : holds_(holds), left_(questions) {}

    std::string all(std::string text) {
        for (std::size_t size = text.size() + 1; text.size() < size && left_ > 0;) {
            size = text.size();
            text = without_runs(lines_of(text));
            text = with_simple_values(words_of(text));
            text = without_runs(words_of(text));
        }
        return text;
    }

private:
    bool holds(const Pieces& pieces) { return left_-- > 0 && holds_(joined(pieces)); }

    // Runs of pieces left out, long ones first.
    std::string without_runs(Pieces pieces) {
        for (std::size_t run = std::min<std::size_t>(64, pieces.size()); run > 0; run /= 2)
            for (std::size_t at = 0; at + run <= pieces.size();) {
                Pieces rest = pieces;
                const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(at);
                rest.erase(begin, begin + static_cast<std::ptrdiff_t>(run));
                if (holds(rest))
                    pieces = std::move(rest);
                else
                    ++at;
            }
        return joined(pieces);
    }

    static char last(const std::string& piece) { return piece.empty() ? ' ' : piece.back(); }
    static bool opens(const std::string& piece) {
        return last(piece) == '(' || last(piece) == '{' || last(piece) == '[';
    }
    static bool closes(const std::string& piece) {
        return last(piece) == ')' || last(piece) == '}' || last(piece) == ']';
    }

    static std::size_t closing(const Pieces& pieces, std::size_t open) {
        int depth = 0;
        for (std::size_t i = open; i < pieces.size(); ++i) {
            depth += opens(pieces[i]) ? 1 : closes(pieces[i]) ? -1 : 0;
            if (depth == 0) return i;
        }
        return pieces.size();
    }

    static Pieces replaced(const Pieces& pieces, std::size_t from, std::size_t to, const Pieces& by) {
        Pieces result(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(from));
        result.insert(result.end(), by.begin(), by.end());
        result.insert(result.end(), pieces.begin() + static_cast<std::ptrdiff_t>(to), pieces.end());
        return result;
    }

    // A bracket, outer ones first, gives way to a simple value or to a bracket in it.
    std::string with_simple_values(Pieces pieces) {
        for (std::size_t at = 0; at < pieces.size(); ++at)
            while (opens(pieces[at]) && (simpler_value(pieces, at) || inner_bracket(pieces, at))) {
            }
        return joined(pieces);
    }

    bool simpler_value(Pieces& pieces, std::size_t at) {
        const std::size_t end = closing(pieces, at);
        if (end >= pieces.size() || end - at < 2) return false;
        for (const char* value : simple_values) {
            Pieces candidate = replaced(pieces, at, end + 1, {" ", value});
            if (end - at <= 4 || !holds(candidate)) continue;
            pieces = std::move(candidate);
            return true;
        }
        return false;
    }

    bool inner_bracket(Pieces& pieces, std::size_t at) {
        const std::size_t end = closing(pieces, at);
        if (end >= pieces.size()) return false;
        for (std::size_t inner = at + 1; inner < end; ++inner) {
            if (!opens(pieces[inner])) continue;
            const std::size_t inner_end = closing(pieces, inner);
            Pieces part(pieces.begin() + static_cast<std::ptrdiff_t>(inner),
                        pieces.begin() + static_cast<std::ptrdiff_t>(inner_end + 1));
            part.front() = pieces[at].substr(0, pieces[at].size() - 1) + part.front().substr(part.front().size() - 1);
            Pieces candidate = replaced(pieces, at, end + 1, part);
            if (holds(candidate)) {
                pieces = std::move(candidate);
                return true;
            }
            inner = inner_end;
        }
        return false;
    }

    const std::function<bool(const std::string&)>& holds_;
    int left_;
};

} // namespace

std::string shrink(std::string text, const std::function<bool(const std::string&)>& holds, int most_questions) {
    return Shrinker(holds, most_questions).all(std::move(text));
}

} // namespace zug::random_rules
