#include "cli/reports/solve_report.hpp"
#include "cli/output.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace zug::cli {

namespace {

Json proof_json(const InstanceReport& report) {
    const search::Proof& proof = *report.proof;
    Json json = {{"method", search::prover_name(proof.prover)}, {"nodes", proof.nodes}};
    if (!report.error.empty()) json = {{"low", proof.low}, {"high", proof.high}, {"nodes", proof.nodes}};
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

Json instance_json(const InstanceReport& report) {
    const bool solved = report.error.empty();
    Json params = Json::object();
    for (const std::string& define : report.params)
        params[define.substr(0, define.find('='))] = define.substr(define.find('=') + 1);
    Json json = {{"file", report.file}, {"params", params}};
    json["value"] = solved ? Json(report.solution.value.front()) : Json();
    if (!solved) json["error"] = report.error;
    if (report.proof)
        json.update(proof_json(report));
    else
        json.update(solved ? solution_json(report.solution) : Json{{"remoteness", Json()}, {"positions", Json()}});
    json["seconds"] = report.seconds;
    if (!report.proof) json["bytes"] = report.bytes;
    json["peak_memory"] = report.peak_memory;
    return json;
}

std::string remoteness_text(const solve::Solution& solution) {
    return solution.remoteness ? std::to_string(*solution.remoteness) : "";
}

void say_instance(const InstanceReport& report) {
    const solve::Solution& solution = report.solution;
    say("value        {}\n", report.value);
    if (report.proof) {
        say("proved by    {}, {} nodes\n", search::prover_name(report.proof->prover), grouped(report.proof->nodes));
        say("time         {}\n", duration_text(report.seconds));
        say("memory       {} MB at the peak\n", grouped(report.peak_memory >> 20));
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
        say("symmetries   {}: {} positions represent all\n", solution.symmetries, grouped(solution.with_symmetry));
    say("time         {}{}\n", duration_text(report.seconds), report.kept ? ", from an existing database" : "");
    say("memory       {} MB at the peak\n", grouped(report.peak_memory >> 20));
    if (report.bytes != 0)
        say("database     {} bytes, {:.2f} a position\n", grouped(report.bytes),
            static_cast<double>(report.bytes) / static_cast<double>(solution.positions));
    for (const auto& sentence : solution.assumes) say("taken for granted: {}\n", sentence);
}

void say_table(const std::vector<InstanceReport>& reports) {
    std::size_t title = 8, value = 5;
    for (const InstanceReport& report : reports) {
        title = std::max(title, report.title.size());
        value = std::max(value, report.value.size());
    }
    say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>9} {:>13}\n", "instance", title, "value", value, "remoteness",
        "positions", "with symmetry", "time", "memory", "bytes");
    for (const InstanceReport& report : reports) {
        if (!report.error.empty()) {
            say("{:{}}  not solved\n", report.title, title);
            continue;
        }
        say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>6} MB {:>13}\n", report.title, title, report.value, value,
            remoteness_text(report.solution), report.proof ? "" : grouped(report.solution.positions),
            report.proof ? "" : grouped(report.solution.with_symmetry),
            report.kept ? "existing" : duration_text(report.seconds), report.peak_memory >> 20,
            report.bytes == 0 ? "" : grouped(report.bytes));
    }
}

// Quoted if it contains a separator (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == text.npos) return text;
    std::string field = "\"";
    for (const char letter : text) field += letter == '"' ? "\"\"" : std::string(1, letter);
    return field + '"';
}

void say_csv(const std::vector<InstanceReport>& reports) {
    say("instance,value,remoteness,positions,with_symmetry,seconds,peak_memory,bytes\n");
    for (const InstanceReport& report : reports) {
        const solve::Solution& solution = report.solution;
        const bool solved = report.error.empty(), counted = solved && !report.proof;
        say("{},{},{},{},{},{:.3f},{},{}\n", csv_field(report.title),
            solved ? fmt::format("{}", solution.value.front()) : "", counted ? remoteness_text(solution) : "",
            counted ? std::to_string(solution.positions) : "", counted ? std::to_string(solution.with_symmetry) : "",
            report.seconds, report.peak_memory, counted ? std::to_string(report.bytes) : "");
    }
}

} // namespace

void print_reports(const std::vector<InstanceReport>& reports, Form form) {
    if (form == Form::Json) {
        Json json = Json::array();
        for (const InstanceReport& report : reports) json.push_back(instance_json(report));
        print_json(json);
    } else if (form == Form::Csv) {
        say_csv(reports);
    } else if (reports.size() > 1) {
        say_table(reports);
    } else if (reports.front().error.empty()) {
        say_instance(reports.front());
    }
}

} // namespace zug::cli
