#include "solve/space.hpp"

#include "solve/key_set.hpp"
#include "solve/likeness.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace zug::solve {

namespace {

constexpr std::size_t chunk = 512;            // positions that a thread takes at a time
constexpr std::size_t harvest_keys = 1 << 18; // that a thread gathers before they go into the sets

// Keys that a thread found, by the tier and the part of its set that they belong in.
struct Harvest {
    struct Field {
        std::uint32_t tier = 0;
        std::array<std::vector<Key>, KeySet::parts> parts;
    };
    std::vector<Field> fields;
    std::vector<Key> successors;
    std::set<Payoffs> ends;
    Payoffs payoffs;
    std::size_t keys = 0;
    std::uint64_t positions = 0, moves = 0; // with all images
    std::uint32_t longest_jump = 0;
    bool inner = false, chance = false;
    Likeness likeness;
    std::string error;

    Field& of(std::uint32_t tier) {
        for (Field& field : fields)
            if (field.tier == tier) return field;
        fields.emplace_back().tier = tier;
        return fields.back();
    }
};

class Enumeration {
public:
    Enumeration(Crew& crew, const PositionCode& code, const Limits& limits)
        : crew_(crew), code_(code), limits_(limits), harvests_(crew.size()) {}

    tl::expected<Space, game::Error> run(Key start) {
        const std::uint64_t hash = key_hash(start);
        sets_[code_.tier(start)].insert(KeySet::part_of(hash), start, hash);
        while (!sets_.empty()) {
            const std::uint32_t tier = sets_.begin()->first;
            if (!run_tier(tier)) return tl::unexpected(game::Error{error_});
            sets_.erase(tier);
        }
        for (const Harvest& harvest : harvests_) {
            space_.all_positions += harvest.positions;
            space_.moves += harvest.moves;
            space_.longest_jump = std::max(space_.longest_jump, harvest.longest_jump);
            space_.chance = space_.chance || harvest.chance;
            space_.ends.insert(harvest.ends.begin(), harvest.ends.end());
        }
        return std::move(space_);
    }

private:
    bool run_tier(std::uint32_t number) {
        KeySet& set = sets_[number];
        Tier tier{.number = number, .keys = {}, .inner = false};
        std::vector<Key> keys = limits_.rises ? set.take() : set.all();
        sort(keys);
        if (!expand(number, keys)) return false;
        // What is found of this tier while it is expanded is expanded next.
        for (std::vector<Key> fresh = take_fresh(); !fresh.empty(); fresh = take_fresh())
            if (!expand(number, fresh)) return false;
        for (Harvest& harvest : harvests_) tier.inner = std::exchange(harvest.inner, false) || tier.inner;
        if (tier.inner) {
            keys = set.take();
            sort(keys);
        }
        space_.positions += keys.size();
        tier.keys = PackedKeys(keys);
        space_.tiers.push_back(std::move(tier));
        return true;
    }

    void sort(std::vector<Key>& keys) {
        const std::size_t runs = crew_.size();
        const auto at = [&](std::size_t i) {
            return keys.begin() + static_cast<std::ptrdiff_t>(keys.size() * std::min(i, runs) / runs);
        };
        crew_.share(runs, [&](std::size_t, std::size_t i) { boost::sort::spreadsort::integer_sort(at(i), at(i + 1)); });
        for (std::size_t step = 1; step < runs; step *= 2)
            for (std::size_t i = 0; i + step < runs; i += 2 * step)
                std::inplace_merge(at(i), at(i + step), at(i + 2 * step));
    }

    bool expand(std::uint32_t tier, const std::vector<Key>& work) {
        std::atomic<std::size_t> next = 0;
        while (next < work.size()) {
            crew_.run([&](std::size_t thread) { gather(thread, tier, work, next); });
            for (const Harvest& harvest : harvests_)
                if (!harvest.error.empty()) return fail(harvest.error);
            store(tier);
            std::uint64_t found = space_.positions + (limits_.rises ? work.size() : 0);
            for (const auto& [number, set] : sets_) found += set.size();
            if (found > limits_.most_positions)
                return fail(fmt::format("the game has more than {} positions", limits_.most_positions));
            if (limits_.stop && limits_.stop({Stage::Work::Enumerating, found, 0})) return fail(std::string(stopped));
        }
        return true;
    }

    bool fail(std::string why) {
        error_ = std::move(why);
        return false;
    }

    void gather(std::size_t thread, std::uint32_t tier, const std::vector<Key>& work, std::atomic<std::size_t>& next) {
        Harvest& harvest = harvests_[thread];
        Walker& walker = crew_.walker(thread);
        while (harvest.keys < harvest_keys && harvest.error.empty()) {
            const std::size_t from = next.fetch_add(chunk), to = std::min(from + chunk, work.size());
            if (from >= to) return;
            for (std::size_t i = from; i < to; ++i) {
                harvest.successors.clear();
                walker.expand(work[i], harvest.successors);
                if (!note(harvest, walker)) return;
                for (const Key key : harvest.successors) add(harvest, tier, key);
                if (code_.symmetries() > 1 && !harvest.likeness.holds(walker, work[i], harvest.successors, work.size()))
                    harvest.error = symmetry_fails;
            }
        }
    }

    static bool note(Harvest& harvest, Walker& walker) {
        const std::uint64_t orbit = walker.orbit();
        harvest.positions += orbit;
        harvest.moves += orbit * harvest.successors.size();
        switch (walker.kind()) {
        case game::NodeKind::Fault: harvest.error = walker.error(); return false;
        case game::NodeKind::Chance: harvest.chance = true; break;
        case game::NodeKind::Terminal:
            harvest.payoffs.resize(walker.game().players());
            walker.payoffs(harvest.payoffs);
            for (double& payoff : harvest.payoffs) payoff += 0.0; // no -0
            if (!harvest.ends.contains(harvest.payoffs)) harvest.ends.insert(harvest.payoffs);
            break;
        case game::NodeKind::Decision: break;
        }
        return true;
    }

    void add(Harvest& harvest, std::uint32_t tier, Key key) {
        const std::uint32_t to = code_.tier(key);
        if (to < tier || (to == tier && limits_.rises)) {
            harvest.error = measure_fails;
            return;
        }
        harvest.inner = harvest.inner || to == tier;
        harvest.longest_jump = std::max(harvest.longest_jump, to - tier);
        harvest.of(to).parts[KeySet::part_of(key_hash(key))].push_back(key);
        ++harvest.keys;
    }

    // What all have gathered goes into the sets, part by part.
    void store(std::uint32_t tier) {
        for (Harvest& harvest : harvests_) {
            harvest.keys = 0;
            std::erase_if(harvest.fields, [&](const Harvest::Field& field) { return field.tier < tier; });
            for (const auto& field : harvest.fields) sets_[field.tier];
        }
        crew_.share(KeySet::parts, [&](std::size_t, std::size_t part) {
            for (Harvest& harvest : harvests_)
                for (Harvest::Field& field : harvest.fields) {
                    std::vector<Key>& keys = field.parts[part];
                    if (keys.empty()) continue;
                    KeySet& set = sets_.find(field.tier)->second;
                    for (const Key key : keys)
                        if (set.insert(part, key, key_hash(key)) && field.tier == tier) fresh_[part].push_back(key);
                    keys.clear();
                }
        });
    }

    std::vector<Key> take_fresh() {
        std::vector<Key> all;
        for (auto& keys : fresh_) {
            all.insert(all.end(), keys.begin(), keys.end());
            keys.clear();
        }
        return all;
    }

    Crew& crew_;
    const PositionCode& code_;
    const Limits& limits_;
    std::vector<Harvest> harvests_;        // by thread
    std::map<std::uint32_t, KeySet> sets_; // of the tiers that are not done
    std::array<std::vector<Key>, KeySet::parts> fresh_;
    Space space_;
    std::string error_;
};

} // namespace

bool Space::cycles() const {
    return std::ranges::any_of(tiers, [](const Tier& tier) { return tier.inner; });
}

tl::expected<Space, game::Error> enumerate(Crew& crew, const PositionCode& code, Key start, const Limits& limits) {
    return Enumeration(crew, code, limits).run(start);
}

} // namespace zug::solve
