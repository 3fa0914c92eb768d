#pragma once
// A learned evaluation: a model of values, and where it comes from. A file holds one; rules/*.zugnet are some.
// The file is packed (learn/packed.hpp): its header tells the parameters, the model and how the evaluation was learned,
// its body is the Model.

#include "base/digest.hpp"
#include "base/error.hpp"
#include "game/evaluator.hpp"
#include "learn/network/network.hpp"
#include "learn/terms/term_net.hpp"
#include "learn/tuples/tuple_net.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::learn {

// One of them.
struct Model {
    std::optional<TupleNet> tuples;
    std::optional<Network> network;
    std::optional<TermNet> terms;

    friend bool operator==(const Model&, const Model&) = default;
};

struct Training {
    std::uint64_t games = 0, positions = 0, seed = 1;
    double seconds = 0;
};

struct Net {
    Digest rules{};
    std::string title;
    std::vector<std::pair<std::string, std::string>> parameters;
    Training training;
    Model model;
};

std::string net_text(const Net& net);
// The error says what is wrong with the file, or that it is of another game.
tl::expected<Net, Error> parse_net(std::string_view text, const game::Game& game);
tl::expected<Net, Error> read_net(const std::filesystem::path& path, const game::Game& game);
// The same; nothing if it is of another game.
tl::expected<std::optional<Net>, Error> read_net_if_for(const std::filesystem::path& path, const game::Game& game);

// For the game that it was read for.
std::unique_ptr<game::Evaluator> make_evaluator(const std::shared_ptr<const Net>& net, const game::Game& game);

} // namespace zug::learn
