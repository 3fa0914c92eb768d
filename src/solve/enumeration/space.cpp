#include "solve/enumeration/space.hpp"

#include "solve/enumeration/frontier.hpp"
#include "solve/enumeration/symmetry_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace zug::solve {

namespace {

// Keys that a thread found, by tier and by part of the tier's set.
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
    std::uint64_t inner = 0;
    std::uint32_t longest_jump = 0;
    bool chance = false, misses = false;
    SymmetryCheck symmetry_check;
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
    explicit Enumeration(const EnumerationTask& task)
        : pool_(task.pool), code_(task.code), limits_(task.limits), resources_(task.resources),
          frontier_(pool_, resources_.budget, resources_.work, limits_.rises),
          harvest_keys_(resources_.budget.harvest_keys(pool_.size())), harvests_(pool_.size()) {}

    void start(Key start) {
        frontier_.reserve(code_.tier(start));
        frontier_.insert(code_.tier(start), KeySet::part_of(key_hash(start)), {&start, 1});
    }

    bool resume(const archive::Bytes& bytes) {
        const auto state = archive::read<State>(bytes);
        if (!state) return false;
        is_open_ = state->is_open;
        next_block_ = state->next_block;
        inner_ = state->inner;
        return restore(space_, resources_.work, state->space) && frontier_.restore(state->frontier);
    }

    tl::expected<Space, Error> run() {
        for (; is_open_ || frontier_.open_tier(); is_open_ = false) {
            is_open_ = true;
            if (!run_tier()) return failure(error_);
        }
        return std::move(space_);
    }

private:
    struct State {
        SpaceState space;
        Frontier::State frontier;
        bool is_open = false;
        std::uint64_t next_block = 0; // of the pending keys
        std::uint64_t inner = 0;
    };

    bool run_tier() {
        while (const PackedKeys* work = frontier_.pending()) {
            if (!expand(*work)) return false;
            frontier_.next();
            next_block_ = 0;
        }
        if (misses()) return fail(std::string(combination_fails)); // all successors of the tier are known now
        Tier tier{.number = frontier_.tier(), .keys = frontier_.close_tier(), .inner = std::exchange(inner_, 0)};
        space_.positions += tier.keys.size();
        space_.inner += tier.inner;
        ++space_.tier_count;
        space_.tiers.push_back(std::move(tier));
        return resources_.work.io_error().any() ? fail(resources_.work.io_error().text()) : true;
    }

    bool expand(const PackedKeys& work) {
        while (next_block_ < work.blocks()) {
            std::atomic<std::size_t> next = next_block_;
            pool_.run([&](std::size_t thread) { gather(thread, work, next); });
            for (const Harvest& harvest : harvests_)
                if (!harvest.error.empty()) return fail(harvest.error);
            next_block_ = std::min<std::size_t>(next, work.blocks());
            store();
            if (!look()) return false;
        }
        return true;
    }

    // Runs between steps, while no other thread works.
    bool look() {
        const std::uint64_t found = space_.positions + frontier_.size();
        if (found > limits_.most_positions) return fail(too_many_positions(limits_.most_positions));
        const bool stops = limits_.stop && limits_.stop({Stage::Work::Enumerating, found, 0});
        const bool saves = resources_.work.is_due(stops);
        if (saves && !misses())
            save();
        else if (frontier_.is_full())
            frontier_.spill();
        if (resources_.work.io_error().any()) return fail(resources_.work.io_error().text());
        return stops ? fail(std::string(stopped)) : true;
    }

    // Successors were skipped that a checkpoint could not represent.
    bool misses() const { return std::ranges::any_of(harvests_, &Harvest::misses); }

    void save() {
        frontier_.spill();
        for (Tier& tier : space_.tiers) frontier_.move_to_file(tier.keys);
        archive::Writer writer;
        writer.value(State{state_of(space_), frontier_.state(), is_open_, next_block_, inner_});
        resources_.save(std::move(writer.bytes));
    }

    bool fail(std::string why) {
        error_ = std::move(why);
        return false;
    }

    void gather(std::size_t thread, const PackedKeys& work, std::atomic<std::size_t>& next) {
        Harvest& harvest = harvests_[thread];
        Walker& walker = pool_.walker(thread);
        std::array<Key, block_keys> buffer;
        while (harvest.keys < harvest_keys_ && harvest.error.empty()) {
            const std::size_t block = next++;
            if (block >= work.blocks()) return;
            for (const Key key : work.block(block, buffer)) {
                harvest.successors.clear();
                walker.expand(key, harvest.successors);
                if (!note(harvest, walker)) return;
                for (const Key to : harvest.successors) add(harvest, to);
                if (code_.symmetries() > 1 &&
                    !harvest.symmetry_check.holds(walker, key, harvest.successors, work.size()))
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
            if (!walker.payoffs(harvest.payoffs)) {
                harvest.error = walker.error();
                return false;
            }
            for (double& payoff : harvest.payoffs) payoff += 0.0; // no -0
            if (!harvest.ends.contains(harvest.payoffs)) harvest.ends.insert(harvest.payoffs);
            break;
        case game::NodeKind::Decision: break;
        }
        return true;
    }

    void add(Harvest& harvest, Key key) {
        if (key == no_key) {
            harvest.misses = true;
            return;
        }
        const std::uint32_t to = code_.tier(key), tier = frontier_.tier();
        if (to < tier || (to == tier && limits_.rises)) {
            harvest.error = potential_fails;
            return;
        }
        harvest.inner += to == tier ? 1 : 0;
        harvest.longest_jump = std::max(harvest.longest_jump, to - tier);
        harvest.of(to).parts[KeySet::part_of(key_hash(key))].push_back(key);
        ++harvest.keys;
    }

    // Moves what all threads gathered into the sets, part by part.
    void store() {
        for (Harvest& harvest : harvests_) {
            harvest.keys = 0;
            std::erase_if(harvest.fields, [&](const auto& field) { return field.tier < frontier_.tier(); });
            for (const auto& field : harvest.fields) frontier_.reserve(field.tier);
            space_.all_positions += std::exchange(harvest.positions, 0);
            space_.moves += std::exchange(harvest.moves, 0);
            inner_ += std::exchange(harvest.inner, 0);
            space_.longest_jump = std::max(space_.longest_jump, harvest.longest_jump);
            space_.chance = space_.chance || harvest.chance;
            space_.ends.insert(harvest.ends.begin(), harvest.ends.end());
        }
        pool_.share(KeySet::parts, [&](std::size_t, std::size_t part) {
            for (Harvest& harvest : harvests_)
                for (Harvest::Field& field : harvest.fields) {
                    frontier_.insert(field.tier, part, field.parts[part]);
                    field.parts[part].clear();
                }
        });
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    const Limits& limits_;
    const Resources& resources_;
    Frontier frontier_;
    const std::size_t harvest_keys_;
    std::vector<Harvest> harvests_; // by thread
    bool is_open_ = false;          // a tier is being expanded
    std::size_t next_block_ = 0;    // of the pending keys
    std::uint64_t inner_ = 0;       // moves that stay in the tier
    Space space_;
    std::string error_;
};

} // namespace

std::string too_many_positions(std::uint64_t most) { return fmt::format("the game has more than {} positions", most); }

SpaceState state_of(const Space& space) {
    SpaceState state{space, {}, {space.ends.begin(), space.ends.end()}};
    for (const Tier& tier : space.tiers) state.tiers.push_back({tier.number, tier.inner, tier.keys.state()});
    return state;
}

bool restore(Space& space, const Work& work, const SpaceState& state) {
    static_cast<SpaceFigures&>(space) = state.figures;
    space.ends.insert(state.ends.begin(), state.ends.end());
    for (const auto& [number, inner, keys] : state.tiers) {
        Tier& tier = space.tiers.emplace_back();
        tier.number = number;
        tier.inner = inner;
        if (!tier.keys.restore(work, keys)) return false;
    }
    return true;
}

tl::expected<Space, Error> enumerate(const EnumerationTask& task) {
    Enumeration enumeration(task);
    if (task.resume == nullptr) {
        enumeration.start(task.start);
    } else if (!enumeration.resume(*task.resume)) {
        return failure(std::string(unreadable));
    }
    return enumeration.run();
}

} // namespace zug::solve
