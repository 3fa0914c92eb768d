#pragma once
// What an expression depends on: names, or more. One that depends on names only has a value for each of their values,
// which can be known when the program is compiled.

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

// The most that finding the values of such expressions may cost a program, in steps (ir/work.hpp): about two seconds.
inline constexpr std::uint64_t static_work = 100'000'000;

struct Dependence {
    bool on_more = false;              // the state, the player, legal moves, recursion, or more names than are counted
    bool computes = false;             // something in it is neither a path nor a test of membership
    std::vector<ir::VarId> names = {}; // the free ones, ascending

    static constexpr std::size_t most_names = 4;
    void add(const Dependence& other);
    void name(ir::VarId var);
};

class Dependences {
public:
    explicit Dependences(const ir::Program& program) : program_(program), known_(program.exprs.size()) {}

    const Dependence& of(ir::ExprId e);

private:
    Dependence find(ir::ExprId e);

    const ir::Program& program_;
    std::vector<std::optional<Dependence>> known_;
};

} // namespace zug::run
