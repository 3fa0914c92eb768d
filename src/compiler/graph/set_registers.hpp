#pragma once
// The registers of wide sets. Words and small sets have registers of their own, but sets of thousands of elements would
// soon fill the frame. Nothing but the roots of a routine is needed after it, and most values are needed for a few
// instructions only, so that other sets of the same width take over their registers.

#include "bytecode/bytecode.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zug::run {

class SetRegisters {
public:
    static constexpr std::size_t for_ever = SIZE_MAX; // the last use of a root

    // At the start of a routine, by node: the last position in its order that needs the node.
    void begin(std::vector<std::size_t> last_uses) {
        last_uses_ = std::move(last_uses);
        emitted_ = 0;
    }
    std::size_t last_use(std::size_t node) const { return last_uses_[node]; }
    std::size_t position() const { return emitted_; }

    // A register for what is needed up to a position. `graph`: gives those that have not been used.
    template <class Graph>
    Reg take(Graph& graph, std::uint16_t width, std::size_t last_use) {
        if (width < least_reused) return graph.fresh(width);
        std::vector<Reg>& left = left_[width];
        const Reg reg = left.empty() ? graph.fresh(width) : left.back();
        if (!left.empty()) left.pop_back();
        if (last_use != for_ever) taken_.push_back({last_use, reg, width});
        return reg;
    }
    // The next position of the order has been emitted.
    void advance() { leave(emitted_++); }
    // Everything has been.
    void end() { leave(for_ever); }

private:
    static constexpr std::uint16_t least_reused = 16; // words: the width from which on registers are taken over
    struct Taken {
        std::size_t last_use = 0;
        Reg reg = 0;
        std::uint16_t width = 1;
    };
    void leave(std::size_t emitted) {
        const auto is_left = [&](const Taken& one) { return one.last_use <= emitted; };
        for (const Taken& one : taken_)
            if (is_left(one)) left_[one.width].push_back(one.reg);
        std::erase_if(taken_, is_left);
    }

    std::vector<std::size_t> last_uses_;
    std::size_t emitted_ = 0;
    std::vector<Taken> taken_;
    std::unordered_map<std::uint16_t, std::vector<Reg>> left_; // by width: those that nothing needs
};

} // namespace zug::run
