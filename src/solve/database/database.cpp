#include "solve/database/database.hpp"

#include "solve/database/database_format.hpp"
#include "solve/storage/byte_planes.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>

namespace zug::solve {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t cached_blocks = 64;

Solution solution_of(const Json& json) {
    Solution solution;
    solution.value = json.at("value").get<Payoffs>();
    solution.repetition = json.at("repetition");
    if (!json.at("remoteness").is_null()) solution.remoteness = json.at("remoteness").get<std::uint32_t>();
    solution.positions = json.at("positions");
    solution.with_symmetry = json.at("with_symmetry");
    solution.moves = json.at("moves");
    solution.tiers = json.at("tiers");
    solution.longest_jump = json.at("longest_jump");
    solution.assumes = json.at("assumes").get<std::vector<std::string>>();
    solution.tally = {json.at("won"), json.at("lost"), json.at("drawn")};
    if (json.contains("error")) {
        solution.error = json.at("error");
        solution.counts.decided = json.at("counts").at("decided").get<std::vector<std::uint64_t>>();
        solution.counts.decided.resize(ValueCounts::ranges);
        solution.counts.chance = json.at("counts").at("chance");
    }
    return solution;
}

// Empty: they do not permute the slots of this game.
std::optional<SymmetryGroup> read_symmetries(const Json& json, const ir::Program& program) {
    const auto sizes = slot_sizes(program);
    std::vector<Symmetry> generators;
    for (const Json& row : json) {
        generators.push_back({row.at("to").get<std::vector<std::uint32_t>>(),
                              row.at("values").get<std::vector<std::vector<std::uint32_t>>>()});
        if (!generators.back().permutes(sizes)) return std::nullopt;
    }
    return SymmetryGroup::generated_by(std::move(generators), sizes.size());
}

} // namespace

Identity identity_of(const game::Game& game) {
    const ir::Program& program = game.program();
    Identity identity{.name = program.source.name, .params = {}, .rules = game.rules_digest()};
    for (const ir::Param& param : program.params) identity.params.emplace_back(param.name, param.value);
    return identity;
}

std::string file_name(const Identity& identity) {
    std::string name = identity.name;
    for (const auto& [param, value] : identity.params) name += fmt::format(",{}={}", param, value);
    return name + ".zugdb";
}

namespace {

// Names the parameters of the databases that exist for rules of this name; empty if there are none.
std::string others_text(const std::filesystem::path& folder, const std::string& name) {
    constexpr std::size_t most_listed = 4;
    std::vector<std::string> others;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() == ".zugdb" && stem.starts_with(name + ","))
            others.push_back(stem.substr(name.size() + 1));
    }
    if (others.empty()) return "";
    std::ranges::sort(others);
    const std::size_t more = others.size() - std::min(others.size(), most_listed);
    others.resize(others.size() - more);
    return fmt::format(", but of {} with {}{}", name, fmt::join(others, "; "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
}

} // namespace

// The memory-mapped file.
class Database::Map {
public:
    Map(const std::uint8_t* data, std::size_t size, std::string path)
        : data_(data), size_(size), path_(std::move(path)) {}
    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;
    ~Map() { ::munmap(const_cast<std::uint8_t*>(data_), size_); }

    static tl::expected<std::shared_ptr<Map>, Error> of(const std::filesystem::path& path) {
        const auto why = [&] { return failure(fmt::format("can't read {}: {}", path.string(), std::strerror(errno))); };
        const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (handle < 0) return why();
        struct stat about {};
        if (::fstat(handle, &about) != 0 || about.st_size == 0) {
            ::close(handle);
            return failure(path.string() + " is empty");
        }
        const auto size = static_cast<std::size_t>(about.st_size);
        void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, handle, 0);
        ::close(handle);
        if (data == MAP_FAILED) return why();
        auto map = std::make_shared<Map>(static_cast<const std::uint8_t*>(data), size, path.string());
        if (auto fine = map->check(); !fine) return tl::unexpected(fine.error());
        return map;
    }

    std::string_view description() const { return text(footer_.description_offset, footer_.description_bytes); }
    std::span<const format::IndexEntry> index() const { return index_; }
    std::span<const std::uint8_t> bytes(const format::IndexEntry& entry) const {
        return {data_ + entry.offset, entry.bytes};
    }
    bool is_whole(const format::IndexEntry& entry) const {
        return XXH64(data_ + entry.offset, entry.bytes, 0) == entry.hash;
    }
    std::uint64_t positions() const { return footer_.positions; }
    std::size_t size() const { return size_; }
    void release_pages() const { ::madvise(const_cast<std::uint8_t*>(data_), size_, MADV_DONTNEED); }
    tl::unexpected<Error> damaged(std::string_view what) const {
        return failure(fmt::format("{} is damaged: {}; `zug solve --again` replaces it", path_, what));
    }

private:
    std::string_view text(std::uint64_t offset, std::uint64_t size) const {
        return {reinterpret_cast<const char*>(data_) + offset, size};
    }
    bool inside(std::uint64_t offset, std::uint64_t size) const { return offset <= size_ && size <= size_ - offset; }

    tl::expected<void, Error> check() {
        if (size_ < format::magic.size() || text(0, format::magic.size()) != format::magic)
            return failure(path_ + " is not a database of solved positions");
        if (size_ < sizeof(format::Header) + sizeof(format::Footer)) return damaged("it is cut short");
        format::Header header{};
        std::memcpy(&header, data_, sizeof header);
        if (header.version != format::version)
            return failure(fmt::format("{} has format version {}; this program reads version {}", path_, header.version,
                                       format::version));
        std::memcpy(&footer_, data_ + size_ - sizeof footer_, sizeof footer_);
        if (std::string_view(footer_.magic.data(), footer_.magic.size()) != format::end_magic)
            return damaged("it is cut short");
        if (!inside(footer_.description_offset, footer_.description_bytes) || footer_.blocks > size_ ||
            !inside(footer_.index_offset, footer_.blocks * sizeof(format::IndexEntry)))
            return damaged("its footer");
        if (XXH64(description().data(), description().size(), 0) != footer_.description_hash)
            return damaged("its description");
        if (XXH64(data_ + footer_.index_offset, footer_.blocks * sizeof(format::IndexEntry), 0) != footer_.index_hash)
            return damaged("its index");
        index_.resize(footer_.blocks);
        std::memcpy(index_.data(), data_ + footer_.index_offset, footer_.blocks * sizeof(format::IndexEntry));
        std::uint64_t positions = 0;
        for (const auto& entry : index_) {
            if (!inside(entry.offset, entry.bytes) || entry.keys == 0 || entry.keys > block_keys)
                return damaged("its index");
            positions += entry.keys;
        }
        if (positions != footer_.positions || header.zero != 0) return damaged("its footer");
        return {};
    }

    const std::uint8_t* data_;
    std::size_t size_;
    std::string path_;
    format::Footer footer_{};
    std::vector<format::IndexEntry> index_; // a copy: in the file it need not be aligned
};

tl::expected<Database, Error> Database::open(const std::filesystem::path& path, game::Game& game) {
    const Identity identity = identity_of(game);
    auto map = Map::of(path);
    if (!map) return tl::unexpected(map.error());
    Database database;
    database.map_ = *map;
    if (auto read = database.read_description((*map)->description(), game, identity); !read)
        return failure(fmt::format("{}: {}", path.string(), read.error().text));
    std::uint64_t before = 0;
    for (const auto& entry : (*map)->index()) {
        database.positions_before_.push_back(before);
        before += entry.keys;
    }
    database.cache_.resize(cached_blocks);
    return database;
}

tl::expected<Database, Error> Database::open_in(const std::filesystem::path& folder, game::Game& game) {
    const Identity identity = identity_of(game);
    const auto path = folder / file_name(identity);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return open(path, game);
    return failure(fmt::format("there is no database {}{}; `zug solve -o {}` creates it", path.string(),
                               others_text(folder, identity.name), folder.string()));
}

tl::expected<void, Error> Database::read_description(std::string_view text, game::Game& game,
                                                     const Identity& identity) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return failure("its description can't be read");
    try {
        for (const auto& [name, value] : identity.params) {
            const auto& params = json.at("params");
            const std::string own = params.contains(name) ? params.at(name).get<std::string>() : "nothing";
            if (own != value) return failure(fmt::format("it was made with {} = {}, not {}", name, own, value));
        }
        if (json.at("rules").get<std::string>() != digest_text(identity.rules))
            return failure("it was made from other rules: solve the game again");
        TierPotential potential;
        potential.weights = json.at("measure").get<std::vector<std::vector<std::int32_t>>>();
        potential.find_range();
        const auto symmetries = read_symmetries(json.at("symmetries"), game.program());
        if (!symmetries) return failure("its symmetries are none of this game");
        const auto combinations =
            Combinations::of(game.program(), json.at("combinations").get<std::vector<std::vector<std::uint32_t>>>());
        if (!combinations) return failure("its combinations of values are none of this game");
        auto code = PositionCode::of(game, potential, *symmetries, *combinations);
        if (!code) return tl::unexpected(code.error());
        code_ = std::move(*code);
        std::set<Payoffs> ends;
        for (const auto& payoffs : json.at("outcomes").at("ends")) ends.insert(payoffs.get<Payoffs>());
        ties_ = json.at("ties") == "kind" ? Ties::Kind : Ties::Spiteful;
        outcomes_ = Outcomes(ends, json.at("outcomes").at("players"), json.at("outcomes").at("cycles"), ties_);
        solution_ = solution_of(json.at("solution"));
        solution_.symmetries = static_cast<std::uint32_t>(symmetries->size());
        solution_.cycles = outcomes_.cycles();
        if (json.contains("kept")) {
            solution_.chance = true;
            expected_ = ExpectedValues(ends, outcomes_.players(), json.at("kept") == 1,
                                       json.at("ties") == "kind" ? Ties::Kind : Ties::Spiteful);
            solution_.win_probability = expected_.win_probability(solution_.value.at(0));
        }
        for (const auto& row : json.at("histogram")) histogram_.push_back({row.at(0), row.at(1), row.at(2)});
    } catch (const std::exception&) { // malformed JSON, or a missing value
        return failure("its description can't be read");
    }
    return {};
}

std::uint64_t Database::bytes() const { return map_->size(); }
std::size_t Database::blocks() const { return map_->index().size(); }
Key Database::first_key(std::size_t block) const { return map_->index()[block].first_key; }
void Database::release_pages() const { map_->release_pages(); }

std::optional<std::size_t> Database::damaged_block() const {
    constexpr std::size_t most_in_memory = 4096; // blocks between two releases of pages
    const auto index = map_->index();
    for (std::size_t i = 0; i < index.size(); ++i) {
        if (!map_->is_whole(index[i])) return i;
        if (i % most_in_memory == 0) map_->release_pages();
    }
    return {};
}

std::size_t Database::block_of(Key key) const {
    const auto index = map_->index();
    const auto after = std::ranges::upper_bound(index, key, {}, &format::IndexEntry::first_key);
    return after == index.begin() ? blocks() : static_cast<std::size_t>(after - index.begin()) - 1;
}

tl::expected<Database::Block, Error> Database::read(std::size_t number) const {
    const format::IndexEntry& entry = map_->index()[number];
    const auto damaged = [&] { return map_->damaged(fmt::format("block {} of {}", number + 1, blocks())); };
    if (!map_->is_whole(entry)) return damaged();
    const auto stored = map_->bytes(entry);
    std::vector<std::uint8_t> raw(most_difference_bytes + entry.keys * kept_bytes());
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
    if (ZSTD_isError(size) != 0) return damaged();
    Block block;
    block.keys.resize(entry.keys);
    std::size_t used = 0;
    if (!unpack_differences(entry.first_key, {raw.data(), size}, block.keys, used) ||
        size - used != entry.keys * kept_bytes())
        return damaged();
    unpack(raw.data() + used, block);
    return block;
}

std::size_t Database::kept_bytes() const { return chance() ? expected_.width() * sizeof(double) : sizeof(Result); }

void Database::unpack(const std::uint8_t* worths, Block& block) const {
    const std::size_t keys = block.keys.size();
    if (!chance()) {
        block.results.resize(keys);
        return read_planes(worths, std::span(block.results));
    }
    block.values.assign(expected_.width(), std::vector<double>(keys));
    for (std::size_t w = 0; w < expected_.width(); ++w)
        read_planes(worths + w * keys * sizeof(double), std::span(block.values[w]));
}

tl::expected<const Database::Block*, Error> Database::cached(std::size_t block) {
    Cached& index = cache_[block % cache_.size()];
    if (index.block != block) {
        auto content = read(block);
        if (!content) return tl::unexpected(content.error());
        index = {block, std::move(*content)};
    }
    return &index.content;
}

tl::expected<Database::Location, Error> Database::locate(Key key) {
    const std::size_t number = block_of(key);
    if (number == blocks()) return Location{};
    const auto block = cached(number);
    if (!block) return tl::unexpected(block.error());
    const auto& keys = (*block)->keys;
    const auto at = std::ranges::lower_bound(keys, key);
    if (at == keys.end() || *at != key) return Location{};
    return Location{*block, static_cast<std::size_t>(at - keys.begin())};
}

tl::expected<std::optional<Result>, Error> Database::find(Key key) {
    const auto location = locate(key);
    if (!location) return tl::unexpected(location.error());
    if (location->block == nullptr) return std::nullopt;
    return location->block->results[location->index];
}

tl::expected<bool, Error> Database::find_expected(Key key, std::span<double> kept) {
    const auto location = locate(key);
    if (!location) return tl::unexpected(location.error());
    if (location->block == nullptr) return false;
    for (std::size_t w = 0; w < kept.size(); ++w) kept[w] = location->block->values[w][location->index];
    return true;
}

tl::expected<Key, Error> Database::key(std::uint64_t number) {
    const auto after = std::ranges::upper_bound(positions_before_, number);
    const auto at = static_cast<std::size_t>(after - positions_before_.begin()) - 1;
    const auto block = cached(at);
    if (!block) return tl::unexpected(block.error());
    return (*block)->keys[static_cast<std::size_t>(number - positions_before_[at])];
}

} // namespace zug::solve
