#pragma once
// Byte code with labels, for the routine of SubtreeCode (compile_subtree.cpp only).

#include "run/code.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace zug::run {

// Writes instructions with labels: those of the routine as a whole, and of each player.
class SubtreeWriter {
public:
    enum Label : std::uint32_t {
        Enter,     // `here` is a node where the game goes on, to be searched: its window is in its block
        Next,      // the next move, of those in the block
        Again,     // the same, of those in registers
        Inner,     // its position is to be searched
        Pause,     // no more nodes may be entered: the move that was taken is to be put back
        Down,      // a move's position is a leaf: its claim, in view of the mover, is for Combine
        Hand,      // a move ends the game: the caller is to say what that is worth
        Combine,   // a move's claim is known
        Better,    // it is the best so far
        Low,       // and no better than what is sure already
        Raised,    // and lies in the window; the caller knows
        Cut,       // and so good that the other won't allow it
        Top,       // there is nothing better
        Given,     // the caller has said what the node is worth
        Closing,   // the node is done with, and its claim is in the registers of its block
        Exhausted, // there was no move left
        Done,
        Leave, // hands over to the caller
        label_count
    };

    SubtreeWriter(std::vector<Instr>& instrs, std::uint32_t players)
        : instrs_(instrs), places_(std::size_t{label_count} * players, -1) {}

    void bind(Label label, std::uint32_t player) { places_[at(label, player)] = here(); }
    void bind_jump(std::size_t instr) { instrs_[instr].imm = here(); }
    std::int32_t here() const { return static_cast<std::int32_t>(instrs_.size()); }

    void put(Opcode op, Reg d, Reg a = 0, Reg b = 0, std::int32_t imm = 0, std::uint16_t w = 1) {
        instrs_.push_back({op, d, a, b, 0, w, imm});
    }
    void move(Reg d, Reg a) { put(Opcode::Mov_1, d, a); }
    void fetch(Reg d, Reg from, std::uint32_t offset, std::uint32_t words = 1) {
        const Opcode op = words == 1 ? Opcode::Fetch_1 : Opcode::Fetch_N;
        put(op, d, from, 0, static_cast<std::int32_t>(offset), static_cast<std::uint16_t>(words));
    }
    void stow(Reg a, Reg to, std::uint32_t offset, std::uint32_t words = 1) {
        const Opcode op = words == 1 ? Opcode::Stow_1 : Opcode::Stow_N;
        put(op, 0, a, to, static_cast<std::int32_t>(offset), static_cast<std::uint16_t>(words));
    }
    void jump(Label label, std::uint32_t player) { jump({.op = Opcode::Jump}, label, player); }
    void jump_if(Reg truth, Label label, std::uint32_t player) {
        jump({.op = Opcode::JumpIf, .a = truth}, label, player);
    }
    void jump_if_not(Reg truth, Label label, std::uint32_t player) {
        jump({.op = Opcode::JumpIfNot, .a = truth}, label, player);
    }
    void jump(Instr instr, Label label, std::uint32_t player) {
        jump_from(instrs_.size(), label, player);
        instrs_.push_back(instr);
    }
    void jump_from(std::size_t instr, Label label, std::uint32_t player) {
        to_labels_.emplace_back(instr, at(label, player));
    }
    std::int64_t place(Label label, std::uint32_t player) const { return places_[at(label, player)]; }
    void finish() {
        for (const auto& [instr, label] : to_labels_) instrs_[instr].imm = places_[label];
    }

private:
    static std::size_t at(Label label, std::uint32_t player) { return std::size_t{label_count} * player + label; }
    std::vector<Instr>& instrs_;
    std::vector<std::int32_t> places_;
    std::vector<std::pair<std::size_t, std::size_t>> to_labels_;
};

// Registers of the routine.
struct SubtreeWords {
    Reg event, resume, remaining, nodes, nearest, known, leaf; // and here, there, drawn of the walk
    Reg value, lower, upper;                                   // a claim on its way
    Reg alpha, beta, best, best_lower, best_upper;             // of the node; in a row
    Reg plies;
    std::array<Reg, 2> even, ceiling, floor; // by player, in their view
    Reg truth;
    Reg moves; // those that are left, in a row
};

} // namespace zug::run
