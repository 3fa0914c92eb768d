// Random play of many games as one routine: what follows the end of a game.

#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {
namespace {

constexpr std::size_t most_tallies = 64;

} // namespace

// Where an end clause and the player who moved last tell what the players get.
void Compiler::reserve_tallies() {
    const std::size_t words = players() * program_.ends.size();
    const bool fixed = std::ranges::all_of(out_.payoffs, [](const std::vector<Compiled::Values>& of_clause) {
        return std::ranges::all_of(of_clause, &Compiled::Values::fixed);
    });
    if (!fixed || words > most_tallies) return;
    out_.play.tallies = static_cast<std::uint32_t>(words);
    out_.play.tally = graph_.fresh(narrow<std::uint16_t>(words));
}

// The words that change where one game follows another.
std::vector<Reg> Compiler::game_counters() const {
    const PlayCode& play = out_.play;
    std::vector<Reg> counters = {play.games, play.begun};
    for (std::uint32_t tally = 0; tally < play.tallies; ++tally) counters.push_back(narrow<Reg>(play.tally + tally));
    return counters;
}

// A game that is ended by an end clause, independently of `stuck`, is followed by the next game, if any is left to
// play.
void Compiler::play_next_game(const PlayGroup& group, std::uint32_t last) {
    std::vector<Instr>& instrs = out_.code.instrs;
    std::vector<std::optional<std::size_t>> over(program_.ends.size());
    for (std::size_t i = group.entry; i < static_cast<std::size_t>(group.draw); ++i) {
        const Opcode jump = jump_for(instrs[i].op);
        const std::int32_t clause = instrs[i].imm;
        if (jump == instrs[i].op || clause < 0 || clause >= out_.first_stuck_end) continue;
        auto& at = over[static_cast<std::size_t>(clause)];
        if (!at) {
            at = instrs.size();
            instrs.push_back({.op = Opcode::CountDown, .d = out_.play.games, .imm = clause});
            if (const PlayCode& play = out_.play; play.tallies > 0) {
                const std::size_t tally = last * program_.ends.size() + static_cast<std::size_t>(clause);
                instrs.push_back({.op = Opcode::CountDown, .d = narrow<Reg>(play.tally + tally), .imm = clause});
            }
            to_restart_.push_back(instrs.size());
            instrs.push_back({.op = Opcode::Jump});
        }
        instrs[i].op = jump;
        instrs[i].imm = static_cast<std::int32_t>(*at);
    }
}

void Compiler::play_restart() {
    std::vector<Instr>& instrs = out_.code.instrs;
    const PlayCode& play = out_.play;
    for (const std::size_t from : to_restart_) instrs[from].imm = static_cast<std::int32_t>(instrs.size());
    // The first word of a state is not used.
    const auto words = narrow<std::uint16_t>(out_.layout->state_words() - 1);
    instrs.push_back({Opcode::Mov_N, 1, narrow<Reg>(play.start + 1), 0, 0, words, 0});
    instrs.push_back({Opcode::Mov_1, play.begun, play.left, 0, 0, 1, 0});
    std::vector<std::int64_t> by_last;
    if (program_.keeps_last) {
        const auto first = static_cast<std::int64_t>(instrs.size()) + 1;
        for (std::uint32_t last = 0; last < players(); ++last) by_last.push_back(first + last);
        const Reg table = graph_.word_table(std::move(by_last));
        instrs.push_back({.op = Opcode::Dispatch, .a = out_.layout->last(), .c = table});
    }
    for (std::uint32_t last = 0; last < (program_.keeps_last ? players() : 1); ++last) {
        dispatches_.emplace_back(instrs.size(), last);
        instrs.push_back({.op = Opcode::Dispatch, .a = out_.code.turn_reg});
    }
}

} // namespace zug::run
