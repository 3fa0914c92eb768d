// Glyphs.
//
// A value without a glyph of its own is shown as a letter. A player or a member of an enumeration has the first letter
// of its name; where several names begin alike, the shortest has it, and the others have the first letter of theirs
// that is still free (Knight is N beside King). A pair (player, kind), with two players, has the letter of the kind,
// upper case for the first player, lower case for the second. A letter that the files give to something else is not
// free.

#include "lang/presentation/glyphs.hpp"

#include "base/colours.hpp"
#include "ir/glyphs.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/patterns.hpp"
#include "lang/presentation/inherited.hpp"
#include "lang/resolve/assembly.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::lang {

namespace {

// Of more values or glyphs none is compared, which bounds the time.
constexpr std::uint64_t most_compared = 256, most_glyphs = 1024;

std::string capital(char c) { return {static_cast<char>(std::toupper(static_cast<unsigned char>(c)))}; }

} // namespace

void Glyphs::check_glyphs() {
    for (const auto& item : assembly_.own_first(Kind::Glyph)) {
        check_presentation(context_, assembly_, item, [&](NodeId id) { check_glyph(id); });
        given_.resize(program_.glyphs.size()); // those of an item that does not fit have been taken back
    }
    std::vector<TypeId> lettered, checked;
    for (const auto& state : program_.states) {
        find_lettered(state.value, lettered);
        for (const TypeId type : state.indices) find_lettered(type, lettered);
    }
    for (TypeId type : lettered)
        if (!subsets_.contains(type)) default_letters(type);
    for (TypeId type : lettered)
        if (subsets_.contains(type)) copy_glyphs(type);
    for (const auto& state : program_.states) {
        if (!is_scalar(state.value) || std::ranges::find(checked, state.value) != checked.end()) continue;
        checked.push_back(state.value);
        check_distinct(state.value);
    }
    checked.clear();
    for (const auto& state : program_.states) {
        const bool board = state.indices.size() == 1 && kind(state.indices.front()) == TypeKind::Site;
        if (!board || !is_scalar(state.value) || std::ranges::find(checked, state.value) != checked.end()) continue;
        checked.push_back(state.value);
        check_readable(state.value);
    }
}

// Adds the types of players and members that values of a type are made of.
void Glyphs::find_lettered(TypeId type, std::vector<TypeId>& found) const {
    const TypeKind k = kind(type);
    if (k == TypeKind::Optional || k == TypeKind::Tuple)
        for (const TypeId part : program_.types[type].parts) find_lettered(part, found);
    if (subsets_.contains(type) && k != TypeKind::Optional) find_lettered(subsets_.wider(type), found);
    if ((k == TypeKind::Player || k == TypeKind::Enum) && std::ranges::find(found, type) == found.end())
        found.push_back(type);
}

// The values of a sub-type look as they do in the wider one.
void Glyphs::copy_glyphs(TypeId subset) {
    const TypeId wide = subsets_.wider(subset);
    for (std::uint64_t i = 0; i < types().cardinality(subset); ++i) {
        const auto value = static_cast<std::int64_t>(i);
        const auto of = builder_.scalar(subsets_.widened(builder_.constant(subset, value, {}), {}).expr);
        const auto glyph = std::ranges::find_if(
            program_.glyphs, [&](const ir::Glyph& g) { return g.type == wide && g.value == of.value_or(ir::none); });
        if (glyph == program_.glyphs.end()) continue;
        ir::Glyph copy = *glyph;
        copy.type = subset;
        copy.value = value;
        program_.glyphs.push_back(std::move(copy));
    }
}

// The value is one of a state variable, or a player or member that is part of such a value.
void Glyphs::check_glyph(NodeId id) {
    std::vector<TypeId> candidates;
    for (const auto& state : program_.states)
        if (is_scalar(state.value)) candidates.push_back(state.value);
    const NodeId pattern_node = child(id, 0);
    if (!valid(pattern_node)) return;
    const bool structured = node(pattern_node).kind == Kind::Tuple || is_name(pattern_node, "none");
    if (structured) {
        for (TypeId type : candidates) {
            const TypeId inner = bare(type);
            if (is_name(pattern_node, "none")
                    ? kind(type) == TypeKind::Optional
                    : kind(inner) == TypeKind::Tuple && types()[inner].parts.size() == children(pattern_node).size()) {
                glyph_for(id, type);
                return;
            }
        }
        if (!symbols_.lacks_state()) error(Message::GlyphValue, span(pattern_node));
        return;
    }
    const Operand found = expressions_.expr(pattern_node);
    if (!found.ok()) return;
    const auto constant = valid(found.expr) ? builder_.scalar(found.expr) : std::nullopt;
    if (!constant) {
        error(Message::NotConstant, span(pattern_node));
        return;
    }
    if (kind(bare(found.type)) == TypeKind::Int) return add_number_glyph(id, *constant);
    add_glyph(id, bare(found.type), *constant);
}

// Adds the types of numbers that values of a type are, or are made of.
void Glyphs::find_numbers(TypeId type, std::vector<TypeId>& found) const {
    const TypeKind k = kind(type);
    if (k == TypeKind::Optional || k == TypeKind::Tuple || k == TypeKind::Set)
        for (const TypeId part : program_.types[type].parts) find_numbers(part, found);
    if (k == TypeKind::Int && std::ranges::find(found, type) == found.end()) found.push_back(type);
}

// A number has its glyph in every range that has it.
void Glyphs::add_number_glyph(NodeId id, std::int64_t value) {
    std::vector<TypeId> ranges;
    for (const auto& state : program_.states) find_numbers(state.value, ranges);
    std::erase_if(ranges, [&](TypeId range) { return !types().ordinal(range, value); });
    // With other parameters there may be a range that has it.
    if (ranges.empty() && !symbols_.lacks_state() && !symbols_.has_params())
        error(Message::GlyphValue, span(child(id, 0)));
    for (const TypeId range : ranges) add_glyph(id, range, value);
}

void Glyphs::add_glyph(NodeId id, TypeId type, std::int64_t value) {
    const auto same = [&](const ir::Glyph& glyph) { return glyph.type == type && glyph.value == value; };
    // The glyphs of the file itself come first and replace those of the files it extends.
    if (context_.extended_files.contains(span(id).file) && std::ranges::any_of(program_.glyphs, same)) return;
    const NodeId colour = child(id, 1);
    if (valid(colour) && std::ranges::find(colours, node(colour).text, &Colour::name) == colours.end()) {
        std::vector<std::string> names;
        for (const Colour& known : colours) names.emplace_back(known.name);
        error(Message::UnknownColour, span(colour), {node(colour).text, fmt::format("{}", fmt::join(names, ", "))},
              symbols_.suggestion(node(colour).text, names));
    }
    program_.glyphs.push_back(
        {.type = type, .value = value, .text = node(id).text, .colour = valid(colour) ? node(colour).text : ""});
    given_.push_back(span(id));
}

// Where the files give a value its glyph; null: they don't. One that they give `none` is that of every `none`.
const Span* Glyphs::given(TypeId type, std::int64_t value) const {
    for (std::size_t i = 0; i < given_.size(); ++i) {
        const ir::Glyph& glyph = program_.glyphs[i];
        if (glyph.value == value && (value == ir::none || glyph.type == bare(type))) return &given_[i];
    }
    return nullptr;
}

// Where the files give a value, or a part of the tuple, its glyph; null: they don't.
const Span* Glyphs::origin(TypeId type, std::int64_t value) const {
    if (const Span* own = given(type, value); own != nullptr || kind(bare(type)) != TypeKind::Tuple) return own;
    const auto& parts = program_.types[bare(type)].parts;
    for (std::size_t i = parts.size(); i-- > 0;)
        if (const Span* of_part = origin(parts[i], program_.types.project(bare(type), value, i))) return of_part;
    return nullptr;
}

// Whether the value, or a part of the tuple, is shown as the text of a number or a site. Rows can't be made of these,
// which is no fault of the glyphs that the files give.
bool Glyphs::written_out(TypeId type, std::int64_t value) const {
    type = bare(type);
    if (given(type, value) != nullptr) return false;
    if (kind(type) != TypeKind::Tuple) return kind(type) == TypeKind::Int || kind(type) == TypeKind::Site;
    const auto& parts = program_.types[type].parts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (written_out(parts[i], program_.types.project(type, value, i))) return true;
    return false;
}

// Adds a glyph for each value that the pattern matches.
void Glyphs::glyph_for(NodeId id, TypeId type) {
    const Pattern wanted = patterns_.pattern(child(id, 0), type, false, true);
    if (wanted.shape == Pattern::Shape::Wrong) return;
    constexpr std::uint64_t most = 4096;
    if (types().cardinality(type) > most) {
        error(Message::GlyphValue, span(id));
        return;
    }
    for (std::uint64_t i = 0; i < types().cardinality(type); ++i) {
        const std::int64_t value = types().value(type, i);
        if (patterns_.covers(wanted, type, value)) add_glyph(id, value == ir::none ? type : bare(type), value);
    }
}

// The letters that the files have given away, each with the value that may have it all the same, or none: the member of
// the tuples that have the letter as a glyph of their own.
std::map<std::string, std::int64_t> Glyphs::taken_letters(TypeId type) const {
    std::map<std::string, std::int64_t> taken;
    const auto note = [&](const ir::Glyph& glyph, std::int64_t value) {
        const auto [at, fresh] = taken.emplace(capital(glyph.text[0]), value);
        if (!fresh && at->second != value) at->second = ir::none;
    };
    for (const auto& glyph : program_.glyphs) {
        if (glyph.text.size() != 1) continue;
        if (glyph.type == type || glyph.value == ir::none) {
            note(glyph, ir::none);
        } else if (kind(glyph.type) == TypeKind::Tuple) {
            const auto& parts = program_.types[glyph.type].parts;
            for (std::size_t i = 0; i < parts.size(); ++i)
                if (parts[i] == type) note(glyph, program_.types.project(glyph.type, glyph.value, i));
        }
    }
    return taken;
}

void Glyphs::default_letters(TypeId type) {
    const std::vector<std::string>& names =
        kind(type) == TypeKind::Player ? program_.players : program_.enums[static_cast<ir::EnumId>(types()[type].ref)];
    auto taken = taken_letters(type);
    std::vector<std::string> letters(names.size());
    const auto take = [&](std::size_t i, char c) {
        if (!letters[i].empty() || std::isalpha(static_cast<unsigned char>(c)) == 0) return;
        const auto [at, fresh] = taken.emplace(capital(c), ir::none);
        if (!fresh && at->second != static_cast<std::int64_t>(i)) return;
        at->second = ir::none;
        letters[i] = at->first;
    };
    std::vector<std::size_t> lacking;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (given(type, static_cast<std::int64_t>(i)) == nullptr) lacking.push_back(i);
    std::vector<std::size_t> by_length = lacking;
    std::ranges::stable_sort(by_length, {}, [&](std::size_t i) { return names[i].size(); });
    for (const std::size_t i : by_length) take(i, names[i][0]);
    for (const std::size_t i : lacking) {
        for (const char c : names[i]) take(i, c);
        for (char c = 'A'; c <= 'Z'; ++c) take(i, c);
        program_.glyphs.push_back({.type = type,
                                   .value = static_cast<std::int64_t>(i),
                                   .text = letters[i].empty() ? "?" : letters[i],
                                   .colour = ""});
    }
}

// Where rows could be made of the glyphs of a board's values, but could not be read again, since one glyph begins with
// another, reports these two.
void Glyphs::check_readable(TypeId type) {
    const std::uint64_t count = types().cardinality(type);
    if (given_.empty() || count > most_compared || program_.glyphs.size() > most_glyphs) return;
    std::vector<std::int64_t> values;
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::int64_t value = types().value(type, i);
        if (value == ir::none) continue;
        values.push_back(value);
        texts.push_back(ir::glyph_text(program_, type, value));
        if (!ir::fits_row(texts.back())) return;
    }
    const auto found = ir::ambiguous_glyphs(texts);
    if (!found || texts[found->first] == texts[found->second]) return;
    if (written_out(type, values[found->first]) || written_out(type, values[found->second])) return;
    const Span* at = origin(type, values[found->second]);
    if (at == nullptr) at = origin(type, values[found->first]);
    if (at == nullptr) return;
    error(Message::GlyphBegins, *at,
          {texts[found->second], ir::value_text(program_, type, values[found->second]), texts[found->first],
           ir::value_text(program_, type, values[found->first])},
          "rows of glyphs can be read only if none begins with another one");
}

// Warns of a glyph of the files that another value has without being given it.
void Glyphs::check_distinct(TypeId type) {
    const std::uint64_t count = types().cardinality(type);
    if (given_.empty() || count > most_compared || program_.glyphs.size() > most_glyphs) return;
    std::map<std::string, std::int64_t> taken;
    for (const bool of_files : {true, false})
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::int64_t value = types().value(type, i);
            if ((given(type, value) != nullptr) != of_files) continue;
            const std::string text = ir::glyph_text(program_, type, value);
            if (of_files) {
                taken.emplace(text, value);
            } else if (const auto other = taken.find(text); other != taken.end()) {
                const std::string name = ir::value_text(program_, type, value);
                warn(Message::GlyphTwice, *given(type, other->second),
                     {text, ir::value_text(program_, type, other->second), name},
                     fmt::format("`glyph {} \"...\"` gives that another", name));
            }
        }
}

} // namespace zug::lang
