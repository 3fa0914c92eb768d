#include "draw/board/pieces/look.hpp"

#include "ir/glyphs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace zug::draw::board {

using ir::TypeKind;

namespace {

struct NamedMan {
    std::string_view name;
    Man man;
    bool lettered = false; // a piece that moves like this one, and more
};
constexpr std::array chessmen{NamedMan{"pawn", Man::Pawn},
                              NamedMan{"knight", Man::Knight},
                              NamedMan{"bishop", Man::Bishop},
                              NamedMan{"rook", Man::Rook},
                              NamedMan{"queen", Man::Queen},
                              NamedMan{"king", Man::King},
                              NamedMan{"archbishop", Man::Bishop, true},
                              NamedMan{"chancellor", Man::Rook, true}};

// The looks of pieces in the shapes of files.
Look shaped(ir::Shape shape, const Ink& ink) {
    switch (shape) {
    case ir::Shape::Pawn: return {.form = Form::Chessman, .ink = ink, .man = Man::Pawn};
    case ir::Shape::Knight: return {.form = Form::Chessman, .ink = ink, .man = Man::Knight};
    case ir::Shape::Bishop: return {.form = Form::Chessman, .ink = ink, .man = Man::Bishop};
    case ir::Shape::Rook: return {.form = Form::Chessman, .ink = ink, .man = Man::Rook};
    case ir::Shape::Queen: return {.form = Form::Chessman, .ink = ink, .man = Man::Queen};
    case ir::Shape::King: return {.form = Form::Chessman, .ink = ink, .man = Man::King};
    case ir::Shape::Crowned: return {.form = Form::Crowned, .ink = ink};
    case ir::Shape::Tile: return {.form = Form::Tile, .ink = ink};
    case ir::Shape::Cross: return {.form = Form::Cross, .ink = ink};
    case ir::Shape::Nought: return {.form = Form::Nought, .ink = ink};
    case ir::Shape::Star: return {.form = Form::Star, .ink = ink};
    case ir::Shape::Wall: return {.form = Form::Block, .ink = ink};
    case ir::Shape::Crate: return {.form = Form::Crate, .ink = ink};
    case ir::Shape::Dot: return {.form = Form::Dot, .ink = ink};
    case ir::Shape::Stone:
    case ir::Shape::Dice:
    case ir::Shape::Cards: break;
    }
    return {.form = Form::Disc, .ink = ink};
}

// Enumerations of two members, an ordinary one and one with a crown.
constexpr std::array<std::string_view, 4> men{"man", "soldier", "student", "stone"},
    crowned{"king", "officer", "master", "chief"};

struct NamedForm {
    std::string_view name;
    Form form;
    bool on_goal = false;
};
constexpr std::array things{
    NamedForm{"wall", Form::Block},  NamedForm{"box", Form::Crate},    NamedForm{"boxongoal", Form::Crate, true},
    NamedForm{"goal", Form::Goal},   NamedForm{"man", Form::Chessman}, NamedForm{"manongoal", Form::Chessman, true},
    NamedForm{"arrow", Form::Burnt}, NamedForm{"been", Form::Dot},     NamedForm{"dot", Form::Dot}};

std::string in_small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

template <class Table>
auto entry_named(const Table& table, const std::string& name) -> std::optional<typename Table::value_type> {
    const std::string word = in_small_letters(name);
    const auto found = std::ranges::find_if(table, [&](const auto& entry) { return entry.name == word; });
    return found == table.end() ? std::nullopt : std::optional(*found);
}

bool is_draughts(const std::vector<std::string>& kinds) {
    return kinds.size() == 2 && std::ranges::find(men, in_small_letters(kinds[0])) != men.end() &&
           std::ranges::find(crowned, in_small_letters(kinds[1])) != crowned.end();
}

// What a player's name is on paper.
Look mark_of(const std::string& name, const Ink& ink) {
    const Form form = name == "X" ? Form::Cross : name == "O" ? Form::Nought : Form::Text;
    return {.form = form, .ink = ink, .text = name};
}

// The properties that a word gives a token, if it gives one.
bool add_property(Look& token, const std::string& name) {
    const std::string word = in_small_letters(name);
    const auto ink = ink_named(word);
    if (ink) token.ink = *ink;
    if (word == "low" || word == "short") token.low = true;
    if (word == "square") token.square = true;
    if (word == "hollow") token.hollow = true;
    constexpr std::array<std::string_view, 9> known{"tall",   "high", "low",    "short", "round",
                                                    "square", "full", "hollow", "solid"};
    return ink.has_value() || std::ranges::find(known, word) != known.end();
}

} // namespace

Looks::Looks(const ir::Program& program) : program_(program), inks_(player_inks(program)) {
    on_paper_ = std::ranges::any_of(program.rules, [](const ir::Rule& rule) { return rule.name == "mark"; }) &&
                std::ranges::all_of(program.players, [](const std::string& name) { return name.size() == 1; });
}

const std::vector<std::string>& Looks::members(ir::TypeId type) const {
    return program_.enums[static_cast<ir::EnumId>(program_.types[type].ref)];
}

Ink Looks::glyph_ink(ir::TypeId type, std::int64_t value, const Ink& otherwise) const {
    const ir::Glyph* glyph = ir::given_glyph(program_, type, value);
    return glyph == nullptr ? otherwise : ink_named(glyph->colour).value_or(otherwise);
}

Look Looks::of(ir::TypeId type, std::int64_t value) const {
    const bool optional = program_.types.kind(type) == TypeKind::Optional;
    if (value == ir::none) return {};
    if (optional) type = program_.types.inner(type);
    switch (program_.types.kind(type)) {
    case TypeKind::Bool:
        if (value == 0) return {};
        return {.form = ir::glyph_text(program_, type, value) == "#" ? Form::Block : Form::Disc, .ink = plain_ink()};
    case TypeKind::Int: return of_number(type, value, optional);
    case TypeKind::Enum: return of_member(type, value, nullptr);
    case TypeKind::Player: return of_player(type, value);
    case TypeKind::Tuple: return of_tuple(type, value);
    default: return {.form = Form::Text, .ink = plain_ink(), .text = ir::value_text(program_, type, value)};
    }
}

bool is_chessman(const std::string& name) { return entry_named(chessmen, name).has_value(); }

bool Looks::has_chessmen(ir::TypeId type) const {
    const ir::Type& t = program_.types[type];
    if (t.kind == TypeKind::Optional || t.kind == TypeKind::Tuple) return has_chessmen(t.parts.back());
    if (t.kind != TypeKind::Enum) return false;
    const auto is_shaped_so = [&](const ir::PieceLook& look) {
        return look.type == type && shaped(look.shape, plain_ink()).form == Form::Chessman;
    };
    if (std::ranges::any_of(program_.looks.pieces, is_shaped_so)) return true;
    return !is_draughts(members(type)) && std::ranges::any_of(members(type), is_chessman);
}

std::optional<Look> Looks::given(ir::TypeId type, std::int64_t value, const Ink& ink) const {
    const auto found = std::ranges::find_if(
        program_.looks.pieces, [&](const ir::PieceLook& look) { return look.type == type && look.value == value; });
    if (found == program_.looks.pieces.end()) return std::nullopt;
    Look look = shaped(found->shape, ink);
    if (found->lettered || look.form == Form::Tile) look.text = ir::glyph_text(program_, type, value);
    if (found->lettered && look.form == Form::Disc)
        look.form = Form::Lettered;
    else
        look.badge = found->lettered && look.form != Form::Tile;
    return look;
}

std::optional<ir::Shape> Looks::shape_of(ir::StateId id) const {
    const auto found = std::ranges::find(program_.looks.states, id, &ir::StateLook::state);
    return found == program_.looks.states.end() ? std::nullopt : std::optional(found->shape);
}

Look Looks::standing(ir::StateId id, const Ink* owner) const {
    const auto man = entry_named(chessmen, program_.states[id].name);
    const auto shape = shape_of(id);
    const bool is_man = shape ? shaped(*shape, plain_ink()).form == Form::Chessman : man.has_value();
    // A chessman of nobody is the first player's, as in endings where only one side has any.
    const Ink ink = owner != nullptr ? *owner : is_man ? player(0) : *ink_named("red");
    if (shape) return shaped(*shape, ink);
    return {.form = man ? Form::Chessman : Form::Disc, .ink = ink, .man = man ? man->man : Man::Pawn};
}

Look Looks::mark(ir::StateId id, const std::string& letter) const {
    if (const auto shape = shape_of(id)) return shaped(*shape, plain_ink());
    if (letter == "#") return {.form = Form::Block, .ink = plain_ink()};
    return {.form = Form::Tile, .ink = plain_ink(), .text = letter};
}

Look Looks::of_player(ir::TypeId type, std::int64_t value) const {
    if (const auto look = given(type, value, player(value))) return *look;
    if (on_paper_) return mark_of(program_.players[static_cast<std::size_t>(value)], player(value));
    return {.form = Form::Disc, .ink = player(value)};
}

Look Looks::of_member(ir::TypeId type, std::int64_t value, const Ink* owner) const {
    const auto& kinds = members(type);
    const std::string& name = kinds[static_cast<std::size_t>(value)];
    const std::string text = ir::glyph_text(program_, type, value);
    const Ink ink = owner != nullptr ? *owner : glyph_ink(type, value, plain_ink());
    if (const auto look = given(type, value, ink)) return *look;
    if (is_draughts(kinds)) return {.form = value == 0 ? Form::Disc : Form::Crowned, .ink = ink};
    if (const auto man = entry_named(chessmen, name))
        return {.form = Form::Chessman,
                .ink = ink,
                .text = man->lettered ? text : "",
                .man = man->man,
                .badge = man->lettered};
    if (const auto colour = ink_named(name)) {
        if (owner == nullptr) return {.form = Form::Disc, .ink = *colour};
        return {.form = Form::Disc, .ink = ink, .cored = true, .core = *colour};
    }
    if (owner != nullptr) return {.form = Form::Lettered, .ink = ink, .text = text};
    if (const auto thing = entry_named(things, name))
        return {.form = thing->form, .ink = ink, .on_goal = thing->on_goal};
    if (text == "-") return {.form = Form::Across, .ink = ink};
    if (text == "|") return {.form = Form::Upright, .ink = ink};
    return {.form = Form::Lettered, .ink = ink, .text = text};
}

Look Looks::of_tuple(ir::TypeId type, std::int64_t value) const {
    const auto& parts = program_.types[type].parts;
    const std::int64_t first = program_.types.project(type, value, 0);
    const bool owned = program_.types.kind(parts[0]) == TypeKind::Player;
    if (owned && parts.size() == 2 && program_.types.kind(parts[1]) == TypeKind::Enum)
        return of_member(parts[1], program_.types.project(type, value, 1), &player(first));
    Look token{.form = Form::Token, .ink = plain_ink()};
    const bool properties = [&] {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (program_.types.kind(parts[i]) != TypeKind::Enum) return false;
            const auto member = static_cast<std::size_t>(program_.types.project(type, value, i));
            if (!add_property(token, members(parts[i])[member])) return false;
        }
        return true;
    }();
    if (properties) return token;
    return {.form = Form::Lettered,
            .ink = owned ? player(first) : glyph_ink(type, value, plain_ink()),
            .text = ir::glyph_text(program_, type, value)};
}

Look Looks::of_number(ir::TypeId type, std::int64_t value, bool optional) const {
    // A glyph for a number has the type of the literal in the file.
    const auto glyph = std::ranges::find_if(program_.glyphs, [&](const ir::Glyph& given) {
        return program_.types.kind(given.type) == TypeKind::Int && given.value == value;
    });
    const bool given = glyph != program_.glyphs.end();
    const std::string text = given ? glyph->text : ir::value_text(program_, type, value);
    if (!optional) return {.form = Form::Text, .ink = plain_ink(), .text = text};
    const auto rank = static_cast<std::uint64_t>(value - program_.types[type].lo);
    return {.form = Form::Tile, .ink = given ? tile_ink(rank) : plain_ink(), .text = text};
}

bool is_colours(const ir::Program& program, ir::TypeId type) {
    if (program.types.kind(type) != TypeKind::Enum) return false;
    return std::ranges::all_of(program.enums[static_cast<ir::EnumId>(program.types[type].ref)],
                               [](const std::string& name) { return ink_named(name).has_value(); });
}

} // namespace zug::draw::board
