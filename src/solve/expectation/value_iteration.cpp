#include "solve/expectation/value_iteration.hpp"

#include "solve/storage/array_file.hpp"

namespace zug::solve {

namespace {

constexpr std::uint32_t most_sweeps = 1'000'000;
constexpr std::uint64_t between_safepoints = 1 << 12; // positions

double value_of(const Cycles::Node& node, std::span<const Cycles::Move> moves, const Array<double>& values) {
    const auto worth = [&](const Cycles::Move& move) {
        return node.choice == Cycles::Choice::Mean ? move.probability * values[move.to] : values[move.to];
    };
    double value = node.leaves ? node.outside : worth(moves.front());
    for (const auto& move : node.leaves ? moves : moves.subspan(1))
        value = Cycles::join(node.choice, value, worth(move));
    return value;
}

} // namespace

Cycles::Cycles(Scratch& scratch)
    : scratch_(scratch), nodes_(scratch.moves_in_files() ? scratch.work().create() : nullptr),
      moves_(scratch.moves_in_files() ? scratch.work().create() : nullptr) {}

void Cycles::append(const Part& part) {
    firsts_.push_back(moves_.size());
    nodes_.append(part.nodes);
    moves_.append(part.moves);
}

// A Gauss-Seidel sweep: in place, so that new values are used at once, and from the last position backwards, since the
// last ones are often nearest to the end. Returns the greatest change.
double Cycles::sweep(Bounds& bounds, Outcome& outcome) const {
    double change = 0;
    outcome.gap = 0;
    std::array<Node, block_keys> nodes_room;
    std::vector<Move> moves_buffer;
    for (std::size_t p = firsts_.size(); p-- > 0;) {
        const std::span<const Node> nodes = nodes_.block(p, nodes_room);
        const std::uint64_t end = p + 1 == firsts_.size() ? moves_.size() : firsts_[p + 1];
        std::span<const Move> rest = moves_.read(firsts_[p], end - firsts_[p], moves_buffer);
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const Node& node = nodes[i];
            const auto moves = rest.last(node.moves);
            rest = rest.first(rest.size() - node.moves);
            double &low = bounds.low[node.index], &high = bounds.high[node.index];
            const double rises = std::max(low, value_of(node, moves, bounds.low) - node.rounding);
            const double falls = std::min(high, value_of(node, moves, bounds.high) + node.rounding);
            change = std::max({change, rises - low, high - falls});
            low = rises;
            high = falls;
            if (high - low > outcome.gap) {
                outcome.gap = high - low;
                outcome.widest = node.index;
            }
            scratch_.look(1 + moves.size() / 2);
        }
    }
    return change;
}

Cycles::Outcome Cycles::iterate(const ExpectedValues& expected, Bounds& bounds,
                                const std::function<bool()>& at_safepoint) {
    Outcome outcome;
    if (bounds.sweeps == 0)
        scan([&](const Node& node) {
            bounds.low[node.index] = expected.least();
            bounds.high[node.index] = expected.greatest();
            scratch_.look();
        });
    const double enough = precision * expected.range();
    std::uint64_t since_safepoint = 0;
    do {
        const double change = sweep(bounds, outcome);
        outcome.slow = outcome.gap > enough && change > enough * 1e-3;
        since_safepoint += nodes_.size();
        if (++bounds.sweeps == most_sweeps || !outcome.slow || scratch_.work().io_error().any()) break;
        if (since_safepoint < between_safepoints) continue;
        since_safepoint = 0;
        outcome.stopped = at_safepoint();
    } while (!outcome.stopped);
    if (outcome.stopped) return outcome;
    scan([&](const Node& node) {
        bounds.low[node.index] = (bounds.low[node.index] + bounds.high[node.index]) / 2;
        scratch_.look();
    });
    return outcome;
}

namespace {

// Copies a column to the file, and returns its state.
template <class T>
ColumnState write(const ColumnFile<T>& column, const std::shared_ptr<WorkFile>& file) {
    ColumnFile<T> copy(file);
    std::vector<T> buffer;
    copy.append(column.read(0, column.size(), buffer));
    return copy.state();
}

template <class T>
bool restore_column(ColumnFile<T>& column, const Work& work, const ColumnState& state, bool in_file) {
    ColumnFile<T> saved;
    if (!saved.restore(work, state)) return false;
    if (in_file) {
        column = std::move(saved);
        return true;
    }
    std::vector<T> buffer;
    for (std::size_t at = 0; at < saved.size(); at += array_piece)
        column.append(saved.read(at, std::min(array_piece, saved.size() - at), buffer));
    return true;
}

} // namespace

const Cycles::State& Cycles::save() {
    if (!files_.empty()) return saved_;
    const auto file = files_.emplace_back(scratch_.work().create());
    const bool in_files = scratch_.moves_in_files();
    ArrayWriter arrays(*file, scratch_);
    arrays(firsts_);
    saved_.file = file->name();
    saved_.parts = firsts_.size();
    saved_.nodes = in_files ? nodes_.state() : write(nodes_, file);
    saved_.moves = in_files ? moves_.state() : write(moves_, file);
    return saved_;
}

bool Cycles::restore(const State& state) {
    const Work& work = scratch_.work();
    saved_ = state;
    for (const auto& name : {state.file, state.nodes.file, state.moves.file}) files_.push_back(work.file(name));
    firsts_.resize(state.parts);
    ArrayReader arrays(files_.front(), 0, scratch_);
    arrays(firsts_);
    const bool in_files = scratch_.moves_in_files();
    return arrays.good() && restore_column(nodes_, work, state.nodes, in_files) &&
           restore_column(moves_, work, state.moves, in_files);
}

} // namespace zug::solve
