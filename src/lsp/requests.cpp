// What the server answers: its capabilities, the features, the texts that are opened and changed.

#include "lsp/features/features.hpp"
#include "lsp/server.hpp"
#include "lsp/text/uri.hpp"

#include <algorithm>

namespace zug::lsp {

namespace {

// A reference, since a number with a fraction or beyond the range is no version, and would be converted.
std::int64_t version_in(const Json& text) { return text.at("version").get_ref<const Json::number_integer_t&>(); }

Json capabilities() {
    constexpr int incremental = 2;
    return {{"positionEncoding", "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", incremental}, {"save", true}}},
            {"hoverProvider", true},
            {"completionProvider", {{"triggerCharacters", {".", ":", "\""}}}},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"documentSymbolProvider", true},
            {"foldingRangeProvider", true},
            {"documentFormattingProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"semanticTokensProvider", {{"legend", semantic_legend()}, {"full", true}}},
            {"executeCommandProvider", {{"commands", {tests_command, perft_command}}}}};
}

struct Question {
    Workspace& workspace;
    const Analysis& analysis;
    const Document& document;
    const Json& params;
};

struct Feature {
    std::string_view method;
    Answer (*answer)(const Question& q);
};

constexpr Feature features[] = {
    {"textDocument/hover", [](const Question& q) { return Answer(hover(q.analysis, q.params)); }},
    {"textDocument/completion",
     [](const Question& q) { return Answer(completion(q.workspace, q.analysis, q.document, q.params)); }},
    {"textDocument/definition",
     [](const Question& q) { return Answer(definition(q.workspace, q.analysis, q.params)); }},
    {"textDocument/references",
     [](const Question& q) { return Answer(references(q.workspace, q.analysis, q.params)); }},
    {"textDocument/documentHighlight", [](const Question& q) { return Answer(highlights(q.analysis, q.params)); }},
    {"textDocument/prepareRename", [](const Question& q) { return prepare_rename(q.workspace, q.analysis, q.params); }},
    {"textDocument/rename", [](const Question& q) { return rename(q.workspace, q.analysis, q.params); }},
    {"textDocument/documentSymbol", [](const Question& q) { return Answer(document_symbols(q.analysis)); }},
    {"textDocument/foldingRange", [](const Question& q) { return Answer(folding_ranges(q.analysis)); }},
    {"textDocument/formatting", [](const Question& q) { return Answer(formatting(q.analysis)); }},
    {"textDocument/codeAction", [](const Question& q) { return Answer(code_actions(q.analysis, q.params)); }},
    {"textDocument/semanticTokens/full", [](const Question& q) { return Answer(semantic_tokens(q.analysis)); }},
};

const std::string& uri_in(const Json& params) {
    return params.at("textDocument").at("uri").get_ref<const std::string&>();
}

} // namespace

Answer Server::initialize(const Json& params) {
    if (phase_ != Phase::Fresh) return refuse(ErrorCode::InvalidRequest, "`initialize` comes once");
    const Json::json_pointer lenses("/capabilities/workspace/codeLens/refreshSupport");
    refreshes_lenses_ = params.is_object() && params.contains(lenses) && params.at(lenses) == true;
    phase_ = Phase::Running;
    return Json{{"capabilities", capabilities()}, {"serverInfo", {{"name", "zug"}, {"version", version_}}}};
}

Answer Server::ask(const std::string& method, const Json& params) {
    const auto feature = std::ranges::find(features, method, &Feature::method);
    const bool lens = method == "textDocument/codeLens";
    if (feature == std::end(features) && !lens)
        return refuse(ErrorCode::MethodNotFound, "`" + method + "` is not known here");
    const std::string& uri = uri_in(params);
    const Document* const document = workspace_.find(uri);
    if (document == nullptr) return refuse(ErrorCode::InvalidParams, "the text is not open");
    const AnalysisPtr analysis = workspace_.analysis(uri);
    if (!lens) return feature->answer({workspace_, *analysis, *document, params});
    const std::scoped_lock lock(outcomes_mutex_);
    const Outcomes& known = outcomes_of(analysis);
    return code_lenses(*analysis, known.tests, known.perft);
}

void Server::open(const Json& params) {
    const Json& item = params.at("textDocument");
    Document document{.uri = item.at("uri").get<std::string>(),
                      .path = {},
                      .text = item.at("text").get<std::string>(),
                      .version = version_in(item)};
    document.path = path_of(document.uri);
    if (document.text.size() > longest_text) {
        log(document.uri + ": the text is too long: what is beyond its first 16 MB is not looked at");
        document.text.resize(longest_text);
    }
    workspace_.open(std::move(document));
    stop_outdated();
}

void Server::change(const Json& params) {
    Document* const document = workspace_.find(uri_in(params));
    if (document == nullptr) return;
    document->version = version_in(params.at("textDocument"));
    // Whatever has been changed before an error is so.
    workspace_.changed(document->path);
    stop_outdated();
    if (const auto done = apply_changes(*document, params.at("contentChanges")); !done)
        log(document->uri + ": " + done.error().text);
}

void Server::close(const Json& params) {
    const std::string& uri = uri_in(params);
    if (workspace_.find(uri) == nullptr) return;
    workspace_.close(uri);
    stop_outdated();
    {
        const std::scoped_lock lock(outcomes_mutex_);
        outcomes_.erase(uri);
    }
    send_notice("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

void Server::publish(const std::string& uri) {
    const AnalysisPtr analysis = workspace_.analysis(uri);
    if (!analysis) return;
    Json list = diagnostics(workspace_, *analysis);
    const std::scoped_lock lock(outcomes_mutex_);
    Outcomes& known = outcomes_of(analysis);
    known.rules = std::move(list);
    send_diagnostics(known);
}

void Server::send_diagnostics(const Outcomes& known) {
    Json list = known.rules;
    for (const Json& failure : known.failures) list.push_back(failure);
    send_notice("textDocument/publishDiagnostics",
                {{"uri", known.of->uri}, {"version", known.of->version}, {"diagnostics", std::move(list)}});
}

Server::Later Server::execute(const Json& id, const Json& params) {
    const auto& command = params.at("command").get_ref<const std::string&>();
    if (command != tests_command && command != perft_command)
        return refuse(ErrorCode::InvalidParams, "`" + command + "` is not known here");
    const std::string uri = params.at("arguments").at(0).get<std::string>();
    const AnalysisPtr analysis = workspace_.analysis(uri);
    if (!analysis) return refuse(ErrorCode::InvalidParams, "the text is not open");
    if (!analysis->loaded.program) return refuse(ErrorCode::RequestFailed, "the text has errors");
    worker_.stop();
    {
        const std::scoped_lock lock(outcomes_mutex_);
        outcomes_of(analysis); // which get what comes out of it
    }
    running_id_ = id.dump();
    running_on_ = analysis;
    cancelled_ = false;
    const auto begun = worker_.start([this, id, command, analysis](const std::atomic<bool>& stop) {
        run(id, command, analysis, stop);
        return [] {};
    });
    if (!begun) return refuse(ErrorCode::RequestFailed, begun.error().text);
    return std::nullopt;
}

// In the worker's thread.
void Server::run(const Json& id, const std::string& command, const AnalysisPtr& analysis,
                 const std::atomic<bool>& stop) {
    const bool tests = command == tests_command;
    const auto stopped = [&] { return stop.load(); };
    Outcome outcome = tests ? run_tests(*analysis, workspace_.folders(), stopped) : run_perft(*analysis, stopped);
    if (stop) {
        send(response(id, cancelled_ ? refuse(ErrorCode::RequestCancelled, "the request was cancelled")
                                     : refuse(ErrorCode::ContentModified, "something else has come up since")));
        return;
    }
    send(response(id, outcome.result));
    const std::scoped_lock lock(outcomes_mutex_);
    const auto known = outcomes_.find(analysis->uri);
    if (known == outcomes_.end() || !known->second.of->reads_like(*analysis)) return; // a file on disk has changed
    (tests ? known->second.tests : known->second.perft) = outcome.title;
    if (tests) {
        known->second.failures = std::move(outcome.diagnostics);
        send_diagnostics(known->second);
    }
    const std::string request = "lenses after " + id.dump();
    if (refreshes_lenses_) send({{"jsonrpc", "2.0"}, {"id", request}, {"method", "workspace/codeLens/refresh"}});
}

} // namespace zug::lsp
