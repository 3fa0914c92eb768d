#pragma once
// Writes a database (database_format.hpp) while a game is solved. An existing file of that name is replaced only when
// the new one is complete; if anything fails before, it is left unchanged.

#include "solve/database/database.hpp"

#include <filesystem>
#include <memory>

namespace zug::solve {

class DatabaseWriter final : public SolutionSink {
public:
    // Nothing is written before begin(). Only one process at a time writes the same file.
    DatabaseWriter(std::filesystem::path path, const game::Game& game);
    ~DatabaseWriter() override; // removes the file unless it is complete or belongs to a checkpoint

    tl::expected<void, Error> begin(const Frame& frame, const archive::Bytes* saved) override;
    tl::expected<void, Error> keep(const Tier& tier, std::size_t first_block, std::span<const Result> results) override;
    tl::expected<void, Error> keep_expected(const Tier& tier, std::size_t first_block,
                                            ExpectedValues::Columns values) override;
    tl::expected<archive::Bytes, Error> save() override;
    tl::expected<void, Error> end(const Solution& solution, const Histogram& histogram) override;

    std::uint64_t bytes() const; // of the file, once it is complete

private:
    struct File;
    std::unique_ptr<File> file_;
};

} // namespace zug::solve
