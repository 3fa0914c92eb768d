#include "web/site.hpp"

#include "web/assets.hpp"
#include "web/guard.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

namespace zug::web {

namespace {

std::string name_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

lang::Overrides parameters_in(const Request& request) {
    lang::Overrides parameters;
    if (const auto given = request.members.find("parameters"); given != request.members.end())
        for (const auto& [name, value] : given->items())
            parameters[name] = value.is_string() ? value.get<std::string>() : value.dump();
    return parameters;
}

// Texts of rule files may hold what is not UTF-8.
std::string written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

HttpResponse json_response(int status, const Json& json) {
    return {.status = status, .type = "application/json", .body = written(json), .set_cookie = ""};
}

HttpResponse error_response(int status, const Json& id, const std::string& text) {
    return json_response(status, {{"id", id}, {"error", {{"message", text}}}});
}

} // namespace

Site::Site(SiteOptions options)
    : options_(std::move(options)), searches_(options_.search.thinkers), rooms_(options_.rooms) {}

HttpResponse Site::answer(const HttpRequest& request, int port) try {
    if (auto refused = refusal(request, port)) return std::move(*refused);
    std::string visitor = visitor_of(request.cookie), cookie;
    if (visitor.empty()) {
        visitor = new_visitor();
        cookie = cookie_for(visitor);
    }
    HttpResponse response;
    if (request.method == "POST") {
        if (request.path != "/api") return error_response(404, nullptr, "requests go to /api");
        if (request.body.size() > most_body) return error_response(413, nullptr, "the request is too long");
        response = asked(request.body, visitor);
    } else {
        const auto all = assets();
        const auto asset = std::ranges::find(all, std::string_view(request.path), &Asset::path);
        if (asset == all.end()) return error_response(404, nullptr, "there is no such page");
        response = {
            .status = 200, .type = std::string(asset->type), .body = std::string(asset->text), .set_cookie = ""};
    }
    response.set_cookie = cookie;
    return response;
} catch (const std::exception&) {
    // Of what is thrown here nothing is expected but that memory runs out.
    return error_response(500, nullptr, "this took more than the server has");
}

HttpResponse Site::asked(const std::string& body, const std::string& visitor) {
    const auto request = protocols::parse_request(body, web_commands());
    if (!request) return error_response(400, request.error().id, request.error().text);
    const Answered answered = obey(*request, visitor);
    if (!answered) return error_response(200, request->id, answered.error().text);
    return json_response(200, {{"id", request->id}, {"result", *answered}});
}

Answered Site::obey(const Request& request, const std::string& visitor) {
    if (request.command == "games") return games();
    if (request.command == "open") return open(request, visitor);
    if (request.command == "check") {
        const std::scoped_lock lock(reading_);
        return Json{{"diagnostics",
                     diagnostics_json(rules_in(protocols::text_of(request, "text"), parameters_in(request)).loaded)}};
    }
    const std::shared_ptr<GameRoom> room = rooms_.find(visitor, protocols::text_of(request, "room"));
    if (!room) return Json{{"gone", true}};
    try {
        return room->answer(request);
    } catch (const std::bad_alloc&) { // which may have left anything half done
        rooms_.drop(room);
        throw;
    }
}

Json Site::games() {
    const std::scoped_lock lock(reading_);
    if (library_.empty()) library_ = library_of(options_.source.library, options_.source.folders);
    return {{"games", library_json(library_)}, {"first", options_.game}, {"parameters", options_.parameters}};
}

tl::expected<Rules, Error> Site::rules_named(const std::string& name, const lang::Overrides& parameters) const {
    const auto& paths = options_.source.library;
    const auto path = std::ranges::find(paths, name, name_of);
    if (path == paths.end()) return failure("there is no game of that name here");
    return Rules{lang::load_file(*path, parameters, options_.source.folders), name, *path};
}

// As if it stood beside the file that the site was started with, whose rules it may be a change of; else nothing is
// looked for but what the source's folders have.
Rules Site::rules_in(const std::string& text, const lang::Overrides& parameters) const {
    const lang::Folders& folders = options_.source.folders;
    const auto& paths = options_.source.library;
    const auto first = std::ranges::find(paths, options_.game, name_of);
    std::string folder = folders.empty() ? "/nonexistent" : folders.front();
    if (first != paths.end()) folder = std::filesystem::path(*first).parent_path().string();
    return {lang::load_text(folder + "/text.zug", text, parameters, folders), "", ""};
}

Answered Site::open(const Request& request, const std::string& visitor) {
    const std::string file = protocols::text_of(request, "file"), text = protocols::text_of(request, "text");
    if (file.empty() == text.empty()) return failure("`open` takes a `file` or a `text`");
    const lang::Overrides parameters = parameters_in(request);
    const std::scoped_lock lock(reading_);
    auto rules = file.empty() ? rules_in(text, parameters) : rules_named(file, parameters);
    if (!rules) return tl::unexpected(rules.error());
    if (!rules->loaded.program)
        return Json{{"diagnostics", diagnostics_json(rules->loaded)}, {"message", first_error(rules->loaded)}};
    auto room = std::make_shared<GameRoom>(std::move(*rules), options_.source.executor, options_.search, searches_);
    Json json = room->about();
    json["room"] = rooms_.put(visitor, protocols::text_of(request, "room"), std::move(room));
    return json;
}

} // namespace zug::web
