// Records as text.

#include "match/record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace zug::match {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<End, std::string_view>, 6> end_names{{{End::Finished, "finished"},
                                                                     {End::Forfeit, "forfeit"},
                                                                     {End::PlyLimit, "ply limit"},
                                                                     {End::Fault, "fault"},
                                                                     {End::Quit, "quit"},
                                                                     {End::Stopped, "stopped"}}};

bool take(const Json& json, std::string& out) {
    if (!json.is_string()) return false;
    out = json.get<std::string>();
    return true;
}

bool take(const Json& json, std::uint64_t& out) {
    if (!json.is_number_unsigned()) return false;
    out = json.get<std::uint64_t>();
    return true;
}

bool take(const Json& json, double& out) {
    if (!json.is_number()) return false;
    out = json.get<double>();
    return true;
}

bool take(const Json& json, End& out) {
    for (const auto& [end, name] : end_names)
        if (json.is_string() && json.get<std::string>() == name) {
            out = end;
            return true;
        }
    return false;
}

template <class T>
bool take(const Json& json, std::vector<T>& out) {
    if (!json.is_array()) return false;
    out.resize(json.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!take(json[i], out[i])) return false;
    return true;
}

bool take(const Json& json, std::map<std::string, std::string>& out) {
    if (!json.is_object()) return false;
    for (const auto& [name, value] : json.items())
        if (!take(value, out[name])) return false;
    return true;
}

// Reads a field; the first problem is kept in `problem`.
class Fields {
public:
    Fields(const Json& json, std::string& problem) : json_(json), problem_(problem) {}
    template <class T>
    void need(const char* name, T& out, const char* what) {
        if (json_.contains(name))
            may(name, out, what);
        else
            report(fmt::format("the record has no `{}`", name));
    }
    template <class T>
    void may(const char* name, T& out, const char* what) {
        const auto field = json_.find(name);
        if (field != json_.end() && !take(*field, out)) report(fmt::format("`{}` must be {}", name, what));
    }

private:
    void report(std::string text) {
        if (problem_.empty()) problem_ = std::move(text);
    }
    const Json& json_;
    std::string& problem_;
};

// The times of all seats, each kind a list.
struct Times {
    std::vector<double> seconds, longest;
    std::vector<std::uint64_t> decisions;
};

std::string read_times(const Json& json, GameRecord& record) {
    std::string problem;
    Fields fields(json, problem);
    Times times;
    fields.may("seconds", times.seconds, "a list of numbers");
    fields.may("longest", times.longest, "a list of numbers");
    fields.may("decisions", times.decisions, "a list of whole numbers");
    if (!problem.empty()) return problem;
    const std::size_t seats = times.seconds.size();
    if (times.longest.size() != seats || times.decisions.size() != seats ||
        (seats != 0 && seats != record.players.size()))
        return "`seconds`, `longest` and `decisions` must have one number for each player";
    const auto negative = [](double value) { return value < 0; };
    if (std::ranges::any_of(times.seconds, negative) || std::ranges::any_of(times.longest, negative))
        return "`seconds` and `longest` must not be negative";
    for (std::size_t seat = 0; seat < seats; ++seat)
        record.times.push_back({times.seconds[seat], times.longest[seat], times.decisions[seat]});
    return "";
}

void write_times(const GameRecord& record, Json& json) {
    constexpr double longest = 1e9; // whose microseconds a double still tells apart
    const auto rounded = [](double seconds) { return seconds < longest ? std::round(seconds * 1e6) / 1e6 : longest; };
    Times times;
    for (const TimeUsed& used : record.times) {
        times.seconds.push_back(rounded(used.seconds));
        times.longest.push_back(rounded(used.longest));
        times.decisions.push_back(used.moves);
    }
    json["seconds"] = times.seconds;
    json["longest"] = times.longest;
    json["decisions"] = times.decisions;
}

// Values are what a search believes: five digits of them say it all.
double rounded(double value) {
    constexpr int digits = 5;
    return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

void write_values(const GameRecord& record, Json& json) {
    Json values = Json::array();
    for (const Values& of_move : record.values) {
        if (of_move.size() == 2 && of_move[1] == -of_move[0]) {
            values.push_back(rounded(of_move[0]));
        } else {
            Json all;
            for (const double value : of_move) all.push_back(rounded(value));
            values.push_back(all);
        }
    }
    json["values"] = values;
}

bool take_values(const Json& json, Values& out) {
    if (json.is_null()) return true;
    double first = 0;
    if (!take(json, first)) return take(json, out);
    out = {first, -first};
    return true;
}

std::string read_values(const Json& json, GameRecord& record) {
    const auto values = json.find("values");
    if (values == json.end()) return "";
    if (!values->is_array() || values->size() != record.moves.size())
        return "`values` must have one entry for each move";
    record.values.resize(values->size());
    for (std::size_t i = 0; i < values->size(); ++i) {
        Values& of_move = record.values[i];
        if (!take_values((*values)[i], of_move) || (!of_move.empty() && of_move.size() != record.players.size()))
            return "each of `values` must be null, a number, or a list with one for each player";
    }
    return "";
}

std::string read_fields(const Json& json, GameRecord& record) {
    std::string problem;
    Fields fields(json, problem);
    fields.need("game", record.game, "a text");
    fields.may("file", record.file, "a text");
    fields.may("params", record.params, "an object of texts");
    fields.need("players", record.players, "a list of texts");
    fields.may("index", record.index, "a whole number");
    fields.may("seed", record.seed, "a whole number");
    fields.may("from", record.from, "a text");
    fields.need("moves", record.moves, "a list of texts");
    fields.need("end", record.end, "one of finished, forfeit, ply limit, fault, quit, stopped");
    fields.may("utilities", record.utilities, "a list of numbers");
    fields.may("fault", record.fault, "a text");
    if (!problem.empty()) return problem;
    if (is_scored(record.end) && record.utilities.size() != record.players.size())
        return "`utilities` must have one number for each player";
    if (std::string wrong = read_values(json, record); !wrong.empty()) return wrong;
    return read_times(json, record);
}

} // namespace

std::string_view end_name(End end) {
    for (const auto& [known, name] : end_names)
        if (known == end) return name;
    return "";
}

std::string record_line(const GameRecord& record) {
    Json json;
    json["game"] = record.game;
    json["file"] = record.file;
    json["params"] = record.params;
    json["players"] = record.players;
    json["index"] = record.index;
    json["seed"] = record.seed;
    if (!record.from.empty()) json["from"] = record.from;
    json["moves"] = record.moves;
    if (!record.values.empty()) write_values(record, json);
    json["end"] = end_name(record.end);
    if (is_scored(record.end)) json["utilities"] = record.utilities;
    if (!record.fault.empty()) json["fault"] = record.fault;
    if (!record.times.empty()) write_times(record, json);
    constexpr int one_line = -1;
    return json.dump(one_line, ' ', false, Json::error_handler_t::replace);
}

tl::expected<GameRecord, Error> parse_record(std::string_view line) {
    constexpr bool throws = false;
    const Json json = Json::parse(line.begin(), line.end(), nullptr, throws);
    if (json.is_discarded()) return failure("this is not a line of JSON; it may have been cut off");
    if (!json.is_object()) return failure("a record is a JSON object");
    GameRecord record;
    std::string problem = read_fields(json, record);
    if (!problem.empty()) return failure(std::move(problem));
    return record;
}

bool describes_tournament(std::string_view line) { return line.starts_with("{\"tournament\":"); }

void read_records(std::istream& in, const TakeRecord& take) {
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos || describes_tournament(line)) continue;
        if (!take(number, parse_record(line))) return;
    }
}

} // namespace zug::match
