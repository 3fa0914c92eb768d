// The bucket queue takes the positions of a tier ply by ply, on any number of threads, in memory and in files.

#include "solve/tiers/bucket_queue.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <deque>
#include <random>

namespace zug::solve {

namespace {

// Enough that a ply has work for several threads, and takes several passes where there is little memory.
constexpr PositionIndex indices = 50'000;

struct Settings {
    std::size_t threads;
    Scratch::Need need; // of `free` bytes
    std::uint64_t free;
};
const std::vector<Settings> settings = [] {
    std::vector<Settings> all;
    for (const std::size_t threads : {1U, 2U, 3U, 5U})
        for (const auto& [need, free] : {std::pair(Scratch::Need{0, 0}, std::uint64_t{1} << 30),
                                         {Scratch::Need{0, 0}, 1000},
                                         {Scratch::Need{UINT64_MAX, 0}, 1000},
                                         {Scratch::Need{UINT64_MAX, UINT64_MAX}, 1 << 20}})
            all.push_back({threads, need, free});
    return all;
}();

// Each position has up to eleven moves; without cycles all of them lead to higher indices.
std::vector<Edge> moves(bool cycles) {
    std::mt19937 engine(7);
    const auto random = [&](PositionIndex below) { return static_cast<PositionIndex>(engine() % below); };
    std::vector<Edge> all;
    for (PositionIndex from = 0; from < indices; ++from)
        for (PositionIndex i = random(12); i > 0; --i) {
            const PositionIndex least = cycles ? 0 : from + 1;
            if (least < indices) all.push_back({least + random(indices - least), from});
        }
    return all;
}

AdjacencyLists predecessors(Scratch& scratch, std::span<const Edge> edges) {
    WorkerPool threads(2);
    Reversal reversal(scratch, threads, indices, edges.size());
    std::array<Groups<Edge>, 2> batches;
    reversal.group(edges.first(edges.size() / 3), batches[0]);
    reversal.group(edges.subspan(edges.size() / 3), batches[1]);
    reversal.add(batches);
    return reversal.finish();
}

std::vector<std::vector<PositionIndex>> predecessor_lists(std::span<const Edge> edges) {
    std::vector<std::vector<PositionIndex>> lists(indices);
    for (const Edge& edge : edges) lists[edge.to].push_back(edge.from);
    return lists;
}

// The moves of a tier, and what a queue over them works input.
struct QueueInput {
    QueueInput(const Settings& settings, std::span<const Edge> edges)
        : scratch(work, settings.free, settings.need), threads(settings.threads), lists(predecessors(scratch, edges)) {}

    Work work = Work({});
    Scratch scratch;
    WorkerPool threads;
    AdjacencyLists lists;
    std::function<bool()> stops = [] { return false; };
};

} // namespace

TEST_CASE("a tier with more positions than an index can number is refused") {
    CHECK(check_position_count(UINT32_MAX - 1).has_value());
    CHECK_FALSE(check_position_count(UINT32_MAX).has_value());
    CHECK_FALSE(check_position_count(std::uint64_t{UINT32_MAX} + 1).has_value());
}

TEST_CASE("a bucket queue takes positions by their distance, each once") {
    const std::vector<Edge> edges = moves(true);
    const auto leads_here = predecessor_lists(edges);
    std::vector<std::uint32_t> distances(indices, UINT32_MAX);
    std::deque<PositionIndex> queue = {3, 40'000};
    for (const PositionIndex index : queue) distances[index] = 0;
    for (; !queue.empty(); queue.pop_front())
        for (const PositionIndex from : leads_here[queue.front()])
            if (distances[from] == UINT32_MAX) {
                distances[from] = distances[queue.front()] + 1;
                queue.push_back(from);
            }

    for (const Settings& each : settings) {
        CAPTURE(each.threads);
        CAPTURE(each.free);
        QueueInput input(each, edges);
        BucketQueue<std::uint16_t> queue(input.lists, input.threads, input.scratch, input.stops);
        auto found = input.scratch.of_positions<std::uint32_t>(indices);
        REQUIRE(!input.work.io_error().any());
        queue.clear();
        queue.add(9, 3);
        queue.add(0, 3); // the sooner one counts
        queue.add(5, 3);
        queue.add(0, 40'000);
        std::atomic<std::uint64_t> disorder = 0;
        std::vector<std::uint32_t> ends;
        const bool ran = queue.run(
            [&](std::size_t, std::uint32_t ply, std::span<const PositionIndex> taken) {
                for (std::size_t i = 0; i < taken.size(); ++i) {
                    if (found[taken[i]] != 0 || taken[i] / block_keys != taken[0] / block_keys) ++disorder;
                    if (i > 0 && taken[i] <= taken[i - 1]) ++disorder;
                    found[taken[i]] = ply + 1;
                }
            },
            pass_nothing,
            [&](std::uint32_t ply, PositionIndex from, Nothing) {
                if (found[from] == 0) queue.add(ply + 1, from);
            },
            [&](std::uint32_t ply) { ends.push_back(ply); });
        CHECK(ran);
        CHECK(disorder == 0);
        std::uint64_t wrong = 0;
        for (PositionIndex index = 0; index < indices; ++index) wrong += found[index] - 1 != distances[index] ? 1 : 0;
        CHECK(wrong == 0);
        REQUIRE(!ends.empty());
        for (std::uint32_t ply = 0; ply < ends.size(); ++ply) CHECK(ends[ply] == ply);
    }
}

TEST_CASE("a bucket queue brings to each position what all its successors pass on") {
    const std::vector<Edge> edges = moves(false);
    std::vector<std::uint64_t> sums(indices, 1);
    std::vector<std::uint32_t> counts(indices);
    for (const Edge& edge : edges) ++counts[edge.from];
    const auto leads_here = predecessor_lists(edges);
    for (PositionIndex index = indices; index-- > 0;)
        for (const PositionIndex from : leads_here[index]) sums[from] += sums[index];

    for (const Settings& each : settings) {
        CAPTURE(each.threads);
        CAPTURE(each.free);
        QueueInput input(each, edges);
        BucketQueue<std::uint32_t> queue(input.lists, input.threads, input.scratch, input.stops);
        auto open = input.scratch.of_positions<std::uint32_t>(indices);
        auto found = input.scratch.of_positions<std::uint64_t>(indices);
        REQUIRE(!input.work.io_error().any());
        queue.clear();
        for (PositionIndex index = 0; index < indices; ++index) {
            open[index] = counts[index];
            if (counts[index] == 0) queue.add(0, index);
        }
        const bool ran = queue.run(
            [&](std::size_t, std::uint32_t, std::span<const PositionIndex> taken) {
                for (const PositionIndex index : taken) ++found[index];
            },
            [&](PositionIndex index) { return found[index]; },
            [&](std::uint32_t ply, PositionIndex from, std::uint64_t passed) {
                found[from] += passed;
                if (--open[from] == 0) queue.add(ply + 1, from);
            },
            end_nothing);
        CHECK(ran);
        std::uint64_t wrong = 0;
        for (PositionIndex index = 0; index < indices; ++index) wrong += found[index] != sums[index] ? 1 : 0;
        CHECK(wrong == 0);
    }
}

TEST_CASE("a bucket queue stops where it is asked to") {
    QueueInput input({.threads = 2, .need = {0, 0}, .free = 1000}, moves(true));
    int questions = 0;
    input.stops = [&] { return ++questions == 3; };
    BucketQueue<std::uint16_t> queue(input.lists, input.threads, input.scratch, input.stops);
    queue.clear();
    for (PositionIndex index = 0; index < indices; ++index) queue.add(0, index);
    // It stops within a ply, after everything that was taken has reached its predecessors.
    std::atomic<std::uint64_t> moves_taken = 0, reached = 0, ends = 0;
    CHECK(!queue.run(
        [&](std::size_t, std::uint32_t, std::span<const PositionIndex> taken) {
            for (const PositionIndex index : taken) moves_taken += input.lists.of(index).size();
        },
        pass_nothing, [&](std::uint32_t, PositionIndex, Nothing) { ++reached; }, [&](std::uint32_t) { ++ends; }));
    CHECK(questions == 3);
    CHECK(ends == 0);
    CHECK(reached > 0);
    CHECK(reached == moves_taken);
}

} // namespace zug::solve
