#pragma once
// A database, its parts changed, and written again with right checksums (solve/database/database_format.hpp).

#include "solve/database/database_format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace zug::fuzz {

class ForgedDatabase {
public:
    static ForgedDatabase read(const std::filesystem::path& path);
    void change(Numbers& numbers);
    void write(const std::filesystem::path& path) const;

private:
    using Bytes = std::vector<std::uint8_t>;
    struct Block {
        std::uint64_t first_key = 0;
        std::uint32_t keys = 0;
        Bytes raw;
    };
    void change_description(Numbers& numbers);
    void change_block(Numbers& numbers);
    void change_combinations(Numbers& numbers);

    solve::format::Header header_{};
    std::vector<Block> blocks_;
    Bytes combinations_; // packed
    nlohmann::ordered_json description_;
    // Added to what the index and the footer would be, entry by entry.
    std::vector<std::pair<std::size_t, std::uint64_t>> index_changes_, footer_changes_;
    std::uint64_t cut_ = 0; // bytes at the end
};

} // namespace zug::fuzz
