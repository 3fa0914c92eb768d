#!/bin/sh
# The language server with real clients: those of VS Code (its JSON-RPC library, in Node.js), Neovim, and Vim with ALE.
# Each opens a rule file, edits it, sees what is wrong, goes to a definition and renames. What is not installed is left
# out; `apt-get install nodejs npm neovim vim vim-ale` has it all.
#
#   tests/lsp/run.sh [ZUG]    ZUG is the program (build/zug)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
zug=$(realpath "${1:-$root/build/zug}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
failed=0

# try NAME COMMAND...: runs a client, whose standard output is its report.
try() {
    name=$1
    shift
    if "$@" >"$work/report" 2>"$work/errors"; then
        sed "s/^/$name: /" "$work/report"
    else
        failed=1
        echo "$name: FAILED"
        cat "$work/report" "$work/errors"
    fi
}

if command -v npm >/dev/null; then
    mkdir -p "$root/build/lsp-client"
    cp tests/lsp/client.mjs "$root/build/lsp-client/"
    npm install --silent --no-audit --no-fund --prefix "$root/build/lsp-client" vscode-languageserver-protocol@3 >/dev/null
    try node node "$root/build/lsp-client/client.mjs" "$zug" "$root/rules"
fi
editors=$root/grammar/editors/vim
if command -v nvim >/dev/null; then
    cp rules/tic-tac-toe.zug "$work/toe.zug"
    try neovim timeout 60 nvim --headless -u NONE -i NONE --cmd "set rtp^=$editors | let g:zug_command = ['$zug', 'lsp']" \
        --cmd 'filetype plugin on | syntax on' "$work/toe.zug" -c "luafile tests/lsp/neovim.lua"
fi
ale=/usr/share/vim-ale
if command -v vim >/dev/null && [ -d $ale ]; then
    cp rules/tic-tac-toe.zug "$work/toe.zug"
    try vim timeout 60 vim -es -N -u NONE -i NONE --cmd "set rtp^=$editors,$ale | let g:zug_command = ['$zug', 'lsp']" \
        --cmd "let g:report = '$work/vim'" --cmd 'filetype plugin on | syntax on' "$work/toe.zug" -S tests/lsp/vim.vim
    cat "$work/vim" 2>/dev/null | sed 's/^/vim: /'
fi
exit $failed
