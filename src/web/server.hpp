#pragma once
// The site on a port of this machine. Nothing is heard from other machines: it listens on the loopback address.

#include "base/error.hpp"
#include "web/http/http_server.hpp"
#include "web/site.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <memory>

namespace zug::web {

class Server {
public:
    explicit Server(SiteOptions options) : site_(std::move(options)) {}

    // Takes a port; 0: one that is free. Returns which. An error: another program has it, or the module that speaks
    // HTTP is not beside the program.
    tl::expected<int, Error> bind(int port);
    // Answers until `stop` is set, which it looks at several times a second. After bind().
    void serve(const std::atomic<bool>& stop) { http_->serve(stop); }

private:
    Site site_;
    int port_ = 0;
    std::unique_ptr<HttpServer> http_; // the last, so that it ends first
};

} // namespace zug::web
