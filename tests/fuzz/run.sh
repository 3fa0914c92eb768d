#!/bin/sh
# Runs fuzz targets, each for so many seconds, from the inputs kept in corpus/TARGET:
#   tests/fuzz/run.sh FOLDER SECONDS [TARGET...]       FOLDER: where the build has put fuzz_TARGET
# From the top of the clone. New inputs that reach more are left in FOLDER/corpus/TARGET, and a failing one there as
# crash-*, timeout-* or oom-*; the last line of a run says how many inputs were tried. Fails if any target fails.
# ZUG_FUZZ_SEED: runs with the same one begin alike; 0, the default, chooses one.
set -eu
folder=$1 seconds=$2
shift 2
here=$(dirname "$0")
if [ $# -eq 0 ]; then set -- $(sed -n 's/^ *zug_fuzz(\([a-z_]*\).*/\1/p' "$here/../CMakeLists.txt"); fi
status=0
for target in "$@"; do
    new=$folder/corpus/$target
    mkdir -p "$new"
    more=
    [ ! -d "$here/corpus/$target" ] || more=$here/corpus/$target
    case $target in
    parse) more="-dict=$here/zug.dict rules tests/hostile $more" ;;
    play) more="-dict=$here/zug.dict rules $more" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    if "$folder/fuzz_$target" -max_total_time="$seconds" -timeout=100 -rss_limit_mb=2048 -seed="${ZUG_FUZZ_SEED:-0}" \
        -print_final_stats=1 -artifact_prefix="$new/" "$new" $more >"$new.log" 2>&1; then
        printf '%s: %s inputs tried\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: //p' "$new.log")"
    else
        tail -n 60 "$new.log"
        printf '%s: FAILED\n' "$target"
        status=1
    fi
done
exit $status
