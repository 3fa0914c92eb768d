#pragma once
// The passes of the compiler: their names and contracts (the rows of compiler/passes.def), which of them are switched
// on in one compilation, and what each did and cost there.
//
// Cost unless statistics are asked for: a bit test for each decision and an increment for each change. Clocks are read,
// invariants checked and texts made only on request.

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zug::run {

enum class Pass : std::uint8_t {
#define PASS(id, ...) id,
#include "compiler/passes.def"
};

enum class PassStage : std::uint8_t { Analysis, Lowering, Construction, Finishing, Routines };
enum class PassNeed : std::uint8_t { Optional, Required };

struct PassInfo {
    Pass pass;
    std::string_view name; // on the command line
    PassStage stage;
    PassNeed need;
    std::string_view needs, establishes;
    std::string_view changes; // the noun for PassStatistics::changes, in the plural
    std::string_view function;
};

// In the order of Pass.
std::span<const PassInfo> pass_table();
inline const PassInfo& info(Pass pass) { return pass_table()[static_cast<std::size_t>(pass)]; }
std::string_view name_of(PassStage stage);
std::optional<Pass> pass_named(std::string_view name);
// The error message for a name that pass_named() does not know, with the closest name.
std::string unknown_pass(std::string_view name);
inline constexpr std::size_t pass_count = [] {
    std::size_t count = 0;
#define PASS(...) ++count;
#include "compiler/passes.def"
    return count;
}();
static_assert(pass_count <= 64, "a set of passes is one word");

struct PassOptions {
    std::uint64_t without = 0;      // bits by Pass; only of optional passes
    std::optional<Pass> dump_after; // Passes::dumped() keeps what this pass has left, as text
    bool timed = false;
    bool verify = default_verify(); // check the invariants of the graph between passes; abort where one is broken

    void switch_off(Pass pass) { without |= std::uint64_t{1} << static_cast<unsigned>(pass); }
    // True in builds with assertions, or if the environment has ZUG_VERIFY=1; ZUG_VERIFY=0 is a no.
    static bool default_verify();
};

// What a pass did in one compilation.
struct PassStatistics {
    std::uint64_t runs = 0;    // for passes that work on a routine or a program: how often
    std::uint64_t changes = 0; // nodes rewritten, facts proved, instructions emitted, ...: see PassInfo::changes
    std::uint64_t nodes_in = 0, nodes_out = 0;                  // of Finishing: live nodes before and after
    std::chrono::nanoseconds time = std::chrono::nanoseconds(); // without that of passes it calls; only if timed
};

// One compilation's passes. Not for several threads.
class Passes {
public:
    explicit Passes(PassOptions options = {}) : options_(options) {}

    const PassOptions& options() const { return options_; }
    // For the rest of this compilation.
    void switch_off(Pass pass) { options_.switch_off(pass); }
    bool on(Pass pass) const { return (options_.without >> static_cast<unsigned>(pass) & 1) == 0; }
    bool dumps(Pass pass) const { return options_.dump_after == pass; }
    bool verifies() const { return options_.verify; }

    PassStatistics& operator[](Pass pass) { return statistics_[static_cast<std::size_t>(pass)]; }
    const PassStatistics& operator[](Pass pass) const { return statistics_[static_cast<std::size_t>(pass)]; }
    void changed(Pass pass, std::uint64_t times = 1) { (*this)[pass].changes += times; }

    // What the pass of `dump_after` has left. `entry`: of a routine, its first instruction.
    struct Dump {
        std::optional<std::uint32_t> entry;
        std::string text;
    };
    void dump(std::optional<std::uint32_t> entry, std::string text) { dumps_.push_back({entry, std::move(text)}); }
    const std::vector<Dump>& dumped() const { return dumps_; }

    // Discards the results of an attempt at a compilation that was given up, but keeps its time.
    void restart();

    // Adds the time from here to the end of the block to that of a pass, without the time of timers within it.
    class Timer {
    public:
        Timer(Passes& passes, Pass pass) {
            if (passes.options_.timed) start(passes, pass);
        }
        ~Timer() {
            if (passes_ != nullptr) stop();
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

    private:
        using Clock = std::chrono::steady_clock;
        void start(Passes& passes, Pass pass);
        void stop();
        Passes* passes_ = nullptr;
        Timer* outer_ = nullptr;
        Pass pass_{};
        Clock::time_point since_;
        Clock::duration inner_{};
    };

private:
    PassOptions options_;
    std::array<PassStatistics, pass_count> statistics_{};
    std::vector<Dump> dumps_;
    Timer* innermost_ = nullptr;
};

} // namespace zug::run
