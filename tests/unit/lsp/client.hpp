#pragma once
// The other side of the language server, in the same process: says messages and keeps what comes back.

#include "lsp/server.hpp"

#include <string>
#include <utility>
#include <vector>

namespace zug::test {

using lsp::Json;

inline const std::string library_folder = ZUG_SOURCE_DIR "/rules";

class Client {
public:
    Client();

    // What the server sends because of a message, to the end of all work that it begins.
    std::vector<Json> say(const Json& message, bool cancelled = false);
    std::vector<Json> request(const std::string& method, Json params);
    // The result of a request, null if it is refused.
    Json result(const std::string& method, Json params);
    std::vector<Json> notify(const std::string& method, Json params);

    void initialize();
    std::vector<Json> open(const std::string& uri, const std::string& text);
    // The diagnostics that were told last about a text.
    static Json diagnostics_in(const std::vector<Json>& messages, const std::string& uri);
    bool has_ended() const { return ended_; }
    int exit_code() const { return server_.exit_code(); }
    std::vector<Json> end_of_batch(); // what the server sends when no message waits
    // Begins work without waiting for its end.
    void begin(const Json& message);
    std::vector<Json> heard(); // since the last call of any of these

private:
    std::mutex hearing_;
    std::vector<Json> heard_;
    bool ended_ = false;
    int next_id_ = 1;
    lsp::Server server_; // the last, so that its threads end first
};

// {"line": ..., "character": ...}
Json position(std::uint32_t line, std::uint32_t character);
Json document(const std::string& uri);

} // namespace zug::test
