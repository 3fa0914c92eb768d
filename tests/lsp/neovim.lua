-- Run by run.sh in a Neovim without windows that has opened a copy of tic-tac-toe.

local function fail(what)
  io.stderr:write('expected ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function await(what, condition)
  if not vim.wait(20000, condition, 10) then fail(what) end
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

-- The line and column, from 0, of a text in the buffer.
local function place(wanted)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(wanted, 1, true)
    if column then return number - 1, column - 1 end
  end
  fail(wanted)
end

local function go_to(wanted)
  local line, column = place(wanted)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end

await('a client', function()
  local client = vim.lsp.get_active_clients()[1]
  return client and client.initialized ~= nil and client.server_capabilities.hoverProvider
end)
if vim.bo.commentstring ~= '# %s' or vim.bo.filetype ~= 'zug' then fail('the file type') end
local line, column = place('when')
if vim.fn.synIDattr(vim.fn.synID(line + 1, column + 1, 1), 'name') ~= 'zugKeyword' then fail('colours') end

-- A mistake is told, and is gone when it is undone.
line, column = place('in empty')
column = column + 3
vim.api.nvim_buf_set_text(0, line, column, line, column + 5, { 'emty' })
await('a diagnostic', function()
  local all = vim.diagnostic.get(0)
  return #all > 0 and all[1].lnum == line and all[1].message:find('did you mean `empty`?', 1, true)
end)
io.stdout:write('a mistake: ' .. vim.diagnostic.get(0)[1].message:gsub('\n.*', '') .. '\n')
vim.api.nvim_buf_set_text(0, line, column, line, column + 4, { 'empty' })
await('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)

-- From a use of the state to its declaration.
go_to('at[')
vim.lsp.buf.definition()
local declared = place('state at') + 1
await('the definition', function() return vim.api.nvim_win_get_cursor(0)[1] == declared end)

-- Another name for a parameter.
go_to('(c: cell)')
vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], vim.api.nvim_win_get_cursor(0)[2] + 1 })
vim.lsp.buf.rename('place_of_mark')
await('a rename', function() return text():find('at[place_of_mark] := me', 1, true) end)
io.stdout:write('went to the definition, renamed\n')

vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.cmd('qall!')
