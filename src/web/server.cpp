#include "web/server.hpp"

#include "web/guard.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <chrono>
#include <thread>
#include <utility>

namespace zug::web {

struct Server::Http {
    explicit Http(SiteOptions options) : site(std::move(options)) {}

    void respond(const httplib::Request& request, httplib::Response& response);

    Site site;
    httplib::Server server;
    int port = 0;
};

namespace {

HttpRequest request_of(const httplib::Request& request) {
    return {.method = request.method,
            .path = request.path,
            .host = request.get_header_value("Host"),
            .origin = request.get_header_value("Origin"),
            .fetch_site = request.get_header_value("Sec-Fetch-Site"),
            .cookie = request.get_header_value("Cookie"),
            .type = request.get_header_value("Content-Type"),
            .encoded = request.has_header("Content-Encoding"),
            .body = request.body};
}

void write(const HttpResponse& from, httplib::Response& to) {
    to.status = from.status;
    to.set_content(from.body, from.type);
    if (!from.set_cookie.empty()) to.set_header("Set-Cookie", from.set_cookie);
}

// The library's own lets several servers share a port, and then nobody would be told that it is taken.
void set_socket_options(socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

} // namespace

void Server::Http::respond(const httplib::Request& request, httplib::Response& response) {
    write(site.answer(request_of(request), port), response);
}

// Each client that is slow keeps a thread: there are enough for some, and none may be slow for long.
Server::Server(SiteOptions options) : http_(std::make_unique<Http>(std::move(options))) {
    constexpr std::size_t threads = 16;
    constexpr time_t patience = 5;
    httplib::Server& server = http_->server;
    server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server.set_read_timeout(patience).set_write_timeout(patience).set_keep_alive_timeout(patience);
    server.set_payload_max_length(most_body).set_socket_options(set_socket_options);
    server.set_default_headers({security_headers().begin(), security_headers().end()});
    // Before a body is read.
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
        const auto refused = refusal(request_of(request), http_->port);
        if (!refused) return httplib::Server::HandlerResponse::Unhandled;
        write(*refused, response);
        return httplib::Server::HandlerResponse::Handled;
    });
    const auto respond = [this](const httplib::Request& request, httplib::Response& response) {
        http_->respond(request, response);
    };
    server.Get(".*", respond).Post(".*", respond);
}

Server::~Server() = default;

tl::expected<int, Error> Server::bind(int port) {
    constexpr const char* loopback = "127.0.0.1";
    httplib::Server& server = http_->server;
    http_->port = port == 0 ? server.bind_to_any_port(loopback) : server.bind_to_port(loopback, port) ? port : -1;
    if (http_->port > 0) return http_->port;
    return failure(
        fmt::format("port {} is taken by another program, or not allowed; `--port 0` finds a free one", port));
}

void Server::serve(const std::atomic<bool>& stop) {
    constexpr auto interval = std::chrono::milliseconds(50);
    std::jthread watch([&](const std::stop_token& served) {
        while (!stop && !served.stop_requested()) std::this_thread::sleep_for(interval);
        http_->server.stop();
    });
    http_->server.listen_after_bind();
}

} // namespace zug::web
