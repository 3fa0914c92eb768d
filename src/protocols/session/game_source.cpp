#include "protocols/session/game_source.hpp"

#include "diag/diagnostic.hpp"
#include "learn/use.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace zug::protocols {

namespace {

namespace fs = std::filesystem;

tl::expected<OpenedGame, Error> opened(const GameSource& source, const lang::Loaded& loaded, std::string file,
                                       const lang::Overrides& parameters) {
    if (!loaded.program) return failure(diag::render(loaded.sources, loaded.report));
    OpenedGame open{game::Game(loaded.program, source.executor), std::move(file), parameters};
    // A learned evaluation that can't be read is no reason not to play.
    if (!open.file.empty()) (void)learn::offer_evaluation(open.game, open.file);
    return open;
}

std::string name_of(const fs::path& file) { return file.stem().string(); }

// The file at the end of the chain of files that this one extends; empty: it has errors.
std::string root_of(const GameSource& source, const std::string& file) {
    const lang::Loaded loaded = lang::load_file(file, {}, source.folders);
    if (!loaded.program) return "";
    const auto& extends = loaded.program->extends;
    return name_of(extends.empty() ? file : extends.back());
}

} // namespace

tl::expected<OpenedGame, Error> open_file(const GameSource& source, const std::string& name,
                                          const lang::Overrides& parameters) {
    auto path = source.find(name);
    if (!path) return tl::unexpected(path.error());
    const lang::Loaded loaded = lang::load_file(*path, parameters, source.folders);
    return opened(source, loaded, std::move(*path), parameters);
}

tl::expected<OpenedGame, Error> open_text(const GameSource& source, const std::string& rules,
                                          const lang::Overrides& parameters) {
    // In the folder of that name nothing is looked for but what the source's folders have.
    const std::string folder = source.folders.empty() ? "/nonexistent" : source.folders.front();
    const lang::Loaded loaded = lang::load_text(folder + "/text.zug", rules, parameters, source.folders);
    return opened(source, loaded, "", parameters);
}

std::vector<std::string> variants_of(const GameSource& source, const std::string& file) {
    std::vector<std::string> names{name_of(file)};
    const std::string root = root_of(source, file);
    for (const std::string& other : source.library)
        if (name_of(other) != names.front() && !root.empty() && root_of(source, other) == root)
            names.push_back(name_of(other));
    std::ranges::sort(names);
    return names;
}

} // namespace zug::protocols
