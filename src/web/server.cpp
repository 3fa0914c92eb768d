#include "web/server.hpp"

#include "base/process/own_folder.hpp"
#include "web/guard.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace zug::web {

namespace {

// Beside the program as it is built, or as it is installed. The module stays until the process ends.
tl::expected<MakeHttpServer, Error> loaded_module() {
    const std::filesystem::path folder = folder_near({"zug-modules", "../lib/zug", "../" ZUG_LIBRARY_FOLDER "/zug"});
    const std::string file = (folder / "zug-http.so").string();
    void* const module = folder.empty() ? nullptr : ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr)
        return failure(folder.empty() ? "the folder with zug-http.so, which serves pages, is not beside the program"
                                      : fmt::format("the module that serves pages can't be loaded: {}", ::dlerror()));
    void* const made = ::dlsym(module, make_http_server_name);
    if (made == nullptr) return failure(fmt::format("{} is not of this program", file));
    return reinterpret_cast<MakeHttpServer>(made);
}

} // namespace

tl::expected<int, Error> Server::bind(int port) {
    const auto make = loaded_module();
    if (!make) return tl::unexpected(make.error());
    http_.reset((*make)({.refuse = [this](const HttpRequest& request) { return refusal(request, port_); },
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
