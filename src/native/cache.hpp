#pragma once
// A cache of compiled code on disk, with a file for each key. Errors are never fatal: what cannot be read is compiled
// again, what cannot be written is not kept.

#include "native/checksummed_blob.hpp"

#include <chrono>
#include <filesystem>

namespace zug::native {

// The folder of the cache: $ZUG_CACHE, $XDG_CACHE_HOME/zug or ~/.cache/zug. Empty, which means no cache, if $ZUG_CACHE
// is set to the empty string or there is no home directory.
std::filesystem::path cache_folder();

class Cache {
public:
    static constexpr std::uintmax_t default_limit = 64 << 20; // bytes
    explicit Cache(std::filesystem::path folder, std::uintmax_t limit = default_limit)
        : folder_(std::move(folder)), limit_(limit) {}

    // The body of the blob with this key; nullopt: none. Only files that this user owns and nobody else may write are
    // read.
    std::optional<Bytes> load(const Key& key) const;
    // Stores a whole blob. The file is replaced atomically, so that other processes see the old one, the new one or
    // none. If the files exceed the limit together, the least recently used ones are removed.
    void store(const Key& key, std::span<const std::uint8_t> blob) const;
    std::filesystem::path path(const Key& key) const;

    // Held by the process that makes code for the cache, so that others that need the same wait for it instead of
    // making it, too: of a dozen games that start at once one compiles. A lock of the folder, so that nothing is left
    // behind.
    class Claim {
    public:
        Claim() = default;
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
        ~Claim();

    private:
        friend Cache;
        int lock_ = -1;
    };
    // Waits until no other process holds the claim, or `most`. Whoever has it must look into the cache again.
    void claim(std::chrono::milliseconds most, Claim& claim) const;

private:
    void trim() const;

    std::filesystem::path folder_;
    std::uintmax_t limit_;
};

} // namespace zug::native
