#include "api/solve.hpp"

#include "api/inner.hpp"
#include "base/process/memory.hpp"
#include "base/stop_flag.hpp"
#include "solve/database/database_writer.hpp"
#include "solve/database/query.hpp"
#include "solve/storage/work_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace zug::api {

namespace {

namespace fs = std::filesystem;

Standing standing_from(solve::Standing standing) {
    return {std::move(standing.value), standing.remoteness, standing.repetition};
}

solve::Options options_from(const SolveOptions& options, std::vector<std::string>& notes) {
    solve::Options own;
    own.threads = options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    own.symmetries = options.symmetries;
    own.budget = {options.memory != 0 ? options.memory : free_memory() / 4 * 3};
    own.stop = [stop = options.stop](const solve::Stage&) { return is_set(stop); };
    own.note = [&notes](const std::string& text) { notes.push_back(text); };
    return own;
}

// The file that the database goes to, in a folder that is there. An error: there can be no such folder.
tl::expected<fs::path, Error> file_in(const std::string& folder, const game::Game& game) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return failure(fmt::format("can't make the folder {}: {}", folder, error.message()));
    return fs::path(folder) / solve::file_name(solve::identity_of(game));
}

} // namespace

tl::expected<Solution, Error> solve(const State& start, const SolveOptions& options) {
    Solution result;
    game::Game game = start.inner()->game.clone();
    const solve::Options own = options_from(options, result.notes);
    std::unique_ptr<solve::DatabaseWriter> writer;
    std::unique_ptr<solve::WorkFolder> lock;
    if (!options.folder.empty()) {
        const auto file = file_in(options.folder, game);
        if (!file) return tl::unexpected(file.error());
        // Nobody else may write the same file meanwhile.
        auto locked = solve::WorkFolder::lock(file->string() + ".work");
        if (!locked) return tl::unexpected(locked.error());
        lock = std::move(*locked);
        writer = std::make_unique<solve::DatabaseWriter>(*file, game);
        result.file = file->string();
    }
    const auto solution = solve::solve(game, start.node().state, own, writer.get());
    if (!solution) return tl::unexpected(solution.error());
    result.start = {solution->value, solution->remoteness, solution->repetition};
    result.error = solution->error;
    result.positions = solution->positions;
    result.with_symmetry = solution->with_symmetry;
    result.notes.insert(result.notes.end(), solution->assumes.begin(), solution->assumes.end());
    return result;
}

struct Database::Open {
    std::shared_ptr<Inner> inner;
    solve::Database database;
};

Database::Database(std::unique_ptr<Open> open) : open_(std::move(open)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

tl::expected<Database, Error> Database::open(const Game& game, const std::string& folder) {
    auto database = solve::Database::open_in(folder, game.inner()->game);
    if (!database) return tl::unexpected(database.error());
    return Database(std::make_unique<Open>(Open{game.inner(), std::move(*database)}));
}

std::uint64_t Database::positions() const { return open_->database.solution().positions; }

tl::expected<Standing, Error> Database::look_up(const State& state) {
    auto standing = solve::standing_of(open_->database, state.node().state);
    if (!standing) return tl::unexpected(standing.error());
    if (!*standing) return failure("this position can't be reached from the start that was solved");
    return standing_from(std::move(**standing));
}

tl::expected<std::vector<MoveStanding>, Error> Database::moves(const State& state) {
    auto answer = solve::answer(open_->database, open_->inner->game, state.node().state);
    if (!answer) return tl::unexpected(answer.error());
    std::vector<MoveStanding> moves;
    for (solve::MoveStanding& move : answer->moves)
        moves.push_back({move.index, standing_from(std::move(move.standing))});
    return moves;
}

} // namespace zug::api
