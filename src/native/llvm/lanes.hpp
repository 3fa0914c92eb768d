#pragma once
// Unions of sets that are made in the same way, in one direction each: four at a time, in the words of a vector.
//
// What an instruction of the byte code makes is taken apart into shifts, masks, floods and rays, so that sets which
// differ by distances, masks and tables only have the same form. Only sets of one word.

#include "native/llvm/shape.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zug::codegen {

// A flood along a line by doubling (Kogge and Stone, 1973): what is reached goes on by a length wherever so many places
// lie free in a row. Lengths double as long as there is more to reach than the last one did.
struct FillRound {
    std::int32_t length = 1;
    bool doubled = false; // by the round before, whose length was half of this one's
};
// Rounds by which one place becomes so many in a row.
std::vector<FillRound> fill_rounds(std::int32_t places);

// How a set is made.
struct Lane {
    enum class Kind : std::uint8_t {
        Word,  // a register as it is
        And,   // of all inputs and a mask
        Shift, // of the input by a distance
        Flood, // as FloodFrom: of the first input from the second
        Held,  // the second input if the first has members
        Ray,   // from the only member of a register through another
    };
    Lane() = default;
    Lane(Kind of, std::vector<const Lane*> inputs) : kind(of), in(std::move(inputs)) {}

    Kind kind = Kind::Word;
    std::uint32_t reg = 0; // Word, Ray
    std::uint32_t through = 0;
    std::int32_t distance = 0;
    std::int32_t steps = 0; // Flood: so many leave the board from anywhere
    std::uint64_t mask = ~std::uint64_t{0};
    const run::RayTable* rays = nullptr;
    std::vector<const Lane*> in;
    std::string form;     // equal for lanes that one vector can hold
    unsigned size = 1;    // operations
    bool changes = false; // a register that it reads may be another by the time of the union
};

// The unions of one block.
class Lanes {
public:
    using Constants = std::unordered_map<std::uint32_t, std::uint64_t>; // by register

    Lanes(const run::Bytecode& code, const Shape& shape, const Constants& constants, const Shape::Block& block);

    // Of an Or that no other Or takes further.
    using Four = std::array<const Lane*, 4>;
    struct Union {
        std::vector<Four> fours;           // the last may have a lane twice
        std::vector<std::uint32_t> others; // registers
    };
    // Null: there is nothing to gain.
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
    run::Entry root_ = 0;                                                       // of the union that is looked at
    std::unordered_map<std::uint32_t, const Lane*> known_;
    std::vector<std::unique_ptr<const Lane>> all_;
    std::unordered_map<run::Entry, Union> unions_;
};

} // namespace zug::codegen
