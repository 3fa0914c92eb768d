#pragma once
// The texts of games in portable game notation, taken to pieces: tags, moves and results, whatever the game is.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::records {

struct PgnTag {
    std::string name, value;
    std::size_t offset = 0;
};

struct PgnWord {
    std::string_view text;
    std::size_t offset = 0;
};

struct PgnGame {
    std::size_t offset = 0;
    std::vector<PgnTag> tags;
    std::vector<PgnWord> moves;
    PgnWord result; // empty: none was given

    const PgnTag* tag(std::string_view name) const;
};

class PgnSymbols {
public:
    explicit PgnSymbols(std::string_view text) : text_(text) {}

    // The next game; none: the text has ended. After an error it goes on with the next game that has tags.
    std::optional<tl::expected<PgnGame, Error>> next();

private:
    tl::expected<PgnGame, Error> game();
    tl::expected<void, Error> skip();
    tl::expected<void, Error> skip_variation();
    tl::expected<PgnTag, Error> tag();
    void word(PgnGame& game);
    void recover(std::size_t begin);

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace zug::records
