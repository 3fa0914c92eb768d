#include "lsp/server.hpp"

namespace zug::lsp {

namespace {

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

} // namespace

Server::Server(lang::Folders folders, std::string version, Write write)
    : workspace_(std::move(folders)), version_(std::move(version)), write_(std::move(write)) {}

void Server::send(const Json& message) {
    const std::scoped_lock lock(writing_);
    // Texts on disk, and so messages about them, may be no UTF-8.
    write_(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Server::send_notice(const char* method, Json params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::log(const std::string& problem) {
    constexpr int error = 1;
    send_notice("window/logMessage", {{"type", error}, {"message", problem}});
}

void Server::take_problem(const std::string& problem) {
    send(response(nullptr, refuse(ErrorCode::ParseError, problem)));
}

void Server::refuse_message(const Json& id, const char* why) {
    send(response(id, refuse(ErrorCode::InvalidRequest, why)));
}

bool Server::take(const Json& message, bool cancelled) {
    if (!message.is_object()) return refuse_message(nullptr, "a message is an object"), true;
    const auto id = message.find("id"), method = message.find("method");
    const bool request = id != message.end();
    if (request && !is_id(*id)) return refuse_message(nullptr, "the id is no whole number and no text"), true;
    const Json answered_id = request ? *id : Json();
    if (method == message.end()) { // an answer to a request of the server, none of which needs it
        if (!message.contains("result") && !message.contains("error"))
            refuse_message(answered_id, "the message has no method");
        return true;
    }
    if (!method->is_string()) return refuse_message(answered_id, "the method is no text"), true;
    static const Json nothing = Json::object();
    const auto given = message.find("params");
    const Json& params = given == message.end() || given->is_null() ? nothing : *given;
    const auto& name = method->get_ref<const std::string&>();
    if (name == "exit") return false;
    try {
        if (!request) {
            notice(name, params);
            return true;
        }
        const Later answered = cancelled ? Later(refuse(ErrorCode::RequestCancelled, "the request was cancelled"))
                                         : answer(name, *id, params);
        if (answered) send(response(*id, *answered));
    } catch (const Json::exception& wrong) {
        if (request)
            send(response(*id, refuse(ErrorCode::InvalidParams, wrong.what())));
        else
            log("`" + name + "` was ignored: " + wrong.what());
    }
    return true;
}

Server::Later Server::answer(const std::string& method, const Json& id, const Json& params) {
    if (method == "initialize") return initialize(params);
    if (phase_ == Phase::Fresh) return refuse(ErrorCode::ServerNotInitialized, "the first request is `initialize`");
    if (phase_ == Phase::ShutDown) return refuse(ErrorCode::InvalidRequest, "the server has been shut down");
    if (method == "shutdown") {
        worker_.stop();
        phase_ = Phase::ShutDown;
        return Json();
    }
    if (method == "workspace/executeCommand") return execute(id, params);
    return ask(method, params);
}

void Server::notice(const std::string& method, const Json& params) {
    if (phase_ != Phase::Running) return;
    if (method == "textDocument/didOpen") open(params);
    if (method == "textDocument/didChange") change(params);
    if (method == "textDocument/didClose") close(params);
    if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles") workspace_.all_changed();
    if (method == "$/cancelRequest" && running_id_ == params.at("id").dump()) {
        cancelled_ = true;
        worker_.stop();
    }
}

void Server::idle() {
    if (phase_ != Phase::Running) return;
    for (const std::string& uri : workspace_.take_changed()) publish(uri);
}

void Server::stop_outdated() {
    if (running_on_ && !workspace_.is_current(running_on_)) worker_.stop();
}

Server::Outcomes& Server::outcomes_of(const AnalysisPtr& analysis) {
    Outcomes& known = outcomes_[analysis->uri];
    if (!known.of || !known.of->reads_like(*analysis)) known = Outcomes{};
    known.of = analysis;
    return known;
}

} // namespace zug::lsp
