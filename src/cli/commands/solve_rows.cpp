#include "cli/commands/solve_rows.hpp"
#include "cli/output.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace zug::cli {

namespace {

Json proof_json(const Row& row) {
    const search::Proof& proof = *row.proof;
    Json json = {{"method", search::prover_name(proof.prover)}, {"nodes", proof.nodes}};
    if (!row.error.empty()) json = {{"low", proof.low}, {"high", proof.high}, {"nodes", proof.nodes}};
    return json;
}

Json solution_json(const solve::Solution& solution) {
    Json json = Json::object();
    if (solution.value.size() > 2) json["values"] = solution.value;
    json["remoteness"] = solution.remoteness ? Json(*solution.remoteness) : Json();
    if (solution.win_probability) json["win_probability"] = *solution.win_probability;
    if (solution.chance) json["value_error"] = solution.error;
    json["repetition"] = solution.repetition;
    json["positions"] = solution.positions;
    json["with_symmetry"] = solution.with_symmetry;
    json["symmetries"] = solution.symmetries;
    json["moves"] = solution.moves;
    if (!solution.chance) {
        json["won"] = solution.tally.won;
        json["lost"] = solution.tally.lost;
        json["drawn"] = solution.tally.drawn;
    }
    json["assumes"] = solution.assumes;
    return json;
}

Json row_json(const Row& row) {
    const bool solved = row.error.empty();
    Json params = Json::object();
    for (const std::string& define : row.params)
        params[define.substr(0, define.find('='))] = define.substr(define.find('=') + 1);
    Json json = {{"file", row.file}, {"params", params}};
    json["value"] = solved ? Json(row.solution.value.front()) : Json();
    if (!solved) json["error"] = row.error;
    if (row.proof)
        json.update(proof_json(row));
    else
        json.update(solved ? solution_json(row.solution) : Json{{"remoteness", Json()}, {"positions", Json()}});
    json["seconds"] = row.seconds;
    if (!row.proof) json["bytes"] = row.bytes;
    json["peak_memory"] = row.peak_memory;
    return json;
}

std::string remoteness_text(const solve::Solution& solution) {
    return solution.remoteness ? std::to_string(*solution.remoteness) : "";
}

void say_row(const Row& row) {
    const solve::Solution& solution = row.solution;
    say("value        {}\n", row.value);
    if (row.proof) {
        say("proved by    {}, {} nodes\n", search::prover_name(row.proof->prover), grouped(row.proof->nodes));
        say("time         {}\n", duration_text(row.seconds));
        say("memory       {} MB at the peak\n", grouped(row.peak_memory >> 20));
        return;
    }
    if (solution.remoteness) say("remoteness   {} plies\n", *solution.remoteness);
    say("positions    {}\n", grouped(solution.positions));
    if (solution.chance)
        say("error        at most {:.1e}\n", solution.error);
    else
        say("             {} won, {} lost, {} drawn for the player to move\n", grouped(solution.tally.won),
            grouped(solution.tally.lost), grouped(solution.tally.drawn));
    say("moves        {}\n", grouped(solution.moves));
    if (solution.symmetries > 1)
        say("symmetries   {}: {} of the positions stand for all\n", solution.symmetries,
            grouped(solution.with_symmetry));
    say("time         {}{}\n", duration_text(row.seconds), row.kept ? ", the database was there" : "");
    say("memory       {} MB at the peak\n", grouped(row.peak_memory >> 20));
    if (row.bytes != 0)
        say("database     {} bytes, {:.2f} a position\n", grouped(row.bytes),
            static_cast<double>(row.bytes) / static_cast<double>(solution.positions));
    for (const auto& sentence : solution.assumes) say("taken for granted: {}\n", sentence);
}

void say_table(const std::vector<Row>& rows) {
    std::size_t title = 8, value = 5;
    for (const Row& row : rows) {
        title = std::max(title, row.title.size());
        value = std::max(value, row.value.size());
    }
    say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>9} {:>13}\n", "instance", title, "value", value, "remoteness",
        "positions", "with symmetry", "time", "memory", "bytes");
    for (const Row& row : rows) {
        if (!row.error.empty()) {
            say("{:{}}  not solved\n", row.title, title);
            continue;
        }
        say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>6} MB {:>13}\n", row.title, title, row.value, value,
            remoteness_text(row.solution), row.proof ? "" : grouped(row.solution.positions),
            row.proof ? "" : grouped(row.solution.with_symmetry), row.kept ? "there" : duration_text(row.seconds),
            row.peak_memory >> 20, row.bytes == 0 ? "" : grouped(row.bytes));
    }
}

// In quotes where a comma would end it (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == text.npos) return text;
    std::string field = "\"";
    for (const char letter : text) field += letter == '"' ? "\"\"" : std::string(1, letter);
    return field + '"';
}

void say_csv(const std::vector<Row>& rows) {
    say("instance,value,remoteness,positions,with_symmetry,seconds,peak_memory,bytes\n");
    for (const Row& row : rows) {
        const solve::Solution& solution = row.solution;
        const bool solved = row.error.empty(), counted = solved && !row.proof;
        say("{},{},{},{},{},{:.3f},{},{}\n", csv_field(row.title),
            solved ? fmt::format("{}", solution.value.front()) : "", counted ? remoteness_text(solution) : "",
            counted ? std::to_string(solution.positions) : "", counted ? std::to_string(solution.with_symmetry) : "",
            row.seconds, row.peak_memory, counted ? std::to_string(row.bytes) : "");
    }
}

} // namespace

void print_rows(const std::vector<Row>& rows, Form form) {
    if (form == Form::Json) {
        Json json = Json::array();
        for (const Row& row : rows) json.push_back(row_json(row));
        print_json(json);
    } else if (form == Form::Csv) {
        say_csv(rows);
    } else if (rows.size() > 1) {
        say_table(rows);
    } else if (rows.front().error.empty()) {
        say_row(rows.front());
    }
}

} // namespace zug::cli
