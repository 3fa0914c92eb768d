#include "diag/diagnostic.hpp"

#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace zug::diag {

namespace {

constexpr std::size_t tab_width = 4;
constexpr std::size_t line_width = 100; // columns of source text shown; longer lines are truncated around the range

struct Range {
    char32_t first, last;
};
// Wide (two columns) and combining (none) characters, by blocks; a coarse form of Unicode's EastAsianWidth.txt.
constexpr std::array wide = {Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
                             Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
                             Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
                             Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
constexpr std::array combining = {Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                  Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
    return std::any_of(ranges.begin(), ranges.end(), [c](const Range& r) { return r.first <= c && c <= r.last; });
}

// One character of a line: its bytes or their replacement on the screen, and its width there.
struct Cell {
    std::string shown;
    std::size_t width;
    std::size_t bytes;
};

Cell cell(std::string_view text, std::size_t at, std::size_t column) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '\t') {
        const auto width = tab_width - column % tab_width;
        return {std::string(width, ' '), width, 1};
    }
    if (const std::size_t control = byte == '\r' ? 1 : control_length(text, at); control > 0) return {"?", 1, control};
    if (byte < 0x80) return {std::string(1, text[at]), 1, 1};
    const std::size_t length = byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : byte >= 0xC0 ? 2U : 0U;
    if (length == 0 || at + length > text.size()) return {"\xEF\xBF\xBD", 1, 1}; // U+FFFD
    char32_t c = byte & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0U) != 0x80U) return {"\xEF\xBF\xBD", 1, 1};
        c = c << 6U | (next & 0x3FU);
    }
    const std::size_t width = within(combining, c) ? 0U : within(wide, c) ? 2U : 1U;
    return {std::string(text.substr(at, length)), width, length};
}

// The line as shown, and the columns of the range in it.
struct Picture {
    std::string line;
    std::size_t from = 0;
    std::size_t to = 0;
};

// Bytes begin..end of the line are the range. `start` is the first byte shown, at which a character begins.
Picture draw(std::string_view line, std::size_t begin, std::size_t end, std::size_t start) {
    Picture picture;
    std::size_t column = 0;
    if (start > 0) {
        picture.line = "...";
        column = 3;
    }
    picture.from = picture.to = column;
    for (std::size_t at = start; at < line.size();) {
        const auto next = cell(line, at, column);
        if (column + next.width > line_width) {
            picture.line += "...";
            break;
        }
        if (at < begin) picture.from = column + next.width;
        if (at < end) picture.to = column + next.width;
        picture.line += next.shown;
        column += next.width;
        at += next.bytes;
    }
    picture.to = std::max(picture.to, picture.from + 1);
    return picture;
}

bool inside_character(std::string_view line, std::size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
}

Picture picture_of(std::string_view line, std::size_t begin, std::size_t end) {
    std::size_t start = 0;
    if (line.size() > line_width && begin > line_width * 2 / 3) start = begin - line_width / 3;
    for (int i = 0; i < 3 && inside_character(line, start); ++i) ++start;
    return draw(line, begin, end, start);
}

} // namespace

Location location(const std::string& text, std::size_t offset) {
    offset = std::min(offset, text.size());
    Location result;
    std::size_t line_begin = 0;
    for (auto at = text.find('\n'); at < offset; at = text.find('\n', at + 1)) {
        ++result.line;
        line_begin = at + 1;
    }
    for (auto i = line_begin; i < offset; ++i)
        if (!inside_character(text, i)) ++result.column;
    return result;
}

std::string where(const Sources& sources, const Span& span) {
    const auto at = location(sources.text(span.file), span.begin);
    return fmt::format("{}:{}:{}", sources.name(span.file), at.line, at.column);
}

std::string excerpt(const Sources& sources, const Span& span) {
    const auto& text = sources.text(span.file);
    const auto offset = std::min<std::size_t>(span.begin, text.size());
    const auto where = location(text, offset);
    const auto before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
    const auto line_begin = before == std::string::npos ? 0 : before + 1;
    auto line_end = std::min(text.find('\n', offset), text.size());
    if (line_end > line_begin && text[line_end - 1] == '\r') --line_end;
    const auto line = std::string_view(text).substr(line_begin, line_end - line_begin);
    const auto end = std::clamp<std::size_t>(span.end, offset, std::max(offset, line_end));
    const auto picture = picture_of(line, offset - line_begin, end - line_begin);

    return fmt::format("{:5} | {}\n      | {}{}", where.line, picture.line, std::string(picture.from, ' '),
                       std::string(picture.to - picture.from, '^'));
}

std::string render(const Sources& sources, const Diagnostic& diagnostic) {
    const auto& row = info(diagnostic.message);
    const auto* severity = row.severity == Severity::Error ? "error" : "warning";
    auto result = fmt::format("{}: {}: {} [{}]", where(sources, diagnostic.span), severity, diagnostic.text, row.slug);
    if (!sources.text(diagnostic.span.file).empty()) result += "\n" + excerpt(sources, diagnostic.span);
    if (!diagnostic.fix.empty()) result += " " + diagnostic.fix;
    return result + "\n";
}

std::string render(const Sources& sources, const Report& report) {
    std::string result;
    for (const auto& diagnostic : report.sorted()) result += render(sources, diagnostic);
    if (report.has_more()) result += "... and more\n";
    return result;
}

} // namespace zug::diag
