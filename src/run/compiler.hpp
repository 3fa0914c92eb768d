#pragma once
// How a program becomes byte code. For the files of compile() only.

#include "run/compile.hpp"
#include "run/graph.hpp"
#include "run/lower.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::run {

// One compilation: fills a Compiled whose program, layout and machine are set.
class Compiler {
public:
    explicit Compiler(Compiled& out, Notes* notes)
        : out_(out), program_(*out.program), graph_(out.code, *out.layout, out.machine),
          lowering_(program_, *out.layout, out.code, graph_) {
        graph_.take_notes(notes);
    }

    bool all();
    std::string why;

private:
    std::uint32_t players() const { return program_.player_count(); }
    bool ok(const std::string& what);
    bool fail(const std::string& what);
    bool find(std::uint32_t player, bool chance, FindCode& out);
    bool find_in_routine(std::uint32_t player, bool chance, std::int32_t result, FindCode& out);
    // `alone`: the result of the routine, if it is about no other rule.
    bool find_rule(ir::RuleId id, FindCode& out, std::vector<NodeRef>& roots, std::optional<std::int32_t> alone);
    bool plan();
    NumberCode number(ir::ExprId e, const Env* env);
    bool play(std::uint32_t player, FindCode& out);
    bool rule(ir::RuleId id);
    Entry apply(ir::RuleId id, std::uint32_t player);
    const Env* parameters(ir::RuleId id);
    const Env* with_lets(ir::RuleId id, bool kept);
    void ends(std::uint32_t last);
    // The end clauses with `stuck` taken to be known; the first that this made a difference to.
    std::size_t end_clauses(bool stuck);
    Compiled::Values reals(const std::vector<ir::ExprId>& list, std::uint32_t me);
    Compiled::Key key(const ir::HistoryKey& key, std::uint32_t me);
    void fixed_parts();

    Compiled& out_;
    const ir::Program& program_;
    Graph graph_;
    Lowering lowering_;
};

} // namespace zug::run
