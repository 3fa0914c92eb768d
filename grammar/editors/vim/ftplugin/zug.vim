" Rule files of Zug. g:zug_command is the program, a list; otherwise it is the launcher of the clone that this file is in.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s expandtab shiftwidth=2 softtabstop=2 suffixesadd=.zug
let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< suffixesadd<'

" Where the launcher is if this folder has not been copied out of its clone.
let s:launcher = fnamemodify(resolve(expand('<sfile>:p')), ':h:h:h:h:h') . '/zug'
if !exists('g:zug_command')
  let g:zug_command = [executable(s:launcher) ? s:launcher : 'zug', 'lsp']
endif

" Neovim has a client of its own; for Vim see ale_linters/zug/zug.vim.
if has('nvim')
  lua require('zug').start()
endif
