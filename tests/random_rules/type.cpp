#include "tests/random_rules/type.hpp"

namespace zug::random_rules {

Type Type::one() const {
    Type type = *this;
    type.set = type.optional = false;
    return type;
}

Type Type::all() const {
    Type type = one();
    type.set = true;
    return type;
}

bool alike(const Type& a, const Type& b) {
    if (a.sort != b.sort || a.number != b.number || a.set != b.set || a.parts.size() != b.parts.size()) return false;
    if (a.sort == Sort::Bool && a.optional != b.optional) return false; // conditions are never none
    for (std::size_t i = 0; i < a.parts.size(); ++i)
        if (!alike(a.parts[i], b.parts[i])) return false;
    return true;
}

std::string cat(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
}

} // namespace zug::random_rules
