#pragma once
// Images of sets along paths: the sites that a path leads to from the members of a set; or, backward, the sites from
// which it leads to a member.
//
// Steps in constant directions become shifts with a mask, or a gather by a table on irregular boards. Repeated steps
// become floods, runs by doubling, or rays from few pieces. Everything else is a loop until nothing new is reached.

#include "compiler/lower/lowering_part.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::run {

// Tables of steps on a board: by bit, the bit that the step leads to, or -1 where it leads nowhere.
using StepTable = std::vector<std::int64_t>;

// The distance of all steps of the table, if they have the same; 0 for an empty table.
std::optional<std::int32_t> distance(const StepTable& table);
// The image of the table, as a set.
std::vector<std::uint64_t> landing(const StepTable& table, std::uint16_t words);
// Whether a shift by the distance of the table needs no mask: it moves sites to sites only as the table does.
bool shifts_cleanly(const StepTable& table, std::int32_t distance, std::span<const std::int32_t> site_of_bit);
// The inverse of an injective table.
StepTable inverted(const StepTable& table);
// Whether no two sites lead to the same one.
bool injective(const StepTable& table);

class PathLowering : private LoweringPart {
public:
    explicit PathLowering(Lowering& lowering) : LoweringPart(lowering) {}

    // `back`: the preimage, the sites from which the path leads to a member of the set.
    NodeRef image(NodeRef set, ir::ExprId path, const Context& in, bool back);
    using StepTables = std::vector<StepTable>;
    // Adds the tables of a path that is a union of constant steps. False: it is another path.
    bool constant_steps(ir::ExprId path, const Context& in, StepTables& steps);

private:
    // A resolved path, and the direction in which it is followed.
    struct Way {
        ir::ExprId path;
        const Context& in;
        bool back;
    };
    NodeRef image_step(NodeRef set, const Way& way);
    NodeRef image_steps_at(NodeRef set, NodeRef dir, ir::BoardId id, bool back);
    NodeRef image_dirs(NodeRef set, ir::BoardId board, NodeRef dirs, bool back);
    NodeRef image_table(NodeRef set, ir::BoardId id, const std::vector<std::int32_t>& to, bool back);
    NodeRef image_seq(NodeRef set, const Way& way);
    NodeRef image_into(NodeRef set, const Way& way);
    NodeRef image_if(NodeRef set, const Way& way);
    NodeRef image_over(NodeRef set, const Way& way);
    NodeRef image_slide(NodeRef set, const Way& way);
    NodeRef image_of_few(NodeRef set, const Way& way);
    // path_repeats.cpp
    NodeRef image_power(NodeRef set, const Way& way);
    NodeRef image_power_unknown(NodeRef set, const Way& way, NodeRef low, NodeRef high);
    NodeRef image_run(NodeRef set, const Way& way, std::int64_t times);
    NodeRef image_closure(NodeRef set, const Way& way);
    NodeRef image_grown(NodeRef set, const Way& way, std::int64_t low);
    NodeRef image_where_possible(NodeRef set, const Way& way);
    NodeRef loosened(NodeRef set) const;
    NodeRef image_flood(NodeRef start, const Way& way);

    std::vector<std::int64_t> step_table(ir::BoardId id, const std::vector<std::int32_t>& to, bool back) const;
    ir::BoardId board_of(ir::ExprId path) const {
        return static_cast<ir::BoardId>(program_.types[expr(path).type].ref);
    }
    // A path of constant steps into one set, as the flood instructions support it.
    struct Flood {
        StepTables steps;
        NodeRef into = no_node;
    };
    bool is_line(NodeRef set, ir::ExprId path, const Context& in, Flood& line);
    bool as_flood(ir::ExprId path, const Context& in, Flood& flood);
    NodeRef all_sites(ir::BoardId id);
    NodeRef step_of_one(NodeRef set, NodeRef row, std::vector<std::int64_t> table);
    NodeRef shift_by(NodeRef set, const std::vector<std::int64_t>& table);

    NodeRef loosened_for_ = no_node; // the variable of a loop, while images are sought that all its rounds share
};

} // namespace zug::run
