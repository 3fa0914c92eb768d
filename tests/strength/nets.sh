#!/bin/sh
# Learns the evaluations of rules/*.zugnet again from nothing, one after the other, on all processors.
#
#   tests/strength/nets.sh [GAME...]
#
# From the top of the clone. Each takes MINUTES (default: 5). Those in the repository took two to 22 minutes of one
# thread: README.md has a table. Two runs for a time never learn quite the same; with --games and one thread they do.

set -eu
minutes=${MINUTES:-5}

# The settings that suit a game; without them, those of zug learn.
settings() {
    case $1 in
    backgammon) echo "--model network --units 128" ;;
    connect-four) echo "--apart" ;;
    esac
}

[ $# -gt 0 ] || set -- $(cd rules && ls *.zugnet | sed 's/\.zugnet$//')
for net in "$@"; do
    game=${net%%.*}
    parameters=$(echo "${net#"$game"}" | sed 's/^\.//; s/\./ /g; s/[^ ][^ ]*/-D &/g')
    ./zug learn "$game" $parameters $(settings "$game") --time "${minutes}m" -o "rules/$net.zugnet"
done
