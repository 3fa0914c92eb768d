#include "solve/database/database_file.hpp"

#include "solve/storage/packed_keys.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>

namespace zug::solve {

namespace {

constexpr std::uint64_t most_description_bytes = 16 << 20;

} // namespace

tl::unexpected<Error> DatabaseFile::damaged(std::string_view what) const {
    return failure(fmt::format("{} is damaged: {}; `zug solve --again` replaces it", path_, what));
}

tl::unexpected<Error> DatabaseFile::damaged_block(std::size_t number) const {
    return damaged(fmt::format("block {} of {}", number + 1, index_.size()));
}

tl::unexpected<Error> DatabaseFile::unreadable(const Error& why) const {
    return failure(fmt::format("can't read {}: {}", path_, why.text));
}

template <class T>
tl::expected<void, Error> DatabaseFile::read(std::uint64_t offset, std::span<T> out) const {
    const auto done = file_.read(offset, {reinterpret_cast<std::uint8_t*>(out.data()), out.size_bytes()});
    if (!done) return unreadable(done.error());
    return {};
}

tl::expected<DatabaseFile, Error> DatabaseFile::open(const std::filesystem::path& path) {
    auto opened = InputFile::open(path);
    if (!opened) return failure(fmt::format("can't read {}: {}", path.string(), opened.error().text));
    DatabaseFile file(std::move(*opened), path.string());
    if (file.size() == 0) return failure(path.string() + " is empty");
    for (const auto part : {&DatabaseFile::read_ends, &DatabaseFile::read_description, &DatabaseFile::read_combinations,
                            &DatabaseFile::read_index})
        if (auto done = (file.*part)(); !done) return tl::unexpected(done.error());
    return file;
}

tl::expected<void, Error> DatabaseFile::read_ends() {
    format::Header header{};
    const std::size_t known = std::min<std::uint64_t>(size(), sizeof header);
    if (auto done = read(0, std::span(reinterpret_cast<std::uint8_t*>(&header), known)); !done) return done;
    if (std::string_view(header.magic.data(), header.magic.size()) != format::magic)
        return failure(path_ + " is not a database of solved positions");
    if (size() < sizeof(format::Header) + sizeof(format::Footer)) return damaged("it is cut short");
    if (header.version != format::version)
        return failure(fmt::format("{} has format version {}; this program reads version {}", path_, header.version,
                                   format::version));
    if (auto done = read(size() - sizeof footer_, std::span(&footer_, 1)); !done) return done;
    if (std::string_view(footer_.magic.data(), footer_.magic.size()) != format::end_magic)
        return damaged("it is cut short");
    if (header.zero != 0 || !inside(footer_.description_offset, footer_.description_bytes) ||
        !inside(footer_.combinations_offset, footer_.combinations_bytes) ||
        footer_.combinations_offset + footer_.combinations_bytes != footer_.description_offset ||
        footer_.blocks > size() / sizeof(format::IndexEntry) ||
        !inside(footer_.index_offset, footer_.blocks * sizeof(format::IndexEntry)))
        return damaged("its footer");
    return {};
}

tl::expected<void, Error> DatabaseFile::read_description() {
    if (footer_.description_bytes > most_description_bytes) return damaged("its description is too long");
    description_.resize(footer_.description_bytes);
    if (auto done = read(footer_.description_offset, std::span(description_)); !done) return done;
    if (XXH64(description_.data(), description_.size(), 0) != footer_.description_hash)
        return damaged("its description");
    return {};
}

tl::expected<void, Error> DatabaseFile::read_combinations() {
    combinations_.resize(footer_.combinations_bytes);
    if (auto done = read(footer_.combinations_offset, std::span(combinations_)); !done) return done;
    if (XXH64(combinations_.data(), combinations_.size(), 0) != footer_.combinations_hash)
        return damaged("its combinations of values");
    return {};
}

tl::expected<void, Error> DatabaseFile::read_index() {
    index_.resize(footer_.blocks);
    if (auto done = read(footer_.index_offset, std::span(index_)); !done) return done;
    if (XXH64(index_.data(), index_.size() * sizeof(format::IndexEntry), 0) != footer_.index_hash)
        return damaged("its index");
    std::uint64_t positions = 0;
    for (const auto& entry : index_) {
        if (!inside(entry.offset, entry.bytes) || entry.keys == 0 || entry.keys > block_keys)
            return damaged("its index");
        positions += entry.keys;
    }
    const auto not_ascending = [](const auto& a, const auto& b) { return a.first_key >= b.first_key; };
    if (std::ranges::adjacent_find(index_, not_ascending) != index_.end()) return damaged("its index");
    if (positions != footer_.positions || positions == 0) return damaged("its footer");
    return {};
}

tl::expected<std::vector<std::uint8_t>, Error> DatabaseFile::block(std::size_t number) const {
    const format::IndexEntry& entry = index_[number];
    std::vector<std::uint8_t> bytes(entry.bytes);
    if (auto done = read(entry.offset, std::span(bytes)); !done) return tl::unexpected(done.error());
    if (XXH64(bytes.data(), bytes.size(), 0) != entry.hash) return damaged_block(number);
    return bytes;
}

} // namespace zug::solve
