#pragma once
// The ways to say a part of a rule in other words that mean the same.

#include "tests/rephrase/text.hpp"

#include <span>
#include <string_view>

namespace zug::rephrase {

struct Way {
    std::string_view name, from, to; // for people: what becomes what
    // For a binary operator: its sign, and what is written with {0} and {1} for its sides in brackets, {2} for a name.
    std::string_view sign, form;
    // For all else; empty where it does not apply.
    std::string (*other)(Text& text, syntax::NodeId node) = nullptr;

    std::string write(Text& text, syntax::NodeId node) const;
};

std::span<const Way> ways();

} // namespace zug::rephrase
