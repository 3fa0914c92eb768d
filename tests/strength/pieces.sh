#!/usr/bin/env bash
# What each piece of alpha-beta is worth: nodes and time to a fixed depth, and Elo in matches at equal time, with all pieces
# and with each of them left out; nodes to the greatest depth that plain alpha-beta reaches in a minute; and how best-first
# searches do against it. Prints the tables of tests/strength/pieces.md.
#
#   tests/strength/pieces.sh [nodes|threads|chance|deepest|matches|best-first] > table.md
#
# ZUG names the program (./zug), GAMES the games of a match (100); SECONDS_A_MOVE (0.02) is the limit of a move in
# `matches`, NODES (5000) that in `best-first`; `deepest` looks at so many POSITIONS (3), in so many SECONDS_A_SEARCH (60).
# `nodes`, `threads` and `chance` take some minutes, the others some hours.
set -euo pipefail
cd "$(dirname "$0")/../.."
zug=${ZUG:-./zug}
games=${GAMES:-100}
nodes=${NODES:-5000}
seconds=${SECONDS_A_MOVE:-0.02}
seconds_of_search=${SECONDS_A_SEARCH:-60} number_of_positions=${POSITIONS:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The games, each with a depth that plain alpha-beta reaches.
depths=(chess:5 english-draughts:11 othello:8 connect-four:11 breakthrough:6 kalah:10)
# The same for searches of some seconds with all sound pieces, and for selective ones.
deeper=(chess:7 english-draughts:15 othello:11 connect-four:17 breakthrough:8 kalah:16)
selective=(chess:9 english-draughts:17 othello:15 connect-four:19 breakthrough:10 kalah:17)
# What is compared: a name, and the settings of alphabeta that stand for it.
none="table=off,ordering=off,deepening=off,scout=off,window=full"
sound=("plain alpha-beta|$none" "all sound pieces|" "without table|table=off" "without ordering|ordering=off"
    "without deepening|deepening=off,window=full" "without null windows|scout=off" "without aspiration|window=full"
    "MTD(f)|window=mtdf" "two threads|threads=2")
pieces=(table=off ordering=off scout=off window=full window=mtdf repetition=off deeper=off
    quiescence=off reductions=off null=on extensions=on)

# Eight positions: the first 12 moves of games between shallow searches, after a random opening.
positions() {
    [ -e "$folder/$1" ] || "$zug" match "$1" --players alphabeta:depth=2,alphabeta:depth=2 --games 16 --opening 6 \
        --record "$folder/$1" >/dev/null
    sed -n '1~2{s/.*"moves":\["\([^]]*\)"\].*/\1/;s/","/,/g;p}' "$folder/$1" | cut -d, -f1-12
}

# search GAME DEPTH SETTINGS: the nodes and seconds of all positions together.
search() {
    positions "$1" | while read -r moves; do
        "$zug" search "$1" --depth "$2" --method "alphabeta${3:+:$3}" --moves "$moves" --json
    done | awk -F '[:,]' '/"nodes"/ { n += $2 } /"seconds"/ { s += $2 } END { printf "%.0f thousand, %.2f s", n / 1000, s }'
}

# deepest GAME MOVES DEPTH: the depth and nodes of plain alpha-beta in the time, and the nodes of all sound pieces to it.
deepest() {
    local depth=$(($3 - 2)) told found=
    while ! grep -q '"exact": true' <<<"$found" &&
        told=$(timeout "$seconds_of_search" "$zug" search "$1" --depth "$depth" \
            --method "alphabeta:$none" --moves "$2" --json); do
        found=$told
        depth=$((depth + 1))
    done
    depth=$((depth - 1))
    told=$("$zug" search "$1" --depth "$depth" --method alphabeta --moves "$2" --json)
    awk -F '[:,]' -v depth="$depth" '/"nodes"/ { n[++i] = $2 } /"seconds"/ { s[i] = $2 }
        END { printf "| %d | %.0f thousand, %.1f s | %.0f thousand, %.1f s | %.3f |\n",
            depth, n[1] / 1000, s[1], n[2] / 1000, s[2], n[2] / n[1] }' <<<"$found
$told"
}

nodes_to_greatest_depth() {
    printf '| game | depth | plain alpha-beta | all sound pieces | ratio of nodes |\n|---|---|---|---|---|\n'
    for game in "${depths[@]}"; do
        positions "${game%:*}" | head -n "$number_of_positions" | while read -r moves; do
            printf '| %s ' "${game%:*}"
            deepest "${game%:*}" "$moves" "${game#*:}"
        done
    done
}

table_head() {
    printf '| |'
    printf ' %s |' "$@"
    printf '\n|---|'
    printf -- '---|%.0s' "$@"
    printf '\n'
}

nodes_to_depth() {
    table_head "${depths[@]/:/, depth }"
    for row in "${sound[@]}"; do
        printf '| %s |' "${row%%|*}"
        for game in "${depths[@]}"; do printf ' %s |' "$(search "${game%:*}" "${game#*:}" "${row#*|}")"; done
        printf '\n'
    done
}

# threads_row SETTINGS GAME:DEPTH...: the nodes and time with one thread and with two, and their ratios.
threads_row() {
    local settings=$1 one two
    shift
    for game in "$@"; do
        one=$(search "${game%:*}" "${game#*:}" "threads=1$settings")
        two=$(search "${game%:*}" "${game#*:}" "threads=2$settings")
        awk -v game="$game" '{ sub(":", ", depth ", game); n[NR] = $1; s[NR] = $3 }
            END { printf "| %s | %d thousand, %.2f s | %d thousand, %.2f s | %.2f | %.2f |\n", game, n[1], s[1], n[2], s[2],
                (n[2] / s[2]) / (n[1] / s[1]), s[1] / s[2] }' <<<"$one"$'\n'"$two"
    done
}

two_threads() {
    printf '| | one thread | two threads | nodes a second, ratio | time, ratio |\n|---|---|---|---|---|\n'
    threads_row "" "${deeper[@]}"
    printf '| selective | | | | |\n'
    threads_row ",selective=on" "${selective[@]}"
}

# The nodes of expectimax with each way to prune chance nodes, of positions in the midst of eight games, where a player is
# to move after a roll; to a move and its roll, and to a second move.
chance_nodes() {
    "$zug" match backgammon --players expectimax:depth=1,expectimax:depth=1 --games 8 --record "$folder/rolled" >/dev/null
    printf '| | star=off | star=1 | star=2 | ratio |\n|---|---|---|---|---|\n'
    for depth in 2 3; do
        for star in off 1 2; do
            sed -n 's/.*"moves":\["\([^]]*\)"\].*/\1/;T;s/","/,/g;p' "$folder/rolled" | cut -d, -f1-$((1 + 2 * 9)) |
                while read -r moves; do
                    "$zug" search backgammon --depth "$depth" --method "expectimax:star=$star" --moves "$moves" --json
                done | awk -F '[:,]' '/"nodes"/ { n += $2 } END { printf "%d ", n }'
        done | awk -v depth="$depth" '{ printf "| backgammon, %d plies | %d | %d | %d | %.2f |\n", depth, $1, $2, $3, $3 / $1 }'
    done
}

# match GAME PLAYER OPPONENT LIMIT: the player's score, with its interval; both are methods with settings.
match() {
    "$zug" match "$1" --players "$2,$4,$3,$4" --games "$games" --opening 6 |
        awk '/^player / { getline; printf "%s (%s to %s)", $5, $6, $8; exit }'
}

# match_row LABEL PLAYER OPPONENT LIMIT [FILTER]: a row with a match of each game.
match_row() {
    printf '| %s |' "$1"
    for game in "${depths[@]%:*}"; do printf ' %s |' "$(match "$game" "$2" "$3" "$4" | ${5:-cat})"; done
    printf '\n'
}

# A score and its interval as differences in Elo.
elo() {
    awk 'function rating(s) { s = s < 0.005 ? 0.005 : s > 0.995 ? 0.995 : s; return 400 * log(s / (1 - s)) / log(10) }
        { gsub(/[(),]/, ""); printf "%+.0f (%+.0f to %+.0f)", rating($1), rating($2), rating($4) }'
}

elo_at_equal_time() {
    table_head "${depths[@]%:*}"
    for settings in "${pieces[@]}"; do
        match_row "against $settings" alphabeta:selective=on "alphabeta:selective=on,$settings" \
            "time=$seconds,threads=1" elo
    done
}

best_first() {
    table_head "${depths[@]%:*}"
    for method in bstar:seed=1 mgss:seed=1; do
        match_row "${method%:*} against alphabeta" "$method" alphabeta:secondary=0 "nodes=$nodes"
        match_row "${method%:*} against alphabeta:selective=on" "$method" alphabeta:selective=on "nodes=$nodes"
    done
    match_row "alphabeta:secondary=2 against alphabeta" alphabeta:secondary=2 alphabeta:secondary=0 "nodes=$nodes"
}

case ${1:-all} in
nodes) nodes_to_depth ;;
threads) two_threads ;;
chance) chance_nodes ;;
deepest) nodes_to_greatest_depth ;;
matches) elo_at_equal_time ;;
best-first) best_first ;;
all)
    for table in nodes_to_depth two_threads chance_nodes nodes_to_greatest_depth elo_at_equal_time best_first; do
        "$table"
        printf '\n'
    done
    ;;
*) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
