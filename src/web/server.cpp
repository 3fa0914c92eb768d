#include "web/server.hpp"

#include "base/process/module.hpp"
#include "web/guard.hpp"

#include <fmt/format.h>

namespace zug::web {

tl::expected<int, Error> Server::bind(int port) {
    const auto found = module_function("http", make_http_server_name);
    if (!found) return failure(fmt::format("no page can be served: {}", found.error().text));
    const auto make = reinterpret_cast<MakeHttpServer>(*found);
    http_.reset(make({.refuse = [this](const HttpRequest& request) { return refusal(request, port_); },
                      .answer = [this](const HttpRequest& request) { return site_->answer(request, port_); },
                      .headers = security_headers(),
                      .most_body = most_body}));
    port_ = http_->bind(port);
    if (port_ > 0) return port_;
    return failure(
        fmt::format("port {} is taken by another program, or not allowed; `--port 0` finds a free one", port));
}

void Server::serve(SiteOptions options, const std::atomic<bool>& stop) {
    site_.emplace(std::move(options));
    http_->serve(stop);
}

} // namespace zug::web
