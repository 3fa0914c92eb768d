#!/bin/sh
# Learns the evaluations of rules/*.zugnet again from nothing, one after the other, on all processors.
#
#   tests/strength/nets.sh [GAME...]
#
# From the top of the clone. Each takes MINUTES (default: 5). Those in the repository took two to eight minutes of one
# thread: README.md has a table. Two runs for a time never learn quite the same; with --games and one thread they do.

set -eu
minutes=${MINUTES:-5}
[ $# -gt 0 ] || set -- $(cd rules && ls *.zugnet | sed 's/\.zugnet$//')
for game in "$@"; do
    ./zug learn "$game" --time "${minutes}m" -o "rules/$game.zugnet"
done
