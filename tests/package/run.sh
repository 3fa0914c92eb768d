#!/bin/sh
# Installs a build folder that was configured with -DZUG_LIBRARY=ON, builds the example beside this file with what was
# installed, and runs it, the installed program and a Debian package of it, all away from the clone.
#
#   tests/package/run.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
build=$(cd "$1" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ZUG_CACHE="$work/cache"

same() { [ "$1" = "$2" ] || { printf 'expected %s\nfound    %s\n' "$2" "$1" >&2; exit 1; }; }

echo "== install"
cmake --install "$build" --prefix "$work/usr" >/dev/null
cd "$work"
same "$(usr/bin/zug perft tic-tac-toe --depth 4 | tail -n 1 | tr -s ' ' | cut -d' ' -f 3)" 3,024
usr/bin/zug list | grep -q tic-tac-toe
if [ -e "$build/zug-modules/zug-png.so" ]; then usr/bin/zug draw chess -o board.png; fi
usr/bin/zug web --port 0 >address &
until grep -q http address; do kill -0 $! && sleep 0.1; done
kill -INT $!

echo "== the example"
cmake -S "$here" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/usr" >/dev/null
cmake --build "$work/example" >/dev/null
same "$(example/example tic-tac-toe | tail -n 1)" "1000 random games, 5478 positions, 29 numbers each"
if example/example no-such-game 2>error; then exit 1; fi
grep -q "there is no rule file" error

echo "== the package"
cmake -E chdir "$build" cpack -G DEB -B "$work/deb" >/dev/null
dpkg-deb --info "$work"/deb/zug_*.deb | grep -E '^ (Depends|Version|Architecture):'
dpkg-deb --extract "$work"/deb/zug_*.deb "$work/root"
same "$(root/usr/bin/zug --version)" "$("$build/zug" --version)"
root/usr/bin/zug search tic-tac-toe --depth 9 >/dev/null
test -x root/usr/bin/zug-codegen
test -s root/usr/share/zug/rules/chess.zug
gzip -dc root/usr/share/doc/zug/changelog.gz | grep -q '^zug ('
echo "== all is well"
