# Completion of zug's commands, their options and the names of games, for bash: all of it asked of the program.
_zug() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$(zug --help | sed -n 's/^  \([a-z]\+\) .*/\1/p')" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(zug "$command" --help 2>/dev/null | grep -o -e '--[a-z-]\+')" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word"; compgen -W "$(zug list 2>/dev/null | sed 's/ .*//')" -- "$word")
    fi
}
complete -o filenames -F _zug zug
