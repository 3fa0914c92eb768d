#!/bin/sh
# Runs clang-tidy over all sources with the checks of .clang-tidy; exit 1 if it finds anything.
#
#   tests/tidy.sh [FOLDER]    FOLDER is for its own files (build-tidy)
#
# Most of the time for a source goes into the headers that it includes: one by one, the sources would take half an hour.
# So sources are included into one, up to 60 at a time. Those with a name in common in their unnamed namespaces are kept
# apart, as far as this can be told from lines that clang-format has laid out; and the sources of a unit that does not
# compile are looked at one by one after all. It takes some 5 minutes of processor time.
#
# bugprone-suspicious-include is left out here, since it is about sources that include sources. .clang-tidy says what else
# is, and why.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-tidy}
checks=-bugprone-suspicious-include
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
sort -o "$folder/sources" "$folder/sources"

# The units and their compilation database. Options stay as they were quoted for JSON.
options=$(cat "$folder/options") awk -v folder="$folder/units" '
# Fills names[] with those that the unnamed namespace of a source declares, and used[] with those that it uses without a
# qualification as functions or types. Gives the namespaces that it opens for all that comes after it.
function read_source(source, names, used,    line, inside, opened) {
    split("", names)
    split("", used)
    while ((getline line < source) > 0) {
        if (line ~ /^using namespace/) opened = opened " " line
        if (line ~ /^int main\(/) names["main"] = 1
        if (line ~ /^namespace \{/) inside = 1
        else if (line ~ /^\} \/\/ namespace$/) inside = 0
        else if (inside && line ~ /^[A-Za-z]/) names[name_in(line)] = 1
        sub(/\/\/.*/, "", line)
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
function apart(source) { return match(source, /\/src\/native\/[a-z]+\//) ? substr(source, RSTART, RLENGTH) : "" }
function unit_file(unit) { return folder "/" unit ".cpp" }
# Whether a source with names[] and used[] can join a unit without another meaning for any of them.
function fits(unit,    name) {
    for (name in names) if ((unit, name) in declared || (unit, name) in mentioned) return 0
    for (name in used) if ((unit, name) in declared) return 0
    return 1
}
function unit_for(key,    unit) {
    for (unit = 1; unit <= units; unit++)
        if (key_of[unit] == key && size[unit] < 60 && fits(unit)) return unit
    key_of[++units] = key
    return units
}
{
    unit = unit_for(read_source($1, names, used) apart($1))
    size[unit]++
    for (name in names) declared[unit, name] = 1
    for (name in used) mentioned[unit, name] = 1
    print "#include \"" $1 "\"" >unit_file(unit)
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
        sed 's/#include /  /' "$unit"
        sed 's/#include "\(.*\)"/\1/' "$unit" | xargs -P "$jobs" -I{} sh "$folder/tidy_one.sh" "$folder" {} >"$unit.found" || :
    fi
done
cat "$folder"/units/*.found | awk '!/ warnings? treated as error/' >"$folder/found"
cat "$folder/found"
! grep -q ': \(warning\|error\): ' "$folder/found"
