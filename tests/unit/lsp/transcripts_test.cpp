// Conversations as data: transcripts/*.txt, each with a server of its own, which has been initialised unless the file
// begins with `fresh`. A line is
//
//   # a comment
//   text URI                 opens a text, which the lines after it give that begin with `| `; it is the one meant from
//                            then on
//   ask METHOD [L:C] [JSON]  a request about that text, at line L, character C, with further params
//   tell METHOD [JSON]       a notification about it, with the next version of the text
//   say JSON                 any message
//   queue JSON               a message behind which others wait already
//   cancelled JSON           a message that was cancelled while it waited
//   ends CODE                the server has ended, with this exit code
//
// and what comes back is, in this order and without others,
//
//   < = JSON                 a result
//   < ! CODE text            an error
//   < METHOD JSON            a notification, with these params
//   < JSON                   any message
//
// In what is expected `*` in a text stands for any text, an object may have further members, and "..." in an array
// stands for any elements. $RULES is the URI of the folder rules/.

#include "client.hpp"
#include "lsp/text/uri.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

using zug::lsp::Json;
using zug::test::Client;

namespace {

bool matches_text(std::string_view pattern, std::string_view text) {
    const std::size_t star = pattern.find('*');
    if (star == pattern.npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, star))) return false;
    for (std::size_t from = star; from <= text.size(); ++from)
        if (matches_text(pattern.substr(star + 1), text.substr(from))) return true;
    return false;
}

bool matches(const Json& pattern, const Json& json);

bool matches_from(const Json& pattern, std::size_t p, const Json& json, std::size_t i) {
    if (p == pattern.size()) return i == json.size();
    if (pattern[p] != "...")
        return i < json.size() && matches(pattern[p], json[i]) && matches_from(pattern, p + 1, json, i + 1);
    return matches_from(pattern, p + 1, json, i) || (i < json.size() && matches_from(pattern, p, json, i + 1));
}

bool matches(const Json& pattern, const Json& json) {
    if (pattern.is_string() && json.is_string())
        return matches_text(pattern.get_ref<const std::string&>(), json.get_ref<const std::string&>());
    if (pattern.is_array() && json.is_array()) return matches_from(pattern, 0, json, 0);
    if (!pattern.is_object() || !json.is_object()) return pattern == json;
    return std::ranges::all_of(pattern.items(), [&](const auto& member) {
        return json.contains(member.key()) && matches(member.value(), json[member.key()]);
    });
}

// The first word of a line, which loses it.
std::string take_word(std::string& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, end);
    line.erase(0, std::min(end + 1, line.size()));
    return word;
}

// The message that a line after `< ` stands for.
Json expected_message(std::string line) {
    if (line.starts_with('{')) return Json::parse(line);
    const std::string word = take_word(line);
    if (word == "=") return {{"id", "*"}, {"result", Json::parse(line)}};
    if (word != "!") return {{"method", word}, {"params", Json::parse(line)}};
    const int code = std::stoi(take_word(line));
    return {{"error", {{"code", code}, {"message", line}}}};
}

class Transcript {
public:
    explicit Transcript(const std::string& text) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) lines_.push_back(line);
        if (!lines_.empty() && lines_[0] == "fresh")
            ++next_;
        else
            client_.initialize();
    }

    void hold() {
        while (next_ < lines_.size()) step();
        check();
    }

private:
    void step() {
        std::string line = lines_[next_++];
        if (line.empty() || line[0] == '#') return;
        if (line.starts_with("< ")) {
            expected_.push_back(expected_message(line.substr(2)));
            return;
        }
        check();
        said_ = line;
        const std::string word = take_word(line);
        if (word == "text")
            open(line);
        else if (word == "ends")
            CHECK_MESSAGE((client_.has_ended() && client_.exit_code() == std::stoi(line)), said_);
        else if (word == "queue")
            client_.begin(Json::parse(line));
        else
            heard_ = client_.say(message(word, line), word == "cancelled");
    }

    void open(const std::string& uri) {
        std::string text;
        for (; next_ < lines_.size() && lines_[next_].starts_with("|"); ++next_)
            text += lines_[next_].substr(std::min<std::size_t>(2, lines_[next_].size())) + "\n";
        uri_ = uri;
        version_ = 1;
        heard_ = client_.open(uri, text);
    }

    Json message(const std::string& word, std::string line) {
        if (word == "say" || word == "cancelled") return Json::parse(line);
        REQUIRE_MESSAGE((word == "ask" || word == "tell"), said_);
        Json made = {{"jsonrpc", "2.0"}, {"method", take_word(line)}};
        if (word == "ask") made["id"] = ++last_id_;
        Json params = {{"textDocument", {{"uri", uri_}}}};
        if (word == "tell") params["textDocument"]["version"] = ++version_;
        if (const std::size_t colon = line.find(':'); colon < line.find('{')) {
            const auto row = static_cast<std::uint32_t>(std::stoul(line));
            params["position"] =
                zug::test::position(row, static_cast<std::uint32_t>(std::stoul(line.substr(colon + 1))));
            take_word(line);
        }
        if (!line.empty()) params.merge_patch(Json::parse(line));
        made["params"] = params;
        return made;
    }

    // What was heard since the last check.
    void check() {
        std::string wanted, got;
        for (const Json& one : expected_) wanted += "\n  " + one.dump();
        for (const Json& one : heard_) got += "\n  " + one.dump();
        bool fine = expected_.size() == heard_.size();
        for (std::size_t i = 0; fine && i < expected_.size(); ++i) fine = matches_message(expected_[i], heard_[i]);
        CHECK_MESSAGE(fine, said_, "\nexpected:", wanted, "\nheard:", got);
        expected_.clear();
        heard_.clear();
    }

    static bool matches_message(Json pattern, const Json& message) {
        if (pattern.value("id", Json()) == "*") pattern.erase("id");
        return message.value("jsonrpc", "") == "2.0" && matches(pattern, message);
    }

    Client client_;
    std::vector<std::string> lines_;
    std::size_t next_ = 0;
    std::string uri_, said_;
    std::int64_t version_ = 0;
    int last_id_ = 100;
    std::vector<Json> expected_, heard_;
};

} // namespace

TEST_CASE("conversations with an editor go as they are written down") {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(ZUG_SOURCE_DIR "/tests/unit/lsp/transcripts"))
        files.push_back(entry.path());
    std::ranges::sort(files);
    REQUIRE(files.size() > 5);
    const std::string rules = zug::lsp::uri_of(zug::test::library_folder);
    for (const fs::path& path : files) {
        CAPTURE(path.filename().string());
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        std::string script = text.str();
        constexpr std::string_view variable = "$RULES";
        for (std::size_t at = script.find(variable); at != script.npos; at = script.find(variable))
            script.replace(at, variable.size(), rules);
        Transcript(script).hold();
    }
}
