#include "lsp/wire/frame.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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
    for (bool begun = false;;) {
        const auto line = header_line(in);
        if (!line) return std::nullopt;
        if (line->empty() && length) break;
        if (line->empty() && begun) return failure("the header has no `Content-Length`, or a wrong one");
        if (line->empty()) continue; // before a header
        begun = true;
        const std::string field = lower_case(*line); // others than the length mean nothing here
        if (field.starts_with(length_field))
            length = number_in<std::uint64_t>(trimmed(std::string_view(field).substr(length_field.size())));
    }
    const bool fits = *length <= longest_message;
    auto text = content(in, *length, fits);
    if (text && !fits) return failure(fmt::format("a message of {} bytes is longer than {}", *length, longest_message));
    return text;
}

std::string framed(std::string_view content) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

} // namespace zug::lsp
