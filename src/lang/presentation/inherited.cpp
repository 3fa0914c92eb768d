// Presentation, and what is loud, in the files that a game extends.

#include "lang/presentation/inherited.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/assembly.hpp"

#include <utility>

namespace zug::lang {

std::optional<diag::Diagnostic> first_error(Context& context, const std::function<void()>& check) {
    diag::Report silence;
    diag::Report* const aloud = std::exchange(context.report, &silence);
    try {
        check();
    } catch (...) {
        context.report = aloud;
        throw;
    }
    context.report = aloud;
    if (!silence.has_errors()) return std::nullopt;
    return silence.sorted().front();
}

std::optional<diag::Diagnostic> check_presentation(Context& context, const Assembly& assembly, const Item& item,
                                                   const std::function<void(NodeId)>& check) {
    const InTree scope(context, item.tree);
    if (item.level == assembly.top_level()) {
        check(item.id);
        return std::nullopt;
    }
    ir::Program& program = context.program;
    auto glyphs = program.glyphs;
    auto looks = program.looks;
    auto loud = program.loud;
    auto notations = program.notations;
    auto position = program.position;
    auto wrong = first_error(context, [&] { check(item.id); });
    if (!wrong) return std::nullopt;
    program.glyphs = std::move(glyphs);
    program.looks = std::move(looks);
    program.loud = std::move(loud);
    program.notations = std::move(notations);
    program.position = std::move(position);
    return wrong;
}

} // namespace zug::lang
