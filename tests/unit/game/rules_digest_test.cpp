// The digest of rules changes with all that play depends on, and with nothing else.

#include "ir/rules_digest.hpp"

#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

using namespace zug;

namespace {

constexpr const char* take = R"(game "Take"
param most = 2
players A, B
state n: 0..9 = 9
move take(k: 1..3)
  when k <= most, n >= k
  then n -= k
end me wins when n = 0
)";

Digest digest_of_text(const std::string& text, const lang::Overrides& params = {}) {
    const auto loaded = lang::load_text("take.zug", text, params);
    CAPTURE(diag::render(loaded.sources, loaded.report));
    REQUIRE(loaded.program);
    return ir::rules_digest(*loaded.program);
}

std::string changed(const std::string& from, const std::string& to) {
    std::string text = take;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("comments, blanks, the title, looks, notation and tests do not change the digest") {
    const Digest digest = digest_of_text(take);
    CHECK(digest == digest_of_text(std::string(take) + "\n# a comment\n"));
    CHECK(digest == digest_of_text(changed("Take", "Take some")));
    CHECK(digest == digest_of_text(std::string(take) + "notation take \"{k}\"\n"));
    CHECK(digest ==
          digest_of_text(std::string(take) + "look A star\nlook n dice when 2 in {k: 2..5 | k mod 3 = 0} or 2 < 3\n"));
    CHECK(digest == digest_of_text(std::string(take) + "test \"first\": perft 1 = 2\n"));
}

TEST_CASE("each change of the rules changes the digest") {
    const std::vector<std::string> texts = {take,
                                            changed("9 = 9", "9 = 8"),
                                            changed("0..9 = 9", "0..10 = 9"),
                                            changed("k <= most", "k < most"),
                                            changed("n >= k", "n > k"),
                                            changed("n -= k", "n := n - k"),
                                            changed("me wins", "me loses"),
                                            changed("n = 0", "n = 1"),
                                            changed("A, B", "A, B, C"),
                                            changed("A, B", "A, C"),
                                            changed("most = 2", "most = 3"),
                                            changed("1..3", "1..2"),
                                            changed("n -= k", "n -= k, again"),
                                            std::string(take) + "eval p = n\n"};
    std::map<Digest, std::string> known;
    for (const std::string& text : texts) {
        const auto [at, is_new] = known.emplace(digest_of_text(text), text);
        CAPTURE(text);
        CAPTURE(at->second);
        CHECK(is_new);
    }
    CHECK(known.emplace(digest_of_text(take, {{"most", "1"}}), "most = 1").second);
}

TEST_CASE("no two games of the library have the same digest") {
    std::map<Digest, std::string> known;
    for (const auto& entry : std::filesystem::directory_iterator(ZUG_SOURCE_DIR "/rules")) {
        const std::string path = entry.path().string();
        const auto program = entry.path().extension() == ".zug" ? lang::load_file(path).program : nullptr;
        if (!program) continue;
        const auto [at, is_new] = known.emplace(ir::rules_digest(*program), path);
        CAPTURE(path);
        CAPTURE(at->second);
        CHECK(is_new);
    }
    CHECK(known.size() > 70);
}
