#include "solve/tier_moves.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint16_t end_mark = UINT16_MAX;

// Bytes of memory where all is in it, with what solves the tier.
constexpr std::uint64_t position_bytes = 52, move_bytes = 9;

constexpr std::size_t least_groups = 16;
constexpr std::uint64_t most_groups = 256;

struct Edge {
    Place to, from;
};

} // namespace

std::string too_large(std::uint64_t positions, std::uint64_t needed, std::uint64_t free) {
    return fmt::format("play may come back to positions, and {} of them can't be told apart by what only ever grows: "
                       "that takes {} MB of memory, and {} MB are left",
                       positions, (needed >> 20) + 1, free >> 20);
}

class MoveFinder {
public:
    MoveFinder(const TierWork& work, const Tier& tier) : work_(work), tier_(tier), rooms_(work.crew.size()) {}

    tl::expected<TierMoves, game::Error> run() {
        const std::uint64_t positions = tier_.keys.size();
        const std::uint64_t free = work_.means.budget.loops(work_.later.bytes());
        const std::uint64_t least = TierMoves::least_bytes(positions);
        if (least > free || positions > UINT32_MAX) return failure(too_large(positions, least, free));
        in_files_ = positions * position_bytes + tier_.inner * move_bytes > free;
        prepare(free);
        if (!in_files_) number();
        if (!find()) return failure(std::string(stopped));
        for (const Room& room : rooms_)
            if (!room.error.empty()) return failure(room.error);
        index_ = {};
        turn_about();
        if (work_.means.work.trouble().any()) return failure(work_.means.work.trouble().text());
        return std::move(moves_);
    }

private:
    // A batch of blocks and what a thread has found of their positions.
    struct Batch {
        std::vector<Edge> edges;
        std::vector<std::uint16_t> exits;
    };
    struct Room {
        std::array<Key, block_keys> keys;
        std::vector<Key> successors, leaving, staying;
        std::vector<Result> results;
        std::vector<Place> places;
        Later<Result>::Room later;
        Payoffs payoffs;
        struct Position {
            std::size_t leaving_end, staying_end;
            bool is_end;
            Result ended;
        };
        std::vector<Position> positions;
        std::string error;
    };

    static tl::unexpected<game::Error> failure(std::string text) {
        return tl::unexpected(game::Error{std::move(text)});
    }

    std::shared_ptr<WorkFile> file() { return in_files_ ? work_.means.work.create() : nullptr; }

    // Edges are gathered by groups of positions that they lead to, each of which is put in order by itself.
    void prepare(std::uint64_t free) {
        const std::uint64_t needed = 12 * tier_.inner / (free / 4 + 1) + 1;
        const std::uint64_t count = std::clamp<std::uint64_t>(needed, least_groups, most_groups);
        const std::uint64_t blocks = (tier_.keys.blocks() + count - 1) / count;
        group_size_ = blocks * block_keys;
        for (std::size_t from = 0; from < tier_.keys.size(); from += group_size_) groups_.emplace_back(file());
        moves_.movers_.resize(tier_.keys.size());
        moves_.orbits_.resize(tier_.keys.size());
        moves_.exits_ = Row<std::uint16_t>(file());
        moves_.before_ = Row<Place>(file());
    }

    void number() {
        index_ = ResultTable<Place>(tier_.keys.size());
        std::array<Key, block_keys> room;
        Place place = 0;
        for (std::size_t b = 0; b < tier_.keys.blocks(); ++b)
            for (const Key key : tier_.keys.block(b, room)) index_.insert(index_.place(key), key, place++);
    }

    bool find() {
        const std::size_t blocks = tier_.keys.blocks();
        const bool together = in_files_ || !work_.later.in_memory();
        const std::size_t size = together ? std::clamp<std::size_t>(queries_in_blocks(), 1, 64) : 1;
        std::vector<Batch> batches(std::max<std::size_t>(8 * work_.crew.size(), together ? 0 : 256));
        for (std::size_t from = 0; from < blocks; from += batches.size() * size) {
            const std::size_t count = std::min(batches.size(), (blocks - from + size - 1) / size);
            work_.crew.share(count, [&](std::size_t thread, std::size_t i) {
                const std::size_t first = from + i * size;
                if (rooms_[thread].error.empty()) run(thread, first, std::min(first + size, blocks), batches[i]);
            });
            for (std::size_t i = 0; i < count; ++i) store(batches[i]);
            if (work_.stops()) return false;
        }
        return true;
    }

    std::size_t queries_in_blocks() const {
        const std::uint64_t moves = 1 + tier_.inner / tier_.keys.size();
        return work_.means.budget.queries(work_.crew.size()) / (moves * block_keys);
    }

    void store(Batch& batch) {
        moves_.exits_.append(batch.exits);
        std::ranges::sort(batch.edges, [](const Edge& a, const Edge& b) { return a.to < b.to; });
        for (auto from = batch.edges.begin(); from != batch.edges.end();) {
            const std::size_t group = from->to / group_size_;
            const auto to =
                std::find_if(from, batch.edges.end(), [&](const Edge& edge) { return edge.to / group_size_ != group; });
            groups_[group].append({from, to});
            from = to;
        }
        batch.edges.clear();
        batch.exits.clear();
    }

    void run(std::size_t thread, std::size_t from, std::size_t to, Batch& batch) {
        Room& room = rooms_[thread];
        if (!expand(thread, from, to)) return;
        work_.later.find(room.leaving, room.results, room.later);
        find_places(room);
        auto place = static_cast<Place>(from * block_keys);
        std::size_t left = 0, stayed = 0;
        for (const Room::Position& position : room.positions) {
            for (std::size_t i = stayed; i < position.staying_end; ++i) batch.edges.push_back({room.places[i], place});
            add_exits(position, std::span(room.results).subspan(left, position.leaving_end - left),
                      static_cast<std::uint32_t>(position.staying_end - stayed), batch.exits);
            left = position.leaving_end;
            stayed = position.staying_end;
            ++place;
        }
    }

    bool expand(std::size_t thread, std::size_t from, std::size_t to) {
        Room& room = rooms_[thread];
        Walker& walker = work_.crew.walker(thread);
        room.leaving.clear();
        room.staying.clear();
        room.positions.clear();
        room.payoffs.resize(work_.outcomes.players());
        auto place = static_cast<Place>(from * block_keys);
        for (std::size_t block = from; block < to; ++block)
            for (const Key key : tier_.keys.block(block, room.keys)) {
                room.successors.clear();
                walker.expand(key, room.successors);
                if (walker.kind() == game::NodeKind::Fault) return room.error = walker.error(), false;
                moves_.orbits_[place] = static_cast<std::uint16_t>(walker.orbit());
                moves_.movers_[place++] = static_cast<std::uint8_t>(walker.mover());
                for (const Key next : room.successors)
                    (work_.code.tier(next) == tier_.number ? room.staying : room.leaving).push_back(next);
                const bool is_end = walker.kind() == game::NodeKind::Terminal;
                if (is_end) walker.payoffs(room.payoffs);
                const Result ended = is_end ? work_.outcomes.pack(work_.outcomes.of(room.payoffs), 0) : Result{0};
                room.positions.push_back({room.leaving.size(), room.staying.size(), is_end, ended});
            }
        return true;
    }

    static void add_exits(const Room::Position& position, std::span<Result> results, std::uint32_t inner,
                          std::vector<std::uint16_t>& out) {
        if (position.is_end) {
            out.insert(out.end(), {end_mark, position.ended});
            return;
        }
        std::ranges::sort(results);
        const auto unique = std::ranges::unique(results).begin();
        out.insert(out.end(), {static_cast<std::uint16_t>(unique - results.begin()), static_cast<std::uint16_t>(inner),
                               static_cast<std::uint16_t>(inner >> 16)});
        out.insert(out.end(), results.begin(), unique);
    }

    void find_places(Room& room) {
        room.places.resize(room.staying.size());
        if (in_files_) {
            room.later.clear();
            for (std::size_t i = 0; i < room.staying.size(); ++i) room.later.push_back({room.staying[i], i});
            sort(room.later);
            tier_.keys.find(room.later, [&](const KeyQuery& query, std::size_t block, std::size_t i) {
                room.places[query.number] = static_cast<Place>(block * block_keys + i);
            });
            return;
        }
        for (std::size_t i = 0; i < room.staying.size(); ++i)
            room.places[i] = index_.at(index_.place(room.staying[i]), room.staying[i]);
    }

    // From lists of where moves lead to lists of who leads here, group by group.
    void turn_about() {
        std::vector<std::uint32_t> next;
        std::vector<Place> before;
        std::vector<Edge> room;
        moves_.first_.resize(moves_.size());
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const std::size_t first = g * group_size_, size = std::min(group_size_, moves_.size() - first);
            Row<Edge> group = std::move(groups_[g]);
            next.assign(size, 0);
            each_edge(group, room, [&](const Edge& edge) { ++next[edge.to - first]; });
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < size; ++i) {
                if (i % block_keys == 0) {
                    moves_.first_of_block_.push_back(moves_.before_.size() + sum);
                    block_sum_ = sum;
                }
                moves_.first_[first + i] = sum - block_sum_;
                sum += std::exchange(next[i], sum);
            }
            before.resize(sum);
            each_edge(group, room, [&](const Edge& edge) { before[next[edge.to - first]++] = edge.from; });
            moves_.before_.append(before);
        }
        moves_.first_of_block_.push_back(moves_.before_.size());
    }

    template <class Each>
    static void each_edge(const Row<Edge>& edges, std::vector<Edge>& room, Each&& each) {
        for (std::size_t from = 0; from < edges.size(); from += block_keys)
            for (const Edge& edge : edges.read(from, std::min(block_keys, edges.size() - from), room)) each(edge);
    }

    const TierWork& work_;
    const Tier& tier_;
    bool in_files_ = false;
    ResultTable<Place> index_; // where nothing is in files
    std::size_t group_size_ = 0;
    std::vector<Row<Edge>> groups_;
    std::vector<Room> rooms_; // by thread
    std::uint32_t block_sum_ = 0;
    TierMoves moves_;
};

tl::expected<TierMoves, game::Error> TierMoves::of(const TierWork& work, const Tier& tier) {
    return MoveFinder(work, tier).run();
}

std::span<const Place> TierMoves::leading_to(Place place, std::vector<Place>& room) const {
    const std::size_t block = place / block_keys;
    const std::uint64_t from = first_of_block_[block] + first_[place];
    const bool last = place + 1 == size() || (place + 1) % block_keys == 0;
    const std::uint64_t to = last ? first_of_block_[block + 1] : first_of_block_[block] + first_[place + 1];
    return before_.read(from, to - from, room);
}

void TierMoves::scan(const std::function<void(Place, const Exits&)>& each) const {
    constexpr std::size_t step = 1 << 16;
    std::vector<std::uint16_t> room, results;
    std::span<const std::uint16_t> rest;
    std::size_t at = 0;
    const auto take = [&] {
        if (rest.empty()) {
            rest = exits_.read(at, std::min(step, exits_.size() - at), room);
            at += rest.size();
        }
        const std::uint16_t value = rest.front();
        rest = rest.subspan(1);
        return value;
    };
    for (Place place = 0; place < size(); ++place) {
        const std::uint16_t count = take();
        if (count == end_mark) {
            each(place, {.is_end = true, .ended = take(), .inner = 0, .results = {}});
            continue;
        }
        std::uint32_t inner = take();
        inner |= static_cast<std::uint32_t>(take()) << 16;
        results.clear();
        for (std::uint16_t i = 0; i < count; ++i) results.push_back(take());
        each(place, {.is_end = false, .ended = 0, .inner = inner, .results = results});
    }
}

} // namespace zug::solve
