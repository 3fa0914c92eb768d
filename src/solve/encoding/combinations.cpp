#include "solve/encoding/combinations.hpp"

#include "game/selfplay/random_games.hpp"
#include "solve/encoding/tier_potential.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t games_for_combinations = 300;

// Whether every field is a number of its group, and there is nothing beyond them.
bool is_possible(const Combinations::Block& block, const std::uint64_t* tuple, std::span<const DigitGroup> groups) {
    const std::size_t in_words = block.tuples.width() * fields::per_word;
    for (std::size_t i = 0; i < in_words; ++i)
        if (fields::get(tuple, i) >= (i < block.groups ? groups[block.first + i].size : 1)) return false;
    return true;
}

} // namespace

std::vector<DigitGroup> digit_groups(const ir::Program& program) {
    const auto sizes = ir::slot_sizes(program);
    std::vector<DigitGroup> groups;
    for (std::uint32_t slot = 0; slot < sizes.size(); ++slot) {
        if (sizes[slot] <= 1) continue;
        if (groups.empty() || groups.back().size * sizes[slot] > DigitGroup::most) groups.emplace_back();
        DigitGroup& group = groups.back();
        group.digits.push_back({slot, sizes[slot], group.size});
        group.size *= sizes[slot];
    }
    return groups;
}

Combinations::Combinations(const ir::Program& program, std::uint32_t span) : span_(span) {
    const auto count = static_cast<std::uint32_t>(digit_groups(program).size());
    for (std::uint32_t first = 0; first < count; first += span) {
        const std::uint32_t groups = std::min(span, count - first);
        blocks_.push_back({first, groups, TupleSet(fields::words(groups))});
    }
}

std::optional<Combinations> Combinations::of(const ir::Program& program, std::uint32_t span,
                                             std::span<const std::vector<std::uint64_t>> words) {
    if (span == 0) return words.empty() ? std::optional(Combinations()) : std::nullopt;
    const auto groups = digit_groups(program);
    std::uint32_t tried = wider(0);
    while (tried < span && tried < groups.size()) tried = wider(tried);
    if (tried != span) return std::nullopt;
    Combinations result(program, span);
    if (words.size() != result.blocks_.size()) return std::nullopt;
    for (std::size_t b = 0; b < words.size(); ++b) {
        Block& block = result.blocks_[b];
        const std::size_t width = block.tuples.width();
        if (words[b].empty() || words[b].size() % width != 0 || words[b].size() / width >= TupleSet::none)
            return std::nullopt;
        const std::uint64_t* last = nullptr;
        for (const std::uint64_t* tuple = words[b].data(); tuple != words[b].data() + words[b].size(); tuple += width) {
            if (!is_possible(block, tuple, groups)) return std::nullopt;
            if (last != nullptr && !std::lexicographical_compare(last, last + width, tuple, tuple + width))
                return std::nullopt;
            block.tuples.insert(tuple);
            last = tuple;
        }
    }
    return result;
}

Combinations Combinations::of_positions(const ir::Program& program, std::uint32_t span, const TupleSet& positions) {
    Combinations result(program, span);
    for (std::uint32_t i = 0; i < positions.size() && !result.too_many(); ++i) result.add(positions[i]);
    result.sort();
    return result;
}

std::size_t Combinations::bytes() const {
    std::size_t bytes = 0;
    for (const Block& block : blocks_) bytes += block.tuples.bytes();
    return bytes;
}

bool Combinations::has_room() const {
    return std::ranges::all_of(blocks_, [](const Block& block) { return block.tuples.has_room(); });
}

bool Combinations::too_many() const {
    __extension__ using Wide = unsigned __int128;
    Wide product = 1;
    for (const Block& block : blocks_)
        if (product *= block.tuples.size(); product >> 63 != 0) return true;
    return false;
}

void Combinations::add(const std::uint64_t* position) {
    for (Block& block : blocks_) add_to(block, position);
}

void Combinations::add_to(Block& block, const std::uint64_t* position) {
    // A block of one group has its field in the lowest bits; longer ones begin with a word.
    if (span_ == 1) {
        const std::uint64_t field = fields::get(position, block.first);
        block.tuples.insert(&field);
    } else {
        block.tuples.insert(position + block.first / fields::per_word);
    }
}

void Combinations::sort() {
    for (Block& block : blocks_) block.tuples.sort();
}

std::vector<std::uint64_t> fields_of(std::span<const DigitGroup> groups, std::span<const std::uint32_t> slots) {
    std::vector<std::uint64_t> words(fields::words(groups.size()));
    for (std::size_t g = 0; g < groups.size(); ++g)
        words[g / fields::per_word] |= std::uint64_t{groups[g].number(slots)} << fields::shift(g);
    return words;
}

TupleSet positions_of_random_games(game::Game& game, const game::State& start) {
    const auto groups = digit_groups(game.program());
    TupleSet positions(fields::words(groups.size()));
    std::vector<std::uint32_t> slots;
    game::play_random_games(game, start, games_for_combinations, [&](const game::State& state, std::uint32_t) {
        game.executor().store(state, slots);
        positions.insert(fields_of(groups, slots).data());
        return true;
    });
    return positions;
}

} // namespace zug::solve
