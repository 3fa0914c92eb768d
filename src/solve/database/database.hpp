#pragma once
// A solved game on disk: the value of every reachable position, found by its key in microseconds. There is one file for
// each instance (a rule file with its parameters); database_format.hpp describes its bytes. In games without chance the
// value is a result (outcomes.hpp), in games with chance expected utilities (expected_values.hpp); members that concern
// one kind must not be called for the other.
//
// A look-up reads and unpacks one block of positions, and recently used blocks are cached. What a block holds is
// checked when it is unpacked, and what the file says about itself when it is opened: a damaged or forged file gives an
// error and never leads astray what reads it.

#include "solve/database/database_file.hpp"
#include "solve/database/description.hpp"

#include <filesystem>
#include <memory>

namespace zug::solve {

// `NAME,width=5,height=4.zugdb`: the name of the instance's file.
std::string file_name(const Identity& identity);

class Database {
public:
    // An error: no such file, a damaged one, of another version, or not of this game (the sentence says what differs).
    static tl::expected<Database, Error> open(const std::filesystem::path& path, game::Game& game);
    // The database of this game in a folder. If there is none, the error names those for other parameters of the rules.
    static tl::expected<Database, Error> open_in(const std::filesystem::path& folder, game::Game& game);

    const PositionCode& code() const { return about_.code; }
    const Outcomes& outcomes() const { return about_.outcomes; }
    Ties ties() const { return about_.ties; }
    bool chance() const { return about_.solution.chance; }
    const ExpectedValues& expected() const { return about_.expected; }
    const Solution& solution() const { return about_.solution; }
    std::uint64_t bytes() const { return file_->size(); }
    const std::vector<Histogram::Count>& histogram() const { return about_.histogram; }

    // The result of the position that this key represents. Empty: it is not reachable. An error: the file is damaged.
    tl::expected<std::optional<Result>, Error> find(Key key);
    tl::expected<std::optional<Result>, Error> find(const game::State& state) { return find(code().encode(state)); }

    // Stores the position's values in `kept`, of length expected().width(). False: it is not reachable. Errors as
    // above.
    tl::expected<bool, Error> find_expected(Key key, std::span<double> kept);
    tl::expected<bool, Error> find_expected(const game::State& state, std::span<double> kept) {
        return find_expected(code().encode(state), kept);
    }

    // Blocks of positions in ascending order of keys; each position represents its images under symmetries.
    struct Block {
        std::vector<Key> keys;
        std::vector<Result> results;
        std::vector<std::vector<double>> values; // values[w][i]: the w-th stored number of the i-th position
    };
    std::size_t blocks() const { return file_->index().size(); }
    Key first_key(std::size_t block) const { return file_->index()[block].first_key; }
    // The only block that may hold the key; blocks() if none does.
    std::size_t block_of(Key key) const;
    // The first block whose checksum is wrong, or that can't be read. Cost: reading the whole file.
    std::optional<std::size_t> damaged_block() const;
    // Thread-safe.
    tl::expected<Block, Error> read(std::size_t block) const;
    // The number of stored positions: representatives only.
    std::uint64_t positions() const { return file_->positions(); }
    // The number-th key, ascending.
    tl::expected<Key, Error> key(std::uint64_t number);

private:
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
    bool is_possible(const Block& block, std::size_t number) const;

    std::shared_ptr<const DatabaseFile> file_;
    Description about_;
    std::vector<std::uint64_t> positions_before_; // by block
    std::vector<Cached> cache_;
};

} // namespace zug::solve
