// Golden matches: what random play makes of every game of rules/, to the last digit.
//
//   golden                    plays of each file as many games as its column `quick` says, and compares; with
//                             sanitizers few of every fourth file
//   golden --all [FILE...]    plays 1000 of each, or of these files; so does ZUG_SLOW=1
//   golden --record [FILE...] plays 1000 of each and writes the table
//
// Files are named as in rules/: `hex.zug`. A row gives, for the first 20 games and for all 1000 of
// `zug match FILE --players random,... --seed 1`, the mean number of plies, the mean utility of each player of the
// game, and how many games each has won. Equal seeds give equal games on every machine, with any number of threads and
// any executor, so a difference means that a game has changed: its rules, its moves, or the random numbers. Where that
// was meant, record it; where not, the change is wrong.

#include "lang/load.hpp"
#include "match/match.hpp"
#include "tests/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace zug;

constexpr std::uint64_t few = 20, many = 1000;
constexpr double quick_seconds = 2; // of one core; what takes longer is played `few` times in the ordinary run
constexpr const char* heading = "file\tquick\tplies_20\tutility_20\twins_20\tplies_1000\tutility_1000\twins_1000";

const std::filesystem::path top = ZUG_SOURCE_DIR;
const std::filesystem::path table_file = top / "tests" / "golden" / "matches.tsv";

// By file; the other columns in order.
using Table = std::map<std::string, std::vector<std::string>>;
constexpr std::size_t first_of_few = 1, first_of_many = 4, columns = 7;

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    return fields;
}

Table read_table() {
    Table table;
    std::ifstream in(table_file);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::vector<std::string> fields = fields_of(line);
        if (fields.size() != columns + 1) continue; // torn: recorded anew, or missed
        const std::string file = fields[0];
        fields.erase(fields.begin());
        table[file] = std::move(fields);
    }
    return table;
}

void write_table(const Table& table) {
    std::ofstream out(table_file);
    out << heading << '\n';
    for (const auto& [file, fields] : table) out << fmt::format("{}\t{}\n", file, fmt::join(fields, "\t"));
}

std::vector<std::string> rule_files() {
    std::vector<std::string> files;
    for (const auto& file : zug::test::library()) files.push_back(file.filename());
    return files;
}

struct Outcome {
    std::vector<std::string> fields = {}; // plies, utility, wins
    std::string problem;                  // a fault, or games without an end
    double seconds = 0;                   // of all cores together
};

Outcome play(const std::string& file, std::uint64_t games) {
    const lang::Loaded loaded = lang::load_file((top / "rules" / file).string());
    if (!loaded.program) return {.problem = diag::render(loaded.sources, loaded.report)};
    game::Game game(loaded.program);
    const std::vector<match::PlayerSpec> players(game.players(), match::parse_player("random").value());
    match::MatchOptions options{.games = games, .seed = 1};
    options.threads = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
    const bool puzzle = game.players() == 1; // need not end for somebody who moves at random
    if (puzzle) options.max_plies = 1000;
    const std::clock_t begin = std::clock();
    const auto report = match::run_match(game, game.initial(), players, options);
    if (!report) return {.problem = report.error().text};
    if (report->first_fault) return {.problem = *report->first_fault};
    if (report->unfinished > 0 && !puzzle)
        return {.problem = fmt::format("{} games were given up as too long", report->unfinished)};
    std::vector<std::string> utilities, wins;
    for (const match::Score& seat : report->seats) {
        utilities.push_back(fmt::format("{:.4f}", seat.utility.mean()));
        wins.push_back(std::to_string(seat.wins));
    }
    return {.fields = {fmt::format("{:.3f}", report->plies.mean()), fmt::format("{}", fmt::join(utilities, " ")),
                       fmt::format("{}", fmt::join(wins, " "))},
            .problem = "",
            .seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
}

bool complain(const std::string& file, const std::string& text) {
    std::fflush(stdout);
    fmt::print(stderr, "{}: {}\n", file, text);
    return false;
}

bool compare(const std::string& file, const Table& table, bool all) {
    const auto row = table.find(file);
    if (row == table.end()) return complain(file, "no golden matches");
    all = all && !test::sanitized;
    const std::uint64_t games = all || (!test::sanitized && row->second[0] == std::to_string(many)) ? many : few;
    const Outcome outcome = play(file, games);
    if (!outcome.problem.empty()) return complain(file, outcome.problem);
    bool same = true;
    const char* const names[] = {"plies", "utilities", "wins"};
    for (std::size_t i = 0; i < outcome.fields.size(); ++i) {
        const std::string& golden = row->second[(games == few ? first_of_few : first_of_many) + i];
        if (golden == outcome.fields[i]) continue;
        same =
            complain(file, fmt::format("{} games: {} {}, golden are {}", games, names[i], outcome.fields[i], golden));
    }
    if (all) fmt::print("{:<28} {:6.1f} s\n", file, outcome.seconds);
    return same;
}

bool record(const std::string& file, Table& table) {
    const Outcome begin = play(file, few), whole = play(file, many);
    for (const Outcome* outcome : {&begin, &whole})
        if (!outcome->problem.empty()) return complain(file, outcome->problem);
    std::vector<std::string> fields{std::to_string(whole.seconds < quick_seconds ? many : few)};
    fields.insert(fields.end(), begin.fields.begin(), begin.fields.end());
    fields.insert(fields.end(), whole.fields.begin(), whole.fields.end());
    table[file] = fields;
    write_table(table); // after each, so that a long run may be cut short
    fmt::print("{:<28} {:6.1f} s  {}\n", file, whole.seconds, fmt::join(whole.fields, "  "));
    return true;
}

} // namespace

int main(int count, char** words) {
    std::vector<std::string> files(words + 1, words + count);
    const bool recording = std::erase(files, "--record") > 0;
    const bool all = std::erase(files, "--all") > 0 || std::getenv("ZUG_SLOW") != nullptr;
    const bool whole = files.empty();
    if (whole) files = rule_files();
    Table table = read_table();
    std::vector<std::string> files_without_row = files;
    bool fine = true;
    for (std::size_t i = 0; i < files.size(); i += whole && !recording ? test::one_game_in : 1) {
        const std::string& file = files[i];
        if (!std::filesystem::exists(top / "rules" / file))
            fine = complain(file, "there is no such file in rules/");
        else if (!(recording ? record(file, table) : compare(file, table, all)))
            fine = false;
    }
    std::erase_if(files_without_row, [&](const std::string& file) { return table.contains(file); });
    if (!files_without_row.empty())
        fmt::print(stderr,
                   "If the rules are as they should be, from the top of the clone: build/tests/golden --record {}\n",
                   fmt::join(files_without_row, " "));
    if (!whole) return fine ? 0 : 1;
    const auto gone = [&](const auto& row) { return std::ranges::count(files, row.first) == 0; };
    if (recording) {
        if (std::erase_if(table, gone) > 0) write_table(table);
    } else if (const auto row = std::ranges::find_if(table, gone); row != table.end()) {
        fine = complain(row->first, "has golden matches, and isn't in rules/ (build/tests/golden --record)");
    }
    return fine ? 0 : 1;
}
