#include "lsp/wire/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace zug::lsp {

namespace {

constexpr std::string_view length_field = "content-length:";

// A line without its end; of a long one the beginning. None at the end of the input.
std::optional<std::string> header_line(std::istream& in) {
    std::string line;
    bool any = false;
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        any = true;
        if (c == '\n') break;
        if (line.size() < longest_header_line) line += static_cast<char>(c);
    }
    if (!any) return std::nullopt;
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::optional<std::uint64_t> length_in(std::string_view line) {
    std::string_view digits = line.substr(length_field.size());
    while (digits.starts_with(' ') || digits.starts_with('\t')) digits.remove_prefix(1);
    while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return length;
}

// In pieces, so that a length that is not the truth costs no memory.
std::optional<std::string> content(std::istream& in, std::uint64_t length, bool keep) {
    std::string text;
    std::string piece;
    while (length > 0) {
        piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(length, 1U << 16U)));
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        if (static_cast<std::size_t>(in.gcount()) < piece.size()) return std::nullopt;
        length -= piece.size();
        if (keep) text += piece;
    }
    return text;
}

} // namespace

tl::expected<std::optional<std::string>, Error> read_message(std::istream& in) {
    std::optional<std::uint64_t> length;
    bool wrong = false;
    for (;;) {
        const auto line = header_line(in);
        if (!line) return std::nullopt;
        if (line->empty()) {
            if (length) break;
            if (wrong) return failure("the header has no `Content-Length`, or a wrong one");
            wrong = true; // an empty line before a header
            continue;
        }
        const std::string field = lower_case(*line);
        if (field.starts_with(length_field)) {
            length = length_in(field);
            wrong = !length;
        } else if (!field.starts_with("content-type:")) {
            wrong = true;
        }
    }
    const bool fits = *length <= longest_message;
    auto text = content(in, *length, fits);
    if (!fits) return failure(fmt::format("a message of {} bytes is longer than {}", *length, longest_message));
    return text;
}

std::string framed(std::string_view content) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

} // namespace zug::lsp
