" Vim syntax file: rule files of Zug.
" Made from the grammar by tests/unit/lsp/editors_test.cpp: ZUG_RECORD=1 writes it anew.

if exists('b:current_syntax')
  finish
endif

syntax case match
syntax match zugOperator /:=\|+=\|-=\|->\|!=\|<=\|>=\|\.\.\|,\|:\|(\|)\|\[\|\]\|{\|}\|=\|<\|>\|+\|-\|\*\|\/\||\|&\|\\\|\.\|\~\|\^\|?/
syntax keyword zugDeclaration game extends import param type players teams board state local def path effect move chance phase turn end eval loud bound glyph look notation position test
syntax keyword zugKeyword let when weight then ensure where if else for match can earlier again next some all no count sum min max union the odd
syntax keyword zugOperatorWord and or not implies div mod in is
syntax keyword zugConstant true false none me stuck
syntax keyword zugType bool int real player site dir set map
syntax keyword zugWord after also by depth draw from graph grid group hex hexagon holds illegal legal lines loops loses marked most moves of on open outcome pass payoff perft rhombus ring rows shaded star steps turned value wins with
syntax match zugNumber /\<\d\%(_\?\d\)*\%(\.\d\%(_\?\d\)*\)\?/
syntax match zugEscape /\\./ contained
syntax region zugString start=/"/ skip=/\\./ end=/"/ oneline contains=zugEscape
syntax match zugComment /#.*$/ contains=@Spell

highlight default link zugOperator Operator
highlight default link zugDeclaration Statement
highlight default link zugKeyword Keyword
highlight default link zugOperatorWord Operator
highlight default link zugConstant Constant
highlight default link zugType Type
highlight default link zugWord Special
highlight default link zugNumber Number
highlight default link zugEscape SpecialChar
highlight default link zugString String
highlight default link zugComment Comment

let b:current_syntax = 'zug'
