#pragma once
// A learned evaluation: patterns, the weights of their combinations, and what became of the sum of those that a
// position selects. A file holds one; rules/*.zugnet are some.
//
//   file   = "ZUGNET 1 " bytes " " bytes "\n" header "\n" body            (the lengths of header and body)
//   header = JSON, for people: the game, its parameters, the digest of its rules, how the evaluation was learned, the
//            digest of the body
//   body   = a zstd frame of the archive (base/archive.hpp) of NetBody

#include "base/digest.hpp"
#include "base/error.hpp"
#include "game/evaluator.hpp"
#include "learn/inputs.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::learn {

// From the sum of weights to a utility and back.
struct OutputScale {
    bool bounded = true; // by the range of utilities: tanh
    double middle = 0, half = 1;

    double utility(double sum) const;
    // What learning aims at: a utility in units of `half` from the middle.
    double target(double utility) const { return (utility - middle) / half; }
    double expected(double sum) const; // the same of a sum

    friend bool operator==(const OutputScale&, const OutputScale&) = default;
};

struct NetBody {
    Inputs inputs;
    std::uint32_t stages = 1;  // the weights are those of the player to move, a stage for each
    std::uint32_t outputs = 1; // 1: the first player's utility; else each player's
    OutputScale scale;
    double unit = 1;                   // a step of a weight
    std::vector<std::int16_t> weights; // by stage, then weight, then output

    friend bool operator==(const NetBody&, const NetBody&) = default;
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
    NetBody body;
};

std::string net_text(const Net& net);
// The error says what is wrong with the file, or that it is of another game.
tl::expected<Net, Error> parse_net(std::string_view text, const game::Game& game);
tl::expected<Net, Error> read_net(const std::filesystem::path& path, const game::Game& game);
// The same; nothing if it is of another game.
tl::expected<std::optional<Net>, Error> read_net_if_for(const std::filesystem::path& path, const game::Game& game);

std::unique_ptr<game::Evaluator> make_evaluator(std::shared_ptr<const Net> net);

} // namespace zug::learn
