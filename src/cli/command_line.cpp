#include "cli/command_line.hpp"

#include "base/nearest.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/system/version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

namespace zug::cli {

namespace {

// The library takes an empty text for 0, the largest number for one that is too large, and 2^64 - 5 for -5.
template <class Number>
std::string why_no_number(const std::string& text) {
    if (number_in<Number>(text)) return {};
    return fmt::format("must be a whole number from 0 to {}", std::numeric_limits<Number>::max());
}

// A check has the name that one_of() gave it: the choices, with blanks between them.
std::vector<std::string> choices_of(CLI::Option& option) {
    try {
        for (int i = 0;; ++i) {
            std::istringstream names(option.get_validator(i)->get_name());
            std::vector<std::string> choices(std::istream_iterator<std::string>(names), {});
            if (!choices.empty()) return choices;
        }
    } catch (const CLI::OptionNotFound&) {
        return {}; // there are no further checks
    }
}

// What is wrong with words that no command and no option takes.
std::string unexpected_words(const CLI::App& app, const std::vector<std::string>& commands) {
    std::vector<std::string> words;
    for (const std::string& word : app.remaining(true)) words.push_back(echoed(word));
    if (words.empty()) return {};
    const bool is_command = app.get_subcommands().empty() && !words.front().starts_with('-');
    if (!is_command) return fmt::format("not expected: {}", fmt::join(words, " "));
    const std::string near = nearest(words.front(), commands);
    return fmt::format("there is no command `{}`{}", words.front(),
                       near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
}

} // namespace

Argument Argument::required(bool required) {
    option_->required(required);
    return *this;
}

Argument Argument::describe(const std::string& help) {
    option_->description(help);
    return *this;
}

Argument Argument::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Argument Argument::show_default() {
    option_->capture_default_str();
    return *this;
}

Argument Argument::one_value_each_time() {
    option_->allow_extra_args(false);
    return *this;
}

Argument Argument::excludes(const Argument& other) {
    option_->excludes(other.option_);
    return *this;
}

Argument Argument::needs(const Argument& other) {
    option_->needs(other.option_);
    return *this;
}

// The descriptions of the conditions are empty throughout: the help would show them behind the name of the type.

Argument Argument::check(const std::function<std::string(const std::string&)>& why_wrong) {
    option_->check(why_wrong);
    return *this;
}

Argument Argument::rewrite(const std::function<std::string(std::string&)>& why_wrong) {
    option_->transform(CLI::Validator(why_wrong, ""));
    return *this;
}

Argument Argument::within(int low, int high) {
    option_->check([low, high](const std::string& text) -> std::string {
        const auto number = number_in<int>(text);
        if (number && *number >= low && *number <= high) return {};
        return fmt::format("must be a whole number from {} to {}", low, high);
    });
    return *this;
}

Argument Argument::positive() {
    option_->check([](const std::string& text) -> std::string {
        const auto number = number_in<std::uint64_t>(text);
        return number && *number > 0 ? "" : "must be at least 1";
    });
    return *this;
}

Argument Argument::one_of(const std::vector<std::string>& names) {
    option_->check(CLI::IsMember(names).description("").name(fmt::format("{}", fmt::join(names, " "))));
    return *this;
}

Argument Argument::in_units(const std::map<std::string, double>& units) {
    option_->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::CASE_SENSITIVE).description(""));
    return *this;
}

std::size_t Argument::count() const { return option_->count(); }

Command Command::add_command(const std::string& name, const std::string& help) {
    return Command(app_->add_subcommand(name, help));
}

template <class T>
Argument Command::add_option(const std::string& name, T& target, const std::string& help) {
    CLI::Option* const option = app_->add_option(name, target, help);
    if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::optional<std::uint32_t>>)
        option->check(why_no_number<std::uint32_t>);
    if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::optional<std::uint64_t>>)
        option->check(why_no_number<std::uint64_t>);
    // An empty name of a file is mostly that of a variable of the shell that isn't set.
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::string>>)
        if (name.starts_with("-"))
            option->check([](const std::string& value) { return value.empty() ? "the value is empty" : ""; });
    return Argument(option);
}

template Argument Command::add_option(const std::string&, int&, const std::string&);
template Argument Command::add_option(const std::string&, double&, const std::string&);
template Argument Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Argument Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Argument Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Argument Command::add_option(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Argument Command::add_option(const std::string&, std::string&, const std::string&);
template Argument Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);

template <class T>
Argument Command::add_flag(const std::string& name, T& target, const std::string& help) {
    return Argument(app_->add_flag(name, target, help));
}

template Argument Command::add_flag(const std::string&, bool&, const std::string&);
template Argument Command::add_flag(const std::string&, std::string&, const std::string&);

Argument Command::get(const std::string& name) const { return Argument(app_->get_option(name)); }

bool Command::has(const std::string& option) const { return app_->get_option_no_throw(option) != nullptr; }

void Command::set_footer(const std::string& text) { app_->footer(text); }

std::string Command::name() const { return app_->get_name(); }

std::string Command::what() const { return app_->get_description(); }

std::string Command::footer() const { return app_->get_footer(); }

std::vector<OptionText> Command::options() const {
    std::vector<OptionText> all;
    for (CLI::Option* const option : app_->get_options()) {
        OptionText text{.names = {},
                        .value = option->get_type_name(),
                        .what = option->get_description(),
                        .choices = choices_of(*option)};
        for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
        text.is_named = !text.names.empty();
        if (!text.is_named) text.names.push_back(option->get_name(true));
        if (option->get_items_expected_max() == 0) text.value.clear();
        all.push_back(std::move(text));
    }
    return all;
}

std::vector<Command> Command::commands() const {
    std::vector<Command> commands;
    for (CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
        commands.emplace_back(command);
    return commands;
}

std::size_t Command::count(const std::string& option) const { return app_->count(option); }

std::vector<std::string> Command::values(const std::string& option) const {
    return app_->get_option(option)->results();
}

CommandLine::CommandLine() : app_(std::make_unique<CLI::App>("Zug plays any game that a rule file describes.", "zug")) {
    app_->set_version_flag("--version", version_text());
    app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::program() { return Command(app_.get()); }

std::string CommandLine::help() const { return app_->help(); }

CommandLine::Outcome CommandLine::read(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
        return Outcome::Read;
    } catch (const CLI::ParseError& error) {
        // --help and --version are reported the same way, with code 0.
        std::ostringstream told, wrong;
        std::vector<std::string> names;
        for (const Command& command : commands()) names.push_back(command.name());
        const std::string words = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)
                                      ? unexpected_words(*app_, names)
                                      : "";
        const int code = words.empty() ? app_->exit(error, told, wrong)
                                       : app_->exit(CLI::ExtrasError(words, CLI::ExitCodes::ExtrasError), told, wrong);
        write(told.str());
        write_error(wrong.str());
        return code == 0 ? Outcome::Told : Outcome::Wrong;
    }
}

std::size_t CommandLine::chosen() const {
    const auto commands = app_->get_subcommands([](const CLI::App*) { return true; });
    std::size_t i = 0;
    while (i < commands.size() && !commands[i]->parsed()) ++i;
    return i;
}

} // namespace zug::cli
