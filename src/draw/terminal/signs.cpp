#include "draw/terminal/signs.hpp"

#include "game/faces.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace zug::draw::terminal {

using board::Form;
using board::Look;

namespace {

bool is_ink(const Look& look, std::string_view word) { return look.ink == board::ink_named(word); }

// Those of White are outlines, all others are filled.
std::string chessman_sign(const Look& look) {
    constexpr std::array<std::string_view, 6> outlined{"♙", "♘", "♗", "♖", "♕", "♔"},
        filled{"♟", "♞", "♝", "♜", "♛", "♚"};
    static_assert(static_cast<int>(board::Man::Pawn) == 0 && static_cast<int>(board::Man::King) == 5);
    const auto man = static_cast<std::size_t>(look.man);
    return std::string(is_ink(look, "white") ? outlined[man] : filled[man]);
}

// Empty: the glyph says it best.
std::string unicode_sign(const Look& look) {
    switch (look.form) {
    case Form::Disc: return look.cored ? "" : is_ink(look, "white") ? "○" : "●";
    case Form::Crowned: return is_ink(look, "white") ? "◎" : "◉";
    case Form::Chessman: return look.text.empty() && !look.on_goal ? chessman_sign(look) : "";
    case Form::Block: return "█";
    case Form::Across: return "─";
    case Form::Upright: return "│";
    default: return "";
    }
}

// Whether all values but none can be told apart.
bool are_distinct(const std::vector<Sign>& signs, const Screen& screen) {
    std::set<std::pair<std::string, std::string>> seen;
    return std::ranges::all_of(signs, [&](const Sign& sign) {
        return sign.text.empty() || seen.insert({sign.text, screen.colour ? sign.colour : ""}).second;
    });
}

} // namespace

std::vector<Sign> signs_of(const board::View& view, ir::TypeId type, const Screen& screen) {
    const ir::Program& program = view.program();
    const game::Faces faces = game::faces_of(program, type);
    std::vector<Sign> plain, signs;
    for (std::size_t i = 0; i < faces.texts.size(); ++i) {
        const std::int64_t value = program.types.value(type, i);
        plain.push_back({value == ir::none ? "" : faces.texts[i], faces.colours[i]});
        if (plain.back().text == ".") plain.back().text.clear();
        signs.push_back(plain.back());
        if (!screen.unicode || signs.back().text.empty()) continue;
        if (const std::string sign = unicode_sign(view.looks().of(type, value)); !sign.empty())
            signs.back().text = sign;
    }
    for (std::vector<Sign>* all : {&plain, &signs})
        for (std::size_t i = 0; i < all->size(); ++i) (*all)[i].colour = faces.colours[i];
    return are_distinct(signs, screen) ? signs : plain;
}

bool is_players_own(const board::View& view, const game::StandingPiece& piece) {
    const auto& indices = view.state(piece.state).indices;
    return !indices.empty() && view.program().types.kind(indices[0]) == ir::TypeKind::Player &&
           piece.glyphs == game::faces_of(view.program(), indices[0]).texts;
}

namespace {

// Of a piece that is a chessman; empty: it is none, or that of another player has the same sign.
std::string standing_chessman(const board::View& view, const game::StandingPiece& piece, std::size_t entry) {
    const auto& indices = view.state(piece.state).indices;
    const auto sign_of = [&](const board::Ink* owner) {
        const Look look = view.looks().standing(piece.state, owner);
        return look.form == Form::Chessman ? chessman_sign(look) : "";
    };
    if (indices.empty()) return sign_of(nullptr);
    if (view.program().types.kind(indices[0]) != ir::TypeKind::Player) return {};
    std::vector<std::string> signs;
    for (std::size_t player = 0; player < piece.glyphs.size(); ++player)
        signs.push_back(sign_of(&view.looks().player(static_cast<std::int64_t>(player))));
    return std::ranges::count(signs, signs[entry]) == 1 ? signs[entry] : "";
}

} // namespace

Sign sign_standing(const board::View& view, const game::StandingPiece& piece, std::size_t entry, const Screen& screen) {
    const auto& indices = view.state(piece.state).indices;
    if (const std::string man = screen.unicode ? standing_chessman(view, piece, entry) : ""; !man.empty())
        return {.text = man};
    const bool by_player = !indices.empty() && view.program().types.kind(indices[0]) == ir::TypeKind::Player;
    if (!indices.empty() && (!by_player || is_players_own(view, piece)))
        return signs_of(view, indices[0], screen)[entry];
    return {.text = piece.glyphs[entry]};
}

std::string die_sign(int points, const Screen& screen) {
    constexpr std::array<std::string_view, 6> dice{"⚀", "⚁", "⚂", "⚃", "⚄", "⚅"};
    const bool has_sign = screen.unicode && points >= 1 && points <= 6;
    // The sign is small: the number is easier to read.
    const std::string number = std::to_string(points);
    return has_sign ? std::string(dice[static_cast<std::size_t>(points - 1)]) + " " + number : "[" + number + "]";
}

std::string plain_text(std::string text, const Screen& screen) {
    if (screen.unicode) return text;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs{
        {{"♣", "C"}, {"♦", "D"}, {"♥", "H"}, {"♠", "S"}, {"–", "-"}, {"…", "..."}}};
    for (const auto& [sign, letter] : signs)
        for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign, at + letter.size()))
            text.replace(at, sign.size(), letter);
    return text;
}

} // namespace zug::draw::terminal
