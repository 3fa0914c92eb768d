#pragma once
// The rule files of rules/, with their default parameters and with those of the tables in tests/perft.

#include "compiler/compile.hpp"
#include "game/game.hpp"
#include "interpreter/make_interpreter.hpp"
#include "lang/load.hpp"
#include "reference/make_reference.hpp"
#include "tests/library.hpp"

#include <cstdlib>
#include <ctime>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace zug::game {

struct RuleFile {
    std::filesystem::path path;
    std::string params; // `size=4 goal=3`, or empty

    std::string name() const { return path.stem().string() + (params.empty() ? "" : " " + params); }
};

inline std::vector<std::string> fields_of(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
    return fields;
}

// The distinct `params` of a table, the empty one included.
inline std::set<std::string> params_of(const std::filesystem::path& table) {
    std::set<std::string> params{""};
    std::ifstream stream(table);
    std::string line;
    if (!std::getline(stream, line)) return params;
    const auto header = fields_of(line, '\t');
    const auto column = std::find(header.begin(), header.end(), "params") - header.begin();
    while (std::getline(stream, line)) {
        const auto fields = fields_of(line, '\t');
        if (static_cast<std::size_t>(column) < fields.size()) params.insert(fields[static_cast<std::size_t>(column)]);
    }
    return params;
}

// The processor time that a check may spend on one rule file, so that the many slow games don't take too long. It
// bounds how much is checked, never the outcome of a check. A build with sanitizers looks for other errors, on the same
// paths through the code: it spends a seventh.
class Budget {
public:
#ifdef ZUG_SANITIZED
    static constexpr double share = 1.0 / 7;
#else
    static constexpr double share = 1;
#endif
    explicit Budget(double seconds)
        : end_(std::clock() + static_cast<std::clock_t>(share * seconds * CLOCKS_PER_SEC)) {}
    bool spent() const { return std::clock() > end_; }

private:
    std::clock_t end_;
};

// The parameters to play a game with: those of its table; with sanitizers, which look for other errors on the same
// paths through the code, its own only. (All of them are compiled with sanitizers by the test of the tables.)
inline std::set<std::string> played_params(const std::filesystem::path& table) {
#ifdef ZUG_SANITIZED
    (void)table;
    return {""};
#else
    return params_of(table);
#endif
}

// ZUG_TEST_RULES names another folder, to try files that are not in rules/ yet.
inline std::vector<RuleFile> rule_files() {
    const std::filesystem::path top = ZUG_SOURCE_DIR;
    const char* other = std::getenv("ZUG_TEST_RULES");
    std::vector<RuleFile> files;
    for (const auto& path : test::sample(test::library(other != nullptr ? other : top / "rules"), 0))
        for (const auto& params : played_params(top / "tests" / "perft" / (path.stem().string() + ".tsv")))
            files.push_back({path, params});
    return files;
}

// Each file is read once and compiled once for all cases of a program: that takes longer than most checks.
inline const lang::Loaded& load_with_sources(const RuleFile& file) {
    static std::map<std::pair<std::filesystem::path, std::string>, lang::Loaded> known;
    const auto [entry, is_new] = known.try_emplace({file.path, file.params});
    if (!is_new) return entry->second;
    lang::Overrides overrides;
    for (const auto& param : fields_of(file.params, ' ')) {
        const auto equals = param.find('=');
        if (equals != std::string::npos) overrides[param.substr(0, equals)] = param.substr(equals + 1);
    }
    lang::Loaded& loaded = entry->second = lang::load_file(file.path.string(), overrides);
    INFO(diag::render(loaded.sources, loaded.report));
    REQUIRE(loaded.program);
    return loaded;
}

inline const std::shared_ptr<const ir::Program>& load(const RuleFile& file) { return load_with_sources(file).program; }

// Null where there is no byte code for the program.
inline std::shared_ptr<const run::Compiled> byte_code(const std::shared_ptr<const ir::Program>& program) {
    static std::map<std::shared_ptr<const ir::Program>, std::shared_ptr<const run::Compiled>> known;
    const auto [entry, is_new] = known.try_emplace(program);
    std::string why;
    if (is_new) entry->second = run::compile(program, why);
    return entry->second;
}

inline std::unique_ptr<run::Executor> make_interpreter(const std::shared_ptr<const ir::Program>& program) {
    auto compiled = byte_code(program);
    return compiled ? run::make_interpreter(std::move(compiled), nullptr) : run::make_reference(program);
}

} // namespace zug::game
