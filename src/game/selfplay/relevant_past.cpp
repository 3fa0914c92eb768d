#include "game/selfplay/relevant_past.hpp"

#include "executor/hash.hpp"
#include "game/facts/history.hpp"

#include <algorithm>

namespace zug::game {

namespace {

bool is_whole_in_all_keys(const ir::Program& program, ir::StateId id) {
    for (std::size_t k = 0; k < program.keys.size(); ++k)
        if (std::ranges::find(program.keys[static_cast<ir::KeyId>(k)].maps, id) ==
            program.keys[static_cast<ir::KeyId>(k)].maps.end())
            return false;
    return true;
}

} // namespace

std::unique_ptr<RelevantPast> RelevantPast::of(Game& game) {
    const ir::Program& program = game.program();
    if (find_history(program, game.traits().zero_sum).kind != HistoryKind::RepetitionDraw) return nullptr;
    OneWayMeasure measure(game, [&](ir::StateId id) { return is_whole_in_all_keys(program, id); });
    if (measure.empty()) return nullptr;
    std::unique_ptr<RelevantPast> past(new RelevantPast(std::move(measure)));
    past->slots_.resize(program.total_slots());
    return past;
}

void RelevantPast::enter(Line& line, int ply) {
    const auto here = static_cast<std::size_t>(ply);
    if (entries_.size() <= here) entries_.resize(here + 1);
    line.read_slots(ply, slots_);
    const run::HistoryNode* const newest = line.state(ply).history.get();
    const std::int64_t measure = measure_.of(slots_);
    entries_[here] = {.measure = measure,
                      .greatest = ply == 0 ? measure : std::max(measure, entries_[here - 1].greatest),
                      .least = measure,
                      .records = newest != nullptr ? newest->path_hash : 0};
    if (ply == 0) before_root_ = newest != nullptr && newest->before ? newest->before->path_hash : 0;
}

void RelevantPast::leave(int ply) {
    Entry& before = entries_[static_cast<std::size_t>(ply) - 1];
    before.least = std::min(before.least, at(ply).least);
}

std::uint64_t RelevantPast::key(Line& line, int ply) const {
    int last = ply - 1;
    while (last >= 0 && at(last).greatest >= at(ply).measure) --last;
    std::uint64_t records = at(ply).records;
    if (last >= 0) records += before_root_ - at(last).records;
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
    const State& state = line.state(ply);
    for (std::size_t w = 0; w < state.words.size(); ++w)
        hash = run::multiply_mix(hash ^ state.words[w], 0xE7037ED1A0B428DBULL + w);
    return run::combine_hashes(hash, records);
}

} // namespace zug::game
