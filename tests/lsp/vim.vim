" Run by run.sh in a Vim without windows that has opened a copy of tic-tac-toe, with the plugin ALE.

function Fail(what) abort
  call writefile(['FAILED: expected ' . a:what], g:report, 'a')
  cquit 1
endfunction

function Await(what, condition) abort
  for i in range(2000)
    if eval(a:condition)
      return
    endif
    sleep 10m
  endfor
  call Fail(a:what)
endfunction

runtime plugin/ale.vim
edit!

if &filetype isnot# 'zug' || &commentstring isnot# '# %s'
  call Fail('the file type')
endif
call search('\<when\>')
if synIDattr(synID(line('.'), col('.'), 1), 'name') isnot# 'zugKeyword'
  call Fail('colours')
endif

%s/empty/emty/
call ale#Queue(0)
call Await('a diagnostic', 'len(ale#engine#GetLoclist(bufnr())) > 0')
let first = ale#engine#GetLoclist(bufnr())[0]
call writefile(['a mistake: line ' . first.lnum . ': ' . substitute(first.text, '\n', ', ', 'g')], g:report, 'a')

%s/emty/empty/
call ale#Queue(0)
call Await('no diagnostics', 'len(ale#engine#GetLoclist(bufnr())) == 0')

call cursor(1, 1)
call search('at\[')
ALEGoToDefinition
call Await('the definition', 'getline(".") =~# "^state at"')
call writefile(['went to the definition'], g:report, 'a')
qall!
