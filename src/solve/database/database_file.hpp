#pragma once
// The file of a database (database_format.hpp): its blocks, index and description, read as they are asked for. What it
// holds is checked against its own checksums and sizes here, against the game in description.hpp and database.hpp.

#include "base/archive.hpp"
#include "base/file.hpp"
#include "solve/database/database_format.hpp"

#include <string>
#include <vector>

namespace zug::solve {

class DatabaseFile {
public:
    static tl::expected<DatabaseFile, Error> open(const std::filesystem::path& path);

    const std::string& description() const { return description_; }
    // Packed; they are given away, since they may be large.
    archive::Bytes take_combinations() { return std::move(combinations_); }
    // By ascending first key.
    const std::vector<format::IndexEntry>& index() const { return index_; }
    std::uint64_t positions() const { return footer_.positions; }
    std::uint64_t size() const { return file_.size(); }
    // The compressed bytes of a block. An error: they are damaged, or can't be read. Thread-safe.
    tl::expected<std::vector<std::uint8_t>, Error> block(std::size_t number) const;
    tl::unexpected<Error> damaged_block(std::size_t number) const;

private:
    DatabaseFile(InputFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
    tl::unexpected<Error> damaged(std::string_view what) const;
    tl::unexpected<Error> unreadable(const Error& why) const;
    bool inside(std::uint64_t offset, std::uint64_t size) const {
        return offset <= file_.size() && size <= file_.size() - offset;
    }
    template <class T>
    tl::expected<void, Error> read(std::uint64_t offset, std::span<T> out) const;
    tl::expected<void, Error> read_ends();
    tl::expected<void, Error> read_description();
    tl::expected<void, Error> read_combinations();
    tl::expected<void, Error> read_index();

    InputFile file_;
    std::string path_;
    format::Footer footer_{};
    std::string description_;
    archive::Bytes combinations_;
    std::vector<format::IndexEntry> index_;
};

} // namespace zug::solve
