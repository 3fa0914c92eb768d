#pragma once
// The site on a port of this machine. Nothing is heard from other machines: it listens on the loopback address.

#include "base/error.hpp"
#include "web/http/http_server.hpp"
#include "web/site.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <memory>
#include <optional>

namespace zug::web {

class Server {
public:
    // Takes a port; 0: one that is free. Returns which. An error: another program has it, or the module that speaks
    // HTTP is not beside the program.
    tl::expected<int, Error> bind(int port);
    // Answers until `stop` is set, which it looks at several times a second. After bind(), which a process can't do in
    // the sandbox, where this works.
    void serve(SiteOptions options, const std::atomic<bool>& stop);

private:
    std::optional<Site> site_; // while it serves
    int port_ = 0;
    std::unique_ptr<HttpServer> http_; // the last, so that it ends first
};

} // namespace zug::web
