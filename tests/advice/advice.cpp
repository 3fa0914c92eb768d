// Whether a player who follows a file's evaluation wins from every won position, whatever the others do: a proof by
// all positions, against the game's database.
//
//   advice GAME.zug PLAYER [NAME=VALUE...]        for example: advice king-rook-king.zug alphabeta:depth=3
//
// The first player is played by PLAYER, who forgets everything before each move, so that the move depends on the
// position alone. From each position that the first player wins, the graph of what can follow has that one move where
// the first player is to move, and all moves where another is. The player wins from everywhere if the graph never
// leaves the won positions and has no cycle; its longest path is then the longest that any defence can last. Prints how
// long that is and how far above the shortest win; exit code 1 if some position is not won, and then one of these.
//
// Games of two without chance. Cost: a search for each won position; memory: about 100 bytes for each.

#include "lang/load.hpp"
#include "match/player.hpp"
#include "solve/database/database_writer.hpp"
#include "solve/database/query.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

using namespace zug;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t us = 0; // the first player

struct Node {
    solve::Key key;
    std::uint32_t remoteness = 0; // of the database: plies to the end by best play
    bool ours = false;            // we are to move
    std::vector<std::uint32_t> next = {};
    std::optional<std::uint32_t> longest = {}; // plies to the end; none: there may be no end
};

template <class T>
T checked(tl::expected<T, Error> found) {
    if (!found) throw std::runtime_error(found.error().text);
    return std::move(*found);
}

class Proof {
public:
    Proof(game::Game& game, solve::Database database, const std::string& player)
        : game_(game), database_(std::move(database)),
          player_(match::make_player(checked(match::parse_player(player)), game)) {}

    void run() {
        find_won();
        for (Node& node : nodes_) find_next(node);
        measure();
    }
    bool report() const;

private:
    void find_won();
    void find_next(Node& node);
    void measure();
    std::string text_of(const Node& node) const {
        game::State state;
        database_.code().decode(node.key, state);
        return game_.position_text(state);
    }

    game::Game& game_;
    solve::Database database_;
    std::unique_ptr<match::Player> player_;
    std::vector<Node> nodes_;
    boost::unordered_flat_map<solve::Key, std::uint32_t> index_;
};

void Proof::find_won() {
    const double win = game_.traits().max_utility;
    std::vector<solve::Key> images;
    game::State state;
    for (std::uint64_t i = 0; i < database_.positions(); ++i) {
        database_.code().decode(checked(database_.key(i)), state);
        database_.code().images(state, images);
        for (const solve::Key key : images) {
            database_.code().decode(key, state);
            const auto known = checked(solve::standing_of(database_, state));
            if (!known || known->value[us] < win || !index_.try_emplace(key, nodes_.size()).second) continue;
            nodes_.push_back({key, known->remoteness.value_or(0), game_.to_move(state) == us});
        }
    }
}

// A move that gives the win away leads nowhere that is known: the node then follows itself, which is no end.
void Proof::find_next(Node& node) {
    game::State state, after;
    database_.code().decode(node.key, state);
    game::MoveList moves;
    const game::NodeKind kind = game_.expand(state, moves);
    if (kind == game::NodeKind::Terminal) return;
    if (kind != game::NodeKind::Decision) throw std::runtime_error("no decision: " + game_.fault_text());
    std::size_t first = 0, last = moves.size();
    if (node.ours) {
        player_->new_game(1);
        const auto choice = player_->choose(state, moves, nullptr);
        if (!choice) throw std::runtime_error(choice.error().text);
        first = *choice;
        last = first + 1;
    }
    for (std::size_t i = first; i < last; ++i) {
        if (!game_.successor(state, moves, i, after)) throw std::runtime_error(game_.fault_text());
        const auto known = index_.find(database_.code().own(after));
        node.next.push_back(known == index_.end() ? index_.at(node.key) : known->second);
    }
}

// From the ends backwards: a node's longest path is known when those of all that follow are.
void Proof::measure() {
    std::vector<std::vector<std::uint32_t>> before(nodes_.size());
    std::vector<std::size_t> open(nodes_.size());
    std::vector<std::uint32_t> known;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        open[i] = nodes_[i].next.size();
        for (const std::uint32_t next : nodes_[i].next) before[next].push_back(i);
        if (open[i] == 0) known.push_back(i);
    }
    for (std::size_t done = 0; done < known.size(); ++done) {
        Node& node = nodes_[known[done]];
        node.longest = 0;
        for (const std::uint32_t next : node.next) node.longest = std::max(*node.longest, *nodes_[next].longest + 1);
        for (const std::uint32_t i : before[known[done]])
            if (--open[i] == 0) known.push_back(i);
    }
}

// In moves of the player, so half the plies.
bool Proof::report() const {
    const auto moves = [](std::uint32_t plies) { return (plies + 1) / 2; };
    std::uint64_t positions = 0, lost = 0, over = 0;
    std::uint32_t longest = 0, optimum = 0, most = 0;
    const Node *example = nullptr, *slowest = nullptr;
    for (const Node& node : nodes_) {
        if (!node.ours) continue;
        ++positions;
        optimum = std::max(optimum, moves(node.remoteness));
        if (!node.longest) {
            ++lost;
            example = &node;
            continue;
        }
        const std::uint32_t more = moves(*node.longest) - moves(node.remoteness);
        over += more;
        longest = std::max(longest, moves(*node.longest));
        if (slowest == nullptr || more > most) slowest = &node;
        most = std::max(most, more);
    }
    fmt::print("won positions with the player to move  {}\n", positions);
    fmt::print("not won by the player                  {}\n", lost);
    fmt::print("longest win, in moves                  {} (optimum {})\n", longest, optimum);
    fmt::print("moves over the optimum                 {} at most, {:.2f} in the mean\n", most,
               static_cast<double>(over) / static_cast<double>(std::max<std::uint64_t>(1, positions - lost)));
    if (slowest != nullptr) fmt::print("the most over it                       {}\n", text_of(*slowest));
    if (example != nullptr) fmt::print("one that is not won                    {}\n", text_of(*example));
    return lost == 0 && positions > 0;
}

solve::Database solved(game::Game& game, const fs::path& folder) {
    solve::DatabaseWriter writer(folder / solve::file_name(solve::identity_of(game)), game);
    checked(solve::solve(game, game.initial(), {}, &writer));
    return checked(solve::Database::open_in(folder, game));
}

bool prove(const std::string& file, const std::string& player, const lang::Overrides& params) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + file, params);
    if (!loaded.program) throw std::runtime_error(diag::render(loaded.sources, loaded.report));
    game::Game game(loaded.program);
    const fs::path folder = fs::temp_directory_path() / fmt::format("zug-advice-{}", ::getpid());
    fs::create_directories(folder);
    Proof proof(game, solved(game, folder), player);
    fs::remove_all(folder);
    proof.run();
    return proof.report();
}

} // namespace

int main(int count, char** words) {
    if (count < 3) {
        fmt::print(stderr, "advice GAME.zug PLAYER [NAME=VALUE...]\n");
        return EXIT_FAILURE;
    }
    try {
        lang::Overrides params;
        for (int i = 3; i < count; ++i) {
            const std::string word = words[i];
            params[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
        }
        return prove(words[1], words[2], params) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& trouble) {
        fmt::print(stderr, "{}\n", trouble.what());
        return EXIT_FAILURE;
    }
}
