// Random rule files: all executors have to agree on what they mean.
//
//   random_rules                          plays a fixed number of files, the same ones every time, and those of found/,
//                                         which is what went wrong once, cut down for people; so does ctest
//   random_rules --seeds 100000 --from 1  plays the files of so many seeds, from that one on
//   random_rules --show 17                prints the file of a seed, and plays it
//   random_rules --file FILE.zug          plays a file, with some seeds
//
// On a difference it prints the seed, a file that was made as short as possible, the position, the moves that led there
// and what differs. ZUG_SEEDS=N in the environment is the same as --seeds N. At the end it prints how many files the
// loader refused, which for a file that is well-typed by construction is nearly always a mistake of the writer or the
// loader; how many the interpreter left to the reference as a whole, with the reasons; and how often it asked the
// reference for parts of others. More of each than measured is a failure too.

#include "tests/random_rules/shrink.hpp"
#include "tests/random_rules/verdict.hpp"
#include "tests/random_rules/writer.hpp"
#include "tests/sanitized.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using zug::random_rules::judge;
using zug::random_rules::Verdict;
using zug::random_rules::Writer;

constexpr std::uint64_t few_seeds = zug::test::sanitized ? 70 : 800;
constexpr std::uint64_t seeds_of_found = zug::test::sanitized ? 1 : 5; // for each of those files
constexpr int most_trials = 6000;                                      // while shortening a file

// Bounds in percent of the files, from so many files on. On what is left to the reference executor, others agree with
// it because they ask it. Measured on the fixed files, 890 of them: 1.1% refused, 0.8% left to it as a whole, 3.3%
// with byte code that asks it.
constexpr std::uint64_t few_files = 100;
constexpr double most_refused = 2, most_whole = 1, most_asking = 5.5;

struct Tally {
    std::uint64_t files = 0, refused = 0, failed = 0, reference_only = 0;
    std::uint64_t asking = 0; // files with byte code that asks the reference evaluator
    std::uint64_t asked = 0, other_asked = 0;
    std::uint64_t positions = 0, faults = 0, symmetric = 0, compound = 0;
    std::map<std::string, int> reasons;

    double share(std::uint64_t n) const { return 100.0 * static_cast<double>(n) / static_cast<double>(files); }
};

void report(const std::string& text, std::uint64_t seed, const Verdict& verdict) {
    fmt::print("== seed {}: {}: {}\n", seed, verdict.what, verdict.text);
    const auto still = [&](const std::string& shorter) {
        const Verdict other = judge(shorter, seed);
        return other.kind == verdict.kind && other.what == verdict.what;
    };
    const std::string small = zug::random_rules::shrink(text, still, most_trials);
    const Verdict last = judge(small, seed);
    fmt::print("{}\nposition: {}\nmoves: {}\n{}: {}\n\n", small, last.position, last.line, last.what, last.text);
    std::fflush(stdout);
}

void play(const std::string& text, std::uint64_t seed, Tally& tally) {
    const Verdict verdict = judge(text, seed);
    ++tally.files;
    tally.positions += verdict.positions;
    tally.faults += verdict.faults;
    if (verdict.symmetries > 0) ++tally.symmetric;
    if (verdict.compound) ++tally.compound;
    if (verdict.questions > 0) ++tally.asking;
    tally.asked += verdict.asked;
    tally.other_asked += verdict.other_asked;
    if (!verdict.why.empty()) ++tally.reference_only, ++tally.reasons[verdict.why];
    if (verdict.kind == Verdict::Kind::Refused) ++tally.refused;
    if (!verdict.failed()) return;
    ++tally.failed;
    report(text, seed, verdict);
}

bool within(const char* what, double share, double most) {
    if (share <= most) return true;
    fmt::print("more than {}% {}\n", most, what);
    return false;
}

int summary(const Tally& tally) {
    fmt::print("{} files, {} positions, {} faults\n{} refused ({:.2f}%)\n", tally.files, tally.positions, tally.faults,
               tally.refused, tally.share(tally.refused));
    fmt::print("{} left to the reference as a whole ({:.2f}%)\n", tally.reference_only,
               tally.share(tally.reference_only));
    for (const auto& [why, count] : tally.reasons) fmt::print("  {} {}\n", count, why);
    fmt::print("{} that ask it ({:.2f}%), {} questions, and {} about faults and moves that fail\n", tally.asking,
               tally.share(tally.asking), tally.asked, tally.other_asked);
    fmt::print("{} have symmetries that follow from the rules\n{} have compound moves\n{} failed\n", tally.symmetric,
               tally.compound, tally.failed);
    if (tally.failed > 0) return 1;
    if (tally.files < few_files) return 0;
    const bool fine = within("are refused", tally.share(tally.refused), most_refused) &&
                      within("are left to the reference as a whole", tally.share(tally.reference_only), most_whole) &&
                      within("ask the reference", tally.share(tally.asking), most_asking);
    return fine ? 0 : 1;
}

void play_file(const std::filesystem::path& file, std::uint64_t seeds, Tally& tally) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) play(text.str(), seed, tally);
}

} // namespace

int main(int argc, char** argv) {
    Tally tally;
    std::uint64_t from = 1, seeds = few_seeds;
    if (const char* many = std::getenv("ZUG_SEEDS")) seeds = std::strtoull(many, nullptr, 10);
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--file") {
            play_file(argv[i + 1], 20, tally);
            return summary(tally);
        }
        const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
        if (option == "--seeds") seeds = number;
        if (option == "--from" || option == "--show") from = number;
        if (option == "--show") {
            seeds = 1;
            fmt::print("{}\n", Writer(from).file());
        }
    }
    if (argc == 1)
        for (const auto& file : std::filesystem::directory_iterator(ZUG_SOURCE_DIR "/tests/random_rules/found"))
            play_file(file, seeds_of_found, tally);
    for (std::uint64_t seed = from; seed < from + seeds; ++seed) play(Writer(seed).file(), seed, tally);
    return summary(tally);
}
