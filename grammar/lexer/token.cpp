#include "grammar/lexer/token.hpp"

#include "base/nearest.hpp"

#include <array>
#include <unordered_map>

namespace zug::syntax {

namespace {

struct Row {
    std::string_view spelling;
    bool keyword;
};

constexpr std::array rows = {
#define TOKEN(name, spelling) Row{spelling, false},
#define KEYWORD(name, spelling) Row{spelling, true},
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
};

} // namespace

std::string_view spelling(Tok kind) { return rows[static_cast<std::size_t>(kind)].spelling; }

bool is_keyword(Tok kind) { return rows[static_cast<std::size_t>(kind)].keyword; }

bool starts_declaration(Tok kind) { return kind >= Tok::Game && kind <= Tok::Test; }

std::string nearest_declaration(std::string_view word) {
    static const auto keywords = [] {
        std::vector<std::string> result;
        for (const auto& row : rows)
            if (starts_declaration(keyword(row.spelling))) result.emplace_back(row.spelling);
        return result;
    }();
    return nearest(word, keywords);
}

Tok keyword(std::string_view word) {
    static const auto words = [] {
        std::unordered_map<std::string_view, Tok> result;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].keyword) result.emplace(rows[i].spelling, static_cast<Tok>(i));
        return result;
    }();
    const auto found = words.find(word);
    return found == words.end() ? Tok::Name : found->second;
}

} // namespace zug::syntax
