#!/bin/sh
# Counts the tokens of rule files and holds them to what other languages need for the same games, and their lines.
#
#   tests/tokens.sh             the table of tests/tokens.tsv; exit 1 if a count is over its limit or differs from the record
#   tests/tokens.sh FILE...     only the counts of these rule files: tokens, lines
#   tests/tokens.sh --record    writes the present counts into tests/tokens.tsv
#
# A token is a maximal run of letters, digits and underscores, or any other mark by itself. Comments are left out, and so
# is what is not the rules themselves: tests, eval, loud, bound, glyphs, looks and notation. Such a declaration runs from its keyword, at the
# start of a line, to the next line that starts with a keyword.
# A line counts if it holds anything but a comment and isn't part of a test.
# Limits: in all games under two thirds of Regular Boardgames' count and half of HRG's; where `below_ludii` says yes, under
# Ludii's; and at most so many lines as `lines` says. The others' figures were counted in their own published files in the
# same way; `-` is no figure, and no limit.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$here/tokens.tsv
rules=$here/../rules

count() {
    awk '
    BEGIN {
        n = split("game extends import param type players teams board state local def path effect move chance phase turn stuck end", word)
        for (i = 1; i <= n; i++) counted[word[i]] = 1
        n = split("eval loud bound glyph look notation position test", word)
        for (i = 1; i <= n; i++) left_out[word[i]] = 1
    }
    {
        sub(/#.*/, "")
        keyword = $0
        sub(/[^a-z].*/, "", keyword)
        if (keyword in left_out) skip = 1
        else if (keyword in counted) skip = 0
        if (keyword in left_out || keyword in counted) testing = keyword == "test"
        if (!testing && /[^ \t\r]/) lines++
        if (skip) next
        tokens += gsub(/[A-Za-z0-9_]+/, " ")
        tokens += gsub(/[^ \t\r]/, "")
    }
    END { printf "%d\t%d\n", tokens, lines }' "$1"
}

if [ $# -gt 0 ] && [ "$1" != --record ]; then
    for file in "$@"; do printf '%s\t%s\n' "$(count "$file")" "$file"; done
    exit 0
fi

# Each row of the table with the present counts in front.
counted=$(tail -n +2 "$table" | while IFS='	' read -r game file rest; do
    printf '%s\t%s\t%s\t%s\n' "$(count "$rules/$file")" "$game" "$file" "$rest"
done)

if [ "${1-}" = --record ]; then
    {
        head -n 1 "$table"
        printf '%s\n' "$counted" | awk -F '\t' -v OFS='\t' '{ print $3, $4, $1, $6, $7, $8, $9, $10, $11 }'
    } >"$table.new"
    mv "$table.new" "$table"
    exit 0
fi

printf '%s\n' "$counted" | awk -F '\t' '
BEGIN { printf "%-18s %6s %6s %6s %6s %6s %6s\n", "game", "Zug", "RBG", "HRG", "Ludii", "GDL", "lines" }
{
    zug = $1; lines = $2; record = $5; rbg = $6 + 0; hrg = $7 + 0; ludii = $8 + 0; most = $11 + 0
    verdict = ""
    if (rbg > 0 && 3 * zug >= 2 * rbg) verdict = verdict "  not under two thirds of RBG"
    if (hrg > 0 && 2 * zug >= hrg) verdict = verdict "  not under half of HRG"
    if ($10 == "yes" && ludii > 0 && zug >= ludii) verdict = verdict "  not under Ludii"
    if (most > 0 && lines > most) verdict = verdict "  over " most " lines"
    if (zug != record) verdict = verdict "  the record says " record " (tests/tokens.sh --record)"
    if (verdict != "") failed = 1
    printf "%-18s %6d %6s %6s %6s %6s %6d%s\n", $3, zug, $6, $7, $8, $9, lines, verdict
}
END { exit failed }'
