#include "web/rules.hpp"

#include "learn/use.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace zug::web {

namespace {

constexpr FileId own{0};

// The first paragraph of the comment that the file begins with.
std::string description_in(const std::string& text) {
    std::string about;
    for (std::size_t at = 0; at < text.size() && text[at] == '#';) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::size_t from = at + 1;
        while (from < end && text[from] == ' ') ++from;
        if (from == end) break;
        about += (about.empty() ? "" : " ") + text.substr(from, end - from);
        at = end + 1;
    }
    return about;
}

LibraryGame described(const std::string& path, const lang::Folders& folders) {
    LibraryGame game{.name = std::filesystem::path(path).stem().string(), .path = path, .title = "", .about = ""};
    const lang::Loaded loaded = lang::load_file(path, {}, folders);
    if (!loaded.program) return game;
    game.title = loaded.program->title;
    game.about = description_in(loaded.sources.text(own));
    game.players = loaded.program->players.size();
    game.chance = std::ranges::any_of(loaded.program->rules, [](const ir::Rule& rule) { return rule.chance; });
    return game;
}

// The number of UTF-16 units of the first bytes of a text. Invalid bytes become one each when the text is shown.
std::size_t units_before(const std::string& text, std::size_t offset) {
    std::size_t units = 0;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool continues = (byte & 0xC0U) == 0x80U;
        units += continues ? 0 : byte >= 0xF0U ? 2 : 1;
    }
    return units;
}

} // namespace

std::vector<LibraryGame> library_of(const std::vector<std::string>& paths, const lang::Folders& folders) {
    std::vector<LibraryGame> games;
    for (const std::string& path : paths) games.push_back(described(path, folders));
    return games;
}

Json library_json(const std::vector<LibraryGame>& games) {
    Json all = Json::array();
    for (const LibraryGame& game : games)
        if (game.players > 0)
            all.push_back({{"name", game.name},
                           {"title", game.title},
                           {"about", game.about},
                           {"players", game.players},
                           {"chance", game.chance}});
    return all;
}

const std::string& text_of(const Rules& rules) { return rules.loaded.sources.text(own); }

Json diagnostics_json(const lang::Loaded& loaded) {
    Json list = Json::array();
    for (const diag::Diagnostic& item : loaded.report.sorted()) {
        const std::string& text = loaded.sources.text(item.span.file);
        const diag::Location location = diag::location(text, item.span.begin);
        const bool error = diag::info(item.message).severity == diag::Severity::Error;
        list.push_back({{"severity", error ? "error" : "warning"},
                        {"own", item.span.file == own}, // else it is about a file that this one extends or imports
                        {"line", location.line},
                        {"column", location.column},
                        {"begin", units_before(text, item.span.begin)},
                        {"end", units_before(text, item.span.end)},
                        {"text", item.text},
                        {"fix", item.fix}});
    }
    return list;
}

std::string first_error(const lang::Loaded& loaded) {
    for (const diag::Diagnostic& item : loaded.report.sorted()) {
        if (diag::info(item.message).severity != diag::Severity::Error) continue;
        constexpr std::string_view of_parameter = "-D ";
        const std::string name(loaded.sources.name(item.span.file));
        const std::string where =
            name.starts_with(of_parameter)
                ? name.substr(of_parameter.size())
                : fmt::format("{}, line {}", std::filesystem::path(name).filename().string(),
                              diag::location(loaded.sources.text(item.span.file), item.span.begin).line);
        return fmt::format("{}: {}{}{}", where, item.text, item.fix.empty() ? "" : "; ", item.fix);
    }
    return "";
}

game::Game game_of(const Rules& rules, game::ExecutorKind executor) {
    game::Game game(rules.loaded.program, rules.name.empty() ? game::ExecutorKind::Interpreter : executor);
    // A learned evaluation that can't be read is no reason not to play.
    if (!rules.file.empty()) (void)learn::offer_evaluation(game, rules.file);
    return game;
}

} // namespace zug::web
