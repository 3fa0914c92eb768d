#include "learn/use.hpp"

#include "learn/net.hpp"

namespace zug::learn {

tl::expected<void, Error> use_evaluation(game::Game& game, const std::string& text) {
    if (text.empty() || text == "rules") return {};
    if (text == "none") {
        game.use(nullptr);
        return {};
    }
    auto net = read_net(text, game);
    if (!net) return tl::unexpected(net.error());
    game.use(make_evaluator(std::make_shared<const Net>(std::move(*net))));
    return {};
}

tl::expected<void, Error> offer_evaluation(game::Game& game, const std::filesystem::path& rule_file) {
    std::filesystem::path path = rule_file;
    path.replace_extension(".zugnet");
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    auto net = read_net_if_for(path, game);
    if (!net) return tl::unexpected(net.error());
    if (*net) game.offer(make_evaluator(std::make_shared<const Net>(std::move(**net))));
    return {};
}

} // namespace zug::learn
