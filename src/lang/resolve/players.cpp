// The players who take part, and their teams.

#include "lang/resolve/players.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace zug::lang {

void Players::resolve_players() {
    if (done_) return;
    done_ = true;
    find_players();
    if (valid(symbols_.teams().id) && valid(symbols_.players().id)) find_teams();
}

void Players::find_players() {
    if (!valid(symbols_.players().id)) {
        program_.players = {"?"}; // so that the rest can be checked
        program_.player_type = types().player(1);
        if (!context_.damaged) error(Message::NoPlayers, context_.whole_file);
        return;
    }
    const InTree scope(context_, symbols_.players().tree);
    const auto names = children(symbols_.players().id).subspan(1);
    auto count = static_cast<std::int64_t>(names.size());
    if (const NodeId given = child(symbols_.players().id, 0); valid(given)) {
        const auto wanted = constants_.constant_int(given);
        if (wanted && (*wanted < 1 || *wanted > count)) {
            error(Message::PlayerCount, span(given), {std::to_string(*wanted), std::to_string(count)});
        } else if (wanted) {
            count = *wanted;
        }
    }
    if (count > static_cast<std::int64_t>(max_players)) {
        error(Message::TooManyPlayers, span(symbols_.players().id),
              {std::to_string(count), std::to_string(max_players)});
        count = static_cast<std::int64_t>(max_players);
    }
    for (NodeId name : names.first(static_cast<std::size_t>(count)))
        program_.players.push_back(valid(name) ? node(name).text : "?");
    if (program_.players.empty()) program_.players = {"?"}; // reported by the parser
    program_.player_type = types().player(static_cast<std::uint32_t>(program_.players.size()));
}

// Whoever is not named plays alone. So that equal teams look equal, they are numbered by their first members, in
// whatever order they are named.
void Players::find_teams() {
    const InTree scope(context_, symbols_.teams().tree);
    const NodeId declared = symbols_.teams().id;
    const std::uint32_t count = program_.player_count();
    if (count < 3) {
        if (!context_.damaged) error(Message::TeamsHere, span(declared), {std::to_string(count)});
        return;
    }
    std::vector<std::uint32_t> first(count); // the least member of each one's team
    std::iota(first.begin(), first.end(), 0U);
    std::vector<bool> named(count);
    for (NodeId team : children(declared)) {
        if (!valid(team)) continue;
        std::vector<std::uint32_t> members;
        for (NodeId name : children(team))
            if (const auto player = member(name)) {
                if (named[*player]) error(Message::TeamTwice, span(name), {program_.players[*player]});
                named[*player] = true;
                members.push_back(*player);
            }
        for (const std::uint32_t player : members) first[player] = std::ranges::min(members);
    }
    std::vector<std::uint32_t> number(count);
    std::uint32_t teams = 0;
    for (std::uint32_t player = 0; player < count; ++player)
        number[player] = first[player] == player ? teams++ : number[first[player]];
    if (teams == 1) error(Message::TeamOfAll, span(declared));
    if (teams < count) program_.teams = std::move(number);
}

std::optional<std::uint32_t> Players::member(NodeId name) {
    if (!valid(name)) return std::nullopt;
    const std::string& text = node(name).text;
    Declaration* const found = symbols_.find(text);
    if (found == nullptr) {
        symbols_.unknown_name(text, span(name));
    } else if (found->kind != DeclKind::Player) {
        error(Message::WrongKind, span(name), {text, "no player", "a player"});
    } else if (found->number < program_.player_count()) {
        note_use(name, found->span);
        return found->number;
    }
    return std::nullopt;
}

} // namespace zug::lang
