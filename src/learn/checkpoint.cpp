#include "learn/checkpoint.hpp"

#include "base/archive.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace zug::learn {

namespace {

constexpr std::string_view part_magic = "ZUGPART 1 ";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

} // namespace

std::string checkpoint_text(const Checkpoint& checkpoint) {
    archive::Writer writer;
    writer.value(checkpoint);
    std::string text = std::string(part_magic) + digest_text(digest_of(writer.bytes)) + "\n";
    text.append(reinterpret_cast<const char*>(writer.bytes.data()), writer.bytes.size());
    return text;
}

tl::expected<Checkpoint, Error> parse_checkpoint(std::string_view text, const game::Game& game,
                                                 const TrainerOptions& options) {
    const std::size_t end = text.find('\n');
    if (!text.starts_with(part_magic) || end == std::string_view::npos)
        return failure("it is not what a learner saves");
    const auto digest = parse_digest(std::string(text.substr(part_magic.size(), end - part_magic.size())));
    const auto bytes = bytes_of(text.substr(end + 1));
    if (!digest || *digest != digest_of(bytes)) return failure("it is damaged");
    auto checkpoint = archive::read<Checkpoint>(bytes);
    const auto wild = [](float number) { return !std::isfinite(number); };
    if (!checkpoint || std::ranges::any_of(checkpoint->numbers, wild) || std::ranges::any_of(checkpoint->past, wild) ||
        !(checkpoint->training.seconds >= 0))
        return failure("it is damaged, or of another version of this program");
    if (checkpoint->rules != game.rules_digest()) return failure("it was learned for other rules or parameters");
    if (checkpoint->model != options.model || checkpoint->training.seed != options.seed ||
        checkpoint->apart != options.apart || checkpoint->randoms.size() != options.threads ||
        checkpoint->past.empty() != !(options.past > 0) ||
        checkpoint->records != (options.records ? options.records->size() : 0) ||
        (options.model == ModelKind::Network && checkpoint->units != options.units) ||
        (options.model == ModelKind::Tuples && checkpoint->weights != options.inputs.weights))
        return failure(
            "it was learned with other settings: model, units, weights, seed, threads, opponent or recorded games");
    return std::move(*checkpoint);
}

} // namespace zug::learn
