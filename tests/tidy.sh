#!/bin/sh
# Runs clang-tidy over all sources with the checks of .clang-tidy; exit 1 if it finds anything.
#
#   tests/tidy.sh [FOLDER]    FOLDER is for its own files (build-tidy)
#
# Most of the time for a source goes into the headers that it includes: one by one, the sources would take half an hour.
# So sources are included into one, up to 60 at a time. Those without a namespace of their own, as most tests are, are
# included into one each, after the headers. Of the others, those with a name in common in the unnamed namespaces of one
# namespace are kept apart, as far as this can be told from lines that clang-format has laid out; and the sources of a
# unit that does not compile are looked at one by one after all, which is said. It takes some 8 minutes of processor time.
#
# bugprone-suspicious-include is left out here, since it is about sources that include sources; and misc-unused-alias-decls
# and misc-unused-using-decls, which look at the file alone that includes them. .clang-tidy says what else is, and why.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-tidy}
checks=-bugprone-suspicious-include,-misc-unused-alias-decls,-misc-unused-using-decls
# clang 14, which Debian 12 calls clang-tidy, can't compile <ranges> of GCC 12.
tidy=${CLANG_TIDY:-clang-tidy-19}
command -v "$tidy" >/dev/null || { echo "tidy: $tidy is not installed" >&2; exit 1; }
jobs=$(nproc 2>/dev/null || echo 2)

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DZUG_UNITY=OFF -DCMAKE_CXX_COMPILER_LAUNCHER= >"$folder/cmake.log" 2>&1 ||
    { cat "$folder/cmake.log"; exit 1; }
# The headers that the build makes.
for list in "$folder"/generated/*_version.txt; do
    name=$(basename "$list" .txt)
    cmake -DINPUTS="$list" -DEXTRA=none -DNAME="$name" -DOUTPUT="$folder/generated/$name.hpp" -P "$root/src/native/hash_sources.cmake"
done
cmake --build "$folder" --target zug_commit >/dev/null
rm -rf "$folder/units"
mkdir "$folder/units"

# The sources, and the options they are all looked at with: every definition and include folder of any of them.
awk -F '"' '
/^ *"command":/ {
    words = split($0, word, " ")
    for (i = 1; i <= words; i++) {
        option = word[i] == "-isystem" ? word[i] " " word[++i] : word[i]
        if (option ~ /^-(D|I|isystem)/ && !(option in seen)) { seen[option] = 1; options = options " " option }
    }
}
/^ *"file":/ { if ($4 !~ /\/generated\//) print $4 >(folder "/sources") }
END { print "c++ -std=c++20 -march=native" options }
' folder="$folder" "$folder/compile_commands.json" >"$folder/options"
sort -u -o "$folder/sources" "$folder/sources"

# The units and their compilation database. Options stay as they were quoted for JSON.
options=$(cat "$folder/options") awk -v folder="$folder/units" '
# Fills names[] with those that unnamed namespaces of a source declare, each with the namespace around, used[] with those
# that the source uses without a qualification as functions or types, places[] with the namespaces that it opens and all
# around them, and includes[] with the lines that it begins with. Sets whether it is a source without a namespace of its
# own. Gives the namespaces that it makes known to all that comes after it.
function read_source(source, names, used, places, includes,    line, rest, inside, opened, place, outer, started) {
    split("", names)
    split("", used)
    split("", places)
    split("", includes)
    places[""] = 1
    place = ""
    bare = 1
    while ((getline line < source) > 0) {
        if (line ~ /^#include / && !started) includes[++includes[0]] = line
        else if (line !~ /^(\/\/.*)?$/) started = 1
        if (line ~ /^using namespace/) opened = opened " " line
        if (line ~ /^template <>|^#define DOCTEST_/) bare = 0
        if (line ~ /^namespace [a-z][a-z_:]* \{/) {
            bare = 0
            place = line
            gsub(/^namespace | \{.*/, "", place)
            for (outer = place; outer != ""; sub(/(^|::)[a-z_]+$/, "", outer)) places[outer] = 1
        }
        else if (line ~ /^\} \/\/ namespace [a-z]/) place = ""
        if (line ~ /^namespace \{/) inside = 1
        else if (line ~ /^\} \/\/ namespace$/) inside = 0
        sub(/\/\/.*/, "", line)
        if (inside && line ~ /^[A-Za-z]/ && line !~ /^using [^=]*;|^namespace |^static_assert/) {
            names[name_in(line)] = place
            for (rest = line; match(rest, /, [a-z_]+ = /); rest = substr(rest, RSTART + RLENGTH))
                names[substr(rest, RSTART + 2, RLENGTH - 5)] = place
        }
        while (match(line, /(^|[^.>:A-Za-z0-9_"])([a-z_][A-Za-z0-9_]*\(|[A-Z][A-Za-z0-9_]*)/)) {
            name = substr(line, RSTART, RLENGTH)
            gsub(/[^A-Za-z0-9_]/, "", name)
            used[name] = 1
            line = substr(line, RSTART + RLENGTH)
        }
    }
    delete names[""] # `template <...>` and the like, which stand before a name
    close(source)
    return opened
}
function name_in(line,    name) {
    name = line
    if (name ~ /^(struct|class|enum|union|using) /) sub(/^(enum class|struct|class|enum|union|using) /, "", name)
    else {
        sub(/ *(\(|=|;|\{|\[).*/, "", name)
        sub(/.*[^A-Za-z0-9_]/, "", name)
    }
    sub(/[^A-Za-z0-9_].*/, "", name)
    return name
}
# Translators open namespaces of LLVM and asmjit inside functions, where their names meet those of all other headers.
function apart(source) { return source ~ /\/src\/native\/[a-z]+\// ? "translators" : "" }
function unit_file(unit) { return folder "/" unit ".cpp" }
# Whether a source with names[] and used[] in places[] can join a unit without another meaning for any of them.
function fits(unit,    name, place) {
    for (name in names)
        if ((unit, names[name], name) in declared || (unit, names[name], name) in mentioned) return 0
    for (place in places)
        for (name in used) if ((unit, place, name) in declared) return 0
    return 1
}
function unit_for(key,    unit) {
    for (unit = 1; unit <= units; unit++)
        if (key_of[unit] == key && size[unit] < 60 && fits(unit)) return unit
    key_of[++units] = key
    return units
}
# A line that includes a header, as it is written in another folder.
function from_elsewhere(line, source,    path, rest) {
    path = source
    sub(/[^\/]*$/, "", path)
    if (!sub(/^#include "/, "", line)) return line
    sub(/"$/, "", line)
    found = (getline rest < (path line)) >= 0
    close(path line)
    return "#include \"" (found ? path : "") line "\""
}
{
    key = read_source($1, names, used, places, includes)
    if (bare) {
        # Its names are its own inside another namespace, if the headers have been read outside.
        unit = 0
        split("", names)
        split("", used)
        unit = unit_for("bare")
        for (i = 1; i <= includes[0]; i++) print from_elsewhere(includes[i], $1) >unit_file(unit)
        print "namespace source_" NR " {\n#include \"" $1 "\"\n}" >unit_file(unit)
    } else {
        unit = unit_for(key apart($1))
        for (name in names) declared[unit, names[name], name] = 1
        for (place in places)
            for (name in used) mentioned[unit, place, name] = 1
        print "#include \"" $1 "\"" >unit_file(unit)
    }
    size[unit]++
    print $1 >(folder "/" unit ".sources")
}
END {
    separator = "["
    for (unit = 1; unit <= units; unit++) {
        printf "%s\n{ \"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s -c %s\" }", separator, folder, unit_file(unit),
            ENVIRON["options"], unit_file(unit) >(folder "/compile_commands.json")
        separator = ","
    }
    print "\n]" >(folder "/compile_commands.json")
}
' "$folder/sources"

# tidy_one FOLDER SOURCE: what is found in it, on standard output.
cat >"$folder/tidy_one.sh" <<END
exec $tidy --quiet --config-file='$root/.clang-tidy' --checks='$checks' --warnings-as-errors='*' -p "\$1" "\$2" 2>/dev/null
END
# The largest first.
ls -S "$folder"/units/*.cpp | xargs -P "$jobs" -I{} sh -c 'sh "$1/tidy_one.sh" "$1/units" "$2" >"$2.found" || echo "$2" >"$2.failed"' \
    sh "$folder" {}
for failed in "$folder"/units/*.failed; do
    [ -e "$failed" ] || continue
    unit=${failed%.failed}
    [ -s "$unit.found" ] || { echo "tidy: $tidy failed on $unit" >&2; exit 1; }
    if grep -q 'clang-diagnostic-error' "$unit.found"; then
        echo "tidy: does not compile as one, so they are looked at one by one:"
        sed 's/^/  /' "${unit%.cpp}.sources"
        xargs -P "$jobs" -I{} sh "$folder/tidy_one.sh" "$folder" {} <"${unit%.cpp}.sources" >"$unit.found" || :
    fi
done
cat "$folder"/units/*.found | awk '!/ warnings? treated as error/' >"$folder/found"
cat "$folder/found"
! grep -q ': \(warning\|error\): ' "$folder/found"
