#include "diag/diagnostic.hpp"

#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <fmt/args.h>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace zug::diag {

namespace {

constexpr std::array messages = {
#define DIAG(name, severity, slug, text) MessageInfo{Severity::severity, slug, text},
#include "diag/diagnostics.def"
#undef DIAG
};

// Names, numbers and texts may be as long as the file. Paths stand whole.
std::string shown(Message message, const std::string& argument) {
    const bool path = message == Message::CannotRead || message == Message::CannotImport ||
                      message == Message::CyclicImport || message == Message::NotRules;
    const bool word = argument.find(' ') == std::string::npos;
    return word && !path ? echoed(argument) : argument;
}

// What is said once, wherever and however often it goes wrong.
std::string cause_of(Message message, Span span, const std::string& text, const std::vector<std::string>& arguments) {
    const auto of = [](const std::string& found) { // the name alone: it may be used as a type and as a value
        return found.starts_with("unknown ") ? found.substr(std::min(found.find('`'), found.size())) : found;
    };
    switch (message) {
    case Message::UnknownName:
    case Message::UnknownType: return of(text);
    case Message::VocabularyMisfit: return of(arguments.back());
    // Of a power each product is checked.
    case Message::NumberMayBeTooLarge:
        return fmt::format("{}:{}:{}", static_cast<std::uint32_t>(span.file), span.begin, span.end);
    default: return {};
    }
}

} // namespace

const MessageInfo& info(Message message) { return messages[static_cast<std::size_t>(message)]; }

std::size_t message_count() { return messages.size(); }

FileId Sources::add(std::string name, std::string text) {
    files_.push_back({std::move(name), std::move(text)});
    return static_cast<FileId>(files_.size() - 1);
}

const std::string& Sources::name(FileId file) const { return files_[static_cast<std::size_t>(file)].name; }

const std::string& Sources::text(FileId file) const { return files_[static_cast<std::size_t>(file)].text; }

bool Report::add(Message message, Span span, const std::vector<std::string>& arguments, std::string fix) {
    const auto& row = info(message);
    auto& kept = row.severity == Severity::Error ? errors_ : warnings_;
    if (kept == limit) {
        has_more_ = true;
        return false;
    }
    ++kept;
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    for (const auto& argument : arguments) store.push_back(shown(message, argument));
    constexpr std::size_t longest = 4000; // bytes: a name may be as long as the file
    std::string text = shortened(fmt::vformat(row.text, store), longest);
    std::string cause = cause_of(message, span, text, arguments);
    items_.push_back({message, span, std::move(text), shortened(std::move(fix), longest), std::move(cause)});
    return true;
}

std::vector<Diagnostic> Report::sorted() const {
    auto result = items_;
    const auto key = [](const Diagnostic& item) {
        return std::tuple(item.span.file, item.span.begin, item.span.end, item.message, std::string_view(item.text));
    };
    std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    // The name itself says more than a word of the vocabulary that needs it.
    std::set<std::string> told;
    for (const Diagnostic& item : result)
        if (item.message != Message::VocabularyMisfit) told.insert(item.cause);
    std::set<std::pair<bool, std::string>> seen;
    const auto repeated = [&](const Diagnostic& item) {
        if (item.cause.empty()) return false;
        const bool misfit = item.message == Message::VocabularyMisfit;
        return (misfit && told.contains(item.cause)) || !seen.emplace(misfit, item.cause).second;
    };
    std::erase_if(result, repeated);
    return result;
}

} // namespace zug::diag
