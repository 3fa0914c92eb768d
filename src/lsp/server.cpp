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

void Server::take_problem(const std::string& problem) {
    send(response(nullptr, refuse(ErrorCode::ParseError, problem)));
}

bool Server::take(const Json& message, bool cancelled) {
    const auto invalid = [&](const char* why) { send(response(nullptr, refuse(ErrorCode::InvalidRequest, why))); };
    if (!message.is_object()) return invalid("a message is an object"), true;
    const auto id = message.find("id"), method = message.find("method");
    if (method == message.end()) { // an answer to a request of the server, none of which needs it
        if (!message.contains("result") && !message.contains("error")) invalid("the message has no method");
        return true;
    }
    if (!method->is_string()) return invalid("the method is no text"), true;
    if (id != message.end() && !is_id(*id)) return invalid("the id is no number and no text"), true;
    static const Json nothing = Json::object();
    const auto given = message.find("params");
    const Json& params = given == message.end() || given->is_null() ? nothing : *given;
    const auto& name = method->get_ref<const std::string&>();
    if (name == "exit") return false;
    try {
        if (id == message.end()) {
            notice(name, params);
            return true;
        }
        const Later answered = cancelled ? Later(refuse(ErrorCode::RequestCancelled, "the request was cancelled"))
                                         : answer(name, *id, params);
        if (answered) send(response(*id, *answered));
    } catch (const Json::exception& wrong) {
        if (id != message.end()) send(response(*id, refuse(ErrorCode::InvalidParams, wrong.what())));
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
    if (method == "$/cancelRequest" && worker_.what() == params.at("id").dump()) worker_.stop();
}

void Server::idle() {
    for (const std::string& uri : workspace_.take_changed()) publish(uri);
}

void Server::forget(const std::string& uri) {
    worker_.stop();
    const std::scoped_lock lock(outcomes_mutex_);
    outcomes_.erase(uri);
}

} // namespace zug::lsp
