#include "draw/board/roles.hpp"

#include "draw/board/clocks.hpp"
#include "draw/board/pieces/bare.hpp"
#include "draw/board/pieces/look.hpp"

#include <algorithm>

namespace zug::draw::board {

using ir::TypeKind;

namespace {

constexpr std::uint64_t most_entries = 2000; // of a table

class Casting {
public:
    explicit Casting(const ir::Program& program)
        : program_(program), clocks_(clocks_of(program)), drawn_(program.states.size()) {}

    Roles roles(bool all);

private:
    const ir::StateVariable& state(ir::StateId id) const { return program_.states[id]; }
    TypeKind kind(ir::TypeId type) const { return bare_kind(program_, type); }
    bool is_of(ir::TypeId type, ir::BoardId board) const;
    bool is_on(ir::StateId id, ir::BoardId board) const;
    template <class Test>
    std::vector<ir::StateId> those(Test test) const;
    Layer second_layer(ir::StateId id) const;
    void add_maps(BoardRole& role);
    void add_constants(BoardRole& role);
    void add_columns(BoardRole& role, ir::StateId main);
    void add_standing(BoardRole& role);
    void find_corners(std::vector<BoardRole>& roles) const;
    bool is_track(ir::StateId id) const {
        return std::ranges::find(program_.looks.places, id, &ir::PlaceLook::state) != program_.looks.places.end();
    }
    // Whether the file says how its values are shown beside the boards.
    bool has_look(ir::StateId id) const {
        return std::ranges::any_of(program_.looks.states, [&](const ir::StateLook& look) {
            return look.state == id && (look.shape == ir::Shape::Dice || look.shape == ir::Shape::Cards);
        });
    }
    bool is_table(ir::StateId id) const;
    bool is_tie(ir::StateId id) const;
    bool is_text(ir::StateId id, bool all) const;

    const ir::Program& program_;
    std::vector<bool> clocks_, drawn_;
};

template <class Test>
std::vector<ir::StateId> Casting::those(Test test) const {
    std::vector<ir::StateId> found;
    for (std::size_t i = 0; i < program_.states.size(); ++i)
        if (const auto id = static_cast<ir::StateId>(i); test(id)) found.push_back(id);
    return found;
}

// Whether values of the type are sites of the board.
bool Casting::is_of(ir::TypeId type, ir::BoardId board) const {
    const ir::Type& site = program_.types[bare(program_, type)];
    return site.kind == TypeKind::Site && site.ref == static_cast<std::uint32_t>(board);
}

// Whether it is a map over the sites of the board alone, to single values.
bool Casting::is_on(ir::StateId id, ir::BoardId board) const {
    const auto& indices = state(id).indices;
    return indices.size() == 1 && is_of(indices[0], board) && program_.types.kind(state(id).value) != TypeKind::Set;
}

Layer Casting::second_layer(ir::StateId id) const {
    constexpr std::int64_t most_storeys = 6;
    const ir::Type& type = program_.types[state(id).value];
    if (type.kind == TypeKind::Int && type.hi - type.lo <= most_storeys) return Layer::Storeys;
    return kind(state(id).value) == TypeKind::Player ? Layer::Ground : Layer::Badge;
}

void Casting::add_maps(BoardRole& role) {
    const auto maps =
        those([&](ir::StateId id) { return state(id).assigned && is_on(id, role.board) && !drawn_[index(id)]; });
    if (maps.empty()) return;
    const auto optional = std::ranges::find_if(
        maps, [&](ir::StateId id) { return program_.types.kind(state(id).value) == TypeKind::Optional; });
    const ir::StateId main = optional == maps.end() ? maps.front() : *optional;
    for (const ir::StateId id : maps) {
        drawn_[index(id)] = true;
        if (id != main) role.maps.push_back({id, second_layer(id)});
    }
    add_columns(role, main);
    const bool number = program_.types.kind(state(main).value) == TypeKind::Int;
    const bool stood_on = !role.standing.pieces.empty();
    role.maps.push_back({main, stood_on ? second_layer(main) : number ? Layer::Counts : Layer::Pieces});
}

// Colours of sites; and numbers of sites that have nothing else.
void Casting::add_constants(BoardRole& role) {
    const bool empty = role.maps.empty();
    for (const ir::StateId id : those([&](ir::StateId id) { return !state(id).assigned && is_on(id, role.board); })) {
        if (is_colours(program_, state(id).value)) role.maps.push_back({id, Layer::Ground});
        if (empty && kind(state(id).value) == TypeKind::Int) role.maps.push_back({id, Layer::Badge});
    }
}

void Casting::add_columns(BoardRole& role, ir::StateId main) {
    for (const ir::StateId id : those([&](ir::StateId id) {
             const auto& indices = state(id).indices;
             return indices.size() == 2 && indices[0] == state(main).indices[0] && kind(indices[1]) == TypeKind::Int &&
                    state(id).value == state(main).value;
         })) {
        role.maps.push_back({id, Layer::Column});
        drawn_[index(id)] = true;
    }
}

void Casting::add_standing(BoardRole& role) {
    role.standing = game::standing_on(program_, role.board);
    for (const ir::StateId id : role.standing.states()) drawn_[index(id)] = true;
}

void Casting::find_corners(std::vector<BoardRole>& roles) const {
    const auto is_full_grid = [&](ir::BoardId id) {
        const ir::Board& board = program_.boards[id];
        const auto area = static_cast<std::size_t>(board.width) * static_cast<std::size_t>(board.height);
        return board.shape == ir::BoardShape::Grid && board.sites.size() == area;
    };
    for (BoardRole& role : roles)
        for (const BoardRole& other : roles) {
            const ir::Board &small = program_.boards[role.board], &large = program_.boards[other.board];
            if (is_full_grid(role.board) && is_full_grid(other.board) && small.width + 1 == large.width &&
                small.height + 1 == large.height)
                role.corners_of = other.board;
        }
}

bool Casting::is_table(ir::StateId id) const {
    const ir::StateVariable& s = state(id);
    if (!s.assigned || s.local || s.indices.size() != 2 || has_look(id) ||
        program_.types.kind(s.value) == TypeKind::Set)
        return false;
    std::uint64_t entries = 1;
    for (const ir::TypeId type : s.indices) {
        if (kind(type) == TypeKind::Site || kind(type) == TypeKind::Dir) return false;
        entries *= std::min(program_.types.cardinality(type), most_entries + 1);
    }
    return entries > 0 && entries <= most_entries;
}

bool Casting::is_tie(ir::StateId id) const {
    constexpr std::uint64_t most = 24;
    const auto& indices = state(id).indices;
    return is_table(id) && indices[0] == indices[1] && kind(indices[0]) != TypeKind::Player &&
           kind(state(id).value) == TypeKind::Player && program_.types.cardinality(indices[0]) <= most;
}

bool Casting::is_text(ir::StateId id, bool all) const {
    const ir::StateVariable& s = state(id);
    if (!s.assigned || drawn_[index(id)] || is_track(id) || is_table(id)) return false;
    if (all || has_look(id)) return true;
    const bool set = program_.types.kind(s.value) == TypeKind::Set;
    const TypeKind value = kind(set ? program_.types.inner(s.value) : s.value);
    if (value == TypeKind::Bool || value == TypeKind::Site || clocks_[index(id)]) return false;
    if (value == TypeKind::Dir && s.indices.empty()) return false; // of a move, as a rule
    return std::ranges::none_of(s.indices, [&](ir::TypeId type) { return kind(type) == TypeKind::Site; });
}

Roles Casting::roles(bool all) {
    Roles roles;
    for (std::size_t i = 0; i < program_.boards.size(); ++i) {
        BoardRole role{.board = static_cast<ir::BoardId>(i), .maps = {}, .standing = {}};
        add_standing(role);
        add_maps(role);
        add_constants(role);
        std::ranges::stable_sort(
            role.maps, {}, [](const BoardMap& map) { return map.layer == Layer::Column ? Layer::Pieces : map.layer; });
        if (!role.maps.empty() || !role.standing.empty()) roles.boards.push_back(std::move(role));
    }
    find_corners(roles.boards);
    roles.tables = those([&](ir::StateId id) { return is_table(id) && !is_tie(id); });
    roles.ties = those([&](ir::StateId id) { return is_tie(id); });
    roles.texts = those([&](ir::StateId id) { return is_text(id, all); });
    return roles;
}

} // namespace

Roles roles_of(const ir::Program& program, bool all) { return Casting(program).roles(all); }

std::vector<bool> internal_states(const ir::Program& program) {
    const std::vector<bool> clocks = clocks_of(program, Towards::Ends);
    std::vector<bool> internal(program.states.size());
    for (const ir::StateId id : roles_of(program, true).texts) internal[index(id)] = true;
    for (const ir::StateId id : roles_of(program, false).texts)
        internal[index(id)] = program.states[id].indices.empty() && clocks[index(id)];
    return internal;
}

} // namespace zug::draw::board
