#!/bin/sh
# Learns the evaluations of rules/*.zugnet again from nothing, one after the other, on all processors.
#
#   tests/strength/nets.sh [GAME...]
#
# From the top of the clone. Each takes MINUTES (default: 5). Those in the repository took two to 22 minutes of one
# thread: README.md has a table. Two runs for a time never learn quite the same; with --games and one thread they do.
# Chess and Kalah are learned in rounds of GAMES (default: 14000) games, each played by what the games before taught; that
# takes an hour and a half of two processors for chess, some minutes for Kalah.

set -eu
minutes=${MINUTES:-5}
games=${GAMES:-14000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The settings that suit a game; without them, those of zug learn.
settings() {
    case $1 in
    backgammon) echo "--model network --units 128" ;;
    connect-four) echo "--apart" ;;
    esac
}

# in_rounds GAME NET ROUNDS UNITS: the first round is played by the rule file's eval.
in_rounds() {
    eval=rules
    for round in $(seq "$3"); do
        player="alphabeta:selective=on,eval=$eval,nodes"
        ./zug match "$1" --players "$player=500,$player=700" --games "$games" --opening 8 --threads "$(nproc)" \
            --seed "$round" --values --record "$folder/games.jsonl"
        eval=$folder/$round.zugnet
        ./zug learn "$1" --model network --units "$4" --from "$folder/games.jsonl" --lambda 0.85 --rate 0.5 \
            --epochs 6 --threads 1 -o "$eval"
    done
    cp "$eval" "$2"
}

[ $# -gt 0 ] || set -- $(cd rules && ls *.zugnet | sed 's/\.zugnet$//')
for net in "$@"; do
    game=${net%%.*}
    parameters=$(echo "${net#"$game"}" | sed 's/^\.//; s/\./ /g; s/[^ ][^ ]*/-D &/g')
    case $game in
    chess) in_rounds "$game" "rules/$net.zugnet" 4 64 ;;
    kalah) in_rounds "$game" "rules/$net.zugnet" 3 32 ;;
    *) ./zug learn "$game" $parameters $(settings "$game") --time "${minutes}m" -o "rules/$net.zugnet" ;;
    esac
done
