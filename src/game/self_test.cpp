#include "game/self_test.hpp"

#include "base/printable.hpp"
#include "game/bound_check.hpp"
#include "game/notation.hpp"
#include "game/perft.hpp"
#include "game/position.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace zug::game {

namespace {

using Check = ir::Test::Check;

constexpr double tolerance = 1e-6;

// At how many positions a bound is looked at, from the position of a test and from the start.
constexpr std::uint64_t near_positions = 5'000, first_positions = 50'000;

bool near(double a, double b) { return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)}); }

// Runs one test, on the program with its parameters.
class TestRun {
public:
    TestRun(Game& game, const ir::Test& test, const SelfTestOptions& options, TestReport& report)
        : game_(game), test_(test), options_(options), report_(report) {}

    void run() {
        if (!reach()) return;
        for (const ir::Test::Item& item : test_.items) {
            if (options_.stop && options_.stop()) {
                report_.stopped = true;
                return;
            }
            ++report_.checks;
            check(item);
        }
        check_bound_from(near_positions);
    }
    // Whether the file's `bound` holds at the positions that come after this one.
    void check_bound_from(std::uint64_t most_positions) {
        if (!game_.traits().has_bound || game_.traits().has_history) return;
        ++report_.checks;
        const std::uint64_t positions = std::min(most_positions, options_.most_positions);
        const BoundReport found = check_bound(game_, state_, positions, options_.stop);
        report_.stopped = report_.stopped || (options_.stop && options_.stop());
        if (found.fault) fail(game_.program().exprs[found.fault->bound].span, found.fault->text);
    }
    void start() { state_ = game_.initial(); }

private:
    void fail(Span span, std::string text) { report_.failures.push_back({test_.title, span, std::move(text)}); }

    // The position that the test is about.
    bool reach() {
        state_ = game_.initial();
        if (!test_.from.empty()) {
            auto position = game_.parse_position(test_.from);
            if (!position) {
                fail(test_.span, position.error().text);
                return false;
            }
            state_ = *position;
        }
        if (test_.after.empty()) return true;
        auto line = game_.play_line(state_, test_.after);
        if (!line) {
            fail(test_.span, line.error().text);
            return false;
        }
        state_ = *line;
        return true;
    }

    void check(const ir::Test::Item& item) {
        switch (item.check) {
        case Check::Perft: return perft_check(item);
        case Check::Moves:
        case Check::Legal:
        case Check::Illegal:
        case Check::Loud: return moves_check(item);
        case Check::Position: return position_check(item);
        case Check::Draw:
        case Check::Open:
        case Check::Wins:
        case Check::Payoffs: return outcome_check(item);
        case Check::Value: return value_check(item);
        case Check::Holds:
            if (!game_.executor().holds(state_, item.expr)) fail(item.span, "the condition does not hold");
            return;
        }
    }

    void perft_check(const ir::Test::Item& item) {
        if (item.count > options_.most_nodes) {
            ++report_.skipped;
            return;
        }
        const auto nodes = perft(game_, state_, static_cast<int>(item.depth), options_.stop);
        if (!nodes && nodes.error().text == stopped) {
            report_.stopped = true;
        } else if (!nodes) {
            fail(item.span, nodes.error().text);
        } else if (*nodes != item.count) {
            fail(item.span, fmt::format("perft {}: expected {}, found {}", item.depth, item.count, *nodes));
        }
    }

    // The moves that a list names: legal ones, and words that are not legal moves.
    struct Named {
        std::vector<std::string> legal, unknown;
    };
    static Named named(std::string_view list, const std::vector<std::string>& texts, bool steps) {
        Named result;
        const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
        // Commas and semicolons separate where a blank follows; inside a word they are part of a move.
        const auto ends = [&](std::size_t i) {
            const bool mark = i < list.size() && (list[i] == ',' || list[i] == ';');
            const std::size_t next = mark ? i + 1 : i;
            return next >= list.size() || is_blank(list[next]);
        };
        while (true) {
            while (!list.empty() && (is_blank(list.front()) || ends(0))) list.remove_prefix(1);
            if (list.empty()) return result;
            const auto found = leading_move(list, texts, steps);
            if (found && ends(found->length)) {
                result.legal.push_back(texts[found->move]);
                list.remove_prefix(found->length);
            } else {
                std::size_t end = 0;
                while (!ends(end)) ++end;
                result.unknown.push_back(echoed(list.substr(0, end)));
                list.remove_prefix(end);
            }
        }
    }

    static std::string listed(const std::vector<std::string>& texts) {
        constexpr std::size_t shown = 24;
        if (texts.size() == 1) return "the only legal move is `" + texts.front() + '`';
        const std::span<const std::string> first(texts.data(), std::min(shown, texts.size()));
        return fmt::format("the legal moves are {}{}", fmt::join(first, "  "),
                           texts.size() > shown ? fmt::format("  and {} more", texts.size() - shown) : "");
    }

    void moves_check(const ir::Test::Item& item) {
        MoveList moves;
        if (game_.expand(state_, moves) == NodeKind::Fault) return fail(item.span, game_.fault_text());
        const auto texts = game_.move_texts(state_, moves);
        const Named names = named(item.text, texts, game_.traits().has_chains);
        if (item.check == Check::Illegal) {
            if (texts.empty()) return fail(item.span, "the game is over, so everything is illegal");
            if (!names.legal.empty()) fail(item.span, fmt::format("`{}` is legal", fmt::join(names.legal, " ")));
            return;
        }
        if (!names.unknown.empty() && texts.empty())
            return fail(item.span, fmt::format("`{}` is not legal: the game is over", fmt::join(names.unknown, " ")));
        if (!names.unknown.empty())
            return fail(item.span, fmt::format("`{}` is not legal; {}", fmt::join(names.unknown, " "), listed(texts)));
        if (item.check == Check::Legal) return;
        if (item.check == Check::Loud) return loud_check(item, moves, texts, names.legal);
        std::vector<std::string> missing;
        for (const auto& text : texts)
            if (std::ranges::find(names.legal, text) == names.legal.end()) missing.push_back(text);
        if (!missing.empty()) fail(item.span, fmt::format("not in the list, but legal: {}", fmt::join(missing, "  ")));
    }

    // The moves that are listed are legal.
    void loud_check(const ir::Test::Item& item, const MoveList& moves, const std::vector<std::string>& texts,
                    const std::vector<std::string>& named) {
        std::vector<std::string> missing, quiet;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const bool loud = game_.executor().is_loud(state_, moves.steps(i));
            const bool is_named = std::ranges::find(named, texts[i]) != named.end();
            if (loud != is_named) (loud ? missing : quiet).push_back(texts[i]);
        }
        if (!missing.empty()) fail(item.span, fmt::format("not in the list, but loud: {}", fmt::join(missing, "  ")));
        if (!quiet.empty()) fail(item.span, fmt::format("in the list, but not loud: {}", fmt::join(quiet, "  ")));
    }

    void position_check(const ir::Test::Item& item) {
        const auto expected = read_position(game_.program(), item.text);
        if (!expected) return fail(item.span, expected.error().text);
        std::vector<std::uint32_t> slots;
        game_.executor().store(state_, slots);
        if (slots != *expected) fail(item.span, "found the position " + game_.position_text(state_));
    }

    void outcome_check(const ir::Test::Item& item) {
        const NodeKind kind = game_.kind(state_);
        if (item.check == Check::Open) {
            if (kind == NodeKind::Terminal) fail(item.span, "expected an open game, found " + result_text());
            return;
        }
        if (kind != NodeKind::Terminal) return fail(item.span, "the game is not over");
        std::vector<double> found(game_.players());
        if (!game_.payoffs(state_, found)) return fail(item.span, game_.fault_text());
        if (!is_outcome(item, found)) fail(item.span, "found " + result_text());
    }

    bool is_outcome(const ir::Test::Item& item, const std::vector<double>& found) const {
        if (item.check == Check::Payoffs) return std::ranges::equal(item.values, found, near);
        if (item.check == Check::Draw)
            return std::ranges::all_of(found, [&](double payoff) { return near(payoff, found.front()); }) &&
                   (found.size() > 1 || near(found.front(), 0));
        const auto winner = static_cast<std::size_t>(item.player);
        if (found.size() == 1) return found.front() > 0;
        const auto team = [&](std::size_t p) { return game_.program().team_of(static_cast<std::uint32_t>(p)); };
        for (std::size_t p = 0; p < found.size(); ++p)
            if (team(p) != team(winner) && found[p] >= found[winner]) return false;
        return true;
    }

    std::string result_text() {
        std::vector<double> found(game_.players());
        if (!game_.payoffs(state_, found)) return game_.fault_text();
        std::vector<std::string> parts;
        for (std::uint32_t p = 0; p < game_.players(); ++p)
            parts.push_back(fmt::format("{} {:g}", game_.player_name(p), found[p]));
        return fmt::format("the outcome {}", fmt::join(parts, ", "));
    }

    // One number is the first player's value; several are by player.
    void value_check(const ir::Test::Item& item) {
        if (!options_.value) {
            ++report_.skipped;
            return;
        }
        const auto found = options_.value(game_, state_, item.depth);
        if (!found) return fail(item.span, found.error().text);
        for (std::size_t p = 0; p < item.values.size() && p < found->size(); ++p)
            if (!near(item.values[p], (*found)[p]))
                return fail(item.span, fmt::format("expected the value {}, found {}", fmt::join(item.values, ", "),
                                                   fmt::join(*found, ", ")));
    }

    Game& game_;
    const ir::Test& test_;
    const SelfTestOptions& options_;
    TestReport& report_;
    State state_;
};

} // namespace

namespace {

// The instances of the game that the tests of a file need. Each is made once, since that takes longer than most tests.
class Games {
public:
    Games(std::shared_ptr<const ir::Program> program, const SelfTestOptions& options)
        : program_(std::move(program)), options_(options) {}

    // A test whose checks are filled in has the parameters of the first load.
    tl::expected<Game*, Error> of(const ir::Test& test) {
        const bool anew = !test.params.empty() && test.items.empty();
        const TestParams params = anew ? test.params : TestParams{};
        if (const auto it = games_.find(params); it != games_.end()) {
            it->second.clear_fault();
            return &it->second;
        }
        auto program = program_;
        if (anew) {
            auto loaded = options_.reload ? options_.reload(params) : failure("can't be reloaded");
            if (!loaded) return tl::unexpected(loaded.error());
            program = *loaded;
        }
        return &games_.emplace(params, Game(program, options_.executor)).first->second;
    }

private:
    std::shared_ptr<const ir::Program> program_;
    const SelfTestOptions& options_;
    std::map<TestParams, Game> games_;
};

} // namespace

TestReport run_self_tests(std::shared_ptr<const ir::Program> program, const SelfTestOptions& options) {
    TestReport report;
    Games games(program, options);
    for (std::size_t t = 0; t < program->tests.size() && !report.stopped; ++t) {
        const ir::Test& test = program->tests[t];
        ++report.tests;
        const std::size_t before = report.failures.size();
        const auto game = games.of(test);
        if (!game || t >= (*game)->program().tests.size()) {
            report.failures.push_back({test.title, test.span, game ? "" : game.error().text});
        } else {
            TestRun(**game, (*game)->program().tests[t], options, report).run();
        }
        report.failed += report.failures.size() > before ? 1 : 0;
        if (options.progress) options.progress(t + 1, program->tests.size());
    }
    if (program->bound && !report.stopped) {
        Game game(program, options.executor);
        const ir::Test from_the_start;
        const std::size_t before = report.failures.size();
        TestRun run(game, from_the_start, options, report);
        run.start();
        run.check_bound_from(first_positions);
        ++report.tests;
        report.failed += report.failures.size() > before ? 1 : 0;
    }
    return report;
}

} // namespace zug::game
