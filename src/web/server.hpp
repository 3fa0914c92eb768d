#pragma once
// The site on a port of this machine. Nothing is heard from other machines: it listens on the loopback address.

#include "base/error.hpp"
#include "web/site.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <memory>

namespace zug::web {

class Server {
public:
    explicit Server(SiteOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Takes a port; 0: one that is free. Returns which. An error: another program has it.
    tl::expected<int, Error> bind(int port);
    // Answers until `stop` is set, which it looks at several times a second.
    void serve(const std::atomic<bool>& stop);

private:
    struct Http;
    std::unique_ptr<Http> http_;
};

} // namespace zug::web
