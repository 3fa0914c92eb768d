#include "solve/tiers/tier_graph.hpp"

#include "solve/storage/array_file.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

class GraphFinder {
public:
    GraphFinder(const TierTask& task, const Tier& tier)
        : pool_(task.pool), code_(task.code), tier_(tier), resources_(task.resources), scratch_(task.scratch),
          positions_(tier.keys, !scratch_.moves_in_files()), reversal_(scratch_, pool_, tier.keys.size(), tier.inner),
          buffers_(pool_.size()) {}

    // Returns an error text, or an empty string.
    std::string run(const std::function<bool()>& stops, AdjacencyLists& after, AdjacencyLists& before) {
        after = AdjacencyLists(scratch_, tier_.keys.size(), tier_.inner);
        if (io_error().any()) return io_error().text();
        const std::size_t blocks = tier_.keys.blocks(), size = batch_blocks();
        std::vector<Batch> batches(2 * pool_.size());
        std::vector<Groups<Edge>> moves(batches.size());
        for (std::size_t from = 0; from < blocks; from += batches.size() * size) {
            const std::size_t count = std::min(batches.size(), (blocks - from + size - 1) / size);
            pool_.share(count, [&](std::size_t thread, std::size_t i) {
                const std::size_t first = from + i * size;
                run_batch(thread, first, std::min(first + size, blocks), batches[i], moves[i]);
            });
            for (std::size_t i = 0; i < count; ++i) {
                if (!batches[i].error.empty()) return batches[i].error;
                store(batches[i], after);
            }
            reversal_.add(std::span(moves).first(count));
            if (stops()) return std::string(stopped);
        }
        before = reversal_.finish();
        return io_error().any() ? io_error().text() : "";
    }

private:
    struct Batch {
        std::vector<PositionIndex> to;
        std::vector<std::uint32_t> counts; // by position
        std::string error;
    };
    struct Buffer {
        std::array<Key, block_keys> keys;
        std::vector<Key> successors, staying;
        std::vector<Edge> edges;
        PositionFinder::Buffer queries;
    };

    IoError& io_error() const { return resources_.work.io_error(); }

    // Few blocks if there is a hash table, so that all threads have work; else as many as the budget of queries allows.
    std::size_t batch_blocks() const {
        if (!scratch_.moves_in_files()) return 4;
        const std::uint64_t moves = 1 + tier_.inner / std::max<std::size_t>(tier_.keys.size(), 1);
        return std::clamp<std::size_t>(resources_.budget.queries(pool_.size()) / (moves * block_keys), 1, 64);
    }

    void run_batch(std::size_t thread, std::size_t from, std::size_t to, Batch& batch, Groups<Edge>& moves) {
        Buffer& buffer = buffers_[thread];
        Walker& walker = pool_.walker(thread);
        buffer.staying.clear();
        batch.counts.clear();
        for (std::size_t block = from; block < to; ++block)
            for (const Key key : tier_.keys.block(block, buffer.keys)) {
                buffer.successors.clear();
                walker.expand(key, buffer.successors);
                if (walker.kind() == game::NodeKind::Fault) {
                    batch.error = walker.error();
                    return;
                }
                const std::size_t before = buffer.staying.size();
                for (const Key next : buffer.successors)
                    if (code_.tier(next) == tier_.number) buffer.staying.push_back(next);
                batch.counts.push_back(static_cast<std::uint32_t>(buffer.staying.size() - before));
            }
        positions_.find(buffer.staying, batch.to, buffer.queries);
        buffer.edges.clear();
        auto index = static_cast<PositionIndex>(from * block_keys);
        auto next = batch.to.begin();
        for (const std::uint32_t count : batch.counts) {
            for (std::uint32_t i = 0; i < count; ++i) buffer.edges.push_back({*next++, index});
            ++index;
        }
        reversal_.group(buffer.edges, moves);
    }

    void store(Batch& batch, AdjacencyLists& after) {
        std::ranges::copy(batch.to, after.put(lists_, entries_, batch.counts).begin());
        lists_ += batch.counts.size();
        entries_ += batch.to.size();
        scratch_.look(Scratch::pages(4 * (batch.to.size() + batch.counts.size())));
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    const Tier& tier_;
    const Resources& resources_;
    Scratch& scratch_;
    PositionFinder positions_;
    Reversal reversal_;
    std::vector<Buffer> buffers_; // by thread
    std::size_t lists_ = 0;       // stored so far
    std::uint64_t entries_ = 0;
};

} // namespace

tl::expected<TierGraph, Error> TierGraph::of(const TierTask& task, const Tier& tier) {
    TierGraph graph;
    graph.open_ = task.scratch.of_positions<std::uint32_t>(tier.keys.size());
    GraphFinder finder(task, tier);
    if (auto why = finder.run(task.stops, graph.after_, graph.before_); !why.empty()) return failure(std::move(why));
    return graph;
}

TierGraph::State TierGraph::save(Scratch& scratch) {
    if (saved_ == nullptr) {
        saved_ = scratch.work().create();
        ArrayWriter arrays(*saved_, scratch);
        after_.visit(arrays);
        before_.visit(arrays);
    }
    return {saved_->name(), after_.entries(), before_.entries()};
}

tl::expected<TierGraph, Error> TierGraph::restore(const Tier& tier, Scratch& scratch, const State& state) {
    Work& files = scratch.work();
    TierGraph graph;
    graph.open_ = scratch.of_positions<std::uint32_t>(tier.keys.size());
    graph.after_ = AdjacencyLists(scratch, tier.keys.size(), state.after);
    graph.before_ = AdjacencyLists(scratch, tier.keys.size(), state.before);
    graph.saved_ = files.file(state.file);
    ArrayReader arrays(graph.saved_, 0, scratch);
    graph.after_.visit(arrays);
    graph.before_.visit(arrays);
    if (files.io_error().any()) return failure(files.io_error().text());
    if (!arrays.done()) return failure(std::string(unreadable));
    return graph;
}

void TierOrder::begin() {
    queue_.clear();
    for (PositionIndex i = 0; i < graph_.size(); ++i) {
        graph_.open_[i] = static_cast<std::uint32_t>(graph_.after_.of(i).size());
        if (graph_.open_[i] == 0) queue_.add(0, i);
        if (i % block_keys == 0) scratch_.look();
    }
}

std::optional<PositionIndex> TierGraph::on_cycle() const {
    PositionIndex at = 0;
    while (at < size() && !cycles(at)) ++at;
    if (at == size()) return std::nullopt;
    // Each of these positions has a successor that is one of them, so a walk along such successors reaches a cycle.
    std::vector<bool> met(size());
    while (!met[at]) {
        met[at] = true;
        at = *std::ranges::find_if(after(at), [&](PositionIndex to) { return cycles(to); });
    }
    return at;
}

} // namespace zug::solve
