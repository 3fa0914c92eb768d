#include "protocols/engine_request.hpp"

#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace zug::protocols {

namespace {

constexpr std::array load_members{Member{"file"}, Member{"text"}, Member{"parameters", MemberType::Parameters}};
constexpr std::array new_members{Member{"seed", MemberType::Count}};
constexpr std::array position_members{Member{"position"}, Member{"moves", MemberType::Moves}};
constexpr std::array play_members{Member{"moves", MemberType::Moves, true}};
constexpr std::array undo_members{Member{"plies", MemberType::Count}};
constexpr std::array search_members{Member{"player"},
                                    Member{"time", MemberType::Seconds},
                                    Member{"depth", MemberType::Count},
                                    Member{"nodes", MemberType::Count},
                                    Member{"infinite", MemberType::Switch},
                                    Member{"lines", MemberType::Count},
                                    Member{"moves", MemberType::Moves}};
constexpr std::array perft_members{Member{"depth", MemberType::Count, true}, Member{"divide", MemberType::Switch}};

constexpr std::array<CommandForm, 11> commands{{{"hello", {}},
                                                {"load", load_members},
                                                {"new", new_members},
                                                {"position", position_members},
                                                {"state", {}},
                                                {"play", play_members},
                                                {"undo", undo_members},
                                                {"search", search_members},
                                                {"stop", {}},
                                                {"perft", perft_members},
                                                {"quit", {}}}};
// Those that all requests have.
constexpr std::array<std::string_view, 3> common{"protocol", "id", "command"};

constexpr std::uint64_t most = std::uint64_t{1} << 53U; // what JSON numbers hold exactly everywhere

bool is_count(const Received& value) { return value.is_number_unsigned() && value.get<std::uint64_t>() <= most; }

bool are_moves(const Received& value) {
    if (value.is_string()) return true;
    return value.is_array() && std::ranges::all_of(value, [](const Received& move) { return move.is_string(); });
}

bool are_parameters(const Received& value) {
    return value.is_object() && std::ranges::all_of(value, [](const Received& parameter) {
               return parameter.is_string() || parameter.is_number() || parameter.is_boolean();
           });
}

// What a value of the type is; empty: this one is.
std::string_view misfit(MemberType type, const Received& value) {
    switch (type) {
    case MemberType::Text: return value.is_string() ? "" : "a text";
    case MemberType::Count: return is_count(value) ? "" : "a whole number from 0 to 2^53";
    case MemberType::Seconds:
        return value.is_number() && value.get<double>() > 0 && std::isfinite(value.get<double>())
                   ? ""
                   : "a number of seconds above 0";
    case MemberType::Switch: return value.is_boolean() ? "" : "true or false";
    case MemberType::Moves: return are_moves(value) ? "" : "a text, or an array of texts";
    case MemberType::Parameters: return are_parameters(value) ? "" : "an object of texts, numbers, true and false";
    }
    return "";
}

std::string suggestion(std::string_view name, const std::vector<std::string>& names) {
    const std::string near = nearest(name, names);
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

// Of a request without one: which member may have been meant to be the command.
std::string misspelled_command(const Received& request) {
    for (const auto& [name, value] : request.items())
        if (!nearest(name, {"command"}).empty()) return fmt::format(", and has `{}`", name);
    return "";
}

// What is wrong with the members of a request; empty: nothing.
std::string misfit(const CommandForm& form, const Received& request) {
    std::vector<std::string> names;
    for (const Member& member : form.members) names.emplace_back(member.name);
    for (const auto& [name, value] : request.items()) {
        if (std::ranges::find(common, name) != common.end()) continue;
        const auto member = std::ranges::find(form.members, name, &Member::name);
        if (member == form.members.end())
            return fmt::format("`{}` has no member `{}`{}", form.name, name, suggestion(name, names));
        if (const auto should_be = misfit(member->type, value); !should_be.empty())
            return fmt::format("`{}` of `{}` must be {}", name, form.name, should_be);
    }
    for (const Member& member : form.members)
        if (member.required && !request.contains(member.name))
            return fmt::format("`{}` needs a member `{}`", form.name, member.name);
    return "";
}

} // namespace

std::span<const CommandForm> engine_commands() { return commands; }

tl::expected<Request, BadRequest> parse_request(std::string_view line, std::span<const CommandForm> forms) {
    Received object = Received::parse(line, nullptr, false);
    const auto wrong = [](Json id, std::string text) {
        return tl::unexpected(BadRequest{std::move(id), std::move(text)});
    };
    if (object.is_discarded()) return wrong(nullptr, "the line is not JSON in UTF-8");
    if (!object.is_object()) return wrong(nullptr, "a request is a JSON object");
    Json id = object.value("id", Received());
    if (!id.is_string() && !id.is_number_integer()) return wrong(nullptr, "`id` must be a text or a whole number");
    if (const auto version = object.find("protocol"); version != object.end() && *version != engine_protocol)
        return wrong(id, fmt::format("the version of the protocol is {}", engine_protocol));
    const auto name = object.find("command");
    if (name == object.end()) return wrong(id, "a request needs a member `command`" + misspelled_command(object));
    if (!name->is_string()) return wrong(id, "`command` must be a text");
    std::string command = name->get<std::string>();
    const auto form = std::ranges::find(forms, command, &CommandForm::name);
    if (form == forms.end()) {
        std::vector<std::string> names;
        for (const CommandForm& one : forms) names.emplace_back(one.name);
        return wrong(id, fmt::format("there is no command `{}`{}", command, suggestion(command, names)));
    }
    if (std::string why = misfit(*form, object); !why.empty()) return wrong(id, std::move(why));
    return Request{std::move(id), std::move(command), std::move(object)};
}

std::string text_of(const Request& request, std::string_view name) {
    const auto at = request.members.find(name);
    return at == request.members.end() ? "" : at->get<std::string>();
}

std::uint64_t count_of(const Request& request, std::string_view name, std::uint64_t otherwise) {
    const auto at = request.members.find(name);
    return at == request.members.end() ? otherwise : at->get<std::uint64_t>();
}

bool is_on(const Request& request, std::string_view name) {
    const auto at = request.members.find(name);
    return at != request.members.end() && at->get<bool>();
}

std::string moves_of(const Request& request) {
    const auto at = request.members.find("moves");
    if (at == request.members.end()) return "";
    if (at->is_string()) return at->get<std::string>();
    std::string line;
    for (const Received& move : *at) line += move.get<std::string>() + "; ";
    return line;
}

} // namespace zug::protocols
