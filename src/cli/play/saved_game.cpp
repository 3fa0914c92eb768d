#include "cli/play/saved_game.hpp"

#include "base/file.hpp"
#include "cli/output.hpp"
#include "records/formats.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace zug::cli {

namespace {

struct Records {
    std::size_t count = 0;
    tl::expected<match::GameRecord, Error> last = failure("there is no game in it");
};

tl::expected<Records, Error> records_of(game::Game& game, const std::string& rules, const std::string& file) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    const auto text = read_file_or_pipe(file, most);
    if (!text) return failure(fmt::format("can't read {}: {}", file, text.error().text));
    Records records;
    records::read(game, rules, *text, records::format_of(file), [&](std::size_t, const auto& record) {
        ++records.count;
        records.last = record;
        if (!record) records.last = failure(fmt::format("{}:{}", file, record.error().text));
        return record.has_value();
    });
    return records;
}

} // namespace

tl::expected<void, Error> check_save(game::Game& game, const std::string& rules, const std::string& file) {
    if (file.empty()) return {};
    if (const auto apart = check_apart(std::span(&file, 1), std::span(&rules, 1)); !apart) return apart;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored) || std::filesystem::file_size(file, ignored) == 0)
        return check_writable(file);
    const auto records = records_of(game, rules, file);
    if (!records) return tl::unexpected(records.error());
    if (records->count != 1 || !records->last)
        return failure(fmt::format("{} is there already, and is not one saved game", file));
    return check_writable(file);
}

tl::expected<void, Error> save_game(game::Game& game, const std::string& file, const match::GameRecord& record) {
    const auto text = records::text_of(game, record, records::format_of(file));
    if (!text) return tl::unexpected(text.error());
    if (const auto fine = check_save(game, record.file, file); !fine) return fine;
    return write_file(file, *text);
}

tl::expected<match::GameRecord, Error> saved_game(game::Game& game, const std::string& rules, const std::string& file) {
    auto records = records_of(game, rules, file);
    if (!records) return tl::unexpected(records.error());
    if (records->count == 0) return failure(fmt::format("there is no game in {}", file));
    return std::move(records->last);
}

} // namespace zug::cli
