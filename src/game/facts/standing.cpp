#include "game/facts/standing.hpp"

#include "ir/glyphs.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace zug::game {

using ir::TypeKind;

namespace {

constexpr std::uint64_t most_values = 4096; // of a pile, which each have a glyph

class Finder {
public:
    Finder(const ir::Program& program, ir::BoardId board) : program_(program), board_(board) {
        for (const ir::StateVariable& s : program.states)
            if (is_map(s)) maps_.emplace(s.indices[0], s.value);
    }

    Standing all();

private:
    const ir::StateVariable& state(ir::StateId id) const { return program_.states[id]; }
    TypeKind kind(ir::TypeId type) const { return program_.types.kind(type); }
    bool is_site(ir::TypeId type) const {
        if (kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        return kind(type) == TypeKind::Site && program_.types[type].ref == static_cast<std::uint32_t>(board_);
    }
    bool is_map(const ir::StateVariable& s) const { // over the sites alone
        return s.assigned && s.indices.size() == 1 && is_site(s.indices[0]) && kind(s.value) != TypeKind::Set;
    }
    bool is_flag(const ir::StateVariable& s) const { return is_map(s) && kind(s.value) == TypeKind::Bool; }
    // Whether it says what is on each site, and not only how many, or whether.
    bool says_all(const ir::StateVariable& s) const {
        return is_map(s) && kind(s.value) != TypeKind::Int && kind(s.value) != TypeKind::Bool;
    }
    bool is_few(ir::TypeId type) const {
        constexpr std::uint64_t most = 16;
        return (kind(type) == TypeKind::Enum || kind(type) == TypeKind::Int) &&
               program_.types.cardinality(type) <= most;
    }
    bool is_pile(const ir::StateVariable& s) const;
    bool is_piece(const ir::StateVariable& s) const;
    bool is_mark(const ir::StateVariable& s) const {
        if (s.local) return false;
        if (!s.indices.empty()) return is_flag(s);
        return kind(s.value) == TypeKind::Set && is_site(program_.types.inner(s.value));
    }
    template <class Test>
    bool any(Test test) const {
        return std::ranges::any_of(program_.states, test);
    }
    std::vector<std::string> piece_glyphs(ir::StateId id, bool alone);
    std::string letter_of(const std::string& name);
    std::string mark_glyph(const std::string& name, bool alone);
    void name_pieces(const std::vector<ir::StateId>& pieces);

    const ir::Program& program_;
    ir::BoardId board_;
    Standing found_;
    std::set<std::pair<ir::TypeId, ir::TypeId>> maps_; // over the sites: from and to
    std::set<std::string> used_;                       // glyphs
};

bool Finder::is_pile(const ir::StateVariable& s) const {
    if (!s.assigned || s.local || s.indices.size() != 2 || !is_site(s.indices[0]) || !is_few(s.indices[1]))
        return false;
    if (kind(s.value) != TypeKind::Optional || program_.types.cardinality(s.value) > most_values) return false;
    return !maps_.contains({s.indices[0], s.value});
}

bool Finder::is_piece(const ir::StateVariable& s) const {
    if (!s.assigned || s.local || s.indices.size() > 1 || !is_site(s.value)) return false;
    return s.indices.empty() || kind(s.indices[0]) == TypeKind::Player || is_few(s.indices[0]);
}

// The first letter of the name that no piece has yet, in capitals.
std::string Finder::letter_of(const std::string& name) {
    for (const char c : name) {
        const std::string letter(1, static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
        if (std::isalpha(static_cast<unsigned char>(c)) != 0 && !used_.contains(letter)) return letter;
    }
    return std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(name.front()))));
}

// Of what is one a player, the player's glyph, if there is nothing else of the kind; else a letter, small for the
// second player.
std::vector<std::string> Finder::piece_glyphs(ir::StateId id, bool alone) {
    const auto& indices = state(id).indices;
    const std::string letter = letter_of(state(id).name);
    if (indices.empty()) return {letter};
    const bool by_player = kind(indices[0]) == TypeKind::Player;
    std::vector<std::string> glyphs;
    for (std::uint64_t i = 0; i < program_.types.cardinality(indices[0]); ++i) {
        const std::string glyph = ir::glyph_text(program_, indices[0], program_.types.value(indices[0], i));
        if (!by_player || alone)
            glyphs.push_back(glyph);
        else if (program_.players.size() > 2)
            glyphs.push_back(letter + glyph);
        else
            glyphs.push_back(i == 0 ? letter : std::string(1, static_cast<char>(std::tolower(letter.front()))));
    }
    return glyphs;
}

// A lone set is drawn as a block.
std::string Finder::mark_glyph(const std::string& name, bool alone) {
    std::string signs = alone ? "#" : "";
    for (const char c : name) signs += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char sign : signs + "#*+%&@")
        if (sign != '_' && !used_.contains(std::string(1, sign))) return std::string(1, sign);
    return "#";
}

void Finder::name_pieces(const std::vector<ir::StateId>& pieces) {
    for (const ir::StateId id : pieces) {
        found_.pieces.push_back({id, piece_glyphs(id, pieces.size() == 1)});
        for (const std::string& glyph : found_.pieces.back().glyphs) used_.insert(glyph);
    }
}

Standing Finder::all() {
    const bool told = any([&](const ir::StateVariable& s) { return says_all(s); });
    const bool owned = any([&](const ir::StateVariable& s) { return is_piece(s) && !s.indices.empty(); });
    const bool bare = maps_.empty() || (owned && !told);
    std::vector<ir::StateId> pieces, marks;
    for (std::size_t i = 0; i < program_.states.size(); ++i) {
        const auto id = static_cast<ir::StateId>(i);
        if (is_pile(state(id))) found_.piles.push_back(id);
        if (bare && is_piece(state(id))) pieces.push_back(id);
        if (bare && is_mark(state(id))) marks.push_back(id);
    }
    for (const ir::StateId id : found_.piles)
        for (std::uint64_t i = 0; i < program_.types.cardinality(state(id).value); ++i)
            used_.insert(ir::glyph_text(program_, state(id).value, program_.types.value(state(id).value, i)));
    name_pieces(pieces);
    for (const ir::StateId id : marks) {
        found_.marks.push_back({id, mark_glyph(state(id).name, marks.size() == 1)});
        used_.insert(found_.marks.back().glyph);
    }
    return std::move(found_);
}

} // namespace

std::vector<ir::StateId> Standing::states() const {
    std::vector<ir::StateId> all;
    for (const StandingMark& mark : marks) all.push_back(mark.state);
    all.insert(all.end(), piles.begin(), piles.end());
    for (const StandingPiece& piece : pieces) all.push_back(piece.state);
    return all;
}

Standing standing_on(const ir::Program& program, ir::BoardId board) { return Finder(program, board).all(); }

std::vector<Thing> things_on(const ir::Program& program, std::span<const std::uint32_t> slots, const Standing& standing,
                             std::size_t site) {
    std::vector<Thing> things;
    const auto value = [&](const ir::StateVariable& state, std::size_t entry) {
        return program.types.value(state.value, slots[state.first_slot + entry]);
    };
    for (std::size_t i = 0; i < standing.marks.size(); ++i)
        if (slots[program.states[standing.marks[i].state].first_slot + site] != 0)
            things.push_back({Thing::Kind::Mark, i, site});
    for (std::size_t i = 0; i < standing.piles.size(); ++i) {
        const ir::StateVariable& state = program.states[standing.piles[i]];
        const std::size_t levels = program.types.cardinality(state.indices[1]);
        for (std::size_t entry = site * levels; entry < (site + 1) * levels; ++entry)
            if (value(state, entry) != ir::none) things.push_back({Thing::Kind::Pile, i, entry});
    }
    for (std::size_t i = 0; i < standing.pieces.size(); ++i)
        for (std::size_t entry = 0; entry < standing.pieces[i].glyphs.size(); ++entry)
            if (value(program.states[standing.pieces[i].state], entry) == static_cast<std::int64_t>(site))
                things.push_back({Thing::Kind::Piece, i, entry});
    return things;
}

} // namespace zug::game
