#include "lsp/text/uri.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace zug::lsp {

namespace {

constexpr std::string_view file_scheme = "file://";

bool stands_for_itself(char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("-._~/").find(c) != std::string_view::npos;
}

} // namespace

std::string path_of(std::string_view uri) {
    if (!uri.starts_with(file_scheme)) return std::string(uri);
    uri.remove_prefix(file_scheme.size());
    uri.remove_prefix(std::min(uri.find('/'), uri.size())); // the host
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned byte = 0;
        const char* const digits = uri.data() + i + 1;
        const bool escaped = uri[i] == '%' && i + 2 < uri.size() &&
                             std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2 && byte != 0;
        path += escaped ? static_cast<char>(byte) : uri[i];
        if (escaped) i += 2;
    }
    return path;
}

std::string uri_of(const std::string& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    std::string uri(file_scheme);
    for (const char c : (error ? path : absolute.lexically_normal().string()))
        uri += stands_for_itself(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return uri;
}

} // namespace zug::lsp
