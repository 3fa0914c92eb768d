#pragma once
// Positions as arrays of numbers, for learners: what each state variable holds, as planes of zeros and ones.
//
// A position is the blocks one after the other, each an array in C order of shape (values, ...): one plane for each
// value that an entry of the variable can have, and in it a 1 at each entry that has the value. The other dimensions
// are those of the variable's indices. A grid's sites are two of them: rows from the top one down, and columns from
// the left. A truth, and a set (whose members are the last dimensions), takes one plane. Numbers of more than
// most_values values take one plane, with the number scaled to 0..1 from the least to the greatest one. Only variables
// that rules change have blocks. At the end come `turn`, whose player it is, and, where the rules need it, `last`, who
// moved last; `whose_turn` and `last_mover` if a variable has that name.

#include "api/game.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace zug::api {

struct Block {
    std::string name;                // of the variable
    std::vector<std::string> values; // what each plane stands for; one text for a truth, a set or a scaled number
    std::vector<std::size_t> shape;  // the first: the number of planes
    std::size_t offset = 0;          // of its first number
    bool scaled = false;             // a number, not zeros and ones

    std::size_t size() const;
};

class Observer {
public:
    static constexpr std::uint64_t most_values = 64;

    explicit Observer(const Game& game);

    const std::vector<Block>& blocks() const { return blocks_; }
    std::size_t size() const { return size_; } // numbers a position
    // `out` has size() elements. The state is of the same game. Cost: some nanoseconds an element.
    void write(const State& state, std::span<float> out) const;

private:
    // What a slot of the position writes.
    struct Slot {
        std::size_t first = 0;  // where value 0 would stand
        std::size_t stride = 0; // from a value to the next
        float scale = 0;        // above 0: the number times this is written at `first`
        bool member = false;    // only value 1 is written, at `first`
        bool used = false;
    };
    void add(const Inner& inner, std::size_t variable, std::uint64_t values);
    void add_player(const Inner& inner, std::string name, std::size_t slot);

    std::vector<Block> blocks_;
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

} // namespace zug::api
