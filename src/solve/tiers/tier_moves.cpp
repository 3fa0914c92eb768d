#include "solve/tiers/tier_moves.hpp"

#include "solve/storage/array_file.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

// Bytes of memory, including those for solving the tier: per position and per move with everything in memory, and per
// position with the arrays of moves in files.
constexpr std::uint64_t position_bytes = 52, move_bytes = 9, least_position_bytes = 26;

} // namespace

class MoveFinder {
public:
    MoveFinder(const TierWork& work, const Tier& tier)
        : work_(work), tier_(tier), positions_(std::in_place, tier.keys, !work.scratch.moves_in_files()),
          reversal_(work.scratch, work.pool, tier.keys.size(), tier.inner), buffers_(work.pool.size()) {}

    tl::expected<TierMoves, Error> run() {
        moves_.prepare(work_.scratch, tier_);
        moves_.exits_ =
            ColumnFile<std::uint16_t>(work_.scratch.moves_in_files() ? work_.scratch.work().create() : nullptr);
        if (io_error().any()) return failure(io_error().text());
        if (!find()) return failure(std::string(stopped));
        for (const Buffer& buffer : buffers_)
            if (!buffer.error.empty()) return failure(buffer.error);
        positions_.reset();
        moves_.before_ = reversal_.finish();
        if (io_error().any()) return failure(io_error().text());
        return std::move(moves_);
    }

private:
    // A batch of blocks, and what a thread finds about their positions.
    struct Batch {
        std::vector<std::uint16_t> exits;
        std::vector<std::size_t> exits_end; // of each block
    };
    struct Buffer {
        std::array<Key, block_keys> keys;
        std::vector<Key> successors, leaving, staying;
        std::vector<Result> results;
        std::vector<PositionIndex> indices;
        std::vector<Edge> edges;
        SolvedTiers<Result>::Buffer solved_tiers;
        PositionFinder::Buffer queries;
        Payoffs payoffs;
        struct Position {
            std::size_t leaving_end, staying_end;
            bool is_end;
            Result ended;
        };
        std::vector<Position> positions;
        std::string error;
    };

    IoError& io_error() const { return work_.resources.work.io_error(); }

    bool find() {
        const std::size_t blocks = tier_.keys.blocks();
        const bool together = work_.scratch.moves_in_files() || !work_.solved_tiers.in_memory();
        const std::size_t size = together ? std::clamp<std::size_t>(queries_in_blocks(), 1, 64) : 1;
        std::vector<Batch> batches(together ? 2 * work_.pool.size() : 256);
        std::vector<Groups<Edge>> moves(batches.size());
        for (std::size_t from = 0; from < blocks; from += batches.size() * size) {
            const std::size_t count = std::min(batches.size(), (blocks - from + size - 1) / size);
            work_.pool.share(count, [&](std::size_t thread, std::size_t i) {
                const std::size_t first = from + i * size;
                if (buffers_[thread].error.empty())
                    run(thread, first, std::min(first + size, blocks), batches[i], moves[i]);
            });
            if (std::ranges::any_of(buffers_, [](const Buffer& buffer) { return !buffer.error.empty(); })) return true;
            for (std::size_t i = 0; i < count; ++i) store(batches[i]);
            reversal_.add(std::span(moves).first(count));
            work_.scratch.look();
            if (work_.stops()) return false;
        }
        return true;
    }

    std::size_t queries_in_blocks() const {
        const std::uint64_t moves = 1 + tier_.inner / tier_.keys.size();
        return work_.resources.budget.queries(work_.pool.size()) / (moves * block_keys);
    }

    void store(Batch& batch) {
        for (const std::size_t end : batch.exits_end) moves_.exits_end_[stored_blocks_++] = moves_.exits_.size() + end;
        moves_.exits_.append(batch.exits);
        batch.exits.clear();
        batch.exits_end.clear();
    }

    void run(std::size_t thread, std::size_t from, std::size_t to, Batch& batch, Groups<Edge>& moves) {
        Buffer& buffer = buffers_[thread];
        if (!expand(thread, from, to)) return;
        buffer.edges.clear();
        work_.solved_tiers.find(buffer.leaving, buffer.results, buffer.solved_tiers);
        positions_->find(buffer.staying, buffer.indices, buffer.queries);
        auto index = static_cast<PositionIndex>(from * block_keys);
        std::size_t left = 0, stayed = 0;
        for (const Buffer::Position& position : buffer.positions) {
            for (std::size_t i = stayed; i < position.staying_end; ++i)
                buffer.edges.push_back({buffer.indices[i], index});
            add_exits(position, std::span(buffer.results).subspan(left, position.leaving_end - left),
                      static_cast<std::uint32_t>(position.staying_end - stayed), batch.exits);
            left = position.leaving_end;
            stayed = position.staying_end;
            ++index;
            if (index % block_keys == 0 || index == tier_.keys.size()) batch.exits_end.push_back(batch.exits.size());
        }
        reversal_.group(buffer.edges, moves);
    }

    bool expand(std::size_t thread, std::size_t from, std::size_t to) {
        Buffer& buffer = buffers_[thread];
        Walker& walker = work_.pool.walker(thread);
        buffer.leaving.clear();
        buffer.staying.clear();
        buffer.positions.clear();
        buffer.payoffs.resize(work_.outcomes.players());
        auto index = static_cast<PositionIndex>(from * block_keys);
        for (std::size_t block = from; block < to; ++block)
            for (const Key key : tier_.keys.block(block, buffer.keys)) {
                buffer.successors.clear();
                walker.expand(key, buffer.successors);
                if (walker.kind() == game::NodeKind::Fault) return buffer.error = walker.error(), false;
                moves_.orbits_[index] = static_cast<std::uint16_t>(walker.orbit());
                moves_.movers_[index++] = static_cast<std::uint8_t>(walker.mover());
                for (const Key next : buffer.successors)
                    (work_.code.tier(next) == tier_.number ? buffer.staying : buffer.leaving).push_back(next);
                const bool is_end = walker.kind() == game::NodeKind::Terminal;
                if (is_end && !walker.payoffs(buffer.payoffs)) return buffer.error = walker.error(), false;
                const Result ended = is_end ? work_.outcomes.pack(work_.outcomes.of(buffer.payoffs), 0) : Result{0};
                buffer.positions.push_back({buffer.leaving.size(), buffer.staying.size(), is_end, ended});
            }
        return true;
    }

    static void add_exits(const Buffer::Position& position, std::span<Result> results, std::uint32_t inner,
                          std::vector<std::uint16_t>& out) {
        if (position.is_end) {
            out.insert(out.end(), {TierMoves::end_mark, position.ended});
            return;
        }
        std::ranges::sort(results);
        const auto unique = std::ranges::unique(results).begin();
        out.insert(out.end(), {static_cast<std::uint16_t>(unique - results.begin()), static_cast<std::uint16_t>(inner),
                               static_cast<std::uint16_t>(inner >> 16)});
        out.insert(out.end(), results.begin(), unique);
    }

    const TierWork& work_;
    const Tier& tier_;
    std::optional<PositionFinder> positions_;
    Reversal reversal_;
    std::vector<Buffer> buffers_; // by thread
    std::size_t stored_blocks_ = 0;
    TierMoves moves_;
};

Scratch::Need TierMoves::need(const Tier& tier) {
    return {tier.keys.size() * position_bytes + tier.inner * move_bytes, tier.keys.size() * least_position_bytes};
}

tl::expected<TierMoves, Error> TierMoves::of(const TierWork& work, const Tier& tier) {
    return MoveFinder(work, tier).run();
}

void TierMoves::prepare(Scratch& scratch, const Tier& tier) {
    scratch_ = &scratch;
    movers_ = scratch.of_positions<std::uint8_t>(tier.keys.size());
    orbits_ = scratch.of_positions<std::uint16_t>(tier.keys.size());
    exits_end_.resize(tier.keys.blocks());
}

TierMoves::State TierMoves::save() {
    if (saved_.file == nullptr) {
        const auto file = scratch_->work().create();
        exits_.move_to(file);
        saved_ = {file, file->size()};
        ArrayWriter arrays(*file, *scratch_);
        visit(arrays);
    }
    return {exits_.state(), saved_.file->name(), saved_.offset, before_.entries()};
}

tl::expected<TierMoves, Error> TierMoves::restore(const TierWork& work, const Tier& tier, const State& state) {
    Work& files = work.scratch.work();
    TierMoves moves;
    moves.prepare(work.scratch, tier);
    moves.before_ = AdjacencyLists(work.scratch, tier.keys.size(), state.entries);
    moves.saved_ = {files.file(state.file), state.offset};
    ArrayReader arrays(moves.saved_.file, state.offset, work.scratch);
    moves.visit(arrays);
    const bool good = arrays.done() && moves.exits_.restore(files, state.exits);
    if (files.io_error().any()) return failure(files.io_error().text());
    if (!good) return failure(std::string(unreadable));
    return moves;
}

} // namespace zug::solve
