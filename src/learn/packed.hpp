#pragma once
// The files of this folder: a line that tells the kind of the file, a header that people can read, and a body.
//
//   file   = kind " " bytes " " bytes "\n" header "\n" body            (the lengths of header and body)
//   header = JSON, for people; its members `rules` and `body` are digests, of the game's rules and of the body
//   body   = a zstd frame of an archive (base/archive.hpp)

#include "base/digest.hpp"
#include "base/error.hpp"

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::learn {

inline constexpr std::size_t most_packed_bytes = std::size_t{1} << 30; // of a file, and of a body

// `header` without `body`, which is put after its other members. `level`: of compression, as in zstd.
std::string pack(std::string_view kind, nlohmann::ordered_json header, std::span<const std::uint8_t> body, int level);

// What stands around the body, which is whole.
struct Packed {
    Digest rules{};
    std::string title;     // `game` of the header
    std::string_view body; // compressed
};
// `what`: what files of that kind are called, as in "a learned evaluation".
tl::expected<Packed, Error> open_packed(std::string_view text, std::string_view kind, std::string_view what);
// Empty: it is damaged, or too large.
std::optional<std::vector<std::uint8_t>> unpack(std::string_view body);

} // namespace zug::learn
