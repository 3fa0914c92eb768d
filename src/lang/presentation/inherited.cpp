// Presentation in the files that a game extends.

#include "lang/presentation/inherited.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/assembly.hpp"

#include <utility>

namespace zug::lang {

void check_presentation(Context& context, const Assembly& assembly, const Item& item,
                        const std::function<void(NodeId)>& check) {
    const InTree scope(context, item.tree);
    if (item.level == assembly.top_level()) return check(item.id);
    ir::Program& program = context.program;
    auto glyphs = program.glyphs;
    auto notations = program.notations;
    auto position = program.position;
    diag::Report silence;
    diag::Report* const aloud = std::exchange(context.report, &silence);
    try {
        check(item.id);
    } catch (...) {
        context.report = aloud;
        throw;
    }
    context.report = aloud;
    if (!silence.has_errors()) return;
    program.glyphs = std::move(glyphs);
    program.notations = std::move(notations);
    program.position = std::move(position);
}

} // namespace zug::lang
