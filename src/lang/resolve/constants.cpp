// Integers that must be known when the file is read.

#include "lang/resolve/constants.hpp"

#include "lang/core/conversions.hpp"

#include <utility>

namespace zug::lang {
std::optional<std::int64_t> Constants::constant_int(NodeId id, std::string fix) {
    if (!valid(id)) return {};
    const Operand found = conversions_.as_integer(expr(id));
    if (!found.ok()) return {};
    const auto constant = builder_.scalar(found.expr);
    if (!constant) error(Message::NotConstant, span(id), {}, std::move(fix));
    return constant;
}

} // namespace zug::lang
