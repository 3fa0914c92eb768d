autocmd BufNewFile,BufRead *.zug setfiletype zug
