#pragma once
// The state of a learner between games, from which it goes on: on one thread, as if it had never stopped.
//
//   text = "ZUGPART 1 " digest of the bytes "\n" bytes: an archive (base/archive.hpp) of Checkpoint

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "learn/trainer.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zug::learn {

struct Checkpoint {
    Digest rules{};
    ModelKind model = ModelKind::Tuples;
    std::uint32_t weights = 0; // that n-tuples might have had
    std::uint32_t units = 0;
    bool apart = false;
    std::uint64_t records = 0;          // recorded games; 0: none, but self-play
    Training training;                  // up to here
    std::vector<Random::Words> randoms; // by thread
    std::vector<float> numbers;         // all that the model has learned
    std::vector<float> past;            // the same of the opponent that TrainerOptions::past asks for; empty: none
};

std::string checkpoint_text(const Checkpoint& checkpoint);
// The error says what is wrong with the text, or that it is of another game or of other settings.
tl::expected<Checkpoint, Error> parse_checkpoint(std::string_view text, const game::Game& game,
                                                 const TrainerOptions& options);

} // namespace zug::learn
