#include "draw/board/pieces/view.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace zug::draw::board {

namespace {

struct Suit {
    std::string_view name, letter, sign;
};
constexpr std::array suits{Suit{"Clubs", "C", "♣"}, Suit{"Diamonds", "D", "♦"}, Suit{"Hearts", "H", "♥"},
                           Suit{"Spades", "S", "♠"}};

const Suit* suit_named(const std::string& name) {
    const auto found = std::ranges::find_if(suits, [&](const Suit& s) { return s.name == name || s.letter == name; });
    return found == suits.end() ? nullptr : &*found;
}

// Whether it is the enumeration of the four suits of cards.
bool is_suits(const ir::Program& program, ir::TypeId type) {
    if (program.types.kind(type) != ir::TypeKind::Enum) return false;
    const auto& names = program.enums[static_cast<ir::EnumId>(program.types[type].ref)];
    return names.size() == suits.size() && std::ranges::all_of(names, suit_named);
}

// Ranks from 11 on, where the ace is 14.
std::string rank_words(const ir::Type& type, std::int64_t rank) {
    constexpr std::array<std::string_view, 4> court{"J", "Q", "K", "A"};
    if (type.kind != ir::TypeKind::Int || type.hi != 14 || rank < 11) return {};
    return std::string(court[static_cast<std::size_t>(rank - 11)]);
}

} // namespace

bool View::is_card(ir::TypeId type) const {
    if (program_.types.kind(type) == ir::TypeKind::Optional) type = program_.types.inner(type);
    const ir::Type& t = program_.types[type];
    return t.kind == ir::TypeKind::Tuple && t.parts.size() == 2 && is_suits(program_, t.parts[0]);
}

std::int64_t View::value(ir::StateId id, std::uint64_t entry) const {
    return program_.types.value(state(id).value, slot(id, entry));
}

std::vector<std::int64_t> View::members(ir::StateId id, std::uint64_t entry) const {
    const ir::TypeId element = program_.types.inner(state(id).value);
    const std::uint64_t size = program_.types.cardinality(element);
    std::vector<std::int64_t> found;
    for (std::uint64_t i = 0; i < size; ++i)
        if (slot(id, entry * size + i) != 0) found.push_back(program_.types.value(element, i));
    return found;
}

std::string View::words(ir::TypeId type, std::int64_t value) const {
    if (value == ir::none) return {};
    if (program_.types.kind(type) == ir::TypeKind::Optional) type = program_.types.inner(type);
    if (program_.types.kind(type) == ir::TypeKind::Bool) return value != 0 ? "yes" : "no";
    if (is_suits(program_, type)) return std::string(suit_named(ir::value_text(program_, type, value))->sign);
    if (program_.types.kind(type) != ir::TypeKind::Tuple) return ir::value_text(program_, type, value);
    std::string text;
    const auto& parts = program_.types[type].parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::int64_t member = program_.types.project(type, value, i);
        std::string part = is_card(type) ? rank_words(program_.types[parts[i]], member) : "";
        if (part.empty()) part = words(parts[i], member);
        text += (text.empty() || part.empty() ? "" : " ") + part;
    }
    return text;
}

} // namespace zug::draw::board
