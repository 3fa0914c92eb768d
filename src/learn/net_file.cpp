#include "learn/net.hpp"

#include "base/archive.hpp"
#include "base/file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zstd.h>

#include <charconv>
#include <cmath>
#include <new>

namespace zug::learn {

namespace {

constexpr std::string_view magic = "ZUGNET 1 ";
constexpr std::size_t most_bytes = std::size_t{1} << 30; // of a body
constexpr int compression_level = 19;

std::string compressed(const std::vector<std::uint8_t>& bytes) {
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), compression_level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc(); // the only error where there is room for the output
    frame.resize(size);
    return frame;
}

std::optional<std::vector<std::uint8_t>> decompressed(std::string_view frame) {
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (size > most_bytes) return std::nullopt; // which errors are, too
    std::vector<std::uint8_t> bytes(size);
    if (ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size()) != size) return std::nullopt;
    return bytes;
}

Digest digest_of_text(std::string_view text) {
    return digest_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

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

std::string header_text(const Net& net, std::string_view body) {
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
    json["body"] = digest_text(digest_of_text(body));
    return json.dump(2);
}

bool fits(const Model& model, const game::Game& game) {
    if (int{model.tuples.has_value()} + int{model.network.has_value()} + int{model.terms.has_value()} != 1)
        return false;
    if (model.terms) return learn::fits(*model.terms, game);
    return model.tuples ? learn::fits(*model.tuples, game) : learn::fits(*model.network, game);
}

// The number at the front of the text, which it is taken off; and the character after it.
std::optional<std::size_t> take_number(std::string_view& text, char after) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != after) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return number;
}

struct Parts {
    std::string_view header, body;
};

std::optional<Parts> parts_of(std::string_view text) {
    if (!text.starts_with(magic)) return std::nullopt;
    text.remove_prefix(magic.size());
    const auto header = take_number(text, ' ');
    const auto body = header ? take_number(text, '\n') : std::nullopt;
    if (!body || *header > text.size() || text.size() - *header != *body + 1 || text[*header] != '\n')
        return std::nullopt;
    return Parts{text.substr(0, *header), text.substr(*header + 1)};
}

struct Opened {
    Digest rules{};
    std::string title;
    std::string_view body; // compressed
};

tl::expected<Opened, Error> open_net(std::string_view text) {
    const auto parts = parts_of(text);
    if (!parts) return failure("it is not a learned evaluation, or it is not whole");
    const auto header = nlohmann::json::parse(parts->header, nullptr, false);
    const auto field = [&](const char* name) {
        return header.is_object() && header.contains(name) && header[name].is_string() ? header[name].get<std::string>()
                                                                                       : std::string();
    };
    const auto rules = parse_digest(field("rules"));
    if (!rules || field("body") != digest_text(digest_of_text(parts->body))) return failure("it is damaged");
    return Opened{*rules, field("game"), parts->body};
}

} // namespace

std::string net_text(const Net& net) {
    archive::Writer writer;
    writer.value(net.model);
    const std::string body = compressed(writer.bytes);
    const std::string header = header_text(net, body);
    return fmt::format("{}{} {}\n{}\n{}", magic, header.size(), body.size(), header, body);
}

namespace {

tl::expected<Net, Error> net_of(const Opened& opened, const game::Game& game) {
    const auto bytes = decompressed(opened.body);
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
    const auto text = read_file(path, most_bytes);
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
    const auto opened = open_net(text);
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
        const auto opened = open_net(text);
        if (!opened) return tl::unexpected(opened.error());
        if (opened->rules != game.rules_digest()) return std::nullopt;
        auto net = net_of(*opened, game);
        if (!net) return tl::unexpected(net.error());
        return std::optional(std::move(*net));
    });
}

} // namespace zug::learn
