#!/bin/sh
# Builds with the thread sanitizer and runs what works with several threads: the solver, the searchers, learners, matches,
# protocols, perft, and machine code that is made while the game is played. From the top of the clone:
#
#   tests/threads.sh FOLDER
#
# Takes some 15 minutes on two processors, mostly to build. Fails at the first data race.
set -eu
folder=$1
cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DZUG_SANITIZE=thread -DCMAKE_CXX_COMPILER=clang++-19 >/dev/null
cmake --build "$folder" -j "$(nproc)" --target zug zug-codegen test_unit_solve test_unit_search \
    test_unit_search_proof test_unit_learn test_unit_match test_unit_native test_unit_protocols >/dev/null
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 second_deadlock_stack=1" ZUG_CACHE="$folder/threads-cache"
rm -rf "$ZUG_CACHE" "$folder/threads"
for test in solve search search_proof learn match native protocols; do
    echo "== unit.$test"
    # One case measures memory, of which the sanitizer takes several times as much.
    "$folder/tests/test_unit_$test" --minimal --test-case-exclude="*stays in memory*"
done
zug=$folder/zug
run() {
    echo "== $*"
    "$@" >/dev/null
}
# With an empty cache, so that machine code takes over from byte code under way; then from the cache.
for again in empty filled; do
    echo "== the cache is $again"
    run "$zug" perft breakthrough --depth 5 --threads 4
    run "$zug" bench connect-four --seconds 1 --threads 4
    run "$zug" match hexapawn --players alphabeta:depth=6,random --games 200 --threads 4
done
run "$zug" learn tic-tac-toe --games 3000 --threads 4 -o "$folder/net"
run "$zug" learn backgammon --model network --games 100 --threads 4 -o "$folder/net"
run "$zug" search connect-four --depth 9
run "$zug" search connect-four -D width=5 -D height=5 --method alphabeta:selective=on,prove=on,threads=4 --time 2
run "$zug" solve connect-four -D width=5 -D height=4 --prove=nullwindow --threads 4
run "$zug" solve mu-torere -o "$folder/threads" --threads 4 --checkpoint 0.05 --verify
run "$zug" solve pig -D goal=15 -o "$folder/threads" --threads 4 --checkpoint 0.05 --verify
run "$zug" solve connect-four -D width=4 -D height=4 -o "$folder/threads" --threads 4 --memory 2G --verify
run "$zug" solve dodgem --prove --threads 4
