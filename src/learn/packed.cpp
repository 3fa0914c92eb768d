#include "learn/packed.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zstd.h>

#include <charconv>
#include <new>
#include <utility>

namespace zug::learn {

namespace {

std::string compressed(std::span<const std::uint8_t> bytes, int level) {
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc(); // the only error where there is room for the output
    frame.resize(size);
    return frame;
}

Digest digest_of_text(std::string_view text) {
    return digest_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// The number at the front of the text, which it is taken off; and the character after it.
std::optional<std::size_t> take_number(std::string_view& text, char after) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != after) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return number;
}

struct Parts {
    std::string_view header, body;
};

std::optional<Parts> parts_of(std::string_view text, std::string_view kind) {
    if (!text.starts_with(kind) || !text.substr(kind.size()).starts_with(' ')) return std::nullopt;
    text.remove_prefix(kind.size() + 1);
    const auto header = take_number(text, ' ');
    const auto body = header ? take_number(text, '\n') : std::nullopt;
    if (!body || *header > text.size() || text.size() - *header != *body + 1 || text[*header] != '\n')
        return std::nullopt;
    return Parts{text.substr(0, *header), text.substr(*header + 1)};
}

} // namespace

std::string pack(std::string_view kind, nlohmann::ordered_json header, std::span<const std::uint8_t> body, int level) {
    const std::string frame = compressed(body, level);
    header["body"] = digest_text(digest_of_text(frame));
    const std::string front = header.dump(2);
    return fmt::format("{} {} {}\n{}\n{}", kind, front.size(), frame.size(), front, frame);
}

tl::expected<Packed, Error> open_packed(std::string_view text, std::string_view kind, std::string_view what) {
    const auto parts = parts_of(text, kind);
    if (!parts) return failure(fmt::format("it is not {}, or it is not whole", what));
    const auto header = nlohmann::json::parse(parts->header, nullptr, false);
    const auto field = [&](const char* name) {
        return header.is_object() && header.contains(name) && header[name].is_string() ? header[name].get<std::string>()
                                                                                       : std::string();
    };
    const auto rules = parse_digest(field("rules"));
    if (!rules || field("body") != digest_text(digest_of_text(parts->body))) return failure("it is damaged");
    return Packed{*rules, field("game"), parts->body};
}

std::optional<std::vector<std::uint8_t>> unpack(std::string_view body) {
    const unsigned long long size = ZSTD_getFrameContentSize(body.data(), body.size());
    if (size > most_packed_bytes) return std::nullopt; // which errors are, too
    std::vector<std::uint8_t> bytes(size);
    if (ZSTD_decompress(bytes.data(), bytes.size(), body.data(), body.size()) != size) return std::nullopt;
    return bytes;
}

} // namespace zug::learn
