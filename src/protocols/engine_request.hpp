#pragma once
// Requests of Zug's own protocol: lines of JSON, and what may stand in them. engine.schema.json beside this file says
// the same for other programs.

#include "base/error.hpp"

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace zug::protocols {

using Json = nlohmann::ordered_json;
using Received = nlohmann::json; // sorted: an object of many members takes no longer to read than its text

inline constexpr int engine_protocol = 1; // the version

enum class MemberType : std::uint8_t {
    Text,
    Count,      // a whole number from 0
    Seconds,    // a number above 0
    Switch,     // true or false
    Moves,      // a text, or an array of texts
    Parameters, // an object of texts, numbers and truths
};

struct Member {
    std::string_view name;
    MemberType type = MemberType::Text;
    bool required = false;
};

struct CommandForm {
    std::string_view name;
    std::span<const Member> members;
};
std::span<const CommandForm> engine_commands();

// A request in which every member has its type.
struct Request {
    Json id;
    std::string command;
    Received members; // the line's object
};

// What is wrong with a line, and its id if that could be found out, else null.
struct BadRequest {
    Json id;
    std::string text;
};
// Of the commands `forms`, which are those of the protocol unless another one has the same form of requests.
tl::expected<Request, BadRequest> parse_request(std::string_view line,
                                                std::span<const CommandForm> forms = engine_commands());

// A member that parse_request() has checked; the value where it is not given.
std::string text_of(const Request& request, std::string_view name);
std::uint64_t count_of(const Request& request, std::string_view name, std::uint64_t otherwise);
bool is_on(const Request& request, std::string_view name);
// Moves as a line for game::Game::play_line.
std::string moves_of(const Request& request);

} // namespace zug::protocols
