#include "cli/play/saved_game.hpp"

#include "base/file.hpp"
#include "cli/output.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace zug::cli {

namespace {

struct Records {
    std::size_t count = 0;
    tl::expected<match::GameRecord, Error> last = failure("there is no game in it");
};

tl::expected<Records, Error> records_of(const std::string& file) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    auto text = read_file_or_pipe(file, most);
    if (!text) return failure(fmt::format("can't read {}: {}", file, text.error().text));
    std::istringstream in(std::move(*text));
    Records records;
    match::read_records(in, [&](std::size_t line, const auto& record) {
        ++records.count;
        records.last = record;
        if (!record) records.last = failure(fmt::format("{}:{}: {}", file, line, record.error().text));
        return record.has_value();
    });
    return records;
}

} // namespace

tl::expected<void, Error> save_game(const std::string& file, const match::GameRecord& record) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && std::filesystem::file_size(file, ignored) > 0) {
        const auto records = records_of(file);
        if (!records) return tl::unexpected(records.error());
        if (records->count != 1 || !records->last)
            return failure(fmt::format("{} is there already, and is not one saved game", file));
    }
    return put_in_file(file, match::record_line(record) + "\n");
}

tl::expected<match::GameRecord, Error> saved_game(const std::string& file) {
    auto records = records_of(file);
    if (!records) return tl::unexpected(records.error());
    if (records->count == 0) return failure(fmt::format("there is no game in {}", file));
    return std::move(records->last);
}

} // namespace zug::cli
