#include "learn/use.hpp"

#include "base/file.hpp"
#include "learn/net.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::learn {

tl::expected<void, Error> use_evaluation(game::Game& game, const std::string& text) {
    if (text.empty() || text == "rules") return {};
    if (text == "none") {
        game.use(nullptr);
        return {};
    }
    auto net = read_net(text, game);
    if (!net) return tl::unexpected(net.error());
    game.use(make_evaluator(std::make_shared<const Net>(std::move(*net)), game));
    return {};
}

namespace {

// NAME.zugnet first, then NAME.*.zugnet in order: those of other parameters.
std::vector<std::filesystem::path> nets_beside(const std::filesystem::path& rule_file) {
    std::filesystem::path usual = rule_file;
    usual.replace_extension(".zugnet");
    std::vector<std::filesystem::path> nets;
    const std::string begin = rule_file.stem().string() + ".";
    const std::filesystem::path folder = rule_file.has_parent_path() ? rule_file.parent_path() : ".";
    if (const auto files = list_folder(folder))
        for (const std::filesystem::path& file : *files)
            if (file.extension() == ".zugnet" && file.filename().string().starts_with(begin) &&
                file.filename() != usual.filename())
                nets.push_back(file);
    std::ranges::sort(nets);
    std::error_code error;
    if (std::filesystem::exists(usual, error)) nets.insert(nets.begin(), usual);
    return nets;
}

} // namespace

tl::expected<std::optional<Net>, Error> net_beside(const game::Game& game, const std::filesystem::path& rule_file) {
    std::optional<Error> wrong; // with the first file that can't be read
    for (const std::filesystem::path& path : nets_beside(rule_file)) {
        auto net = read_net_if_for(path, game);
        if (net && *net) return net;
        if (!net && !wrong) wrong = net.error();
    }
    if (wrong) return tl::unexpected(*wrong);
    return std::nullopt;
}

tl::expected<void, Error> offer_evaluation(game::Game& game, const std::filesystem::path& rule_file) {
    auto net = net_beside(game, rule_file);
    if (!net) return tl::unexpected(net.error());
    if (*net) game.offer(make_evaluator(std::make_shared<const Net>(std::move(**net)), game));
    return {};
}

} // namespace zug::learn
