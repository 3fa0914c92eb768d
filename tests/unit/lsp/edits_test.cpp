// Random edits of the rule files that come with Zug: whatever has been typed, the editor is told in the end what `zug
// check` says of that text. ZUG_EDITS=500 makes so many edits of every file, and looks after each.

#include "../../library.hpp"
#include "client.hpp"
#include "lang/load.hpp"
#include "lsp/text/uri.hpp"
#include "utf16.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using zug::lsp::Json;
using zug::test::Client;
using zug::test::Utf16Text;

namespace {

// The file that is edited. What it extends is found in rules/.
const std::string path = std::filesystem::temp_directory_path() / fmt::format("zug-edited-{}.zug", getpid());
const std::string uri = zug::lsp::uri_of(path);

// What `zug check` says, as far as an editor is told the same: severity, kind, place in the text itself, words.
std::vector<std::string> by_check(const std::string& text) {
    std::ofstream(path) << text;
    const auto loaded = zug::lang::load_file(path, {}, {zug::test::library_folder});
    std::filesystem::remove(path);
    std::vector<std::string> said;
    for (const auto& item : loaded.report.sorted()) {
        const auto& info = zug::diag::info(item.message);
        const bool own = item.span.file == zug::FileId{0};
        const auto place = zug::diag::location(loaded.sources.text(item.span.file), item.span.begin);
        Json row = {info.severity == zug::diag::Severity::Error ? 1 : 2, info.slug, own ? Json(place.line - 1) : Json(),
                    (own ? "" : loaded.sources.name(item.span.file) + ": ") + item.text +
                        (item.fix.empty() ? "" : "\n" + item.fix)};
        said.push_back(row.dump());
    }
    return said;
}

std::vector<std::string> by_server(const Json& diagnostics) {
    std::vector<std::string> said;
    for (const Json& item : diagnostics) {
        const bool own = !item.contains("relatedInformation");
        said.push_back(
            Json{item["severity"], item["code"], own ? item["range"]["start"]["line"] : Json(), item["message"]}
                .dump());
    }
    return said;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n  " + line;
    return text;
}

// What people type into rules: marks and words, most of them of the text itself.
std::string typed(zug::Random& random, const std::string& text) {
    static constexpr std::array marks = {"\n",    "\n  ", " ", ",", ".",   "(",     ")",     "[",    "]",
                                         ":=",    "\"",   "#", "7", "-> ", "move ", "when ", "def ", "\xf0\x9d\x94\x98",
                                         "end\n", "|",    "?"};
    if (random.below(3) == 0 || text.empty()) return marks.at(random.below(marks.size()));
    if (random.below(4) == 0) return "";
    std::size_t begin = random.below(static_cast<std::uint32_t>(text.size()));
    while (begin > 0 && std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
    std::size_t end = begin;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    return text.substr(begin, end - begin);
}

class Typist {
public:
    Typist(const std::string& text, std::uint64_t seed) : original_(text), text_(text), random_(seed) {
        client_.initialize();
        told_ = Client::diagnostics_in(client_.open(uri, text), uri);
    }

    void edit() {
        Json change;
        if (random_.below(25) == 0) { // before nothing can be read any more
            text_ = Utf16Text(original_);
            change = {{"text", original_}};
        } else {
            change = text_.change(random_, typed(random_, original_));
        }
        client_.begin(
            {{"method", "textDocument/didChange"},
             {"params", {{"textDocument", {{"uri", uri}, {"version", ++version_}}}, {"contentChanges", {change}}}}});
    }

    void check() {
        if (const Json told = Client::diagnostics_in(client_.end_of_batch(), uri); !told.is_null()) told_ = told;
        const std::string text = text_.utf8();
        const auto expected = by_check(text), found = by_server(told_);
        REQUIRE_MESSAGE(found == expected, text, "\nexpected:", joined(expected), "\nfound:", joined(found));
    }

private:
    const std::string original_;
    Utf16Text text_;
    zug::Random random_;
    std::int64_t version_ = 1;
    Client client_;
    Json told_;
};

} // namespace

TEST_CASE("after random edits an editor is told what `zug check` says of the text") {
    const char* const wanted = std::getenv("ZUG_EDITS");
    const int edits = wanted == nullptr ? 24 : std::atoi(wanted);
    const int between = wanted == nullptr ? 12 : 1;
    auto files = zug::test::library();
    if (wanted == nullptr) files = zug::test::sample(files, 1);
    std::uint64_t seed = 0;
    for (const auto& file : files) {
        CAPTURE(file.filename().string());
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        Typist typist(text.str(), ++seed);
        for (int i = 1; i <= edits; ++i) {
            typist.edit();
            if (i % between == 0) typist.check();
        }
        typist.check();
    }
}
