#include "web/guard.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include <algorithm>
#include <array>

namespace zug::web {

namespace {

constexpr std::string_view cookie_name = "zug-visitor=";
constexpr std::size_t visitor_bytes = 16;

HttpResponse refused(int status, const std::string& why) {
    return {.status = status,
            .type = "application/json",
            .body = nlohmann::json{{"error", {{"message", why}}}}.dump(),
            .set_cookie = ""};
}

bool is_own_host(std::string_view host, int port) {
    constexpr std::array<std::string_view, 3> names{"127.0.0.1", "localhost", "[::1]"};
    return std::ranges::any_of(names, [&](std::string_view name) { return host == fmt::format("{}:{}", name, port); });
}

} // namespace

std::optional<HttpResponse> refusal(const HttpRequest& request, int port) {
    if (!is_own_host(request.host, port))
        return refused(403, "this server answers only under the names of this machine");
    if (!request.origin.empty() && request.origin != "http://" + request.host)
        return refused(403, "pages of other sites may not ask this server");
    if (!request.fetch_site.empty() && request.fetch_site != "same-origin" && request.fetch_site != "none")
        return refused(403, "pages of other sites may not ask this server");
    if (request.method != "GET" && request.method != "POST") return refused(405, "only GET and POST are answered");
    if (request.encoded) return refused(415, "the body must not be compressed");
    if (request.method == "POST" && !request.type.starts_with("application/json"))
        return refused(415, "the body must be application/json");
    return std::nullopt;
}

const std::vector<std::pair<std::string, std::string>>& security_headers() {
    static const std::vector<std::pair<std::string, std::string>> headers{
        {"Content-Security-Policy", "default-src 'self'; img-src 'self' blob:; object-src 'none'; frame-src 'none'; "
                                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    return headers;
}

std::string visitor_of(std::string_view cookies) {
    const std::size_t at = cookies.find(cookie_name);
    if (at == cookies.npos) return "";
    const std::string_view text = cookies.substr(at + cookie_name.size()).substr(0, 2 * visitor_bytes);
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return text.size() == 2 * visitor_bytes && std::ranges::all_of(text, is_digit) ? std::string(text) : "";
}

std::string new_visitor() {
    std::array<unsigned char, visitor_bytes> bytes{};
    if (sodium_init() < 0) return ""; // the system gives no random numbers
    randombytes_buf(bytes.data(), bytes.size());
    std::string text;
    for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

std::string cookie_for(const std::string& visitor) {
    return fmt::format("{}{}; HttpOnly; SameSite=Strict; Path=/", cookie_name, visitor);
}

} // namespace zug::web
