#include "learn/net.hpp"

#include "base/archive.hpp"
#include "base/file.hpp"
#include "learn/packed.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace zug::learn {

namespace {

constexpr std::string_view kind = "ZUGNET 1", called = "a learned evaluation";
constexpr int compression_level = 19;

nlohmann::ordered_json model_header(const Model& model) {
    if (const auto& tuples = model.tuples)
        return {{"kind", "n-tuples"},
                {"patterns", tuples->inputs.patterns.size()},
                {"weights", tuples->weights.size()},
                {"outputs", tuples->outputs}};
    if (const auto& terms = model.terms) {
        nlohmann::ordered_json weights = nlohmann::ordered_json::array();
        for (std::size_t t = 0; t < terms->terms.size(); ++t)
            weights.push_back({{"term", terms->terms[t]}, {"weight", terms->weights[t]}});
        return {{"kind", "terms"}, {"terms", weights}};
    }
    const Network& network = *model.network;
    return {{"kind", "network"},
            {"inputs", network.columns.count()},
            {"units", network.units},
            {"weights", network.hidden.size() + network.output.size()},
            {"utilities", network.utilities},
            {"outputs", network.outputs}};
}

nlohmann::ordered_json header_of(const Net& net) {
    nlohmann::ordered_json json;
    json["game"] = net.title;
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const auto& [name, value] : net.parameters) parameters[name] = value;
    json["parameters"] = parameters;
    json["rules"] = digest_text(net.rules);
    json["model"] = model_header(net.model);
    json["training"] = {{"games", net.training.games},
                        {"positions", net.training.positions},
                        {"seconds", std::round(net.training.seconds)},
                        {"seed", net.training.seed}};
    return json;
}

bool fits(const Model& model, const game::Game& game) {
    if (int{model.tuples.has_value()} + int{model.network.has_value()} + int{model.terms.has_value()} != 1)
        return false;
    if (model.terms) return learn::fits(*model.terms, game);
    return model.tuples ? learn::fits(*model.tuples, game) : learn::fits(*model.network, game);
}

} // namespace

std::string net_text(const Net& net) {
    archive::Writer writer;
    writer.value(net.model);
    return pack(kind, header_of(net), writer.bytes, compression_level);
}

namespace {

tl::expected<Net, Error> net_of(const Packed& opened, const game::Game& game) {
    const auto bytes = unpack(opened.body);
    auto model = bytes ? archive::read<Model>(*bytes) : std::nullopt;
    if (!model || !fits(*model, game)) return failure("it is damaged, or of another version of this program");
    Net net{.rules = opened.rules, .title = opened.title, .parameters = {}, .training = {}, .model = std::move(*model)};
    for (const ir::Param& param : game.program().params) net.parameters.emplace_back(param.name, param.value);
    return net;
}

// What becomes of the text of the file.
template <class Result, class F>
tl::expected<Result, Error> from_file(const std::filesystem::path& path, F&& f) {
    const auto named = [&](const Error& error) { return failure(fmt::format("{}: {}", path.string(), error.text)); };
    const auto text = read_file(path, most_packed_bytes);
    if (!text) return named(text.error());
    tl::expected<Result, Error> result = f(*text);
    if (!result) return named(result.error());
    return result;
}

} // namespace

std::unique_ptr<game::Evaluator> make_evaluator(const std::shared_ptr<const Net>& net, const game::Game& game) {
    if (net->model.terms) return make_evaluator(*net->model.terms, game);
    return net->model.tuples ? make_evaluator(*net->model.tuples, net) : make_evaluator(*net->model.network, net);
}

tl::expected<Net, Error> parse_net(std::string_view text, const game::Game& game) {
    const auto opened = open_packed(text, kind, called);
    if (!opened) return tl::unexpected(opened.error());
    if (opened->rules != game.rules_digest())
        return failure(fmt::format("it was learned for other rules{}", opened->title == game.program().title
                                                                           ? " or parameters of this game"
                                                                           : ": " + opened->title));
    return net_of(*opened, game);
}

tl::expected<Net, Error> read_net(const std::filesystem::path& path, const game::Game& game) {
    return from_file<Net>(path, [&](const std::string& text) { return parse_net(text, game); });
}

tl::expected<std::optional<Net>, Error> read_net_if_for(const std::filesystem::path& path, const game::Game& game) {
    using Found = tl::expected<std::optional<Net>, Error>;
    return from_file<std::optional<Net>>(path, [&](const std::string& text) -> Found {
        const auto opened = open_packed(text, kind, called);
        if (!opened) return tl::unexpected(opened.error());
        if (opened->rules != game.rules_digest()) return std::nullopt;
        auto net = net_of(*opened, game);
        if (!net) return tl::unexpected(net.error());
        return std::optional(std::move(*net));
    });
}

} // namespace zug::learn
