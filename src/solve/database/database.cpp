#include "solve/database/database.hpp"

#include "base/file.hpp"
#include "solve/storage/byte_planes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zstd.h>

#include <algorithm>
#include <cmath>

namespace zug::solve {

namespace {

constexpr std::size_t cached_blocks = 64;

} // namespace

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
    const auto paths = list_folder(folder);
    if (!paths) return "";
    for (const auto& path : *paths) {
        const std::string stem = path.stem().string();
        if (path.extension() == ".zugdb" && stem.starts_with(name + ","))
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

tl::expected<Database, Error> Database::open(const std::filesystem::path& path, game::Game& game) {
    auto file = DatabaseFile::open(path);
    if (!file) return tl::unexpected(file.error());
    auto about = read_description(file->description(), file->take_combinations(), game, file->positions());
    if (!about) return failure(fmt::format("{}: {}", path.string(), about.error().text));
    Database database;
    database.file_ = std::make_shared<DatabaseFile>(std::move(*file));
    database.about_ = std::move(*about);
    std::uint64_t before = 0;
    for (const auto& entry : database.file_->index()) {
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

std::optional<std::size_t> Database::damaged_block() const {
    for (std::size_t i = 0; i < blocks(); ++i)
        if (!file_->block(i)) return i;
    return {};
}

std::size_t Database::block_of(Key key) const {
    const auto& index = file_->index();
    const auto after = std::ranges::upper_bound(index, key, {}, &format::IndexEntry::first_key);
    return after == index.begin() ? blocks() : static_cast<std::size_t>(after - index.begin()) - 1;
}

tl::expected<Database::Block, Error> Database::read(std::size_t number) const {
    const format::IndexEntry& entry = file_->index()[number];
    const auto stored = file_->block(number);
    if (!stored) return tl::unexpected(stored.error());
    std::vector<std::uint8_t> raw(most_difference_bytes + entry.keys * kept_bytes());
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), stored->data(), stored->size());
    if (ZSTD_isError(size) != 0) return file_->damaged_block(number);
    Block block;
    block.keys.resize(entry.keys);
    std::size_t used = 0;
    if (!unpack_differences(entry.first_key, {raw.data(), size}, block.keys, used) ||
        size - used != entry.keys * kept_bytes())
        return file_->damaged_block(number);
    unpack(raw.data() + used, block);
    if (!is_possible(block, number)) return file_->damaged_block(number);
    return block;
}

// Whether the keys ascend up to the next block and stand for positions, and the values for outcomes.
bool Database::is_possible(const Block& block, std::size_t number) const {
    const Key end = number + 1 < blocks() ? first_key(number + 1) : Key{1} << 63;
    if (block.keys.back() >= end || std::ranges::adjacent_find(block.keys, std::greater_equal()) != block.keys.end())
        return false;
    const bool positions = std::ranges::all_of(block.keys, [&](Key key) { return code().rank(key) < code().size(); });
    const bool results = std::ranges::all_of(
        block.results, [&](Result result) { return outcomes().outcome(result) < outcomes().size(); });
    return positions && results && std::ranges::all_of(block.values, [](const std::vector<double>& values) {
               return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
           });
}

std::size_t Database::kept_bytes() const { return chance() ? expected().width() * sizeof(double) : sizeof(Result); }

void Database::unpack(const std::uint8_t* worths, Block& block) const {
    const std::size_t keys = block.keys.size();
    if (!chance()) {
        block.results.resize(keys);
        return read_planes(worths, std::span(block.results));
    }
    block.values.assign(expected().width(), std::vector<double>(keys));
    for (std::size_t w = 0; w < expected().width(); ++w)
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
