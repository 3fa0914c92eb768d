#include "records/formats.hpp"

#include "records/pgn.hpp"
#include "records/pgn_symbols.hpp"
#include "records/sgf.hpp"

#include <fmt/format.h>

#include <sstream>
#include <strings.h>

namespace zug::records {

Format format_of(std::string_view file) {
    const std::string ending(file.substr(std::min(file.size(), file.rfind('.'))));
    if (strcasecmp(ending.c_str(), ".pgn") == 0) return Format::Pgn;
    if (strcasecmp(ending.c_str(), ".sgf") == 0) return Format::Sgf;
    return Format::Json;
}

std::string refusal(const game::Game& game, Format format) {
    switch (format) {
    case Format::Pgn: return pgn_refusal(game);
    case Format::Sgf: return sgf_refusal(game);
    case Format::Json: break;
    }
    return "";
}

tl::expected<std::string, Error> text_of(game::Game& game, const match::GameRecord& record, Format format) {
    switch (format) {
    case Format::Pgn: return to_pgn(game, record);
    case Format::Sgf: return to_sgf(game, record);
    case Format::Json: break;
    }
    return match::record_line(record) + "\n";
}

std::string title_in(std::string_view text, Format format) {
    if (format != Format::Pgn) return "";
    const auto game = PgnSymbols(text).next();
    const PgnTag* const tag = game && *game ? (*game)->tag("Variant") : nullptr;
    return tag != nullptr ? tag->value : "";
}

void read(game::Game& game, const std::string& rules, std::string_view text, Format format,
          const match::TakeRecord& take) {
    switch (format) {
    case Format::Pgn: return read_pgn(game, rules, text, take);
    case Format::Sgf: return read_sgf(game, rules, text, take);
    case Format::Json: break;
    }
    std::istringstream in{std::string(text)};
    match::read_records(in, [&](std::size_t line, const auto& record) {
        if (record) return take(line, record);
        return take(line, failure(fmt::format("{}: {}", line, record.error().text)));
    });
}

} // namespace zug::records
