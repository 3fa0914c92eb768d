#pragma once
// A solved game on disk: the value of every reachable position, found by its key in microseconds. There is one file for
// each instance (a rule file with its parameters); database_format.hpp describes its bytes. In games without chance the
// value is a result (outcomes.hpp), in games with chance expected utilities (expected_values.hpp); members that concern
// one kind must not be called for the other.
//
// The file is memory-mapped. A look-up unpacks one block of positions, and recently used blocks are cached. Blocks are
// checked when they are unpacked: a damaged file gives an error, never a wrong result.

#include "solve/solve.hpp"

#include <filesystem>
#include <map>
#include <memory>

namespace zug::solve {

// The game that a database belongs to.
struct Identity {
    std::string name;                                        // of the rule file, without folder and extension
    std::vector<std::pair<std::string, std::string>> params; // all parameters, in the order of the file
    Digest rules{};                                          // game::Game::rules_digest
};
Identity identity_of(const game::Game& game);
// `NAME,width=5,height=4.zugdb`: the name of the instance's file.
std::string file_name(const Identity& identity);

class Database {
public:
    // An error: no such file, a damaged one, of another version, or not of this game (the sentence says what differs).
    static tl::expected<Database, Error> open(const std::filesystem::path& path, game::Game& game);
    // The database of this game in a folder. If there is none, the error names those for other parameters of the rules.
    static tl::expected<Database, Error> open_in(const std::filesystem::path& folder, game::Game& game);

    const PositionCode& code() const { return code_; }
    const Outcomes& outcomes() const { return outcomes_; }
    Ties ties() const { return ties_; }
    bool chance() const { return solution_.chance; }
    const ExpectedValues& expected() const { return expected_; }
    const Solution& solution() const { return solution_; }
    std::uint64_t bytes() const;
    struct Count {
        std::uint32_t mover = 0;
        Result result = 0;
        std::uint64_t positions = 0;
    };
    const std::vector<Count>& histogram() const { return histogram_; }

    // The result of the position that this key represents. Empty: it is not reachable. An error: the file is damaged.
    tl::expected<std::optional<Result>, Error> find(Key key);
    tl::expected<std::optional<Result>, Error> find(const game::State& state) { return find(code_.encode(state)); }

    // Stores the position's values in `kept`, of length expected().width(). False: it is not reachable. Errors as
    // above.
    tl::expected<bool, Error> find_expected(Key key, std::span<double> kept);
    tl::expected<bool, Error> find_expected(const game::State& state, std::span<double> kept) {
        return find_expected(code_.encode(state), kept);
    }

    // Blocks of positions in ascending order of keys; each position represents its images under symmetries.
    struct Block {
        std::vector<Key> keys;
        std::vector<Result> results;
        std::vector<std::vector<double>> values; // values[w][i]: the w-th stored number of the i-th position
    };
    std::size_t blocks() const;
    Key first_key(std::size_t block) const;
    // The only block that may hold the key; blocks() if none does.
    std::size_t block_of(Key key) const;
    // The first block whose checksum is wrong. Cost: reading the whole file.
    std::optional<std::size_t> damaged_block() const;
    // Releases the pages of the file that are in memory.
    void release_pages() const;
    tl::expected<Block, Error> read(std::size_t block) const;
    // The number of stored positions: representatives only.
    std::uint64_t positions() const { return solution_.with_symmetry; }
    // The number-th key, ascending.
    tl::expected<Key, Error> key(std::uint64_t number);

private:
    class Map;
    struct Cached {
        std::size_t block = SIZE_MAX;
        Block content;
    };
    tl::expected<const Block*, Error> cached(std::size_t block);
    struct Location {
        const Block* block = nullptr; // null: there is no such key
        std::size_t index = 0;
    };
    tl::expected<Location, Error> locate(Key key);
    std::size_t kept_bytes() const; // of a position, before they are packed
    void unpack(const std::uint8_t* worths, Block& block) const;
    tl::expected<void, Error> read_description(std::string_view text, game::Game& game, const Identity& identity);

    std::shared_ptr<const Map> map_;
    PositionCode code_;
    Outcomes outcomes_;
    Ties ties_ = Ties::Spiteful;
    ExpectedValues expected_;
    Solution solution_;
    std::vector<Count> histogram_;
    std::vector<std::uint64_t> positions_before_; // by block
    std::vector<Cached> cache_;
};

} // namespace zug::solve
