#include "draw/board/panel.hpp"

#include "draw/board/pieces/bare.hpp"
#include "draw/board/pieces/pieces.hpp"
#include "game/faces.hpp"
#include "game/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace zug::draw::board {

using ir::TypeKind;

namespace {

constexpr std::size_t most_chips = 64;
constexpr double text_size = 14, line_height = 26, inset = 14, icon_size = 24, gap = 14;

// A look that says more than the words for it.
std::optional<Look> icon_for(const View& view, ir::TypeId type, std::int64_t value) {
    if (value == ir::none) return std::nullopt;
    const TypeKind kind = bare_kind(view.program(), type);
    if (kind != TypeKind::Player && kind != TypeKind::Tuple && kind != TypeKind::Enum) return std::nullopt;
    const Look look = view.looks().of(type, value);
    if (look.form == Form::Lettered || look.form == Form::Text || look.form == Form::None) return std::nullopt;
    return look;
}

Chip chip_for(const View& view, ir::TypeId type, std::int64_t value) {
    return {.icon = icon_for(view, type, value),
            .text = value == ir::none ? "–" : view.words(type, value),
            .card = value != ir::none && view.is_card(type)};
}

// Whether the variable holds dice, by its `look` or its name: the numbers that they show, or how many show each number.
bool is_dice(const View& view, ir::StateId id) {
    const ir::StateVariable& state = view.state(id);
    if (const auto shape = view.looks().shape_of(id)) return *shape == ir::Shape::Dice;
    if (state.name != "die" && state.name != "dice") return false;
    const ir::TypeId type = state.indices.empty() ? state.value : state.indices.back();
    const ir::Type& number = view.program().types[type];
    return state.indices.size() <= 1 && number.kind == TypeKind::Int && number.lo >= 0 && number.hi <= 6 &&
           view.program().types.kind(state.value) == TypeKind::Int;
}

std::vector<Chip> dice_chips(const View& view, ir::StateId id) {
    std::vector<Chip> chips;
    const ir::StateVariable& state = view.state(id);
    const auto add = [&](std::int64_t face) {
        const bool has_pips = face <= 6;
        chips.push_back({.die = has_pips ? static_cast<int>(face) : -1, .text = has_pips ? "" : std::to_string(face)});
    };
    if (state.indices.empty()) {
        if (const std::int64_t face = view.value(id, 0); face > 0) add(face);
        return chips;
    }
    const ir::TypeTable& types = view.program().types;
    const std::uint64_t entries = game::entry_count(view.program(), state);
    const bool counted = state.indices.size() == 1 && types[state.indices[0]].kind == TypeKind::Int &&
                         types[bare(view.program(), state.value)].lo == 0;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::int64_t value = view.value(id, i);
        const std::int64_t face = counted ? types.value(state.indices[0], i) : value;
        for (std::int64_t n = counted ? value : 1; n > 0 && value > 0 && chips.size() < most_chips; --n) add(face);
    }
    return chips;
}

std::vector<Chip> set_chips(const View& view, ir::StateId id, std::uint64_t entry) {
    std::vector<Chip> chips;
    const ir::TypeId element = view.program().types.inner(view.state(id).value);
    for (const std::int64_t member : view.members(id, entry)) {
        chips.push_back(chip_for(view, element, member));
        chips.back().card |= !chips.back().icon;
    }
    if (chips.size() > most_chips) chips.resize(most_chips);
    if (chips.empty()) chips.push_back({.text = "–"});
    return chips;
}

// Whether a value is so ordinary that a long list is better without it.
bool is_nothing(const View& view, ir::StateId id, std::int64_t value) {
    const TypeKind kind = view.program().types.kind(view.state(id).value);
    return value == ir::none || ((kind == TypeKind::Int || kind == TypeKind::Bool) && value == 0);
}

std::vector<Chip> map_chips(const View& view, ir::StateId id, bool all) {
    constexpr std::uint64_t few = 6;
    std::vector<Chip> chips;
    const ir::StateVariable& state = view.state(id);
    const std::uint64_t count = game::entry_count(view.program(), state);
    const bool of_players =
        state.indices.size() == 1 && bare_kind(view.program(), state.indices[0]) == TypeKind::Player;
    const std::uint64_t shown_whole = all || of_players ? most_chips : few;
    for (std::uint64_t i = 0; i < count && chips.size() < most_chips; ++i) {
        const std::int64_t value = view.value(id, i);
        if (is_nothing(view, id, value) && count > shown_whole) continue;
        Chip chip{.text = game::index_text(view.program(), state, i)};
        if (state.indices.size() == 1) {
            const std::int64_t key = view.program().types.value(state.indices[0], i);
            chip = chip_for(view, state.indices[0], key);
        }
        const std::string words = view.words(state.value, value);
        // An owner is shown by their colour alone.
        const bool owned =
            !chip.icon && bare_kind(view.program(), state.value) == TypeKind::Player && value != ir::none;
        if (!owned) chip.text += (chip.icon ? " " : ": ") + (words.empty() ? "–" : words);
        if (!chip.icon) chip.icon = icon_for(view, state.value, value);
        chips.push_back(std::move(chip));
    }
    if (chips.empty()) chips.push_back({.text = "–"});
    return chips;
}

// A text with as much of it as fits.
std::string fitted(const std::string& text, double width) {
    if (text_width(text, text_size) <= width) return text;
    std::string part;
    for (const std::string& character : game::characters(text)) {
        if (text_width(part + character + "…", text_size) > width) break;
        part += character;
    }
    return part + "…";
}

std::string label_of(const ir::StateVariable& state) {
    std::string label = state.name;
    std::ranges::replace(label, '_', ' ');
    return label;
}

double width_of(const Chip& chip) {
    if (chip.die >= 0) return icon_size;
    const double width = (chip.icon ? icon_size + 4 : 0) + text_width(chip.text, text_size);
    return chip.card ? std::max(width + 10, 26.0) : width;
}

void paint_chip(Canvas& canvas, const Theme& theme, const Chip& chip, Point at) {
    const Point middle{at.x + icon_size / 2, at.y};
    if (chip.die >= 0) return draw_die(canvas, chip.die, middle, icon_size);
    if (chip.card)
        canvas.rectangle({at.x, at.y - icon_size / 2, width_of(chip), icon_size, 4},
                         {.fill = theme.paper, .stroke = theme.faint_text, .width = 1});
    if (chip.icon) {
        canvas.rectangle({at.x, at.y - icon_size / 2, icon_size, icon_size, 5}, {.fill = theme.tray});
        draw_look(canvas, *chip.icon, middle, icon_size);
    }
    const double start = at.x + (chip.icon ? icon_size + 4 : 0), end = at.x + width_of(chip);
    canvas.centred_text({chip.card ? (start + end) / 2 : start, at.y},
                        {.size = text_size, .fill = theme.text, .anchor = chip.card ? "middle" : "start"}, chip.text);
}

} // namespace

std::vector<PanelRow> rows_for(const View& view, ir::StateId id, bool all) {
    const ir::Program& program = view.program();
    const ir::StateVariable& state = view.state(id);
    const bool set = program.types.kind(state.value) == TypeKind::Set;
    const std::uint64_t entries = game::entry_count(program, state);
    const bool initial = [&] {
        for (std::uint64_t slot = 0; slot < state.initial.size(); ++slot)
            if (view.slot(id, slot) != state.initial[slot]) return false;
        return true;
    }();
    if (state.local && initial && !all) return {};
    if (is_dice(view, id)) {
        const auto chips = dice_chips(view, id);
        return chips.empty() ? std::vector<PanelRow>() : std::vector<PanelRow>{{label_of(state), chips}};
    }
    std::vector<PanelRow> rows;
    if (set) {
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(entries, 16); ++i) {
            const std::string key = state.indices.empty() ? "" : " " + game::index_text(program, state, i);
            rows.push_back({label_of(state) + key, set_chips(view, id, i)});
        }
    } else if (state.indices.empty()) {
        rows.push_back({label_of(state), {chip_for(view, state.value, view.value(id, 0))}});
    } else {
        rows.push_back({label_of(state), map_chips(view, id, all)});
    }
    if (view.looks().shape_of(id) == ir::Shape::Cards)
        for (PanelRow& row : rows)
            for (Chip& chip : row.chips) chip.card |= !chip.icon && chip.text != "–";
    return rows;
}

double paint_panel(Canvas& canvas, const Theme& theme, std::vector<PanelRow> rows, const PanelPlace& place) {
    // Where each chip goes is known before the background is drawn, which is below them.
    struct Item {
        Point at;
        const Chip* chip;
    };
    constexpr double most_label = 150;
    std::vector<Item> items;
    std::vector<Point> labels;
    double widest = 0, y = place.top + inset + icon_size / 2;
    for (PanelRow& row : rows) {
        row.label = fitted(row.label, most_label);
        widest = std::max(widest, text_width(row.label, text_size));
    }
    const double start = place.left + inset + widest + gap, end = place.right - inset;
    for (PanelRow& row : rows) {
        labels.push_back({place.left + inset, y});
        double x = start;
        for (Chip& chip : row.chips) {
            chip.text = fitted(chip.text, end - start - icon_size - gap);
            if (x > start && x + width_of(chip) > end) {
                x = start;
                y += line_height;
            }
            items.push_back({{x, y}, &chip});
            x += width_of(chip) + (chip.die >= 0 || chip.card ? 4 : gap);
        }
        y += line_height;
    }
    const double bottom = y - line_height + icon_size / 2 + inset;
    canvas.rectangle({place.left, place.top, place.right - place.left, bottom - place.top, 8},
                     {.fill = theme.panel, .stroke = theme.panel_edge, .width = 1});
    for (std::size_t i = 0; i < rows.size(); ++i)
        canvas.centred_text(labels[i], {.size = text_size, .fill = theme.faint_text, .anchor = "start"}, rows[i].label);
    for (const Item& item : items) paint_chip(canvas, theme, *item.chip, item.at);
    return bottom;
}

} // namespace zug::draw::board
