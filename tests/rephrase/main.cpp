// Rule files in other words: they have to mean the same, and what the compiler makes of them has to be as fast. It is
// how new cliffs in speed are found (tests/cliffs has those that were), and metamorphic testing (T. Y. Chen, S. C.
// Cheung and S. M. Yiu, 1998) of the whole way from a text to moves.
//
//   rephrase                      some ways in each file of rules/, the same ones every time; so does ctest
//   rephrase FILE...              every way in these files
//   rephrase --speed FILE...      measures random games, too, and tells which parts make a file slower by a factor of 2
//   rephrase --only NAME ...      one way alone
//   rephrase --show FILE...       prints the files in other words
//
// A way applies to a part of a rule if the file can still be loaded then. Random games are played by the interpreter.

#include "compiler/compile.hpp"
#include "game/game.hpp"
#include "game/perft.hpp"
#include "lang/load.hpp"
#include "tests/random_rules/child.hpp"
#include "tests/rephrase/ways.hpp"
#include "tests/sanitized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace zug;
using rephrase::Text;
using rephrase::Way;
using syntax::NodeId;

constexpr std::uint64_t enough_lines = 2000;
constexpr int most_depth = 4;
constexpr unsigned most_seconds = 120;

struct Options {
    bool speed = false, show = false;
    std::string only;
    double seconds = 0.1; // a measurement
};

struct Outcome {
    std::string wrong;    // empty: the same lines of play
    double ratio = 1;     // of the time that a ply takes
    std::size_t asks = 0; // expressions for which the reference evaluator is asked, more than before
};

std::string read(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::shared_ptr<const ir::Program> load(const fs::path& file, const std::string& text) {
    return lang::load_text(file.string(), text).program;
}

double seconds_a_ply(game::Game& game, double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t plies = 200;
    Random random(1);
    const game::State start = game.initial();
    std::uint64_t made = 1;
    const auto begin = Clock::now();
    std::chrono::duration<double> spent{};
    while (spent.count() < seconds) {
        game::State state = start;
        made += game.playout(state, random, plies).plies;
        spent = Clock::now() - begin;
    }
    return spent.count() / static_cast<double>(made);
}

Outcome compare(const fs::path& file, const std::string& before, const std::string& after, const Options& options) {
    game::Game a(load(file, before)), b(load(file, after));
    Outcome outcome;
    for (int depth = 1; depth <= most_depth; ++depth) {
        const auto x = game::perft(a, a.initial(), depth), y = game::perft(b, b.initial(), depth);
        if (!x || !y) break;
        if (*x != *y) outcome.wrong = fmt::format("perft {} is {} instead of {}", depth, *y, *x);
        if (*x != *y || *x > enough_lines) break;
    }
    if (options.speed) outcome.ratio = seconds_a_ply(b, options.seconds) / seconds_a_ply(a, options.seconds);
    const std::size_t asked = a.executor().reference_use().questions.size();
    const std::size_t asks = b.executor().reference_use().questions.size();
    outcome.asks = asks > asked ? asks - asked : 0;
    return outcome;
}

// In a process of its own.
Outcome compared(const fs::path& file, const std::string& before, const std::string& after, const Options& options) {
    const auto answer = random_rules::in_child(
        [&] {
            const Outcome o = compare(file, before, after, options);
            return fmt::format("{} {} {}", o.ratio, o.asks, o.wrong);
        },
        most_seconds);
    if (!answer.fine) return {.wrong = answer.text};
    std::istringstream in(answer.text);
    Outcome outcome;
    in >> outcome.ratio >> outcome.asks;
    std::getline(in >> std::ws, outcome.wrong);
    return outcome;
}

class Run {
public:
    explicit Run(Options options) : options_(std::move(options)), prelude_(read(ZUG_SOURCE_DIR "/rules/prelude.zug")) {}

    void file(const fs::path& file, const Way& way);
    int failed() const { return failed_; }
    std::uint64_t variants() const { return variants_; }

private:
    void judge(const fs::path& file, const Way& way, Text& text, const std::set<NodeId>& nodes);
    void name_the_slow(const fs::path& file, const Way& way, Text& text, const std::set<NodeId>& nodes);

    Options options_;
    std::string prelude_;
    int failed_ = 0;
    std::uint64_t variants_ = 0;
};

void Run::file(const fs::path& file, const Way& way) {
    Text text(read(file), prelude_);
    std::set<NodeId> nodes;
    for (const NodeId node : text.sites(way))
        if (load(file, text.rewritten(way, {node}))) nodes.insert(node);
    if (nodes.empty()) return;
    // Parts within each other may be said in other words only one at a time.
    if (!load(file, text.rewritten(way, nodes))) {
        std::set<NodeId> some;
        for (const NodeId node : nodes) {
            some.insert(node);
            if (!load(file, text.rewritten(way, some))) some.erase(node);
        }
        nodes = std::move(some);
    }
    judge(file, way, text, nodes);
}

void Run::judge(const fs::path& file, const Way& way, Text& text, const std::set<NodeId>& nodes) {
    ++variants_;
    const std::string after = text.rewritten(way, nodes);
    if (options_.show) return fmt::print("# {}\n{}\n", way.name, after);
    const Outcome outcome = compared(file, read(file), after, options_);
    const bool slow = outcome.ratio > 2 || outcome.asks > 0;
    if (outcome.wrong.empty() && !slow) return;
    if (!outcome.wrong.empty()) ++failed_;
    fmt::print("{} {} ({} for {}), {} parts: {:.2f} times the time, {} more questions{}{}\n", file.stem().string(),
               way.name, way.to, way.from, nodes.size(), outcome.ratio, outcome.asks,
               outcome.wrong.empty() ? "" : "; WRONG: ", outcome.wrong);
    if (options_.speed) name_the_slow(file, way, text, nodes);
    std::fflush(stdout);
}

void Run::name_the_slow(const fs::path& file, const Way& way, Text& text, const std::set<NodeId>& nodes) {
    const std::string before = read(file);
    for (const NodeId node : nodes) {
        const Outcome outcome = compared(file, before, text.rewritten(way, {node}), options_);
        if (outcome.ratio > 1.6 || outcome.asks > 0 || !outcome.wrong.empty())
            fmt::print("    {:.2f} {} {}: {}\n", outcome.ratio, outcome.asks, outcome.wrong, text.quoted(node));
    }
}

// Every so many pairs of a file and a way.
constexpr std::size_t pairs_a_test = zug::test::sanitized ? 100 : 10;

void run_some(Run& run) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(ZUG_SOURCE_DIR "/rules"))
        if (entry.path().extension() == ".zug" && entry.path().stem() != "prelude") files.push_back(entry.path());
    std::ranges::sort(files);
    std::size_t pair = 0;
    for (const Way& way : rephrase::ways())
        for (const fs::path& file : files)
            if (pair++ % pairs_a_test == 0) run.file(file, way);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--speed")
            options.speed = true;
        else if (word == "--show")
            options.show = true;
        else if (word == "--only" && i + 1 < argc)
            options.only = argv[++i];
        else
            files.emplace_back(word);
    }
    Run run(options);
    if (files.empty()) run_some(run);
    for (const auto& file : files)
        for (const Way& way : rephrase::ways())
            if (options.only.empty() || options.only == way.name) run.file(file, way);
    fmt::print("{} files in other words, {} wrong\n", run.variants(), run.failed());
    return run.failed() == 0 ? 0 : 1;
}
