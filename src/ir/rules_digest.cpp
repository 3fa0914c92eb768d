#include "ir/rules_digest.hpp"

#include "base/archive.hpp"

namespace zug::ir {

namespace {

// Operations are written by name, since a new one changes the numbers of others.
using Writer = archive::WriterWithout<Span, Op>;

void write(Writer& writer, const TypeTable& types) {
    writer.value(static_cast<std::uint64_t>(types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) writer.value(types[static_cast<TypeId>(i)]);
}

void write(Writer& writer, const IdVector<ExprId, Expr>& exprs) {
    writer.value(exprs);
    for (const Expr& expr : exprs) writer.value(std::string(op_text(expr.op)));
}

} // namespace

Digest rules_digest(const Program& program) {
    // A new member has to be written here, unless it is one of those that play does not depend on: source, title,
    // extends, terms (which are parts of evals), glyphs, looks, notations, step_separator, position,
    // inherited_position, tests, and sums_fit, which the compiler sets.
    static_assert(boost::pfr::tuple_size_v<Program> == 38);
    Writer writer;
    write(writer, program.types);
    write(writer, program.exprs);
    const auto all = [&](const auto&... members) { (writer.value(members), ...); };
    all(program.boards, program.enums, program.enum_names, program.players, program.params, program.args,
        program.set_consts, program.vars, program.functions, program.states, program.effects, program.rules,
        program.keys, program.turn, program.stuck_pass, program.ends, program.evals, program.loud, program.bound,
        program.keeps_last, program.slot_count, program.code_count, program.player_type);
    if (!program.teams.empty()) all(program.teams); // so that the digests of games without teams are what they were
    return digest_of(writer.bytes);
}

} // namespace zug::ir
