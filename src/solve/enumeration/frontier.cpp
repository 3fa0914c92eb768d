#include "solve/enumeration/frontier.hpp"

#include "solve/storage/scratch.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::size_t most_runs = 32;              // of a tier; more are merged
constexpr std::uint64_t packed_bytes_of_a_key = 3; // approximately

} // namespace

void Frontier::insert(std::uint32_t tier, std::size_t part, std::span<const Key> keys) {
    KeySet& set = future_tiers_.find(tier)->second.set;
    const bool is_new = is_open_ && tier == tier_ && is_complete_;
    set.insert(part, keys, [&](Key key) {
        if (is_new) fresh_[part].push_back(key);
    });
}

std::vector<KeyReader> Frontier::sorted(std::vector<Key>& keys) {
    const std::size_t count = pool_.size();
    std::vector<std::span<Key>> parts;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = keys.size() * i / count, to = keys.size() * (i + 1) / count;
        parts.push_back(std::span(keys).subspan(from, to - from));
    }
    pool_.share(count, [&](std::size_t, std::size_t i) {
        boost::sort::spreadsort::integer_sort(parts[i].begin(), parts[i].end());
    });
    return {parts.begin(), parts.end()};
}

PackedKeys Frontier::merged(std::vector<KeyReader> runs, std::shared_ptr<WorkFile> file) {
    KeyPacker packer(std::move(file));
    KeyMerge(std::move(runs)).run([&](Key key) { packer.add(key); });
    return packer.finish();
}

PackedKeys Frontier::merged(const Runs& runs, std::shared_ptr<WorkFile> file) {
    std::vector<KeyReader> readers;
    for (const auto& run : runs) readers.emplace_back(*run);
    return merged(std::move(readers), std::move(file));
}

std::shared_ptr<WorkFile> Frontier::file_for(std::uint64_t keys) {
    std::uint64_t bytes = closed_bytes_ + keys * packed_bytes_of_a_key;
    for (const auto& run : known_) bytes += run->bytes();
    if (is_complete_)
        for (const auto& run : pending_) bytes += run->bytes();
    return bytes > budget_.packed() ? file_of_closed() : nullptr;
}

void Frontier::move_to_file(PackedKeys& closed) {
    closed_bytes_ -= closed.bytes();
    closed.move_to(file_of_closed());
    closed_bytes_ += closed.bytes();
}

const std::shared_ptr<WorkFile>& Frontier::file_of_closed() {
    if (closed_file_ == nullptr) closed_file_ = work_.create();
    return closed_file_;
}

std::uint64_t Frontier::total(const Runs& runs) {
    std::uint64_t keys = 0;
    for (const auto& run : runs) keys += run->size();
    return keys;
}

bool Frontier::open_tier() {
    if (future_tiers_.empty()) return false;
    tier_ = future_tiers_.begin()->first;
    FutureTier& own = future_tiers_.begin()->second;
    is_open_ = true;
    is_complete_ = own.runs.empty() && !rises_;
    std::vector<Key> keys = is_complete_ ? own.set.all() : own.set.take();
    std::vector<KeyReader> readers = sorted(keys);
    for (const auto& run : own.runs) readers.emplace_back(*run);
    auto all = merged(std::move(readers), file_for(keys.size() + total(own.runs)));
    own.runs.clear();
    known_ = {std::make_shared<PackedKeys>(std::move(all))};
    pending_ = {known_.front()};
    return true;
}

const PackedKeys* Frontier::pending() {
    if (pending_.empty() && !rises_) find_fresh(nullptr);
    return pending_.empty() ? nullptr : pending_.front().get();
}

std::vector<Key> Frontier::take_fresh() {
    std::vector<Key> all;
    for (auto& keys : fresh_) {
        all.insert(all.end(), keys.begin(), keys.end());
        keys.clear();
    }
    return all;
}

// Makes the keys found for the current tier pending.
void Frontier::find_fresh(const std::shared_ptr<WorkFile>& file) {
    std::vector<Key> keys = is_complete_ ? take_fresh() : future_tiers_.find(tier_)->second.set.take();
    if (keys.empty()) return;
    const auto target = file != nullptr ? file : file_for(keys.size());
    if (is_complete_) {
        pending_.push_back(std::make_shared<PackedKeys>(merged(sorted(keys), target)));
        return;
    }
    boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
    for (const auto& run : known_) subtract(keys, *run);
    if (keys.empty()) return;
    KeyPacker packer(target);
    for (const Key key : keys) packer.add(key);
    known_.push_back(std::make_shared<PackedKeys>(packer.finish()));
    pending_.push_back(known_.back());
    join_if_many(known_);
}

void Frontier::join_if_many(Runs& runs) {
    if (runs.size() < most_runs) return;
    runs = {std::make_shared<PackedKeys>(merged(runs, work_.create()))};
}

PackedKeys Frontier::close_tier() {
    PackedKeys all;
    const auto own = future_tiers_.find(tier_);
    if (is_complete_ && own->second.set.size() != known_.front()->size()) {
        std::vector<Key> keys = own->second.set.take();
        all = merged(sorted(keys), file_for(keys.size()));
    } else if (known_.size() == 1) {
        all = std::move(*known_.front());
    } else {
        all = merged(known_, file_for(total(known_)));
    }
    future_tiers_.erase(own);
    known_.clear();
    is_open_ = false;
    closed_bytes_ += all.bytes();
    return all;
}

std::uint64_t Frontier::size() const {
    std::uint64_t keys = 0;
    for (const auto& [tier, own] : future_tiers_) {
        std::uint64_t least = own.set.size();
        for (const auto& run : own.runs) least = std::max<std::uint64_t>(least, run->size());
        if (is_open_ && tier == tier_) least = std::max(least, total(known_));
        keys += least;
    }
    return keys;
}

bool Frontier::is_full() const {
    std::uint64_t keys = 0;
    for (const auto& [tier, own] : future_tiers_) keys += own.set.size();
    return keys > budget_.set_keys();
}

void Frontier::spill() {
    const auto file = work_.create();
    for (auto& [tier, own] : future_tiers_) {
        if (is_open_ && tier == tier_) {
            spill_tier(file);
            continue;
        }
        if (own.set.size() == 0) continue;
        std::vector<Key> keys = own.set.take();
        own.runs.push_back(std::make_shared<PackedKeys>(merged(sorted(keys), file)));
        join_if_many(own.runs);
    }
    return_memory();
}

void Frontier::spill_tier(const std::shared_ptr<WorkFile>& file) {
    find_fresh(file);
    if (is_complete_) {
        std::vector<Key> keys = future_tiers_.find(tier_)->second.set.take();
        known_ = {std::make_shared<PackedKeys>(merged(sorted(keys), file))};
        is_complete_ = false;
    }
    for (const auto& run : known_) run->move_to(file);
    for (const auto& run : pending_) run->move_to(file);
}

Frontier::State Frontier::state() const {
    State state;
    state.tier = tier_;
    for (const auto& run : known_) state.known.push_back(run->state());
    for (const auto& run : pending_) state.pending.push_back(run->state());
    for (const auto& [tier, own] : future_tiers_) {
        if (is_open_ && tier == tier_) continue;
        state.future_tiers.push_back({tier, {}});
        for (const auto& run : own.runs) state.future_tiers.back().runs.push_back(run->state());
    }
    return state;
}

bool Frontier::restore(const State& state) {
    bool good = true;
    const auto restored = [&](const KeysState& keys) {
        auto run = std::make_shared<PackedKeys>();
        good = run->restore(work_, keys) && good;
        return run;
    };
    tier_ = state.tier;
    is_open_ = !state.known.empty();
    for (const KeysState& keys : state.known) known_.push_back(restored(keys));
    for (const KeysState& keys : state.pending) pending_.push_back(restored(keys));
    for (const RunsState& runs : state.future_tiers)
        for (const KeysState& keys : runs.runs) future_tiers_[runs.tier].runs.push_back(restored(keys));
    if (is_open_) future_tiers_[tier_];
    return good;
}

} // namespace zug::solve
