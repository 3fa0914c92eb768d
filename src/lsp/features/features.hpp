#pragma once
// What an editor asks about a rule file. Each function answers one request about a text that is open, with the params
// of the request; positions and ranges in them and in the answers count as lsp/text/lines.hpp says. They throw what the
// JSON library does if the params are malformed.

#include "lsp/analysis/workspace.hpp"
#include "lsp/wire/message.hpp"

namespace zug::lsp {

// ---- what is wrong

// The diagnostics of a text, with what is wrong in files that it extends or imports, told where it names them.
Json diagnostics(const Workspace& workspace, const Analysis& analysis);
// Likely fixes as edits, for the diagnostics in a range.
Json code_actions(const Analysis& analysis, const Json& params);

// ---- where a name is declared and used

Json definition(const Workspace& workspace, const Analysis& analysis, const Json& params);
Json references(Workspace& workspace, const Analysis& analysis, const Json& params);
Json highlights(const Analysis& analysis, const Json& params);
// The range of the name and itself, or why it can't have another one.
Answer prepare_rename(const Workspace& workspace, const Analysis& analysis, const Json& params);
// The edits that give a name another one, in all texts that are open and in the files that they extend. Refused if the
// name is invalid, belongs to the vocabulary, or if a name would then mean something else than before.
Answer rename(Workspace& workspace, const Analysis& analysis, const Json& params);

// ---- what a name is

Json hover(const Analysis& analysis, const Json& params);
Json completion(const Workspace& workspace, const Analysis& analysis, const Document& document, const Json& params);

// ---- the text as a whole

Json document_symbols(const Analysis& analysis);
Json folding_ranges(const Analysis& analysis);
Json formatting(const Analysis& analysis); // no edits if the text has syntax errors
Json semantic_tokens(const Analysis& analysis);
Json semantic_legend();

} // namespace zug::lsp
