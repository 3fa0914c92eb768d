#!/usr/bin/env bash
# How much alpha-beta prunes of a uniform tree (rules/uniform-tree.zug), by branching and depth: where the moves are
# perfectly ordered, in random order, and by what earlier and shallower searches tell of the order. Prints the table of
# tests/strength/uniform_tree.md.
#
#   tests/strength/uniform_tree.sh > table.md
#
# ZUG names the program (./zug); each number is the mean of so many TREES (5). Takes about two minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
zug=${ZUG:-./zug} trees=${TREES:-5}
plain=alphabeta:table=off,ordering=off,deepening=off,scout=off,window=full

# nodes METHOD BRANCHING DEPTH LEAVES: the mean over the trees.
nodes() {
    for seed in $(seq "$trees"); do
        "$zug" search uniform-tree -D "branching=$2" -D "depth=$3" -D "seed=$seed" ${4:+-D "$4=true"} \
            --depth "$3" --method "$1" --json
    done | awk -F '[:,]' -v trees="$trees" '/"nodes"/ { n += $2 } END { printf "%.0f", n / trees }'
}

# row BRANCHING DEPTH: all nodes, and how many of them each search visits, as numbers and as shares.
row() {
    local all least
    read -r all least < <(awk -v b="$1" -v d="$2" 'BEGIN { for (k = 0; k <= d; k++) { all += b ^ k
        least += b ^ int((k + 1) / 2) + b ^ int(k / 2) - 1 } printf "%d %d\n", all, least }')
    printf '| %d | %d | %d | %d | %d |' "$1" "$2" "$all" "$least" "$(nodes "$plain" "$1" "$2" ordered)"
    for search in "$plain|" "$plain|summed" "alphabeta|summed"; do
        visited=$(nodes "${search%|*}" "$1" "$2" "${search#*|}")
        awk -v n="$visited" -v least="$least" 'BEGIN { printf " %d (%.1f) |", n, n / least }'
    done
    printf '\n'
}

printf '| b | d | all nodes | least | perfect order | random leaves | sums, no order | sums, ordered |\n'
printf '|---|---|---|---|---|---|---|---|\n'
for size in 2:4 2:8 2:12 2:16 2:20 3:4 3:6 3:8 3:10 3:12 5:4 5:6 5:8 10:3 10:4 10:5 10:6 20:3 20:4 20:5 40:3 40:4; do
    row "${size%:*}" "${size#*:}"
done
