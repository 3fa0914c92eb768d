#pragma once
// The output of `zug solve` about the instances of a family: as text, CSV or JSON.

#include "search/proof/prove.hpp"
#include "solve/solve.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::cli {

// The result of one instance.
struct InstanceReport {
    std::string file, title; // title: the file and the parameters that were given
    std::vector<std::string> params;
    std::string error; // empty: the instance is solved
    solve::Solution solution;
    std::string value;                  // in words
    std::optional<search::Proof> proof; // if present, the solution has no more than a value, if that is proved
    double seconds = 0;
    std::uint64_t bytes = 0, peak_memory = 0;
    bool kept = false; // there was a database already
};

enum class Form : std::uint8_t { Text, Csv, Json };

// Prints all of them. Those with an error have no value in JSON and CSV. As text, a single instance is printed line by
// line and several as a table; the caller prints their errors.
void print_reports(const std::vector<InstanceReport>& reports, Form form);

} // namespace zug::cli
