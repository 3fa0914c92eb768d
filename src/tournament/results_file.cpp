#include "tournament/results_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>

namespace zug::tournament {

namespace {

tl::unexpected<Error> failed(const char* what, const std::string& file) {
    return failure(fmt::format("can't {} {}: {}", what, file, std::strerror(errno)));
}

tl::unexpected<Error> not_ours(const std::string& file, const std::string& why) {
    return failure(fmt::format("{} holds another tournament: {}; choose another file", file, why));
}

bool is_file_or_absent(const std::string& file) {
    struct stat about {};
    return ::stat(file.c_str(), &about) != 0 || S_ISREG(about.st_mode);
}

// A record of another game than the one that has its index. The seed tells them apart.
bool fits(const match::GameRecord& record, const Fixture& fixture, const Description& description) {
    if (record.seed != game_seed(description.seed, fixture.index) || record.players.size() != fixture.seats.size())
        return false;
    for (std::size_t seat = 0; seat < fixture.seats.size(); ++seat)
        if (record.players[seat] != description.players[fixture.seats[seat]]) return false;
    return record.game == description.games[fixture.game].game;
}

} // namespace

tl::expected<ResultsFile, Error> ResultsFile::open(const std::string& file, const Description& description,
                                                   const Schedule& schedule) {
    const bool keeps = is_file_or_absent(file); // what a pipe has got can't be read again
    int lock = -1;
    if (keeps) {
        constexpr mode_t everyone_reads = 0644;
        lock = ::open(file.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, everyone_reads);
        if (lock < 0) return failed("open", file);
        if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
            ::close(lock);
            return failure(fmt::format("another process is writing to {}", file));
        }
    }
    // Opening it to write ends a line that was cut off, so what is in the file is looked at before.
    ResultsFile out(lock);
    bool described = false;
    if (keeps) {
        const auto read = out.read(file, description, schedule);
        if (!read) return tl::unexpected(read.error());
        described = *read;
    }
    auto writer = match::RecordWriter::open(file);
    if (!writer) return tl::unexpected(writer.error());
    out.writer_.emplace(std::move(*writer));
    if (!described)
        if (auto done = out.writer_->append_line(description_line(description)); !done)
            return tl::unexpected(done.error());
    return out;
}

ResultsFile::ResultsFile(ResultsFile&& other) noexcept
    : writer_(std::move(other.writer_)), lock_(std::exchange(other.lock_, -1)), earlier_(std::move(other.earlier_)),
      unreadable_(other.unreadable_), synced_(other.synced_) {}

ResultsFile::~ResultsFile() {
    if (lock_ < 0) return;
    if (writer_) writer_->sync();
    ::close(lock_);
}

// Whether the file has its description. If it was made and not described, as after a kill, it has at most a part of
// that line.
tl::expected<bool, Error> ResultsFile::read(const std::string& file, const Description& description,
                                            const Schedule& schedule) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return failed("read", file);
    const std::string expected = description_line(description);
    std::string line;
    bool described = false;
    while (!described && std::getline(in, line)) {
        if (line.empty() || (line.size() < expected.size() && expected.starts_with(line))) continue;
        if (!match::describes_tournament(line))
            return failure(fmt::format("{} is no file of a tournament; choose another file", file));
        const auto theirs = parse_description(line);
        if (!theirs) return not_ours(file, theirs.error().text);
        if (const std::string other = difference(*theirs, description); !other.empty()) return not_ours(file, other);
        described = true;
    }
    std::unordered_set<std::uint64_t> seen;
    std::string problem;
    match::read_records(in, [&](std::size_t, const auto& record) {
        if (!record) {
            ++unreadable_;
            return true;
        }
        const auto fixture = schedule.next(record->index);
        if (!fixture || fixture->index != record->index) return true; // beyond the number of games
        if (!fits(*record, *fixture, description)) {
            problem = fmt::format("its game {} is of another one", record->index);
            return false;
        }
        if (seen.insert(record->index).second) earlier_.emplace_back(record->index, outcome_of(*record));
        return true;
    });
    if (!problem.empty()) return not_ours(file, problem);
    return described;
}

tl::expected<void, Error> ResultsFile::append(const match::GameRecord& record) {
    constexpr auto interval = std::chrono::seconds(1);
    if (auto done = writer_->append(record); !done) return done;
    if (const auto now = Clock::now(); lock_ >= 0 && now - synced_ > interval) {
        writer_->sync();
        synced_ = now;
    }
    return {};
}

} // namespace zug::tournament
