#pragma once
// Finds unions of sets that are computed in the same way, each in a direction of its own, so that four of them can be
// computed at a time in the words of a vector (superword-level parallelism: S. Larsen and S. Amarasinghe, 2000).
//
// The instructions behind each set are decomposed into shifts, masks, floods and rays. Sets that differ in distances,
// masks and tables only have the same form. Sets of one word only.

#include "native/llvm/shape.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zug::codegen {

// A round of a flood along a line by a parallel prefix (P. Kogge and H. Stone, 1973): what was reached is extended by
// `length` sites wherever so many sites in a row are free.
struct FillRound {
    std::int32_t length = 1;
    bool doubled = false; // twice the length of the round before, so free runs are extended first
};
// The rounds after which one site has become `sites` in a row.
std::vector<FillRound> fill_rounds(std::int32_t sites);

// How a set is computed.
struct Lane {
    enum class Kind : std::uint8_t {
        Word,  // a register
        And,   // all inputs and a mask
        Shift, // the input shifted by a distance
        Flood, // FloodFrom: the first input flooded through the second
        Held,  // the second input if the first has members, else the empty set
        Ray,   // the ray from the only member of a register through another
    };
    Lane() = default;
    Lane(Kind of, std::vector<const Lane*> inputs) : kind(of), in(std::move(inputs)) {}

    Kind kind = Kind::Word;
    std::uint32_t reg = 0; // Word, Ray
    std::uint32_t through = 0;
    std::int32_t distance = 0;
    std::int32_t steps = 0; // Flood: after so many steps everything has left the board
    std::uint64_t mask = ~std::uint64_t{0};
    const run::RayTable* rays = nullptr;
    std::vector<const Lane*> in;
    std::string form;     // equal for lanes that one vector can hold
    unsigned size = 1;    // in operations
    bool changes = false; // a register that it reads may be overwritten before the union
};

// The unions of one basic block.
class Lanes {
public:
    using Constants = std::unordered_map<std::uint32_t, std::uint64_t>; // by register

    Lanes(const run::Bytecode& code, const Shape& shape, const Constants& constants, const Shape::Block& block);

    using Four = std::array<const Lane*, 4>;
    // The operands of a tree of Ors, at its root.
    struct Union {
        std::vector<Four> fours;           // the last one may contain a lane twice
        std::vector<std::uint32_t> others; // registers that are joined as they are
    };
    // Null: the instruction is not the root of such a tree, or vectors would gain nothing.
    const Union* union_at(run::Entry at) const;

private:
    const Lane* lane(std::uint32_t reg, run::Entry read_at);
    const Lane* lane_of(const run::Instr& i, run::Entry at);
    const Lane* keep(Lane lane);
    const Lane* shifted(std::uint32_t reg, std::int32_t distance, run::Entry at);
    const Lane* all_of(std::initializer_list<const Lane*> parts);
    const Lane* truth(std::uint32_t reg, run::Entry read_at);
    void gather(std::uint32_t reg, std::vector<std::uint32_t>& leaves) const;
    void find_union(run::Entry at);

    const run::Bytecode& code_;
    const Shape& shape_;
    const Constants& constants_;
    std::unordered_map<std::uint32_t, std::vector<run::Entry>> writes_, reads_; // by register, in this block
    run::Entry root_ = 0;                                                       // of the tree at hand
    std::unordered_map<std::uint32_t, const Lane*> known_;
    std::vector<std::unique_ptr<const Lane>> all_;
    std::unordered_map<run::Entry, Union> unions_;
};

} // namespace zug::codegen
