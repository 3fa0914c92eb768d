// `zug solve --prove`: values of starts, and what is said where there is none.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;

TEST_CASE("a proof of every instance, by every method") {
    for (const std::string method : {"--prove", "--prove=dfpn", "--prove=nullwindow", "--prove=alphabeta"}) {
        CAPTURE(method);
        const auto json =
            run_zug({"solve", method, "connect-four", "-D", "width=4", "-D", "height=3..4", "--json"}).json();
        REQUIRE(json.size() == 2);
        CHECK(json[1].at("params").at("height") == "4");
        CHECK(json[1].at("value") == 0);
        CHECK(json[1].at("nodes") > 0);
        CHECK(!json[1].contains("remoteness"));
    }
    const Result text = run_zug({"solve", "--prove", "connect-four", "-D", "width=6", "-D", "height=4"});
    CHECK(text.code == 0);
    CHECK(has(text.out, "O wins"));
    CHECK(has(text.out, "proved by    "));
    CHECK(has(run_zug({"solve", "connect-four", "--prove", "--moves", "a1 b1 a2 b2 a3 b3"}).out, "X wins"));
}

TEST_CASE("both methods together: the same value on any number of threads, and the same nodes on one") {
    const auto prove = [](const std::string& threads) {
        return run_zug(
                   {"solve", "--prove", "hexapawn", "-D", "width=4", "-D", "height=5", "--threads", threads, "--json"})
            .json()[0];
    };
    const auto one = prove("1"), again = prove("1"), two = prove("2");
    CHECK(one.at("nodes") == again.at("nodes"));
    CHECK(one.at("method") == again.at("method"));
    CHECK(one.at("value") == two.at("value"));
    CHECK(one.at("value") == -1);
}

TEST_CASE("a proof that Ctrl-C ends tells its bounds") {
    for (const std::string threads : {"1", "2"}) {
        Setting setting;
        setting.terminal = true;
        setting.interrupt_on = "nodes, ";
        const Result result =
            run_zug({"solve", "connect-four", "--prove", "--threads", threads, "--table", "16M"}, setting);
        CHECK(result.code == 130);
        CHECK(has(result.out, "between O wins and X wins"));
    }
}

TEST_CASE("nullwindow says which method to try where it has no proof") {
    const Result result = run_zug({"solve", "three-mens-morris", "--prove=nullwindow", "--time", "1s"});
    CHECK(result.code == 1);
    CHECK(has(result.out + result.err, "--prove=dfpn does better"));
}

TEST_CASE("scores are proved by alpha-beta, and asked one by one of nobody") {
    CHECK(has(run_zug({"solve", "othello", "-D", "n=4", "--prove"}).out, "White wins (Black -8, White 8)"));
    const Result refused = run_zug({"solve", "othello", "-D", "n=4", "--prove=dfpn"});
    CHECK(refused.code == 1);
    CHECK(has(refused.err, "use alphabeta"));
}

TEST_CASE("no proof: what is known is told") {
    const Result late = run_zug({"solve", "connect-four", "--prove", "--time", "0.2", "--table", "16M"});
    CHECK(late.code == 1);
    CHECK(has(late.err, "not proved: stopped after"));
    CHECK(has(late.err, "between O wins and X wins"));
    const auto json = run_zug({"solve", "connect-four", "--prove", "--time", "0.2", "--table", "16M", "--json"}).json();
    CHECK(json[0].at("value").is_null());
    CHECK(json[0].at("low") == -1);
    CHECK(json[0].at("high") == 1);
    CHECK(has(json[0].at("error"), "not proved"));
    const Result chance = run_zug({"solve", "pig", "--prove"});
    CHECK(chance.code == 1);
    CHECK(has(chance.err, "chance"));
}

TEST_CASE("command lines that make no sense are refused") {
    CHECK(run_zug({"solve", "hexapawn", "--prove", "-o", "solved"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "--prove=magic"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "--prove", "--table", "many"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "--prove", "--time", "-1"}).code == 2);
}
