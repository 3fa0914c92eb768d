// Arithmetic at the edges of what the language allows: the input is a list of decisions, from which a rule file is
// written whose numbers are as large as they may be. The checker refuses it, or all executors play it alike.

#include "game/game.hpp"
#include "lang/load.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/random_rules/duel.hpp"

#include <array>
#include <fmt/format.h>
#include <string>

namespace {

using namespace zug;
using fuzz::Numbers;

class RuleFile {
public:
    explicit RuleFile(Numbers& numbers) : numbers_(numbers) {}

    std::string text() {
        std::string text = "players A, B\n";
        for (const char* name : {"a", "b", "c"}) {
            const std::int64_t from = number(), to = number();
            const std::int64_t low = std::min(from, to), high = std::max(from, to);
            text += fmt::format("state {}: {}..{} = {}\n", name, low, high, numbers_.below(2) == 0 ? low : high);
        }
        text += fmt::format("state n: 0..9\nmove m(d: 1..{})\n  when {}\n  then n += 1, a := {}, b := {}\n",
                            1 + numbers_.below(3), truth(2), value(3), value(2));
        text += fmt::format("move o\n  then n += 1, c := {}\n", value(3));
        if (numbers_.below(2) == 0) text += fmt::format("move s(x: 0..2)\n  then n += 1, a := b, c := {}\n", value(2));
        text += fmt::format("end payoff A = {} payoff B = {} when n >= 5\n", real(3), real(2));
        if (numbers_.below(2) == 0) text += fmt::format("eval p = {}\n", real(3));
        return text;
    }

private:
    // Mostly near a power of two, up to somewhat more than a state variable or an expression may hold.
    std::int64_t number() {
        const auto magnitude = static_cast<std::int64_t>(std::uint64_t{1} << numbers_.below(42));
        const auto off = static_cast<std::int64_t>(numbers_.below(5)) - 2;
        return (numbers_.below(2) == 0 ? magnitude : -magnitude) + off;
    }
    std::string leaf() {
        static constexpr std::array names = {"a", "b", "c", "n"};
        const std::size_t i = numbers_.below(names.size() + 2);
        return i < names.size() ? names[i] : fmt::format("({})", number());
    }
    std::string value(int depth) {
        if (depth == 0 || numbers_.empty()) return leaf();
        const std::string left = value(depth - 1), right = value(depth - 1);
        switch (numbers_.below(11)) {
        case 0: return fmt::format("({} + {})", left, right);
        case 1: return fmt::format("({} - {})", left, right);
        case 2: return fmt::format("({} * {})", left, right);
        case 3: return fmt::format("({} div {})", left, right);
        case 4: return fmt::format("({} mod {})", left, right);
        case 5: return fmt::format("min({}, {})", left, right);
        case 6: return fmt::format("max({}, {})", left, right);
        case 7: return fmt::format("abs({})", left);
        case 8: return fmt::format("(if {} then {} else {})", truth(depth - 1), left, right);
        case 9: return fmt::format("({} mod 7)", left);
        default: return fmt::format("(-{})", left);
        }
    }
    std::string real(int depth) {
        if (depth == 0) return value(1);
        const std::string left = real(depth - 1), right = real(depth - 1);
        switch (numbers_.below(5)) {
        case 0: return fmt::format("({} / {})", left, right);
        case 1: return fmt::format("({} * {})", left, right);
        case 2: return fmt::format("({} + 0.5)", left);
        case 3: return fmt::format("({} - {})", left, right);
        default: return left;
        }
    }
    std::string truth(int depth) {
        static constexpr std::array signs = {"<", "<=", "=", ">", ">=", "!="};
        const char* const sign = signs[numbers_.below(signs.size())];
        return fmt::format("({} {} {})", value(depth), sign, value(depth - 1 > 0 ? depth - 1 : 0));
    }

    Numbers& numbers_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Numbers numbers(data, size);
    // Machine code takes part in one of eight.
    const std::uint64_t seed = 1 + numbers.below(8);
    const std::string text = RuleFile(numbers).text();
    const auto loaded = lang::load_text("fuzz.zug", text);
    fuzz::require((loaded.program != nullptr) == !loaded.report.has_errors(), "a file without errors is a game");
    if (!loaded.program) return 0;
    const auto difference = random_rules::Duel(loaded.program, seed, {.games = 2, .plies = 8, .successors = 3}).play();
    if (difference)
        std::fprintf(stderr, "%s\n%s: %s\nin %s after %s\n", text.c_str(), difference->kind.c_str(),
                     difference->text.c_str(), difference->position.c_str(), difference->line.c_str());
    fuzz::require(!difference, "the executors agree");
    return 0;
}
