#include "protocols/uci.hpp"

#include "engines/clients.hpp"
#include "protocols/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <strings.h>
#include <utility>

namespace zug::protocols {

namespace {

bool is_name(std::string_view text, std::string_view name) {
    return text.size() == name.size() && ::strncasecmp(text.data(), name.data(), name.size()) == 0;
}

// What is shown of the library's names.
std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

} // namespace

Uci::Uci(GameSource source, OpenedGame game, Write write)
    : source_(std::move(source)), write_(std::move(write)), file_(game.file), name_(stem_of(game.file)),
      parameters_(std::move(game.parameters)), line_(std::move(game.game)) {}

tl::expected<std::unique_ptr<Uci>, Error> Uci::make(GameSource source, OpenedGame game, std::string_view player,
                                                    Write write) {
    if (std::string why = engines::chess_protocol_refusal(game.game, "UCI"); !why.empty())
        return failure(std::move(why));
    std::unique_ptr<Uci> uci(new Uci(std::move(source), std::move(game), std::move(write)));
    if (auto chosen = uci->choose_player(player); !chosen) return tl::unexpected(chosen.error());
    return uci;
}

bool Uci::take(std::string_view line) {
    const std::string_view word = next_word(line);
    tl::expected<void, Error> done;
    if (word == "quit") {
        stop();
        return false;
    }
    if (word == "uci") {
        identify();
    } else if (word == "isready") {
        say("readyok");
    } else if (word == "setoption") {
        done = set_option(line);
    } else if (word == "ucinewgame") {
        begin_game();
    } else if (word == "position") {
        done = set_position(line);
    } else if (word == "go") {
        done = go(line);
    } else if (word == "stop") {
        worker_.ask_to_stop();
        release();
    } else if (word == "ponderhit") {
        ponder_hit();
    } else if (!word.empty() && word != "debug" && word != "register") {
        done = failure(fmt::format("there is no command `{}`", word));
    }
    if (!done) say(fmt::format("info string {}", done.error().text));
    return true;
}

void Uci::wait() {
    if (may_answer_) worker_.wait();
}

void Uci::identify() {
    if (variants_.empty()) variants_ = variants_of(source_, file_);
    say(fmt::format("id name Zug {} ({})", source_.version, line_.game().program().title));
    say("id author the authors of Zug");
    const search::Options& options = player_.search.options;
    say(fmt::format("option name Hash type spin default {} min 1 max {}",
                    std::max<std::size_t>(1, options.table_bytes >> 20U), source_.memory >> 20U));
    say(fmt::format("option name Threads type spin default {} min 1 max 1024", options.threads));
    say("option name MultiPV type spin default 1 min 1 max 500");
    say("option name Ponder type check default false");
    say(fmt::format("option name Move Overhead type spin default {} min 0 max 10000", Options().overhead_ms));
    say(fmt::format("option name Player type string default {}", player_.text));
    say("option name Clear Hash type button");
    if (variants_.size() > 1)
        say(fmt::format("option name UCI_Variant type combo default {} var {}", name_, fmt::join(variants_, " var ")));
    say("uciok");
}

tl::expected<void, Error> Uci::set_option(std::string_view words) {
    if (next_word(words) != "name") return failure("setoption takes `name NAME value VALUE`");
    const auto [name, value] = split_at(words, "value");
    if (is_name(name, "Ponder")) return {}; // whether to ponder is for who sends `go ponder`
    if (worker_.busy()) return failure(fmt::format("setoption {}: a search is under way", name));
    thinker_.reset();
    if (is_name(name, "Clear Hash")) return {};
    if (is_name(name, "Player")) return choose_player(value);
    if (is_name(name, "UCI_Variant")) return choose_variant(value);
    return set_number(name, value);
}

tl::expected<void, Error> Uci::set_number(std::string_view name, std::string_view value) {
    struct Number {
        std::string_view name;
        std::uint64_t low, high;
    };
    const std::array<Number, 4> numbers{
        {{"Hash", 1, source_.memory >> 20U}, {"Threads", 1, 1024}, {"MultiPV", 1, 500}, {"Move Overhead", 0, 10'000}}};
    const auto found = std::ranges::find_if(numbers, [&](const Number& one) { return is_name(name, one.name); });
    if (found == numbers.end()) return failure(fmt::format("there is no option `{}`", name));
    const auto number = number_in<std::uint64_t>(value);
    if (!number || *number < found->low || *number > found->high)
        return failure(
            fmt::format("{} must be a number from {} to {}, not `{}`", found->name, found->low, found->high, value));
    switch (found - numbers.begin()) {
    case 0: options_.megabytes = number; break;
    case 1: options_.threads = number; break;
    case 2: options_.lines = *number; break;
    default: options_.overhead_ms = *number;
    }
    return {};
}

tl::expected<void, Error> Uci::choose_player(std::string_view text) {
    auto spec = player_of(text, line_.game(), source_.memory);
    if (!spec) return tl::unexpected(spec.error());
    player_ = std::move(*spec);
    return {};
}

tl::expected<void, Error> Uci::choose_variant(std::string_view name) {
    if (variants_.empty()) variants_ = variants_of(source_, file_);
    if (std::ranges::find(variants_, name) == variants_.end())
        return failure(fmt::format("there is no variant `{}`; there is {}", name, fmt::join(variants_, ", ")));
    if (name == name_) return {};
    auto open = open_file(source_, std::string(name), {});
    if (!open) return tl::unexpected(open.error());
    if (std::string why = engines::chess_protocol_refusal(open->game, "UCI"); !why.empty())
        return failure(std::move(why));
    auto spec = player_of(player_.text, open->game, source_.memory);
    if (!spec) return tl::unexpected(spec.error());
    line_ = GameLine(std::move(open->game));
    player_ = std::move(*spec);
    name_ = name;
    return {};
}

void Uci::begin_game() {
    stop();
    thinker_.reset();
    (void)line_.set("", "");
}

tl::expected<void, Error> Uci::set_position(std::string_view words) {
    const std::string_view kind = next_word(words);
    const auto [position, moves] = split_at(words, "moves");
    if (kind == "startpos" && position.empty()) return line_.set("", moves);
    if (kind == "fen" && !position.empty()) return line_.set(position, moves);
    return failure("position takes `startpos` or `fen TEXT`, then `moves` and these");
}

tl::expected<Question, Error> Uci::question_of(const UciGo& go) {
    Question question{.state = line_.state(), .limits = go.limits, .lines = options_.lines};
    game::Game& game = line_.game();
    game::MoveList moves;
    if (!go.moves.empty()) game.expand(question.state, moves);
    for (const std::string& text : go.moves) {
        const auto move = game.parse_move(question.state, moves, text);
        if (!move) return failure(fmt::format("searchmoves: {}", move.error().text));
        question.candidates.push_back(moves.id(*move));
    }
    return question;
}

tl::expected<void, Error> Uci::go(std::string_view words) {
    const std::uint32_t mover = line_.game().to_move(line_.state());
    const double overhead = static_cast<double>(options_.overhead_ms) / 1000;
    const auto go = parse_go(words, engines::is_white(line_.game(), mover), overhead);
    if (!go) return tl::unexpected(go.error());
    const auto question = question_of(*go);
    if (!question) return tl::unexpected(question.error());
    stop();
    if (!thinker_) {
        match::PlayerSpec spec = player_;
        if (options_.megabytes) spec.search.options.table_bytes = *options_.megabytes << 20U;
        if (options_.threads) spec.search.options.threads = static_cast<std::uint32_t>(*options_.threads);
        thinker_ = std::make_unique<Thinker>(line_.game(), std::move(spec));
    }
    ponder_seconds_ = go->ponder_seconds;
    may_answer_ = !go->ponder && !go->infinite;
    auto begun = worker_.start(
        [this, mover, question = *question](const std::atomic<bool>& stop) { return think(question, mover, stop); });
    if (!begun) may_answer_ = true;
    return begun;
}

std::function<void()> Uci::think(const Question& question, std::uint32_t mover, const std::atomic<bool>& stop) {
    const auto answer = thinker_->answer(
        question, [&](const Findings& findings) { tell(findings, mover); }, stop);
    if (!answer) say(fmt::format("info string {}", answer.error().text));
    may_answer_.wait(false);
    std::string text = "bestmove (none)";
    if (answer && answer->move) {
        text = fmt::format("bestmove {}", answer->text);
        if (!answer->reply.empty()) text += fmt::format(" ponder {}", answer->reply);
    }
    return [this, text] { say(text); };
}

void Uci::tell(const Findings& findings, std::uint32_t mover) {
    const auto nodes = static_cast<double>(findings.nodes);
    const double nodes_a_second = nodes / std::max(findings.seconds, 1e-3), milliseconds = findings.seconds * 1000;
    const std::string deepest = findings.deepest > 0 ? fmt::format(" seldepth {}", findings.deepest) : "";
    const std::string table =
        findings.table_share >= 0 ? fmt::format(" hashfull {:.0f}", findings.table_share * 1000) : "";
    for (std::size_t i = 0; i < findings.lines.size(); ++i) {
        const Line& line = findings.lines[i];
        say(fmt::format("info depth {}{} multipv {} score {} nodes {} nps {:.0f}{} time {:.0f} pv {}", line.depth,
                        deepest, i + 1, uci_score(line, mover, line_.game().traits()), findings.nodes, nodes_a_second,
                        table, milliseconds, fmt::join(line.moves, " ")));
    }
}

void Uci::ponder_hit() {
    if (!worker_.busy()) return;
    if (ponder_seconds_ && !worker_.ask_to_stop_in(*ponder_seconds_)) worker_.ask_to_stop();
    release();
}

void Uci::release() {
    may_answer_ = true;
    may_answer_.notify_all();
}

void Uci::stop() {
    release();
    worker_.stop();
}

// A text with line ends, as a diagnostic may be, is told in lines of the same kind.
void Uci::say(const std::string& line) {
    const std::scoped_lock lock(writing_);
    constexpr std::string_view comment = "info string ";
    if (!line.starts_with(comment)) return write_(line);
    std::string_view rest = std::string_view(line).substr(comment.size());
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        write_(fmt::format("{}{}", comment, rest.substr(0, end)));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
}

} // namespace zug::protocols
