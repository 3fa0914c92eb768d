// Initial values: `= value`, `= v on places, w on others`, and rows of glyphs.

#include "lang/resolve/initial_values.hpp"

#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/shapes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <cctype>

namespace zug::lang {

namespace {

bool is_new_name(std::string_view name) {
    return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0;
}

} // namespace

void InitialValues::allocate() {
    slots_.assign(program_.slot_count, 0);
    builder_.read_initial(slots_);
}

void InitialValues::initial_parts(NodeId init, ir::StateVariable& state) {
    const std::size_t width = kind(state.value) == TypeKind::Set ? types().cardinality(types().inner(state.value)) : 1;
    std::vector<Span> set_by(state.initial.size() / std::max<std::size_t>(width, 1),
                             Span{.file = {}, .begin = 1, .end = 0});
    for (NodeId part : children(init))
        if (valid(part) && node(part).kind == Kind::InitPart) initial_part(part, state, set_by);
}

// New names in the value stand for every value of their type in turn, as `p` does in `p on tip(p)`.
void InitialValues::initial_part(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by) {
    const NodeId value_node = child(part, 0), pattern_node = child(part, 1);
    if (!valid(value_node)) return;
    std::vector<std::pair<NodeId, TypeId>> fresh;
    const TypeId inner = bare(state.value);
    const auto consider = [&](NodeId id, TypeId type) {
        if (!valid(id) || node(id).kind != Kind::Name || !is_new_name(node(id).text)) return;
        // One that is written like a site is meant to be one, though the board has none there.
        if (kind(bare(type)) == TypeKind::Site && site_coordinates(node(id).text)) return;
        if (!constants_.is_known_value(node(id).text) && is_scalar(type) && types().cardinality(type) <= 256)
            fresh.emplace_back(id, bare(type));
    };
    consider(value_node, inner);
    if (node(value_node).kind == Kind::Tuple && kind(inner) == TypeKind::Tuple) {
        const std::vector<TypeId> parts = types()[inner].parts;
        const auto items = children(value_node);
        for (std::size_t i = 0; i < std::min(parts.size(), items.size()); ++i) consider(items[i], parts[i]);
    }
    if (fresh.empty() || !valid(pattern_node)) {
        initial_values(part, state, set_by);
        return;
    }
    each_value(fresh, 0, [&] { initial_values(part, state, set_by); });
}

void InitialValues::each_value(const std::vector<std::pair<NodeId, TypeId>>& names, std::size_t i,
                               const std::function<void()>& then) {
    if (i == names.size()) {
        then();
        return;
    }
    const auto [id, type] = names[i];
    for (std::uint64_t k = 0; k < types().cardinality(type); ++k) {
        const Names scope(context_);
        const ExprId constant = builder_.constant(type, types().value(type, k), span(id));
        push_local({.name = node(id).text, .span = span(id), .value = value(constant, span(id)), .warn = false});
        each_value(names, i + 1, then);
    }
}

void InitialValues::initial_values(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by) {
    const Operand found = constants_.expr(child(part, 0));
    const ExprId value = conversions_.convert(found, state.value);
    const std::vector<bool> entries = initial_entries(child(part, 1), state);
    if (!valid(value) || entries.empty()) return;
    if (!builder_.is_constant(value) && !builder_.set(value)) {
        error(Message::NotConstant, found.span);
        return;
    }
    const Span at = span(part);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        if (!entries[entry]) continue;
        if (set_by[entry].begin <= set_by[entry].end) {
            error(Message::InitialOverlap, at, {entry_text(state, entry)},
                  "in `= v on places, w on others` each place is in one part, and `= v` is for all of them");
            return;
        }
        set_by[entry] = at;
        if (!store_initial(state, entry, value, found.span)) return;
    }
}

bool InitialValues::store_initial(ir::StateVariable& state, std::uint64_t entry, ExprId value, Span at) {
    if (kind(state.value) == TypeKind::Set) {
        const Bits bits = *builder_.set(value);
        for (std::size_t i = 0; i < bits.size(); ++i) state.initial[entry * bits.size() + i] = bits.test(i) ? 1 : 0;
        return true;
    }
    const auto ordinal = types().ordinal(state.value, builder_.scalar(value).value_or(0));
    if (!ordinal) {
        error(Message::OutOfRange, at,
              {ir::value_text(program_, builder_.type(value), builder_.scalar(value).value_or(0)), state.name,
               type_text(state.value)});
        return false;
    }
    state.initial[entry] = static_cast<std::uint32_t>(*ordinal);
    return true;
}

std::string InitialValues::entry_text(const ir::StateVariable& state, std::uint64_t entry) const {
    if (state.indices.empty()) return state.name;
    std::string text;
    for (std::size_t i = state.indices.size(); i-- > 0;) {
        const std::uint64_t size = program_.types.cardinality(state.indices[i]);
        const std::string index =
            ir::value_text(program_, state.indices[i], program_.types.value(state.indices[i], entry % size));
        text = text.empty() ? index : index + ", " + text;
        entry /= size;
    }
    return state.name + "[" + text + "]";
}

// For each entry of the map, whether a pattern over the indices names it; all of them without a pattern. Empty: an
// error has been reported.
std::vector<bool> InitialValues::initial_entries(NodeId pattern, const ir::StateVariable& state) {
    std::uint64_t count = 1;
    for (TypeId index : state.indices) count *= types().cardinality(index);
    if (!valid(pattern)) return std::vector<bool>(count, true);
    if (state.indices.empty()) {
        error(Message::PlacesWithoutIndex, span(pattern), {state.name});
        return {};
    }
    std::vector<NodeId> parts{pattern};
    if (state.indices.size() > 1) {
        if (const auto listed = listed_places(pattern); !listed.empty()) return any_entries(listed, state);
        if (node(pattern).kind != Kind::Tuple) return tuple_entries(pattern, state);
        const auto items = children(pattern);
        if (items.size() != state.indices.size()) {
            error(Message::IndexCount, span(pattern),
                  {state.name, std::to_string(state.indices.size()), std::to_string(items.size())});
            return {};
        }
        parts.assign(items.begin(), items.end());
    }
    std::vector<bool> result{true};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = constant_indices(parts[i], state.indices[i]);
        if (!part) return {};
        std::vector<bool> product;
        for (bool left : result)
            for (std::size_t k = 0; k < part->size(); ++k) product.push_back(left && part->test(k));
        result = std::move(product);
    }
    return result;
}

// Of a map with several indices: the places that are written as tuples in braces, or joined by `|`; otherwise nothing.
std::vector<NodeId> InitialValues::listed_places(NodeId places) const {
    const auto parts = children(places);
    const auto is_tuple = [&](NodeId part) { return valid(part) && node(part).kind == Kind::Tuple; };
    const bool listed = node(places).kind == Kind::SetLiteral && std::ranges::all_of(parts, is_tuple);
    const bool joined = node(places).kind == Kind::Binary && node(places).text == "|";
    return listed || joined ? std::vector<NodeId>(parts.begin(), parts.end()) : std::vector<NodeId>{};
}

std::vector<bool> InitialValues::any_entries(const std::vector<NodeId>& places, const ir::StateVariable& state) {
    std::vector<bool> result;
    for (const NodeId one : places) {
        const std::vector<bool> entries = valid(one) ? initial_entries(one, state) : std::vector<bool>{};
        if (entries.empty()) return {};
        result.resize(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) result[i] = result[i] || entries[i];
    }
    return result;
}

// Of a map with several indices: places that are a set of tuples, as in `{(White, a1), (Black, h8)}`.
std::vector<bool> InitialValues::tuple_entries(NodeId places, const ir::StateVariable& state) {
    const Operand found = constants_.expr(places);
    if (!found.ok()) return {};
    const TypeId element = kind(found.type) == TypeKind::Set ? types().inner(found.type) : found.type;
    const std::size_t parts = kind(element) == TypeKind::Tuple ? types()[element].parts.size() : 1;
    if (kind(element) != TypeKind::None && parts != state.indices.size()) {
        error(Message::IndexCount, span(places),
              {state.name, std::to_string(state.indices.size()), std::to_string(parts)});
        return {};
    }
    const TypeId tuple = types().tuple(state.indices);
    const TypeId set = set_type(tuple, span(places));
    const ExprId members = valid(set) ? conversions_.convert(found, set) : none_id<ExprId>;
    if (!valid(members)) return {};
    const auto bits = builder_.set(members);
    if (!bits) {
        error(Message::NotConstant, span(places));
        return {};
    }
    if (const auto given = builder_.set(conversions_.as_set(found)); given && given->count() != bits->count()) {
        error(Message::IndexOutside, span(places), {found_text(found), type_text(tuple)});
        return {};
    }
    std::uint64_t count = 1;
    for (TypeId index : state.indices) count *= types().cardinality(index);
    std::vector<bool> result(count);
    for_each_bit(*bits, [&](std::size_t i) {
        std::uint64_t entry = 0;
        for (std::size_t k = 0; k < state.indices.size(); ++k) {
            const TypeId index = state.indices[k];
            const std::int64_t part = types().project(tuple, types().value(tuple, i), k);
            entry = entry * types().cardinality(index) + *types().ordinal(index, part);
        }
        result[entry] = true;
    });
    return result;
}

std::optional<Bits> InitialValues::constant_indices(NodeId id, TypeId index) {
    if (is_name(id, "_")) return Bits::full(types().cardinality(index));
    const Operand found = constants_.expr(id);
    if (!found.ok()) return {};
    if (kind(found.type) != TypeKind::Set) { // the index type may have more values than a set type can
        const ExprId element = conversions_.convert(found, types().optional(index));
        if (!valid(element)) return {};
        const auto scalar = builder_.scalar(element);
        if (!scalar) {
            error(Message::NotConstant, span(id));
            return {};
        }
        const auto ordinal = *scalar == ir::none ? std::nullopt : types().ordinal(index, *scalar);
        if (!ordinal) error(Message::IndexOutside, span(id), {found_text(found), type_text(index)});
        if (!ordinal) return {};
        Bits bits(types().cardinality(index));
        bits.set(*ordinal);
        return bits;
    }
    const ExprId set = conversions_.convert(found, types().set(index));
    if (!valid(set)) return {};
    const auto bits = builder_.set(set);
    if (!bits) error(Message::NotConstant, span(id));
    return bits;
}

void InitialValues::check_initial(Declaration& d) {
    if (d.number == UINT32_MAX) return;
    const InTree scope(context_, d.tree);
    const auto id = static_cast<ir::StateId>(d.number);
    ir::StateVariable& state = program_.states[id];
    const NodeId init = child(d.node, 2);
    if (valid(init)) {
        if (node(init).kind == Kind::InitRows) {
            initial_rows(init, state);
        } else if (node(init).kind == Kind::Init) {
            initial_parts(init, state);
        }
    }
    std::copy(state.initial.begin(), state.initial.end(), slots_.begin() + state.first_slot);
    if (context_.damaged || symbols_.assigned_names().contains(d.name)) return; // what is lost may assign it
    if (!valid(init)) warn(Message::NeverAssigned, d.span, {d.name});
    builder_.constant_state(id);
}

} // namespace zug::lang
