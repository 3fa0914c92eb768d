#include "bytecode/added_ranges.hpp"

#include <algorithm>

namespace zug::run {
namespace {

constexpr std::int64_t unbounded = std::int64_t{1} << 40; // beyond all numbers of the language, and safe to multiply

class BlockSums {
public:
    explicit BlockSums(const ir::Program& program) : program_(program) {
        for (std::size_t s = 0; s < program.states.size(); ++s) {
            ranges_.push({});
            inside_.push({});
        }
    }

    void add(const ir::Block& block) {
        for (AddedRange& range : inside_) range = {};
        for (const ir::EffectId effect : block.effects) visit(effect);
        for (std::size_t s = 0; s < program_.states.size(); ++s) {
            AddedRange& range = ranges_[static_cast<ir::StateId>(s)];
            const AddedRange& inside = inside_[static_cast<ir::StateId>(s)];
            range = {range.any || inside.any, std::min(range.least, inside.least), std::max(range.most, inside.most)};
        }
    }
    const IdVector<ir::StateId, AddedRange>& ranges() const { return ranges_; }

private:
    void visit(ir::EffectId id) {
        const ir::Effect& effect = program_.effects[id];
        if (effect.kind == ir::EffectKind::Add) return sum(effect);
        const bool loop = effect.kind == ir::EffectKind::For;
        if (loop) loops_.push_back(&effect);
        for (const ir::EffectId inner : effect.yes) visit(inner);
        for (const ir::EffectId inner : effect.no) visit(inner);
        if (loop) loops_.pop_back();
    }

    void sum(const ir::Effect& effect) {
        std::int64_t times = 1;
        for (const ir::Effect* loop : loops_)
            if (!is_indexed_by(effect, loop->var)) times = std::min(times * rounds(*loop), unbounded);
        const ir::Type& type = program_.types[program_.exprs[effect.value].type];
        const bool number = type.kind == ir::TypeKind::Int;
        AddedRange& range = inside_[effect.state];
        range.any = true;
        range.least =
            std::max(range.least + times * std::clamp<std::int64_t>(number ? type.lo : -limit, -limit, 0), -unbounded);
        range.most =
            std::min(range.most + times * std::clamp<std::int64_t>(number ? type.hi : limit, 0, limit), unbounded);
    }

    // Each round adds to another entry.
    bool is_indexed_by(const ir::Effect& effect, ir::VarId var) const {
        return std::ranges::any_of(effect.indices, [&](ir::ExprId index) {
            const ir::Expr& x = program_.exprs[index];
            return x.op == ir::Op::Var && static_cast<ir::VarId>(x.imm) == var;
        });
    }

    std::int64_t rounds(const ir::Effect& loop) const {
        const ir::TypeId element = program_.types.inner(program_.exprs[loop.value].type);
        return static_cast<std::int64_t>(std::min<std::uint64_t>(program_.types.cardinality(element), limit));
    }

    static constexpr std::int64_t limit = std::int64_t{1} << 20; // what is beyond is as good as unbounded

    const ir::Program& program_;
    std::vector<const ir::Effect*> loops_;
    IdVector<ir::StateId, AddedRange> ranges_, inside_;
};

} // namespace

IdVector<ir::StateId, AddedRange> added_ranges(const ir::Program& program) {
    BlockSums sums(program);
    for (const ir::Rule& rule : program.rules)
        for (const ir::Block& block : rule.then) sums.add(block);
    if (program.turn)
        for (const ir::Block& block : program.turn->then) sums.add(block);
    return sums.ranges();
}

} // namespace zug::run
