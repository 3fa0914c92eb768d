#pragma once
// What a hostile rule file may cost: processor time, as a multiple of what checking a large honest game takes on the
// same machine, and memory.

#include "process.hpp"

#include <doctest/doctest.h>

namespace zug::test {

class Budget {
public:
    Budget() {
        setting.environment["ZUG_CACHE"] = "";
        static const Result chess = run_zug({"check", "chess"}, setting); // once for all cases of a program
        REQUIRE(chess.code == 0);
        seconds_ = chess.processor_seconds;
    }
    void check(const Result& result) const {
        CHECK(result.signal == 0);
        CHECK(result.err.size() < 20'000);
        CHECK(result.processor_seconds < most_checks_of_chess * seconds_);
        CHECK(result.megabytes < most_megabytes);
    }

    Setting setting; // for the runs: without a cache

private:
#ifdef ZUG_SANITIZED
    static constexpr double most_checks_of_chess = 12;
    static constexpr long most_megabytes = 3000;
#else
    static constexpr double most_checks_of_chess = 10;
    static constexpr long most_megabytes = 500;
#endif
    double seconds_ = 0;
};

} // namespace zug::test
