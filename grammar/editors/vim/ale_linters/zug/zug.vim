" For Vim with the plugin ALE.

call ale#linter#Define('zug', {
\   'name': 'zug',
\   'lsp': 'stdio',
\   'executable': {buffer -> g:zug_command[0]},
\   'command': '%e ' . join(map(g:zug_command[1:], 'shellescape(v:val)')),
\   'project_root': {buffer -> expand('#' . buffer . ':p:h')},
\})
