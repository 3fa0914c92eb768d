#include "bytecode/disassembly/disassembler_names.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace zug::run {
namespace {

constexpr std::size_t most_drawn = 8; // members of a set

bool contains_bit(std::span<const std::uint64_t> words, std::size_t bit) {
    return bit / 64 < words.size() && (words[bit / 64] >> (bit % 64) & 1) != 0;
}

std::string members_text(const std::vector<std::string>& members) {
    if (members.size() <= most_drawn) return fmt::format("{{{}}}", fmt::join(members, ", "));
    const std::span first(members.data(), most_drawn / 2);
    return fmt::format("{{{}, ... {} members}}", fmt::join(first, ", "), members.size());
}

// "row 1", "rows 1-3", if the sites are just the whole of some neighbouring rows (or columns).
template <class Line>
std::string lines_text(const ir::Board& board, const std::vector<bool>& in, std::string_view one, Line&& line) {
    std::set<std::int32_t> whole, partly;
    for (std::size_t s = 0; s < board.sites.size(); ++s) (in[s] ? whole : partly).insert(line(board.sites[s]));
    if (whole.empty() || whole.contains(0)) return "";
    for (std::int32_t l : whole)
        if (partly.contains(l)) return "";
    const std::int32_t first = *whole.begin(), last = *whole.rbegin();
    if (static_cast<std::size_t>(last - first) + 1 != whole.size()) return "";
    return first == last ? fmt::format("{} {}", one, first) : fmt::format("{}s {}-{}", one, first, last);
}

std::string rows_or_columns(const ir::Board& board, const std::vector<bool>& in) {
    const std::string rows = lines_text(board, in, "row", [](const ir::Site& s) { return s.y; });
    return !rows.empty() ? rows : lines_text(board, in, "column", [](const ir::Site& s) { return s.x; });
}

} // namespace

RegisterNames::RegisterNames(const Compiled& compiled) : compiled_(compiled), program_(*compiled.program) {
    for (const auto& [reg, word] : compiled.code.constants) constants_.emplace(reg, word);
    state();
    add(compiled.code.turned_reg, 1, "turned", "no turn effect yet in this move 0, again 1, next 2", true);
    for (std::size_t r = 0; r < compiled.rules.size(); ++r) {
        const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(r)];
        for (std::size_t p = 0; p < rule.params.size(); ++p)
            add(compiled.rules[r].params[p], 1, fmt::format("{}.{}", rule.name, program_.vars[rule.params[p]].name),
                "parameter", true);
    }
    for (const CanCode& code : compiled.can)
        for (std::size_t k = 0; k < code.given.size(); ++k)
            add(code.given[k], 1, fmt::format("given.{}", k + 1), "parameter of a question", true);
    if (compiled.play.entries.empty()) return;
    add(compiled.play.random, 4, "random", "the generator", false);
    add(compiled.play.left, 1, "left", "plies that may still be played", true);
    add(compiled.play.drawn, 2, "drawn", "number and member of the set of moves drawn from", false);
    add(narrow<Reg>(compiled.play.drawn + 1), 1, "member", "the second of these", true);
    add(compiled.play.games, 1, "games", "games that may follow this one", true);
    add(compiled.play.begun, 1, "begun", "what was left of the plies when this game began", true);
    for (std::uint32_t tally = 0; tally < compiled.play.tallies; ++tally)
        add(narrow<Reg>(compiled.play.tally + tally), 1, fmt::format("tally.{}", tally + 1),
            "counts the games after which another has begun down, by who moved last and the end clause", true);
    if (compiled.play.restarts)
        add(compiled.play.start, compiled.layout->state_words(), "start", "the state that the next game begins in",
            false);
    add(compiled.play.before, compiled.layout->state_words(), "before", "the state before the move", false);
}

void RegisterNames::add(Reg reg, std::uint32_t words, std::string name, std::string about, bool scalar) {
    names_.emplace(reg, name);
    if (scalar) scalars_.emplace(reg, true);
    frame_.push_back({reg, words, std::move(name), std::move(about)});
}

void RegisterNames::state() {
    names_.emplace(Reg{0}, "state"); // as a whole; its first word is never a variable's
    const StateLayout& layout = *compiled_.layout;
    add(layout.turn(), 1, "turn", "the player to move", true);
    if (program_.keeps_last) add(layout.last(), 1, "last", "the player who moved last", true);
    for (std::size_t s = 0; s < program_.states.size(); ++s)
        if (program_.states[static_cast<ir::StateId>(s)].assigned) variable(static_cast<ir::StateId>(s));
    std::ranges::stable_sort(frame_, {}, &Disassembly::Part::reg);
}

void RegisterNames::variable(ir::StateId id) {
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = compiled_.layout->variable(id);
    switch (at.storage) {
    case Storage::Word: return add(at.reg, at.words, variable.name, "a word", true);
    case Storage::Set: return add(at.reg, at.words, variable.name, "a set", false);
    case Storage::Words:
        return add(at.reg, at.words, variable.name, fmt::format("a word for each of {} entries", at.slots), false);
    case Storage::Bytes:
        return add(at.reg, at.words, variable.name, fmt::format("a byte for each of {} entries", at.slots), false);
    case Storage::Sets:
        return add(at.reg, at.words, variable.name, fmt::format("a set for each of {} entries", at.slots), false);
    case Storage::Planes: break;
    }
    blocks_.emplace(at.reg, variable.name);
    for (std::uint32_t o = 1; o <= at.planes; ++o)
        add(narrow<Reg>(at.reg + (o - 1) * at.set_words), at.set_words,
            fmt::format("{}.{}", variable.name,
                        ir::value_text(program_, variable.value, program_.types.value(variable.value, o))),
            at.rows > 1 ? fmt::format("a plane: the entries that hold it, in {} rows", at.rows)
                        : "a plane: the sites that hold it",
            false);
}

std::string RegisterNames::reg(Reg reg) {
    if (const auto named = names_.find(reg); named != names_.end()) return named->second;
    if (const auto constant = constants_.find(reg); constant != constants_.end()) return word(reg);
    const auto [at, fresh] = temporaries_.try_emplace(reg, temporaries_.size() + 1);
    return fmt::format("t{}", at->second);
}

std::string RegisterNames::block(Reg reg) {
    const auto named = blocks_.find(reg);
    return named != blocks_.end() ? named->second : this->reg(reg);
}

std::string RegisterNames::word(Reg reg) {
    const auto constant = constants_.find(reg);
    if (constant == constants_.end()) return this->reg(reg);
    const auto value = static_cast<std::int64_t>(constant->second);
    return value == ir::none ? "none" : std::to_string(value);
}

std::string RegisterNames::real(Reg reg) {
    const auto constant = constants_.find(reg);
    return constant == constants_.end() ? this->reg(reg) : fmt::format("{}", std::bit_cast<double>(constant->second));
}

std::string RegisterNames::set(Reg reg, std::uint16_t words, std::optional<std::int32_t> bits, bool scalar) {
    if (!is_constant(reg)) return this->reg(reg);
    if (words == 1 && (scalar || static_cast<std::int64_t>(constants_.at(reg)) == ir::none)) return word(reg);
    std::vector<std::uint64_t> value;
    for (unsigned k = 0; k < words; ++k) value.push_back(constants_.at(narrow<Reg>(reg + k)));
    return draw(value, bits);
}

// Over the first board whose sites it could be a set of; else as numbers.
std::string RegisterNames::draw(std::span<const std::uint64_t> words, std::optional<std::int32_t> bits) const {
    if (std::ranges::all_of(words, [](std::uint64_t w) { return w == 0; })) return "{}";
    for (std::size_t b = 0; b < program_.boards.size(); ++b) {
        const BoardLayout& layout = compiled_.layout->board(static_cast<ir::BoardId>(b));
        if (layout.words != words.size() || (bits && static_cast<std::uint32_t>(*bits) != layout.bits &&
                                             static_cast<std::size_t>(*bits) != words.size() * 64))
            continue;
        bool fits = true;
        for (std::size_t bit = 0; bit < words.size() * 64; ++bit)
            fits = fits && (!contains_bit(words, bit) || (bit < layout.bits && layout.site_of_bit[bit] >= 0));
        if (fits) return draw_on(program_.boards[static_cast<ir::BoardId>(b)], layout, words);
    }
    std::vector<std::string> members;
    for (std::size_t bit = 0; bit < words.size() * 64; ++bit)
        if (contains_bit(words, bit)) members.push_back(std::to_string(bit));
    return members_text(members);
}

std::string RegisterNames::draw_on(const ir::Board& board, const BoardLayout& layout,
                                   std::span<const std::uint64_t> words) const {
    std::vector<bool> in;
    std::vector<std::string> members, others;
    for (std::size_t s = 0; s < board.sites.size(); ++s) {
        in.push_back(contains_bit(words, static_cast<std::size_t>(layout.bit_of_site[s])));
        (in.back() ? members : others).push_back(board.sites[s].name);
    }
    if (others.empty()) return "all";
    if (members.size() == 1) return fmt::format("{{{}}}", members[0]);
    const std::string lines = rows_or_columns(board, in);
    if (!lines.empty()) return lines;
    in.flip();
    const std::string left_out = rows_or_columns(board, in);
    if (!left_out.empty()) return "all but " + left_out;
    return members.size() > most_drawn && others.size() <= most_drawn ? "all but " + members_text(others)
                                                                      : members_text(members);
}

} // namespace zug::run
