#include "web/commands.hpp"

#include <array>

namespace zug::web {

namespace {

using protocols::Member;
using protocols::MemberType;

constexpr Member room{"room", MemberType::Text, true}, moves{"moves", MemberType::Moves},
    dark{"dark", MemberType::Switch}, flip{"flip", MemberType::Switch};

constexpr std::array check_members{Member{"text", MemberType::Text, true},
                                   Member{"parameters", MemberType::Parameters}};
constexpr std::array open_members{Member{"file"}, Member{"text"}, Member{"parameters", MemberType::Parameters},
                                  Member{"room"}};
constexpr std::array show_members{room, moves, dark, flip, Member{"width", MemberType::Count}};
constexpr std::array move_members{room, moves, Member{"text", MemberType::Text, true}};
constexpr std::array picture_members{room, moves, dark, flip};
constexpr std::array record_members{room, moves, Member{"form", MemberType::Text, true},
                                    Member{"players", MemberType::Moves, true}};
constexpr std::array search_members{room,
                                    moves,
                                    Member{"player", MemberType::Text, true},
                                    Member{"time", MemberType::Seconds},
                                    Member{"depth", MemberType::Count},
                                    Member{"nodes", MemberType::Count},
                                    Member{"lines", MemberType::Count}};
constexpr std::array values_members{room, moves};
constexpr std::array room_members{room};

constexpr std::array<protocols::CommandForm, 11> commands{{{"games", {}},
                                                           {"check", check_members},
                                                           {"open", open_members},
                                                           {"show", show_members},
                                                           {"move", move_members},
                                                           {"picture", picture_members},
                                                           {"record", record_members},
                                                           {"search", search_members},
                                                           {"progress", room_members},
                                                           {"stop", room_members},
                                                           {"values", values_members}}};

} // namespace

std::span<const protocols::CommandForm> web_commands() { return commands; }

} // namespace zug::web
