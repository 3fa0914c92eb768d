#include "draw/board/pieces/view.hpp"

namespace zug::draw::board {

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
    if (program_.types.kind(type) != ir::TypeKind::Tuple) return ir::value_text(program_, type, value);
    std::string text;
    const auto& parts = program_.types[type].parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string part = words(parts[i], program_.types.project(type, value, i));
        text += (text.empty() || part.empty() ? "" : " ") + part;
    }
    return text;
}

} // namespace zug::draw::board
