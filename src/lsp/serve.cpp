#include "lsp/serve.hpp"

#include "lsp/server.hpp"
#include "lsp/wire/frame.hpp"
#include "lsp/wire/inbox.hpp"

#include <system_error>
#include <thread>

namespace zug::lsp {

namespace {

constexpr unsigned deepest = 100; // arrays and objects within each other; messages of the protocol have about ten

// Whether values stand in each other no deeper than that: the JSON library copies and writes them by recursion.
bool is_shallow(std::string_view text) {
    unsigned depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\') ++i;
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if ((c == '[' || c == '{') && ++depth > deepest) return false;
        if ((c == ']' || c == '}') && depth > 0) --depth;
    }
    return true;
}

// The last message that is read, as Server::take() sees it.
bool is_exit(const Json& message) {
    return message.is_object() && message.contains("method") && message["method"] == "exit";
}

void receive(std::istream& in, Inbox& inbox) {
    for (;;) {
        auto text = read_message(in);
        if (!text) {
            inbox.add_problem(text.error().text);
            continue;
        }
        if (!*text) break;
        Json message = is_shallow(**text) ? Json::parse(**text, nullptr, false) : Json(Json::value_t::discarded);
        if (message.is_discarded()) {
            inbox.add_problem("the message is no JSON, or too deep");
            continue;
        }
        const bool last = is_exit(message);
        inbox.add(std::move(message));
        if (last) break;
    }
    inbox.close();
}

} // namespace

tl::expected<int, Error> serve(std::istream& in, lang::Folders folders, const std::string& version,
                               const std::function<void(const std::string&)>& write) {
    Server server(std::move(folders), version, [&](const std::string& message) { write(framed(message)); });
    Inbox inbox;
    std::jthread reader;
    try {
        reader = std::jthread([&] { receive(in, inbox); });
    } catch (const std::system_error&) {
        return failure("the system has no thread left");
    }
    for (bool more = true; more;) {
        if (inbox.empty()) server.idle();
        const Received received = inbox.take();
        if (!received.problem.empty())
            server.take_problem(received.problem);
        else
            more = !received.end && server.take(received.message, received.cancelled);
    }
    reader.join();
    return server.exit_code();
}

} // namespace zug::lsp
