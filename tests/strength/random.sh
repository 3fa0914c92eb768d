#!/usr/bin/env bash
# How often `auto` wins, draws and loses against `random`, in every game of rules/ that has two or more players and no
# chance, with balanced seats. Prints a table; exit 1 if it lost a game.
#
#   tests/strength/random.sh [GAME...] > table.md
#
# ZUG names the program (./zug), GAMES the games of a match (100), SECONDS_A_MOVE auto's time a move (0.1).
set -euo pipefail
cd "$(dirname "$0")/../.."
zug=${ZUG:-./zug}
games=${GAMES:-100}
seconds=${SECONDS_A_MOVE:-0.1}
[ $# -gt 0 ] || set -- $(cd rules && ls ./*.zug | sed 's|./||;s|\.zug||' | grep -v '^prelude$')

# numbers KEY: the numbers of a list, or the one number, that follows a key in JSON on standard input.
numbers() { tr -d ' \n' | sed -n "s/.*\"$1\":\[\{0,1\}\([-0-9.,]*\).*/\1/p" | tr ',' ' '; echo; }

lost=0
echo '| | + | = | - | seconds |'
echo '|---|---|---|---|---|'
for game in "$@"; do
    facts=$("$zug" info "$game" --json) || continue
    grep -q '"chance": false' <<<"$facts" || continue
    players=$(($(tr -d ' \n' <<<"$facts" | sed 's/.*"players":\[\([^]]*\)\].*/\1/' | tr -cd ',' | wc -c) + 1))
    [ "$players" -ge 2 ] || continue
    others=$(printf ',random%.0s' $(seq 2 "$players"))
    result=$("$zug" match "$game" --players "auto:time=$seconds$others" --games "$games" --json)
    read -r won _ < <(numbers wins <<<"$result")
    read -r losses _ < <(numbers losses <<<"$result")
    echo "| $game | $won | $((games - won - losses)) | $losses | $(numbers seconds <<<"$result" | cut -d. -f1) |"
    lost=$((lost + losses))
done
[ "$lost" -eq 0 ]
