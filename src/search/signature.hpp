#pragma once
// The behaviour signature: how many nodes a fixed list of searches visits in all. A change that is meant to change
// nothing leaves it as it was. The list must not contain time limits.

#include "search/search.hpp"

#include <span>

namespace zug::search {

struct SignatureCase {
    game::Game* game = nullptr;
    game::State root;
    Method method = Method::AlphaBeta;
    int depth = 1;
};

struct Signature {
    std::uint64_t nodes = 0;
    std::string fault; // of the first case that has one
};

Signature signature(std::span<const SignatureCase> cases, const std::atomic<bool>* stop = nullptr);

} // namespace zug::search
