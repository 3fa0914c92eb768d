#pragma once
// What `zug solve` tells about the instances of a family: as text, as CSV and as JSON.

#include "search/proof/prove.hpp"
#include "solve/solve.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::cli {

// What became of an instance.
struct InstanceReport {
    std::string file, title; // title: the file with its parameters as given
    std::vector<std::string> params;
    std::string error; // empty: it is solved
    solve::Solution solution;
    std::string value;                  // as people read it
    std::optional<search::Proof> proof; // then the solution has the value only, if it is proved
    double seconds = 0;
    std::uint64_t bytes = 0, peak_memory = 0;
    bool kept = false; // its database was there
};

enum class Form : std::uint8_t { Text, Csv, Json };

// All of them, with an error too: in JSON and CSV those have no value. Text tells a single instance line by line, more
// than one in a table, and leaves errors to those who tell them elsewhere.
void print_reports(const std::vector<InstanceReport>& reports, Form form);

} // namespace zug::cli
