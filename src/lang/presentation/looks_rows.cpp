// Looks made of rows: of maps from players and places to numbers of men, and where the places of a row are.

#include "lang/presentation/looks.hpp"

#include "lang/resolve/constants.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace zug::lang {

namespace {

constexpr std::uint64_t most_places = 4096; // of a track

} // namespace

bool Looks::is_track(ir::StateId state) const {
    const ir::StateVariable& s = program_.states[state];
    return s.indices.size() == 2 && kind(s.indices[0]) == TypeKind::Player && kind(s.indices[1]) != TypeKind::Site &&
           kind(s.value) == TypeKind::Int && program_.types.cardinality(s.indices[1]) <= most_places;
}

void Looks::look_of_map(NodeId id, ir::StateId state) {
    const TypeId places = program_.states[state].indices[1];
    ir::PlaceLook look{.state = state, .cells = {}, .marked = {}};
    Rows rows{.names = {}, .noun = type_noun(places), .cells = {}};
    for (std::uint64_t i = 0; i < types().cardinality(places); ++i)
        rows.names.push_back(ir::value_text(program_, places, types().value(places, i)));
    rows.cells.resize(rows.names.size());
    for (const NodeId part : parts(id))
        if (!valid(part) || !map_part(id, part, look, rows)) return;
    if (rows.height == 0 || (look.triangles && rows.height != 2))
        return error(
            Message::LookRows, span(id),
            {fmt::format("{} rows", rows.height), look.triangles ? "two where they are triangles" : "at least one"});
    std::int64_t step = 0;
    bool mirrored = false;
    for (const NodeId part : parts(id)) {
        mirrored |= node(part).kind == Kind::LookWord && node(part).text == "mirrored";
        if (node(part).kind != Kind::LookTurned) continue;
        const auto turns = quarters(part, rows);
        if (!turns) return;
        step = *turns;
    }
    look.width = rows.width;
    look.height = rows.height;
    for (std::uint32_t player = 0; player < program_.player_count(); ++player) {
        auto& of_player = look.cells.emplace_back();
        for (const auto& cell : rows.cells) {
            Cell seen = cell.value_or(Cell{});
            for (std::int64_t i = 0; i < step * player % 4; ++i) seen = {rows.height - 1 - seen.y, seen.x};
            if (mirrored && player % 2 == 1) seen.y = rows.height - 1 - seen.y;
            of_player.push_back(cell ? seen.y * rows.width + seen.x : -1);
        }
    }
    const bool is_first =
        std::ranges::find(program_.looks.places, state, &ir::PlaceLook::state) == program_.looks.places.end();
    if (is_first) program_.looks.places.push_back(std::move(look));
}

bool Looks::map_part(NodeId id, NodeId part, ir::PlaceLook& look, Rows& rows) {
    const std::string& word = node(part).text;
    switch (node(part).kind) {
    case Kind::Text: return add_row(part, rows);
    case Kind::LookTurned: return is_only(id, part);
    case Kind::LookSet: {
        if (word != "marked") break;
        const auto places = constant_set(child(part, 0), program_.states[look.state].indices[1]);
        if (!places || !is_only(id, part)) return false;
        for_each_bit(*places, [&](std::size_t place) { look.marked.push_back(place); });
        return true;
    }
    case Kind::LookWord:
        look.triangles |= word == "triangles";
        if (word == "triangles" || word == "mirrored") return is_only(id, part, {word});
        break;
    default: break;
    }
    wrong_part(part, "a map of places", {"triangles", "mirrored", "turned", "marked"});
    return false;
}

bool Looks::add_row(NodeId row, Rows& rows) {
    std::map<std::string_view, std::size_t> ordinals;
    for (std::size_t i = 0; i < rows.names.size(); ++i) ordinals.emplace(rows.names[i], i);
    std::istringstream in(node(row).text);
    std::int32_t x = 0;
    for (std::string word; in >> word; ++x) {
        if (word == ".") continue;
        const auto place = ordinals.find(word);
        if (place == ordinals.end() || rows.cells[place->second]) {
            error(Message::LookPlace, span(row), {word, rows.noun});
            return false;
        }
        rows.cells[place->second] = Cell{x, rows.height};
    }
    if (rows.height > 0 && x != rows.width) {
        error(Message::LookRows, span(row),
              {fmt::format("a row of {} places", x), fmt::format("{}, as in the first", rows.width)});
        return false;
    }
    rows.width = x;
    ++rows.height;
    return true;
}

// How many quarter turns the picture makes from a player to the next one.
std::optional<std::int64_t> Looks::quarters(NodeId turned, const Rows& rows) {
    const auto angle = valid(child(turned, 0)) ? constants_.constant_int(child(turned, 0)) : std::nullopt;
    if (!angle) return std::nullopt;
    const bool square = rows.width == rows.height;
    if (*angle >= 0 && *angle < 360 && *angle % (square ? 90 : 180) == 0) return *angle / 90;
    error(Message::LookTurn, span(turned),
          {std::to_string(*angle), square ? "0, 90, 180 or 270" : "0 or 180, since they are no square"});
    return std::nullopt;
}

} // namespace zug::lang
