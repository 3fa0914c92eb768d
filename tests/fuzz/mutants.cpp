// Mutated rule files through the commands of the program, as a process with a second of time and 500 MB each:
//
//   build/tests/mutants build/zug COUNT SEED FOLDER
//
// from the top of the clone. Reports runs that end by a signal, take much longer or more, or leave with a message from
// the depths; their files are kept in FOLDER. Equal seeds give equal files.

#include "base/random.hpp"
#include "grammar/parse.hpp"
#include "tests/cli/process.hpp"
#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>

// What the mutator calls of the fuzzer's library, to change some bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t) {
    static zug::Random random(1);
    for (int i = 0; i < 3 && size > 0; ++i)
        data[random.below(static_cast<std::uint32_t>(size))] = static_cast<std::uint8_t>(random.below(256));
    return size;
}

namespace {

using namespace zug::test;
namespace fs = std::filesystem;

constexpr double most_seconds = 4; // of a run that was given one: other processes work too
constexpr long most_megabytes = 600;

struct Command {
    std::string name;
    std::vector<std::string> words; // `@` stands for the file
};

const std::vector<Command> commands = {
    {"check", {"check", "@"}},
    {"info", {"info", "@"}},
    {"perft", {"perft", "@", "--depth", "4"}},
    {"search", {"search", "@", "--depth", "3"}},
    {"bench", {"bench", "@", "--seconds", "0.1"}},
    {"match", {"match", "@", "--players", "random,random", "--games", "3"}},
    {"solve", {"solve", "@"}},
};

std::string mutant(const std::vector<std::string>& texts, zug::Random& random) {
    std::string text = texts[random.below(static_cast<std::uint32_t>(texts.size()))];
    const std::size_t size = text.size();
    text.resize(2 * size + 4096);
    text.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size(),
                                        random.below(1U << 31)));
    return text;
}

bool parses(const std::string& text) {
    zug::diag::Sources sources;
    zug::diag::Report report;
    zug::syntax::parse(sources, sources.add("mutant.zug", text), report);
    return !report.has_errors();
}

// Three of four get past the parser: the others all end there.
std::string chosen_mutant(const std::vector<std::string>& texts, zug::Random& random) {
    std::string text = mutant(texts, random);
    if (random.below(4) == 0) return text;
    constexpr int most_tries = 100;
    for (int i = 0; i < most_tries && !parses(text); ++i) text = mutant(texts, random);
    return text;
}

// What is wrong with a run; empty: nothing.
std::string wrong(const Result& result) {
    if (result.timed_out) return "it does not end";
    if (result.signal != 0) return fmt::format("signal {}", result.signal);
    if (result.code != 0 && result.code != 1 && result.code != 2) return fmt::format("code {}", result.code);
    if (result.processor_seconds > most_seconds) return fmt::format("{:.1f} s", result.processor_seconds);
    if (result.megabytes > most_megabytes) return fmt::format("{} MB", result.megabytes);
    for (const char* text : {"bad_alloc", "terminate called", "std::", "Assertion"})
        if (has(result.err, text)) return "its message";
    if (result.code != 0 && result.err.empty()) return "it does not say what is wrong";
    return "";
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 5) return std::fputs("usage: mutants ZUG COUNT SEED FOLDER\n", stderr), 2;
    const long count = std::atol(argv[2]);
    zug::Random random(static_cast<std::uint64_t>(std::atol(argv[3])));
    const fs::path folder = argv[4];
    fs::create_directories(folder);
    std::vector<std::string> texts;
    for (const char* from : {"rules", "tests/hostile"})
        for (const auto& entry : fs::directory_iterator(from))
            if (entry.path().extension() == ".zug") texts.push_back(read_file(entry.path()));
    std::ranges::sort(texts);
    std::map<std::string, long> fine;
    long failures = 0, runs = 0;
    double slowest = 0;
    long largest = 0;
    for (long i = 0; i < count; ++i) {
        const fs::path file = folder / fmt::format("{}-{}.zug", argv[3], i);
        std::ofstream(file, std::ios::binary) << chosen_mutant(texts, random);
        bool keep = false;
        for (const Command& command : commands) {
            std::vector<std::string> words{argv[1]};
            words.insert(words.end(), command.words.begin(), command.words.end());
            for (std::string& word : words)
                if (word == "@") word = file.string();
            for (const char* word : {"--time", "1", "--memory", "500M"}) words.emplace_back(word);
            Setting setting;
            setting.limit = 20;
            const Result result = run(words, setting);
            ++runs;
            slowest = std::max(slowest, result.processor_seconds);
            largest = std::max(largest, result.megabytes);
            if (result.code == 0) ++fine[command.name];
            const std::string why = wrong(result);
            if (why.empty()) continue;
            ++failures;
            keep = true;
            fmt::print("{} {}: {}\n{}\n", command.name, file.string(), why, result.err.substr(0, 500));
            std::fflush(stdout);
        }
        if (!keep) fs::remove(file);
    }
    fmt::print("{} runs, {} failures; at most {:.1f} s of processor time and {} MB\n", runs, failures, slowest,
               largest);
    for (const auto& [name, times] : fine) fmt::print("  {} of {} fine: {}\n", times, count, name);
    return failures == 0 ? 0 : 1;
}
