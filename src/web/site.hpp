#pragma once
// The site: requests to responses, without a network. It never throws; whatever is wrong with a request, the response
// says so.

#include "web/http/http.hpp"
#include "web/rooms.hpp"
#include "web/rules.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace zug::web {

struct SiteOptions {
    protocols::GameSource source;
    std::string game;           // that the page begins with: the name of one in the library; empty: the visitor chooses
    lang::Overrides parameters; // of that game
    SearchBounds search;
    RoomBounds rooms;
};

inline constexpr std::size_t most_body = std::size_t{1} << 20U; // bytes of a request

class Site {
public:
    // Of `options.source.library` those files are played that have no errors.
    explicit Site(SiteOptions options);

    // `port`: the server's. Thread-safe.
    HttpResponse answer(const HttpRequest& request, int port);

private:
    HttpResponse asked(const std::string& body, const std::string& visitor);
    Answered obey(const Request& request, const std::string& visitor);
    Json games();
    Answered open(const Request& request, const std::string& visitor);
    tl::expected<Rules, Error> rules_named(const std::string& name, const lang::Overrides& parameters) const;
    Rules rules_in(const std::string& text, const lang::Overrides& parameters) const;

    const SiteOptions options_;
    SharedSearches searches_;
    std::mutex reading_;               // rules are read one after the other, which bounds their memory
    std::vector<LibraryGame> library_; // read when it is first asked for
    Rooms rooms_;
};

} // namespace zug::web
