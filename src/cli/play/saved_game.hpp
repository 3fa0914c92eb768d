#pragma once
// A game in a file of its own, as a record (match/record.hpp), which `zug replay` reads too.

#include "match/record.hpp"

#include <tl/expected.hpp>

#include <string>

namespace zug::cli {

// Replaces an earlier game in the file, and nothing else that the file may hold. After an error it is as it was.
tl::expected<void, Error> save_game(const std::string& file, const match::GameRecord& record);
// The last game of a file of records.
tl::expected<match::GameRecord, Error> saved_game(const std::string& file);

} // namespace zug::cli
