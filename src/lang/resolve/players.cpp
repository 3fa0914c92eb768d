// The players who take part.

#include "lang/resolve/players.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/symbols.hpp"

namespace zug::lang {
void Players::resolve_players() {
    if (done_) return;
    done_ = true;
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

} // namespace zug::lang
