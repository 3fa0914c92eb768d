#pragma once
// The module zug-http, which speaks HTTP for the site. The library that does it brings others with it, among them that
// of ciphers, and whatever the program is started for would wait 10 ms for them and give them 4 MB: so they are in a
// module that is loaded when a page is to be served.

#include "web/http/http.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::web {

struct HttpSetup {
    std::function<std::optional<HttpResponse>(const HttpRequest&)> refuse; // asked before the body is read
    std::function<HttpResponse(const HttpRequest&)> answer;                // called by several threads
    std::vector<std::pair<std::string, std::string>> headers;              // of every response
    std::size_t most_body = 0;                                             // bytes of a request
};

class HttpServer {
public:
    HttpServer() = default;
    virtual ~HttpServer() = default;
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Takes a port of the loopback address; 0: one that is free. Returns which; below 0: none.
    virtual int bind(int port) = 0;
    // Answers until `stop` is set, which it looks at several times a second.
    virtual void serve(const std::atomic<bool>& stop) = 0;
};

// The one function of the module is of this type and has this name. Its result belongs to the caller.
using MakeHttpServer = HttpServer* (*)(const HttpSetup& setup);
inline constexpr const char* make_http_server_name = "zug_make_http_server";

} // namespace zug::web
