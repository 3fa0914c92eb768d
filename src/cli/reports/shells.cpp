#include "cli/reports/shells.hpp"

#include "base/text.hpp"
#include "match/player.hpp"
#include "search/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace zug::cli {

namespace {

using Replacements = std::vector<std::pair<char, std::string_view>>;

std::string escaped(std::string_view text, const Replacements& replacements) {
    std::string out;
    for (const char c : text) {
        const auto at = std::ranges::find(replacements, c, &std::pair<char, std::string_view>::first);
        if (at == replacements.end())
            out += c;
        else
            out += at->second;
    }
    return out;
}

std::string names_of(const std::vector<Command>& commands) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name());
    return fmt::format("{}", fmt::join(names, " "));
}

std::string named_options(const Command& command) {
    std::vector<std::string> names;
    for (const OptionText& option : command.options())
        if (option.is_named) names.insert(names.end(), option.names.begin(), option.names.end());
    return fmt::format("{}", fmt::join(names, " "));
}

// What is completed behind an option or as an argument.
enum class Values : std::uint8_t { Any, Choices, Players, Files, Games };

Values values_of(const OptionText& option) {
    using Kind = std::pair<std::string_view, Values>;
    static constexpr std::array kinds = {
        Kind{"PLAYER", Values::Players}, Kind{"A,B,...", Values::Players},  Kind{"\"A; B; ...\"", Values::Players},
        Kind{"FILE", Values::Files},     Kind{"FOLDER", Values::Files},     Kind{"DIR", Values::Files},
        Kind{"RECORD", Values::Files},   Kind{"RECORD ...", Values::Files}, Kind{"RESULTS", Values::Files},
        Kind{"CSV", Values::Files},      Kind{"SVG", Values::Files},        Kind{"NET", Values::Files},
        Kind{"BOOK", Values::Files},     Kind{"GAME", Values::Games}};
    if (!option.choices.empty()) return Values::Choices;
    const auto kind = std::ranges::find(kinds, option.value, &Kind::first);
    return kind == kinds.end() ? Values::Any : kind->second;
}

std::string player_names() {
    std::vector<std::string_view> names = {"auto"};
    for (const auto& player : match::other_players()) names.push_back(player.name);
    for (const search::MethodInfo& method : search::all_methods()) names.push_back(method.name);
    return fmt::format("{}", fmt::join(names, " "));
}

// How a shell is told what is completed.
struct ValueTexts {
    std::string choices; // `{}`: which
    std::string players, files, games, any;
};

std::string text_of(const OptionText& option, const ValueTexts& texts) {
    switch (values_of(option)) {
    case Values::Choices: return fmt::format(fmt::runtime(texts.choices), fmt::join(option.choices, " "));
    case Values::Players: return texts.players;
    case Values::Files: return texts.files;
    case Values::Games: return texts.games;
    case Values::Any: break;
    }
    return texts.any;
}

// The case of an option, which tells what stands behind it.
std::string bash_case(const Command& command, const OptionText& option) {
    std::vector<std::string> patterns;
    if (!option.is_named) patterns.push_back(fmt::format("'{} '*", command.name()));
    for (const std::string& name : option.names)
        if (option.is_named) patterns.push_back(fmt::format("'{} {}'", command.name(), name));
    const ValueTexts texts{"kind=words words='{}'", "kind=players", "kind=files", "kind=games", "kind="};
    return fmt::format("            {}) {} ;;\n", fmt::join(patterns, " | "), text_of(option, texts));
}

std::string bash_script(const Command& program) {
    std::string out = "_zug() {\n"
                      "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                      "    if ((COMP_CWORD == 1)); then\n";
    out += fmt::format("        words='{}'\n", names_of(program.commands()));
    out += "    elif [[ $word == -* ]]; then\n"
           "        case ${COMP_WORDS[1]} in\n";
    for (const Command& command : program.commands())
        out += fmt::format("            {}) words='{}' ;;\n", command.name(), named_options(command));
    out += "        esac\n"
           "    else\n"
           "        local kind=games\n"
           "        case ${COMP_WORDS[1]}' '${COMP_WORDS[COMP_CWORD - 1]} in\n";
    for (const Command& command : program.commands())
        for (const OptionText& option : command.options())
            if (option.is_named ? !option.value.empty() : !option.choices.empty()) out += bash_case(command, option);
    out += "        esac\n"
           "        case $kind in\n"
           "            games)\n"
           "                mapfile -t COMPREPLY < <(compgen -f -- \"$word\"\n"
           "                    compgen -W \"$(\"$1\" list 2>/dev/null | sed 's/ .*//')\" -- \"$word\") ;;\n"
           "            files) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
           "            players)\n"
           "                local first=${word%\"${word##*[,;]}\"}\n";
    out +=
        fmt::format("                mapfile -t COMPREPLY < <(compgen -P \"$first\" -W '{}' -- \"${{word##*[,;]}}\")\n",
                    player_names());
    return out + "        esac\n"
                 "        ((${#COMPREPLY[@]})) && return\n"
                 "    fi\n"
                 "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                 "}\n"
                 "complete -o filenames -F _zug zug\n";
}

std::string zsh_script(const Command& program) {
    const ValueTexts texts{"({})", "_zug_players", "_files", "_zug_games", " "};
    const Replacements quoted = {{'\'', R"('\'')"}, {'[', R"(\[)"}, {']', R"(\])"}, {':', R"(\:)"}};
    std::string out = "_zug_games() {\n"
                      "    local -a games\n"
                      "    games=(${(f)\"$(zug list 2>/dev/null | sed 's/ .*//')\"})\n"
                      "    _describe -t games game games\n"
                      "    _files\n"
                      "}\n"
                      "_zug_players() {\n"
                      "    compset -P '*[,;]'\n"
                      "    compadd -S '' " +
                      player_names() +
                      "\n"
                      "}\n"
                      "_zug() {\n"
                      "    if ((CURRENT == 2)); then\n"
                      "        local -a commands\n"
                      "        commands=(\n";
    for (const Command& command : program.commands())
        out += fmt::format("            '{}:{}'\n", command.name(), escaped(command.what(), quoted));
    out += "        )\n"
           "        _describe -t commands command commands\n"
           "        return\n"
           "    fi\n"
           "    shift words\n"
           "    ((CURRENT--))\n"
           "    case $words[1] in\n";
    for (const Command& command : program.commands()) {
        out += fmt::format("    {}) _arguments", command.name());
        for (const OptionText& option : command.options()) {
            if (!option.is_named) continue;
            for (const std::string& name : option.names)
                out += fmt::format(" \\\n        '*{}[{}]{}'", name, escaped(option.what, quoted),
                                   option.value.empty()
                                       ? ""
                                       : fmt::format(":{}:{}", escaped(option.value, quoted), text_of(option, texts)));
        }
        out += " \\\n        '*:game:_zug_games' ;;\n";
    }
    return out + "    esac\n"
                 "}\n"
                 "compdef _zug zug\n"
                 "if [ \"$funcstack[1]\" = _zug ]; then _zug \"$@\"; fi\n";
}

std::string fish_script(const Command& program) {
    const ValueTexts texts{" -x -a '{}'", fmt::format(" -x -a '{}'", player_names()), " -r",
                           " -r -a '(zug list 2>/dev/null | string replace -r \" .*\" \"\")'", " -x"};
    const Replacements quoted = {{'\'', R"(\')"}, {'\\', R"(\\)"}};
    std::string out;
    for (const Command& command : program.commands()) {
        out += fmt::format("complete -c zug -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name(),
                           escaped(command.what(), quoted));
        for (const OptionText& option : command.options()) {
            if (!option.is_named) continue;
            out += fmt::format("complete -c zug -n '__fish_seen_subcommand_from {}'", command.name());
            for (const std::string& name : option.names)
                out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                              : fmt::format(" -s {}", name.substr(1));
            out += fmt::format("{} -d '{}'\n", option.value.empty() ? "" : text_of(option, texts),
                               escaped(option.what, quoted));
        }
    }
    return out + "complete -c zug -n 'not __fish_use_subcommand' -a \"(zug list 2>/dev/null | string replace -r ' .*' "
                 "'')\"\n";
}

// A text in the manual page. A line may not begin with a dot or a quote, which make it a request.
std::string roff(std::string_view text) {
    const std::string out = escaped(text, {{'\\', R"(\e)"}, {'-', R"(\-)"}, {'`', R"(\(ga)"}, {'\'', R"(\(aq)"}});
    return out.starts_with('.') ? "\\&" + out : out;
}

std::string manual_of(const OptionText& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
    const std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
    return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, roff(option.what));
}

std::string manual_of(const Command& command) {
    std::string out = fmt::format(".SS zug {}\n{}.\n", roff(command.name()), roff(command.what()));
    for (const OptionText& option : command.options()) out += manual_of(option);
    const std::string footer = command.footer();
    const std::size_t example = footer.find('\n');
    if (example == std::string::npos) return out;
    return out + fmt::format(".PP\n{}\n.PP\n.nf\n{}\n.fi\n", roff(footer.substr(0, example)),
                             roff(trimmed(footer.substr(example + 1))));
}

} // namespace

std::string completion_script(const Command& program, std::string_view shell) {
    const std::string script = shell == "bash"  ? bash_script(program)
                               : shell == "zsh" ? zsh_script(program)
                                                : fish_script(program);
    return fmt::format(
        "{}# Completion of zug's commands, their options and the names of games: made by `zug help {}`.\n{}",
        shell == "zsh" ? "#compdef zug\n" : "", shell, script);
}

std::string manual_page(const Command& program) {
    std::string out = ".TH ZUG 6 \"\" \"zug " ZUG_VERSION "\" \"Games\"\n"
                      ".SH NAME\n"
                      "zug \\- play, search and solve any game that a rule file describes\n"
                      ".SH SYNOPSIS\n"
                      ".B zug\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
                      ".SH DESCRIPTION\n";
    out += roff(program.what()) + "\n.SH COMMANDS\n";
    for (const Command& command : program.commands()) out += manual_of(command);
    return out +
           ".SH EXIT STATUS\n"
           "0 on success, 1 if the task failed, 2 for an incorrect command line, and 130 after Ctrl\\-C, which still "
           "prints the\nresults so far.\n";
}

} // namespace zug::cli
