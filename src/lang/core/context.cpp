// Diagnostics and local names.

#include "lang/core/context.hpp"

#include "lang/core/scopes.hpp"

#include <algorithm>
#include <fmt/args.h>
#include <fmt/format.h>

namespace zug::lang {

// An error inside the prelude is reported where the file uses the prelude, which the user can't change.
void Context::error(Message message, Span span, std::vector<std::string> arguments, std::string fix) {
    if (in_prelude()) {
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        for (const auto& argument : arguments) store.push_back(argument);
        arguments = {prelude_name, fmt::vformat(diag::info(message).text, store)};
        message = Message::VocabularyMisfit;
        span = prelude_use;
        fix.clear();
    }
    if (is_cut(span)) return; // the parser has reported what is wrong there
    if (!report->add(message, span, arguments, std::move(fix))) throw GiveUp{};
}

bool Context::is_cut(Span at) const {
    return std::ranges::any_of(cut, [&](const Span& declaration) {
        return at.file == declaration.file && at.begin >= declaration.begin && at.begin < declaration.end;
    });
}

// Warnings are kept until the end: in a file with errors, an unused name is likely a consequence.
void Context::warn(Message message, Span span, std::vector<std::string> arguments, std::string fix) {
    const bool theirs = extended_files.contains(span.file); // the author of the extending file can't change it
    if (!in_prelude() && !generic && !silent && !theirs)
        warnings.push_back({message, span, std::move(arguments), std::move(fix)});
}

void Context::give_up(Message message, Span span, const std::vector<std::string>& arguments) {
    whole_report->add(message, in_prelude() ? prelude_use : span, arguments); // nothing is tried any more
    throw GiveUp{};
}

// Definitions that call each other twice at every level would otherwise take exponential time.
void Context::step(Span span) {
    last_step = in_prelude() ? prelude_use : span;
    if (++steps > max_steps) give_up(Message::TooComplex, span);
}

void Context::declared_twice(Span span, std::string name, Span first) {
    const std::size_t line = diag::location(sources.text(first.file), first.begin).line;
    const std::string file = first.file == span.file ? "" : fmt::format(" of `{}`", sources.name(first.file));
    error(Message::DeclaredTwice, span, {std::move(name)}, fmt::format("the first is in line {}{}", line, file));
}

Local* Context::find_local(std::string_view name) {
    for (std::size_t i = locals.size(); i > first_local; --i)
        if (locals[i - 1].name == name) return &locals[i - 1];
    return nullptr;
}

Names::~Names() {
    for (std::size_t i = count_; i < context_.locals.size(); ++i) {
        const Local& local = context_.locals[i];
        if (local.warn && !local.used && !local.name.starts_with('_'))
            context_.warn(Message::UnusedName, local.span, {local.name});
    }
    context_.locals.resize(count_);
}

} // namespace zug::lang
