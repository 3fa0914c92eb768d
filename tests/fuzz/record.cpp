// A record of a game. What can be read is written and read back the same, and is replayed or refused with an error that
// can be shown.

#include "match/record.hpp"
#include "tests/fuzz/games.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace zug;
    fuzz::with_game(data, size, [](fuzz::Pair& pair, std::string_view text) {
        game::Game& game = pair.game;
        const auto record = match::parse_record(text);
        if (!record) return fuzz::require_fit_for_people(record.error().text);
        const std::string line = match::record_line(*record);
        const auto again = match::parse_record(line);
        fuzz::require(again.has_value(), "a record that was written can be read");
        fuzz::require(match::record_line(*again) == line, "it is the same record");
        const auto end = match::replay(game, *record);
        if (!end) fuzz::require_fit_for_people(end.error().text);
        game.clear_fault();
    });
    return 0;
}
