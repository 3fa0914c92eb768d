#include "client.hpp"

#include <doctest/doctest.h>

namespace zug::test {

Client::Client()
    : server_({library_folder}, "1.2.3", [this](const std::string& message) {
          const std::scoped_lock lock(hearing_);
          heard_.push_back(Json::parse(message));
      }) {}

std::vector<Json> Client::heard() {
    const std::scoped_lock lock(hearing_);
    return std::exchange(heard_, {});
}

void Client::begin(const Json& message) { ended_ = !server_.take(message); }

std::vector<Json> Client::end_of_batch() {
    server_.idle();
    server_.wait();
    return heard();
}

std::vector<Json> Client::say(const Json& message, bool cancelled) {
    ended_ = !server_.take(message, cancelled);
    return end_of_batch();
}

std::vector<Json> Client::request(const std::string& method, Json params) {
    return say({{"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}, {"params", std::move(params)}});
}

Json Client::result(const std::string& method, Json params) {
    const int id = next_id_;
    for (const Json& message : request(method, std::move(params)))
        if (message.value("id", Json()) == id && message.contains("result")) return message["result"];
    return nullptr;
}

std::vector<Json> Client::notify(const std::string& method, Json params) {
    return say({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Client::initialize() {
    request("initialize", {{"capabilities", Json::object()}});
    notify("initialized", Json::object());
}

std::vector<Json> Client::open(const std::string& uri, const std::string& text) {
    return notify("textDocument/didOpen",
                  {{"textDocument", {{"uri", uri}, {"languageId", "zug"}, {"version", 1}, {"text", text}}}});
}

Json Client::diagnostics_in(const std::vector<Json>& messages, const std::string& uri) {
    Json last;
    for (const Json& message : messages)
        if (message.value("method", "") == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri)
            last = message["params"]["diagnostics"];
    return last;
}

Json position(std::uint32_t line, std::uint32_t character) { return {{"line", line}, {"character", character}}; }

Json document(const std::string& uri) { return {{"uri", uri}}; }

} // namespace zug::test
