#include "solve/graph.hpp"

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t between_looks = 1024;

// The words of all positions found, side by side.
struct Words {
    std::vector<std::uint64_t> all;
    std::size_t width = 0;

    std::span<const std::uint64_t> of(std::uint32_t id) const { return {all.data() + id * width, width}; }
};

struct WordsHash {
    using is_avalanching = void;
    const Words* words;
    std::size_t operator()(std::uint32_t id) const {
        std::uint64_t h = 0x9E3779B97F4A7C15ULL;
        for (const std::uint64_t word : words->of(id)) {
            h = (h ^ word) * 0xD6E8FEB86659FD93ULL;
            h ^= h >> 32;
        }
        return h;
    }
};

struct WordsEqual {
    const Words* words;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return std::ranges::equal(words->of(a), words->of(b)); }
};

} // namespace

class Enumeration {
public:
    Enumeration(game::Game& game, std::uint64_t most, const Stop& stop)
        : game_(game), most_(std::min<std::uint64_t>(most, UINT32_MAX - 1)), stop_(stop),
          known_(0, WordsHash{&words_}, WordsEqual{&words_}) {
        game_.clear_fault();
    }

    tl::expected<Graph, game::Error> run(const game::State& start) {
        words_.width = start.words.size();
        add(start);
        graph_.first_edge_.push_back(0);
        for (std::uint32_t id = 0; id < graph_.size(); ++id) {
            if (id % between_looks == 0 && stop_ && stop_(graph_.size())) return failure("stopped");
            if (!expand(id)) return failure(error_);
            graph_.first_edge_.push_back(graph_.edges_.size());
        }
        return std::move(graph_);
    }

private:
    static tl::unexpected<game::Error> failure(std::string text) {
        return tl::unexpected(game::Error{std::move(text)});
    }

    // The number of the state's position, new or known. The number of a new one is that of those before it.
    PositionId add(const game::State& state) {
        const auto fresh = graph_.size();
        words_.all.insert(words_.all.end(), state.words.begin(), state.words.end());
        const auto [it, is_new] = known_.insert(fresh);
        if (!is_new) {
            words_.all.resize(words_.all.size() - words_.width);
            return static_cast<PositionId>(*it);
        }
        graph_.to_move_.push_back(static_cast<std::uint8_t>(game_.to_move(state)));
        graph_.utilities_.push_back(0);
        return static_cast<PositionId>(fresh);
    }

    // The state of a position, as if play began there.
    void load(std::uint32_t id) {
        const auto words = words_.of(id);
        state_.words.assign(words.begin(), words.end());
        if (!game_.traits().has_history) return;
        game_.executor().store(state_, slots_);
        game_.executor().load(slots_, state_);
    }

    bool expand(std::uint32_t id) {
        load(id);
        switch (game_.expand(state_, moves_)) {
        case game::NodeKind::Fault: error_ = game_.fault_text(); return false;
        case game::NodeKind::Chance: error_ = "the game has chance"; return false;
        case game::NodeKind::Terminal:
            payoffs_.resize(game_.players());
            game_.payoffs(state_, payoffs_);
            graph_.utilities_[id] = payoffs_.front();
            return true;
        case game::NodeKind::Decision: break;
        }
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if (!game_.successor(state_, moves_, i, next_)) {
                error_ = game_.fault_text();
                return false;
            }
            graph_.edges_.push_back(add(next_));
        }
        if (graph_.size() <= most_) return true;
        error_ = fmt::format("the game has more than {} positions", most_);
        return false;
    }

    game::Game& game_;
    std::uint64_t most_;
    const Stop& stop_;
    Graph graph_;
    Words words_;
    boost::unordered_flat_set<std::uint32_t, WordsHash, WordsEqual> known_;
    game::State state_, next_;
    game::MoveList moves_;
    std::vector<std::uint32_t> slots_;
    std::vector<double> payoffs_;
    std::string error_;
};

tl::expected<Graph, game::Error> Graph::of(game::Game& game, const game::State& start, std::uint64_t most,
                                           const Stop& stop) {
    return Enumeration(game, most, stop).run(start);
}

} // namespace zug::solve
