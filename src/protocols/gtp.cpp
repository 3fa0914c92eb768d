#include "protocols/gtp.hpp"

#include "protocols/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <utility>

namespace zug::protocols {

Gtp::Gtp(GameSource source, OpenedGame game, engines::Vertices vertices, Write write, const std::atomic<bool>& stop)
    : source_(std::move(source)), file_(std::move(game.file)), parameters_(std::move(game.parameters)),
      vertices_(vertices), write_(std::move(write)), stop_(stop), line_(std::move(game.game)) {}

tl::expected<std::unique_ptr<Gtp>, Error> Gtp::make(GameSource source, OpenedGame game, std::string_view player,
                                                    Write write, const std::atomic<bool>& stop) {
    const auto vertices = engines::Vertices::of(game.game);
    if (!vertices) return tl::unexpected(vertices.error());
    auto spec = player_of(player, game.game, source.memory);
    if (!spec) return tl::unexpected(spec.error());
    std::unique_ptr<Gtp> gtp(new Gtp(std::move(source), std::move(game), *vertices, std::move(write), stop));
    gtp->player_ = std::move(*spec);
    return gtp;
}

std::span<const Gtp::Command> Gtp::commands() {
    static constexpr std::array all{Command{"protocol_version", &Gtp::protocol_version},
                                    Command{"name", &Gtp::name},
                                    Command{"version", &Gtp::version},
                                    Command{"known_command", &Gtp::known_command},
                                    Command{"list_commands", &Gtp::list_commands},
                                    Command{"quit", &Gtp::quit},
                                    Command{"boardsize", &Gtp::boardsize},
                                    Command{"clear_board", &Gtp::clear_board},
                                    Command{"komi", &Gtp::komi},
                                    Command{"play", &Gtp::play},
                                    Command{"genmove", &Gtp::genmove},
                                    Command{"reg_genmove", &Gtp::reg_genmove},
                                    Command{"undo", &Gtp::undo},
                                    Command{"showboard", &Gtp::showboard},
                                    Command{"time_settings", &Gtp::time_settings},
                                    Command{"time_left", &Gtp::time_left},
                                    Command{"fixed_handicap", &Gtp::fixed_handicap},
                                    Command{"place_free_handicap", &Gtp::place_free_handicap},
                                    Command{"set_free_handicap", &Gtp::set_free_handicap},
                                    Command{"final_score", &Gtp::final_score}};
    return all;
}

namespace {

// As the protocol says: a tab is a blank, what follows `#` is a comment, other control characters are as good as not
// there.
std::string cleaned(std::string_view line) {
    std::string text;
    for (const char c : line.substr(0, line.find('#'))) {
        if (c == '\t') text += ' ';
        if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') text += c;
    }
    return text;
}

// An empty line ends an answer, so there is none within it, nor at its end.
std::string without_empty_lines(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (c != '\n' || !kept.ends_with('\n')) kept += c;
    while (kept.ends_with('\n')) kept.pop_back();
    return kept;
}

} // namespace

bool Gtp::take(std::string_view line) {
    const std::string text = cleaned(line);
    std::string_view rest = text;
    std::string_view word = next_word(rest);
    std::string id;
    if (number_in<std::uint64_t>(word)) {
        id = word;
        word = next_word(rest);
    }
    if (word.empty() && id.empty()) return true;
    const auto command = std::ranges::find(commands(), word, &Command::name);
    const Answered answer = command == commands().end() ? failure("unknown command") : (this->*command->answer)(rest);
    write_(fmt::format("{}{} {}\n\n", answer ? '=' : '?', id,
                       without_empty_lines(answer ? *answer : answer.error().text)));
    return !over_;
}

Gtp::Answered Gtp::protocol_version(std::string_view) { return "2"; }
Gtp::Answered Gtp::name(std::string_view) { return "Zug"; }
Gtp::Answered Gtp::version(std::string_view) { return source_.version; }

Gtp::Answered Gtp::known_command(std::string_view arguments) {
    const std::string_view name = next_word(arguments);
    return std::ranges::find(commands(), name, &Command::name) == commands().end() ? "false" : "true";
}

Gtp::Answered Gtp::list_commands(std::string_view) {
    std::string names;
    for (const Command& command : commands()) names += fmt::format("{}\n", command.name);
    return names;
}

Gtp::Answered Gtp::quit(std::string_view) {
    over_ = true;
    return "";
}

void Gtp::begin(OpenedGame open, engines::Vertices vertices) {
    parameters_ = std::move(open.parameters);
    vertices_ = vertices;
    line_ = GameLine(std::move(open.game));
    thinker_.reset();
}

tl::expected<OpenedGame, Error> Gtp::with_size(std::int32_t size) {
    const ir::Program& program = line_.game().program();
    const std::string width = std::to_string(vertices_.width()), height = std::to_string(vertices_.height());
    std::vector<lang::Overrides> attempts;
    lang::Overrides all = parameters_;
    for (const ir::Param& param : program.params) {
        if (param.value != width && param.value != height) continue;
        attempts.push_back(parameters_);
        attempts.back()[param.name] = all[param.name] = std::to_string(size);
    }
    attempts.push_back(all);
    for (const lang::Overrides& parameters : attempts) {
        auto open = open_file(source_, file_, parameters);
        if (!open) continue;
        const auto vertices = engines::Vertices::of(open->game);
        if (vertices && vertices->width() == size && vertices->height() == size) return open;
    }
    return failure("unacceptable size");
}

Gtp::Answered Gtp::boardsize(std::string_view arguments) {
    const auto size = number_in<std::int32_t>(next_word(arguments));
    if (!size) return failure("boardsize not an integer");
    constexpr std::int32_t most = 25; // letters
    if (*size < 1 || *size > most) return failure("unacceptable size");
    if (*size != vertices_.width() || *size != vertices_.height()) {
        auto open = with_size(*size);
        if (!open) return tl::unexpected(open.error());
        const auto vertices = engines::Vertices::of(open->game);
        if (!vertices) return tl::unexpected(vertices.error());
        begin(std::move(*open), *vertices);
    }
    return clear_board("");
}

Gtp::Answered Gtp::clear_board(std::string_view) {
    (void)line_.set("", "");
    played_.clear();
    handicap_.clear();
    thinker_.reset();
    return "";
}

Gtp::Answered Gtp::komi(std::string_view arguments) {
    constexpr std::string_view name = "komi";
    const std::string_view text = next_word(arguments);
    const auto komi = number_in<double>(text);
    if (!komi) return failure("komi not a float");
    const auto& params = line_.game().program().params;
    const auto param = std::ranges::find(params, name, &ir::Param::name);
    if (param == params.end()) return failure("this game has no komi");
    if (number_in<double>(param->value) == komi) return "";
    lang::Overrides parameters = parameters_;
    parameters[std::string(name)] = text;
    if (auto done = use(parameters); !done) return tl::unexpected(done.error());
    return "";
}

// The moves of the game under way are made again.
tl::expected<void, Error> Gtp::use(const lang::Overrides& parameters) {
    auto open = open_file(source_, file_, parameters);
    if (!open) return tl::unexpected(open.error());
    const auto vertices = engines::Vertices::of(open->game);
    if (!vertices) return tl::unexpected(vertices.error());
    begin(std::move(*open), *vertices);
    if (!handicap_.empty())
        if (const auto placed = place(std::exchange(handicap_, {})); !placed) return tl::unexpected(placed.error());
    const std::vector<Played> played = std::exchange(played_, {});
    for (const Played& move : played)
        if (auto done = make_move(move.player, move.text); !done) return done;
    return {};
}

tl::expected<game::State, Error> Gtp::turn_of(std::uint32_t player) {
    game::Game& game = line_.game();
    const game::State& state = line_.state();
    if (game.kind(state) == game::NodeKind::Terminal) return failure("the game is over");
    if (game.to_move(state) == player) return state;
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    slots[game.program().slot_count] = player;
    game::State turned;
    game.executor().load(slots, turned);
    return turned;
}

tl::expected<void, Error> Gtp::make_move(std::uint32_t player, std::string_view text) {
    const auto from = turn_of(player);
    if (!from) return tl::unexpected(from.error());
    game::Game& game = line_.game();
    game::MoveList moves;
    game::State next;
    if (game.expand(*from, moves) != game::NodeKind::Decision) return failure("illegal move");
    const auto move = vertices_.find(game, *from, moves, text);
    if (!move) return failure("illegal move");
    if (!game.successor(*from, moves, *move, next)) return failure(game.fault_text());
    played_.push_back({player, std::string(text)});
    line_.push(std::move(next));
    return {};
}

Gtp::Answered Gtp::play(std::string_view arguments) {
    const auto player = vertices_.player(next_word(arguments));
    if (!player || arguments.empty()) return failure("invalid color or coordinate");
    if (auto done = make_move(*player, arguments); !done) return tl::unexpected(done.error());
    return "";
}

tl::expected<Answer, Error> Gtp::think(std::uint32_t player) {
    auto from = turn_of(player);
    if (!from) return tl::unexpected(from.error());
    if (!thinker_) thinker_ = std::make_unique<Thinker>(line_.game(), player_);
    Question question{.state = std::move(*from)};
    if (const auto clock = clocks_[player].now()) match::share_time(*clock, question.limits.emplace());
    auto answer = thinker_->answer(
        question, [](const Findings&) {}, stop_);
    if (!answer) return answer;
    if (!answer->move) return failure("the game is over");
    // The protocol's name of the move.
    game::Game& game = line_.game();
    game::MoveList moves;
    game.expand(question.state, moves);
    answer->text = vertices_.text(game, question.state, moves, *answer->move);
    return answer;
}

Gtp::Answered Gtp::genmove(std::string_view arguments) {
    const auto player = vertices_.player(next_word(arguments));
    if (!player) return failure("invalid color");
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = think(*player);
    if (!answer) return tl::unexpected(answer.error());
    clocks_[*player].spend(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (auto done = make_move(*player, answer->text); !done) return tl::unexpected(done.error());
    return answer->text;
}

Gtp::Answered Gtp::reg_genmove(std::string_view arguments) {
    const auto player = vertices_.player(next_word(arguments));
    if (!player) return failure("invalid color");
    const auto answer = think(*player);
    if (!answer) return tl::unexpected(answer.error());
    return answer->text;
}

Gtp::Answered Gtp::undo(std::string_view) {
    if (!line_.undo(1)) return failure("cannot undo");
    played_.pop_back();
    return "";
}

namespace {

// Of the line under a drawn board, which has the letters of all columns and blanks: with the letters of the protocol.
std::string with_column_letters(const engines::Vertices& vertices, std::string line) {
    std::int32_t x = 0;
    std::string renamed = line;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == ' ') continue;
        if (x == vertices.width() || line[i] != static_cast<char>('a' + x)) return line;
        renamed[i] = vertices.text({++x, 1}).front();
    }
    return x == vertices.width() ? renamed : line;
}

} // namespace

Gtp::Answered Gtp::showboard(std::string_view) {
    std::istringstream drawn(line_.game().draw(line_.state(), false));
    std::string text;
    for (std::string line; std::getline(drawn, line);) text += "\n" + with_column_letters(vertices_, std::move(line));
    return text;
}

Gtp::Answered Gtp::time_settings(std::string_view arguments) {
    const auto main = number_in<double>(next_word(arguments)), overtime = number_in<double>(next_word(arguments));
    const auto moves = number_in<std::uint32_t>(next_word(arguments));
    if (!main || !overtime || !moves || !(*main >= 0) || !(*overtime >= 0)) return failure("syntax error");
    for (GtpClock& clock : clocks_) clock.set(*main, *overtime, *moves);
    return "";
}

Gtp::Answered Gtp::time_left(std::string_view arguments) {
    const auto player = vertices_.player(next_word(arguments));
    const auto left = number_in<double>(next_word(arguments));
    const auto moves = number_in<std::uint32_t>(next_word(arguments));
    if (!player || !left || !moves) return failure("syntax error");
    clocks_[*player].show(*left, *moves);
    return "";
}

Gtp::Answered Gtp::final_score(std::string_view) {
    game::Game& game = line_.game();
    game::State state = line_.state();
    game::MoveList moves;
    for (std::uint32_t passes = 0; game.expand(state, moves) != game::NodeKind::Terminal; ++passes) {
        const auto pass = game.parse_move(state, moves, "pass");
        game::State next;
        if (!pass || passes >= game.players() || !game.successor(state, moves, *pass, next))
            return failure("cannot score: the game is not over");
        state = std::move(next);
    }
    std::array<double, 2> payoffs{};
    if (!game.payoffs(state, payoffs)) return failure(game.fault_text());
    const std::size_t black = vertices_.player("black").value_or(0);
    const double lead = (payoffs[black] - payoffs[1 - black]) / 2;
    return lead == 0 ? "0" : fmt::format("{}+{:g}", lead > 0 ? 'B' : 'W', std::abs(lead));
}

} // namespace zug::protocols
