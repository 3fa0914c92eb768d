#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/reports/shells.hpp"
#include "match/player.hpp"
#include "search/setting_values.hpp"
#include "search/settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

constexpr std::size_t line_width = 100;

// The text in lines that begin at a column.
std::string indented(std::string_view text, std::size_t column) {
    std::string out;
    std::size_t at = column;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (at > column && at + 1 + end - begin > line_width) {
            out += "\n" + std::string(column, ' ');
            at = column;
        } else if (at > column) {
            out += ' ';
            ++at;
        }
        out += text.substr(begin, end - begin);
        at += end - begin;
        begin = end + 1;
    }
    return out;
}

std::string cited(std::string_view what, std::string_view source) {
    return source.empty() ? std::string(what) : fmt::format("{} [{}]", what, source);
}

void say_methods() {
    for (const auto& [name, what] : match::other_players()) say("  {:12} {}\n", name, indented(what, 15));
    for (const search::MethodInfo& method : search::all_methods())
        say("  {:12} {}\n", method.name, indented(cited(method.what, method.source), 15));
    say("  {:12} {}\n", "auto",
        indented(fmt::format("the method that suits the game (`zug info` says which); it plays with prove={}, with "
                             "check={} if it is uct, and with selective=on if it is alphabeta or expectimax",
                             search::usual_share, search::usual_check),
                 15));
}

// `all methods`, or which.
std::string methods_of(const search::Setting& setting) {
    std::vector<std::string_view> names;
    for (const search::MethodInfo& method : search::all_methods())
        if (setting.suits(method.method)) names.push_back(method.name);
    return names.size() == search::all_methods().size() ? "all methods" : fmt::format("{}", fmt::join(names, ", "));
}

void say_settings() {
    const search::Settings defaults;
    for (const search::Setting& setting : search::all_settings()) {
        say("  {:12} {}\n", setting.name, indented(cited(setting.what, setting.source), 15));
        say("  {:12} {}\n", "",
            indented(fmt::format("{}; {}; default {}", setting.values, methods_of(setting), setting.get(defaults)),
                     15));
    }
}

void say_players() {
    say("A player is named by a short text: NAME, or NAME:setting=value,setting=value\n"
        "as in alphabeta:depth=8,threads=2. The players are:\n\n");
    say_methods();
    say("\nThe search methods have these settings:\n\n");
    say_settings();
}

void run_help(const Command& program, const std::string& topic) {
    if (topic.empty())
        say("`zug --help` lists the commands, `zug COMMAND --help` shows the options of one, and\n"
            "`zug help players` the players, search methods and their settings. `zug help bash`, `zsh` and `fish`\n"
            "print a script by which the shell completes all that, `zug help manual` a manual page.\n");
    else if (topic == "players")
        say_players();
    else
        write(topic == "manual" ? manual_page(program) : completion_script(program, topic));
}

} // namespace

Run add_help(Command& program) {
    Command app = program.add_command("help", "Explain a topic: players; or write a script for a shell: bash");
    const auto topic = std::make_shared<std::string>();
    app.add_option("topic", *topic, "players, bash, zsh, fish or manual")
        .one_of({"players", "bash", "zsh", "fish", "manual"});
    add_example(app, "zug help players");
    return [program, topic] {
        run_help(program, *topic);
        return exit_fine;
    };
}

} // namespace zug::cli
