#!/bin/sh
# Installs the Debian package of a build folder on a fresh Debian 12 in a folder of its own, made by debootstrap, runs it
# there and removes it again. Needs root, debootstrap and Debian's archive; takes about a minute and 500 MB.
#
#   tests/package/fresh_debian.sh BUILD
set -eu
build=$(cd "$1" && pwd -P)
work=$(mktemp -d)
root=$work/root
leave() {
    umount "$root/dev" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap leave EXIT

echo "== the package"
cmake -E chdir "$build" cpack -G DEB -B "$work/deb" >/dev/null
echo "== a fresh Debian"
debootstrap --variant=minbase bookworm "$root" >"$work/log" || { tail "$work/log" >&2; exit 1; }
mount -t proc proc "$root/proc"
mount -t devtmpfs dev "$root/dev"
cp "$work"/deb/zug_*.deb "$root/root/zug.deb"
cat >"$root/root/try" <<'EOF'
set -eu
cd /root
{ apt-get update; apt-get install -y --no-install-recommends ./zug.deb; } >/dev/null 2>&1
zug --version
test "$(zug list | grep -c .)" -ge 100
printf 'b2\n' | zug play tic-tac-toe --against random | grep -q 'X plays b2\|. X .'
zug perft chess --depth 4 | grep -q 197,281
zug draw chess -o board.png
test -s board.png
zug solve tic-tac-toe | grep -q 'value .*draw'
zug help bash >/dev/null
cp /usr/share/zug/rules/hex.zug mine.zug
zug check mine.zug
zug web --port 0 >address &
until grep -q http address; do kill -0 $! && sleep 0.1; done
kill -INT $!
wait $! || test $? -eq 130
apt-get purge -y zug >/dev/null 2>&1
test ! -e /usr/share/zug
EOF
echo "== installed, used and removed"
chroot "$root" sh -e /root/try
echo "== all is well"
