#pragma once
// Requests and responses of HTTP, as far as the site looks at them; the server (http_server.hpp) makes them of what
// comes over the network, and tests of texts.

#include <string>

namespace zug::web {

struct HttpRequest {
    std::string method, path;
    std::string host, origin, fetch_site; // the headers Host, Origin, Sec-Fetch-Site; empty: not given
    std::string cookie, type;             // Cookie, Content-Type
    bool encoded = false;                 // has a Content-Encoding
    std::string body;
};

struct HttpResponse {
    int status = 200;
    std::string type, body;
    std::string set_cookie; // empty: none
};

} // namespace zug::web
