#include "records/san.hpp"

#include "game/faces.hpp"
#include "ir/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace zug::records {

namespace {

constexpr char left_out = 'P';

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
char capital(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

std::string in_capitals(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), capital);
    return result;
}

// Letters of a site's name, and what follows them: the column and the row.
std::size_t column_length(std::string_view site) {
    return static_cast<std::size_t>(std::ranges::find_if_not(site, is_letter) - site.begin());
}

// Whether an expression depends on the position and `me` alone.
class Dependence {
public:
    explicit Dependence(const ir::Program& program) : program_(program) {}

    bool position_only(ir::ExprId id, const std::set<ir::VarId>& of_the_move) {
        const ir::Expr& expr = program_.exprs[id];
        if (expr.op == ir::Op::Var && of_the_move.contains(static_cast<ir::VarId>(expr.imm))) return false;
        if (expr.op == ir::Op::Stuck || expr.op == ir::Op::Earlier || expr.op == ir::Op::Can) return false;
        if (expr.op == ir::Op::Call) {
            const auto function = static_cast<ir::FunctionId>(expr.imm);
            if (entered_.insert(function).second && !position_only(program_.functions[function].body, of_the_move))
                return false;
        }
        return std::ranges::all_of(program_.arguments(id), [&](auto arg) { return position_only(arg, of_the_move); });
    }

private:
    const ir::Program& program_;
    std::set<ir::FunctionId> entered_;
};

std::string_view without_marks(std::string_view text) {
    const std::size_t last = text.find_last_not_of("+#!?");
    return text.substr(0, last == text.npos ? 0 : last + 1);
}

bool is_castling(std::string_view text) { return text == "O-O" || text == "0-0" || text == "O-O-O" || text == "0-0-0"; }

} // namespace

std::optional<San> San::of(game::Game& game) {
    const ir::Program& program = game.program();
    if (game.players() != 2 || game.traits().chance || program.turn) return std::nullopt;
    San san;
    if (!san.find_map(program)) return std::nullopt;
    const game::State initial = game.initial();
    game::MoveList moves;
    if (game.expand(initial, moves) != game::NodeKind::Decision) return std::nullopt;
    const auto described = san.moves_of(game, initial, moves);
    if (!std::ranges::all_of(described, [](const auto& move) { return move.has_value(); })) return std::nullopt;
    san.find_checks(program);
    return san;
}

// The one map from sites to pairs of a player and a kind.
bool San::find_map(const ir::Program& program) {
    std::size_t found = 0;
    for (const ir::StateVariable& state : program.states) {
        if (state.indices.size() != 1 || program.types.kind(state.indices[0]) != ir::TypeKind::Site) continue;
        if (program.types.kind(state.value) != ir::TypeKind::Optional) continue;
        const ir::Type& pair = program.types[program.types.inner(state.value)];
        if (pair.kind != ir::TypeKind::Tuple || pair.parts.size() != 2 ||
            program.types.kind(pair.parts[0]) != ir::TypeKind::Player ||
            program.types.kind(pair.parts[1]) != ir::TypeKind::Enum)
            continue;
        ++found;
        first_slot_ = state.first_slot;
        const game::Faces faces = game::faces_of(program, state.value);
        men_.assign(program.types.cardinality(state.value), {});
        std::set<std::pair<std::int64_t, char>> letters;
        for (std::size_t ordinal = 0; ordinal < men_.size(); ++ordinal) {
            const std::int64_t value = program.types.value(state.value, ordinal);
            if (value == ir::none) continue;
            if (ordinal >= faces.texts.size() || faces.texts[ordinal].size() != 1 ||
                !is_letter(faces.texts[ordinal][0]))
                return false;
            men_[ordinal] = {program.types.project(program.types.inner(state.value), value, 0),
                             capital(faces.texts[ordinal][0])};
            if (!letters.insert({men_[ordinal].player, men_[ordinal].letter}).second) return false;
        }
        const ir::Board& board = program.boards[static_cast<ir::BoardId>(program.types[state.indices[0]].ref)];
        for (std::size_t site = 0; site < board.sites.size(); ++site) {
            sites_.push_back(ir::value_text(program, state.indices[0], static_cast<std::int64_t>(site)));
            columns_.push_back(board.sites[site].x);
            site_named_.emplace(sites_.back(), site);
            longest_ = std::max(longest_, sites_.back().size());
        }
    }
    return found == 1;
}

void San::find_checks(const ir::Program& program) {
    for (const ir::Rule& rule : program.rules) {
        std::set<ir::VarId> of_the_move(rule.params.begin(), rule.params.end());
        for (const auto* clauses : {&rule.when, &rule.ensure})
            for (const ir::Clause& clause : *clauses)
                if (valid(clause.bind)) of_the_move.insert(clause.bind);
        for (const ir::Block& block : rule.then)
            for (const ir::Clause& let : block.lets) of_the_move.insert(let.bind);
        for (const ir::Clause& clause : rule.ensure)
            if (!valid(clause.bind) && Dependence(program).position_only(clause.expr, of_the_move))
                checks_.push_back(clause.expr);
    }
}

std::optional<std::size_t> San::site_at_beginning(std::string_view text) const {
    for (std::size_t length = std::min(longest_, text.size()); length > 0; --length)
        if (const auto found = site_named_.find(std::string(text.substr(0, length))); found != site_named_.end())
            return found->second;
    return std::nullopt;
}

// From the game's own text of a move.
std::optional<San::Move> San::move_of(const Slots& slots, std::string_view text) const {
    const auto from = site_at_beginning(text);
    if (!from) return std::nullopt;
    const auto to = site_at_beginning(text.substr(sites_[*from].size()));
    const Man mover = man(slots, *from);
    if (!to || mover.letter == 0) return std::nullopt;
    return Move{mover.letter, *from, *to, in_capitals(text.substr(sites_[*from].size() + sites_[*to].size()))};
}

std::vector<std::optional<San::Move>> San::moves_of(game::Game& game, const game::State& state,
                                                    const game::MoveList& moves) const {
    Slots slots;
    game.executor().store(state, slots);
    std::vector<std::optional<Move>> described;
    for (const std::string& text : game.move_texts(state, moves)) described.push_back(move_of(slots, text));
    return described;
}

San::Effect San::effect(game::Game& game, const game::State& state, const game::MoveList& moves, std::size_t i,
                        const Move& move) const {
    Effect effect;
    Slots before, after;
    game::State next;
    if (!game.successor(state, moves, i, next)) return effect;
    game.executor().store(state, before);
    game.executor().store(next, after);
    std::size_t foes_before = 0, foes_after = 0;
    const std::int64_t mover = man(before, move.from).player;
    for (std::size_t site = 0; site < sites_.size(); ++site) {
        const Man was = man(before, site), is = man(after, site);
        foes_before += was.letter != 0 && was.player != mover ? 1U : 0U;
        foes_after += is.letter != 0 && is.player != mover ? 1U : 0U;
        const bool left = was.letter != 0 && was.player == mover && (is.letter == 0 || is.player != mover);
        effect.castles = effect.castles || (left && site != move.from);
    }
    effect.captures = foes_after < foes_before;
    effect.ends = game.kind(next) == game::NodeKind::Terminal;
    ir::Evaluator evaluator(game.program());
    evaluator.read(after);
    evaluator.set_me(1 - mover);
    effect.checks = std::ranges::any_of(checks_, [&](ir::ExprId ensured) { return !evaluator.truth(ensured); });
    return effect;
}

// The first site, as far as it takes to tell the move from others of the same kind to the same site.
std::string San::origin(std::span<const std::optional<Move>> moves, std::size_t i, bool captures) const {
    const Move& move = *moves[i];
    const std::string& site = sites_[move.from];
    const std::string column = site.substr(0, column_length(site)), row = site.substr(column.size());
    if (move.kind == left_out) return captures ? column : "";
    bool others = false, same_column = false, same_row = false;
    for (const auto& other : moves) {
        if (!other || other->kind != move.kind || other->to != move.to || other->from == move.from) continue;
        const std::string& from = sites_[other->from];
        others = true;
        same_column = same_column || from.substr(0, column_length(from)) == column;
        same_row = same_row || from.substr(column_length(from)) == row;
    }
    if (!others) return "";
    if (!same_column) return column;
    return same_row ? site : row;
}

std::string San::text(game::Game& game, const game::State& state, const game::MoveList& moves, std::size_t i) const {
    const auto described = moves_of(game, state, moves);
    if (!described[i]) return game.move_text(state, moves, i);
    const Move& move = *described[i];
    const Effect effect = this->effect(game, state, moves, i, move);
    const std::string_view mark = !effect.checks ? "" : effect.ends ? "#" : "+";
    if (effect.castles) return fmt::format("{}{}", columns_[move.to] > columns_[move.from] ? "O-O" : "O-O-O", mark);
    std::string text = move.kind == left_out ? "" : std::string(1, move.kind);
    text += origin(described, i, effect.captures);
    if (effect.captures) text += 'x';
    text += sites_[move.to];
    if (!move.becomes.empty()) text += "=" + move.becomes;
    return text += mark;
}

bool San::may_be(const Move& move, std::string_view text) const {
    if (!move.becomes.empty()) {
        if (!in_capitals(text).ends_with(move.becomes)) return false;
        text.remove_suffix(move.becomes.size());
        if (text.ends_with('=')) text.remove_suffix(1);
    }
    const std::string &to = sites_[move.to], &from = sites_[move.from];
    if (!text.ends_with(to)) return false;
    text.remove_suffix(to.size());
    if (!text.empty() && (text.back() == 'x' || text.back() == ':' || text.back() == '-')) text.remove_suffix(1);
    if (text.starts_with(move.kind))
        text.remove_prefix(1);
    else if (move.kind != left_out)
        return false;
    return text.empty() || text == from || text == from.substr(0, column_length(from)) ||
           text == from.substr(column_length(from));
}

std::vector<std::size_t> San::castlings(game::Game& game, const game::State& state, const game::MoveList& moves,
                                        bool to_later_column) const {
    const auto described = moves_of(game, state, moves);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!described[i] || (columns_[described[i]->to] > columns_[described[i]->from]) != to_later_column) continue;
        if (effect(game, state, moves, i, *described[i]).castles) return {i};
    }
    return {};
}

std::vector<std::size_t> San::called(game::Game& game, const game::State& state, const game::MoveList& moves,
                                     std::string_view text) const {
    const std::string_view plain = without_marks(text);
    if (is_castling(plain)) return castlings(game, state, moves, plain.size() == std::string_view("O-O").size());
    std::vector<std::size_t> found;
    const auto described = moves_of(game, state, moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (described[i] && may_be(*described[i], plain)) found.push_back(i);
    return found;
}

tl::expected<std::size_t, Error> San::find(game::Game& game, const game::State& state, const game::MoveList& moves,
                                           std::string_view text) const {
    const std::vector<std::size_t> found = called(game, state, moves, text);
    if (found.size() == 1) return found.front();
    if (!found.empty())
        return failure(fmt::format("`{}` may be `{}` or `{}`", text, game.move_text(state, moves, found[0]),
                                   game.move_text(state, moves, found[1])));
    if (is_castling(without_marks(text))) return failure("castling so is not legal here");
    return failure(fmt::format("`{}` is not a legal move", text));
}

} // namespace zug::records
