#pragma once
// Reads a position's text into slots: in the general format, field by field, or in the file's own. Internal to
// src/game: position_read.cpp has the general format and what both share, position_format.cpp the file's own.

#include "game/faces.hpp"
#include "game/position.hpp"

#include <fmt/format.h>

namespace zug::game {

class PositionReader {
public:
    PositionReader(const ir::Program& program, std::string_view text);

    tl::expected<std::vector<std::uint32_t>, Error> general();
    tl::expected<std::vector<std::uint32_t>, Error> own();

private:
    // Records an error at a part of the text.
    bool fail(std::string_view part, std::string what) {
        error_ = fmt::format("position, column {}: {}", part.data() - text_.data() + 1, what);
        return false;
    }
    tl::expected<std::vector<std::uint32_t>, Error> result(bool fine);

    // position_read.cpp
    bool fields();
    bool field(std::string_view name, std::string_view value);
    bool player(std::string_view value, std::optional<std::uint32_t>& out);
    bool map(ir::StateId id, std::string_view value);
    bool rows(const ir::StateVariable& state, std::string_view value);
    bool row(const ir::StateVariable& state, const Faces& faces, std::int32_t y, std::string_view text);
    std::optional<std::uint32_t> glyph_at(const Faces& faces, std::string_view text);
    bool put(const ir::StateVariable& state, std::string_view glyph, std::uint32_t slot, std::int32_t x,
             std::int32_t y);
    bool list(ir::StateId id, std::string_view value);
    bool entry(ir::StateId id, std::uint64_t index, std::string_view value);
    bool members(ir::StateId id, std::size_t first, std::string_view value);
    std::optional<std::vector<std::uint64_t>> indices_of(const ir::StateVariable& state, std::string_view text);
    std::optional<std::int64_t> parse(ir::TypeId type, std::string_view text) const;
    std::optional<std::int64_t> parse_tuple(ir::TypeId type, std::string_view text) const;
    std::optional<std::uint64_t> ordinal(ir::TypeId type, std::string_view text);
    std::string wrong_value(ir::TypeId type, std::string_view text, std::vector<std::string> values = {}) const;

    // position_format.cpp
    bool parts();
    bool misread(const ir::PositionPart* field);
    std::string_view word_before(std::string_view text) const;
    void skip_blanks();
    bool literal(std::string_view text);
    std::string part_name(const ir::PositionPart& part) const;
    bool part(const ir::PositionPart& part, std::string_view word);
    bool variable(const ir::PositionPart& part, std::string_view word);
    bool counts(const ir::PositionPart& part, std::string_view word);
    bool named_members(const ir::PositionPart& part, std::string_view word);
    bool named_player(const ir::PositionPart& part, std::string_view word, std::optional<std::uint32_t>& out);

    const ir::Program& program_;
    std::string_view text_;
    std::string_view rest_; // of the text: what own() has still to read
    std::vector<std::uint32_t> slots_;
    std::optional<std::uint32_t> turn_, last_;
    std::string error_;
};

} // namespace zug::game
