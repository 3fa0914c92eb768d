#pragma once
// What was compiled, on disk, a file for each key. Nothing here fails a run: what can't be read is made again, what
// can't be written is not kept.

#include "native/checksummed_blob.hpp"

#include <filesystem>

namespace zug::native {

// The folder of the cache: $ZUG_CACHE, $XDG_CACHE_HOME/zug or ~/.cache/zug. Empty, so no cache, where $ZUG_CACHE is set
// to nothing or there is no home.
std::filesystem::path cache_folder();

class Cache {
public:
    static constexpr std::uintmax_t default_limit = 64 << 20;
    explicit Cache(std::filesystem::path folder, std::uintmax_t limit = default_limit)
        : folder_(std::move(folder)), limit_(limit) {}

    // What was sealed with the key. Only files of this user's that no one else may change are read.
    std::optional<Bytes> load(const Key& key) const;
    // Replaces the file at once, so that other processes see the old one, the new one or none. When the files get to
    // more than the limit, those that were not used for longest go.
    void store(const Key& key, std::span<const std::uint8_t> checksummed) const;
    std::filesystem::path path(const Key& key) const;

private:
    void trim() const;

    std::filesystem::path folder_;
    std::uintmax_t limit_;
};

} // namespace zug::native
