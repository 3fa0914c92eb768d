#include "web/http/http_server.hpp"

#include <httplib.h>

#include <chrono>
#include <thread>

namespace zug::web {

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

class LoopbackServer : public HttpServer {
public:
    explicit LoopbackServer(HttpSetup setup);

    int bind(int port) override;
    void serve(const std::atomic<bool>& stop) override;

private:
    const HttpSetup setup_;
    httplib::Server server_;
};

// Each client that is slow keeps a thread: there are enough for some, and none may be slow for long.
LoopbackServer::LoopbackServer(HttpSetup setup) : setup_(std::move(setup)) {
    constexpr std::size_t threads = 16;
    constexpr time_t patience = 5;
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server_.set_read_timeout(patience).set_write_timeout(patience).set_keep_alive_timeout(patience);
    server_.set_payload_max_length(setup_.most_body).set_socket_options(set_socket_options);
    server_.set_default_headers({setup_.headers.begin(), setup_.headers.end()});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
        const auto refused = setup_.refuse(request_of(request));
        if (!refused) return httplib::Server::HandlerResponse::Unhandled;
        write(*refused, response);
        return httplib::Server::HandlerResponse::Handled;
    });
    const auto respond = [this](const httplib::Request& request, httplib::Response& response) {
        write(setup_.answer(request_of(request)), response);
    };
    server_.Get(".*", respond).Post(".*", respond);
}

int LoopbackServer::bind(int port) {
    constexpr const char* loopback = "127.0.0.1";
    if (port == 0) return server_.bind_to_any_port(loopback);
    return server_.bind_to_port(loopback, port) ? port : -1;
}

void LoopbackServer::serve(const std::atomic<bool>& stop) {
    constexpr auto interval = std::chrono::milliseconds(50);
    // A server that doesn't listen yet can't be stopped: an interrupt at the very start waits until it does.
    std::jthread watch([&](const std::stop_token& served) {
        while (!(stop && server_.is_running()) && !served.stop_requested()) std::this_thread::sleep_for(interval);
        if (!served.stop_requested()) server_.stop();
    });
    server_.listen_after_bind();
}

} // namespace

extern "C" HttpServer* zug_make_http_server(const HttpSetup& setup) { return new LoopbackServer(setup); }

} // namespace zug::web
