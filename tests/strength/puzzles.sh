#!/usr/bin/env bash
# Solves the puzzles of tests/puzzles, those too that are too slow for ctest, and tells the nodes and seconds of each, and
# of all of a table together. Exit 1 if a solution is not proved the shortest, or is not as long as the table says.
#
#   tests/strength/puzzles.sh [fifteen|puzzles|sokoban]...
#
# ZUG names the program (./zug), TABLE the size of the table of idastar and dfbb (1GB).
set -euo pipefail
cd "$(dirname "$0")/../.."
zug=${ZUG:-./zug}
[ $# -gt 0 ] || set -- fifteen puzzles sokoban

# search FILE PARAMETERS POSITION METHOD: nodes, seconds, whether the result is proved, and its length.
search() {
    local method=$4 given=()
    for parameter in $2; do given+=(-D "$parameter"); done
    [ "$3" = start ] || given+=(--position "$3")
    [ "$method" = astar ] || method+=:table=${TABLE:-1GB}
    "$zug" search "rules/$1" ${given[@]+"${given[@]}"} --method "$method" --json | awk -F ': ' '
        /^  "pv"/ { moves = 1; next } /^  \]/ { moves = 0 } moves { plies++ }
        /^  "(nodes|seconds|exact)"/ { gsub(/[ ",]/, "", $1); sub(/,/, "", $2); of[$1] = $2 }
        END { print of["nodes"], of["seconds"], of["exact"], plies + 0 }'
}

wrong=0
for table in "$@"; do
    solved=0 all_nodes=0 all_seconds=0
    # Tabs that follow each other would be read as one.
    while IFS='|' read -r file parameters position method length source; do
        read -r nodes seconds exact plies < <(search "$file" "$parameters" "$position" "$method")
        printf '%s\t%s\t%s plies\t%s nodes\t%.2f s\t%s\n' "$file" "$method" "$plies" "$nodes" "$seconds" "$source"
        if [ "$exact" = true ] && [ "$plies" = "$length" ]; then
            solved=$((solved + 1))
        else
            echo "$file: the shortest way takes $length plies" >&2
            wrong=1
        fi
        all_nodes=$((all_nodes + nodes))
        all_seconds=$(awk -v a="$all_seconds" -v b="$seconds" 'BEGIN { print a + b }')
    done < <(awk -F '\t' 'NR > 1 { print $1 "|" $2 "|" $3 "|" $4 "|" $5 "|" $7 }' "tests/puzzles/$table.tsv")
    printf '%s: %s solved, %s nodes, %.0f s\n' "$table" "$solved" "$all_nodes" "$all_seconds"
done
exit "$wrong"
