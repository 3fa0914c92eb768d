#pragma once
// Who may ask: only the page itself. A page of another site can send requests to this machine too, under the name of a
// host of its own that it lets stand for this machine (DNS rebinding), so the name of the host is checked as well.

#include "web/http/http.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zug::web {

// The answer to a request that is refused for its headers; none: it is not. `port`: the server's.
std::optional<HttpResponse> refusal(const HttpRequest& request, int port);

// Headers of every response.
const std::vector<std::pair<std::string, std::string>>& security_headers();

// The visitor that a cookie names: 32 hexadecimal digits; empty: none.
std::string visitor_of(std::string_view cookies);
// A new one, which nobody can guess.
std::string new_visitor();
std::string cookie_for(const std::string& visitor);

} // namespace zug::web
