-- Starts `zug lsp` in Neovim, one for all rule files.

local zug = {}

local client -- of versions before 0.8, which do not look for it themselves

function zug.start()
  local config = {
    name = 'zug',
    cmd = vim.g.zug_command,
    root_dir = vim.fn.expand('%:p:h'),
    capabilities = vim.lsp.protocol.make_client_capabilities(),
  }
  if vim.lsp.start then
    config.reuse_client = function(other) return other.name == 'zug' end
    vim.lsp.start(config, { reuse_client = config.reuse_client })
    return
  end
  config.on_exit = function() client = nil end
  client = client or vim.lsp.start_client(config)
  if client then vim.lsp.buf_attach_client(0, client) end
end

return zug
