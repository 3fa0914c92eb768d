#include "solve/database/description.hpp"

#include "solve/storage/packed_combinations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace zug::solve {

namespace {

using Json = nlohmann::ordered_json;

// Thrown by the functions below, and by nlohmann's where a value is missing or of another kind.
struct Wrong : std::exception {};

void require(bool good) {
    if (!good) throw Wrong();
}

// nlohmann's own conversions cut numbers short without a word.
template <std::unsigned_integral T>
T whole(const Json& json) {
    require(json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>()));
    return static_cast<T>(json.get<std::uint64_t>());
}

double finite(const Json& json) {
    require(json.is_number() && std::isfinite(json.get<double>()));
    return json.get<double>();
}

std::vector<std::uint32_t> whole_numbers(const Json& json) {
    std::vector<std::uint32_t> numbers;
    for (const Json& number : json) numbers.push_back(whole<std::uint32_t>(number));
    return numbers;
}

std::vector<std::vector<std::uint32_t>> rows_of_numbers(const Json& json) {
    std::vector<std::vector<std::uint32_t>> rows;
    for (const Json& row : json) rows.push_back(whole_numbers(row));
    return rows;
}

class Reader {
public:
    Reader(game::Game& game, std::span<const std::uint8_t> combinations, std::uint64_t positions)
        : game_(game), combinations_(combinations), stored_(positions) {}

    tl::expected<Description, Error> read(const Json& json) {
        if (const std::string other = difference(json, identity_of(game_)); !other.empty()) return failure(other);
        if (auto done = read_code(json); !done) return tl::unexpected(done.error());
        read_outcomes(json);
        read_solution(json.at("solution"));
        require(out_.solution.with_symmetry == stored_ && out_.solution.positions >= stored_);
        if (out_.solution.chance)
            check_expectation();
        else
            check_results(json);
        return std::move(out_);
    }

private:
    static std::string difference(const Json& json, const Identity& identity) {
        const Json& params = json.at("params");
        for (const auto& [name, value] : identity.params) {
            const std::string own = params.contains(name) ? params.at(name).get<std::string>() : "nothing";
            if (own != value) return fmt::format("it was made with {} = {}, not {}", name, own, value);
        }
        const bool same = json.at("rules").get<std::string>() == digest_text(identity.rules);
        return same ? "" : "it was made from other rules: solve the game again";
    }

    tl::expected<void, Error> read_code(const Json& json) {
        const ir::Program& program = game_.program();
        TierPotential potential;
        for (const Json& row : json.at("measure")) {
            potential.weights.emplace_back();
            for (const Json& weight : row) {
                require(weight.is_number_integer() && std::in_range<std::int32_t>(weight.get<std::int64_t>()));
                potential.weights.back().push_back(weight.get<std::int32_t>());
            }
        }
        if (!potential.fits(ir::slot_sizes(program))) return failure("its measure is none of this game");
        potential.find_range();
        const auto symmetries = read_symmetries(json.at("symmetries"));
        if (!symmetries) return failure("its symmetries are none of this game");
        auto combinations = unpack_combinations(program, combinations_, stored_);
        if (!combinations || (!combinations->all() && symmetries->size() > 1))
            return failure("its combinations of values are none of this game");
        auto code = PositionCode::of(game_, potential, *symmetries,
                                     std::make_shared<const Combinations>(std::move(*combinations)));
        if (!code) return tl::unexpected(code.error());
        out_.code = std::move(*code);
        out_.solution.symmetries = static_cast<std::uint32_t>(symmetries->size());
        return {};
    }

    // Empty: they do not permute the slots of this game.
    std::optional<game::SymmetryGroup> read_symmetries(const Json& json) const {
        const auto sizes = ir::slot_sizes(game_.program());
        std::vector<game::Symmetry> generators;
        for (const Json& row : json) {
            generators.push_back({whole_numbers(row.at("to")), rows_of_numbers(row.at("values"))});
            if (!generators.back().permutes(sizes) || generators.size() > game::max_symmetries) return std::nullopt;
        }
        return game::SymmetryGroup::generated_by(std::move(generators), sizes.size());
    }

    void read_outcomes(const Json& json) {
        const Json& outcomes = json.at("outcomes");
        const std::string ties = json.at("ties");
        require(ties == "kind" || ties == "spiteful");
        out_.ties = ties == "kind" ? Ties::Kind : Ties::Spiteful;
        require(whole<std::uint32_t>(outcomes.at("players")) == game_.players());
        std::set<Payoffs> ends;
        for (const Json& row : outcomes.at("ends")) ends.insert(read_payoffs(row));
        const bool cycles = outcomes.at("cycles").get<bool>();
        require(ends.size() + (cycles ? Outcomes::draws : 0) > 0);
        require(ends.size() + Outcomes::draws <= std::size_t{1} << 16);
        require(!cycles || allows_cycles(game_.traits()));
        out_.outcomes = Outcomes(ends, game_.traits(), cycles, out_.ties);
        out_.solution.cycles = cycles;
        out_.solution.chance = game_.traits().chance;
        require(json.contains("kept") == out_.solution.chance);
        if (!out_.solution.chance) return;
        require(!ends.empty());
        out_.expected = ExpectedValues(ends, game_.traits(), out_.ties);
        require(whole<std::uint32_t>(json.at("kept")) == out_.expected.width());
    }

    Payoffs read_payoffs(const Json& json) const {
        Payoffs payoffs;
        for (const Json& number : json) payoffs.push_back(finite(number));
        require(payoffs.size() == game_.players());
        const game::Traits& traits = game_.traits();
        for (const double payoff : payoffs)
            require(payoff >= std::min(0.0, traits.min_utility) && payoff <= std::max(0.0, traits.max_utility));
        for (std::uint32_t p = 0; traits.zero_sum && p < traits.players; ++p)
            require(payoffs[p] == (traits.team[p] == 0 ? payoffs[0] : -payoffs[0]));
        return payoffs;
    }

    void read_solution(const Json& json) {
        Solution& solution = out_.solution;
        for (const Json& number : json.at("value")) solution.value.push_back(finite(number));
        require(solution.value.size() == game_.players());
        solution.repetition = json.at("repetition").get<bool>();
        if (!json.at("remoteness").is_null()) solution.remoteness = whole<std::uint32_t>(json.at("remoteness"));
        solution.positions = whole<std::uint64_t>(json.at("positions"));
        solution.with_symmetry = whole<std::uint64_t>(json.at("with_symmetry"));
        solution.moves = whole<std::uint64_t>(json.at("moves"));
        solution.tiers = whole<std::uint64_t>(json.at("tiers"));
        solution.longest_jump = whole<std::uint32_t>(json.at("longest_jump"));
        require(solution.longest_jump <= INT32_MAX);
        solution.assumes = json.at("assumes").get<std::vector<std::string>>();
        solution.tally = {whole<std::uint64_t>(json.at("won")), whole<std::uint64_t>(json.at("lost")),
                          whole<std::uint64_t>(json.at("drawn"))};
        if (!solution.chance) return;
        solution.error = finite(json.at("error"));
        for (const Json& count : json.at("counts").at("decided")) decided_.push_back(whole<std::uint64_t>(count));
        require(decided_.size() == ValueCounts::ranges);
        solution.counts.decided = decided_;
        solution.counts.chance = whole<std::uint64_t>(json.at("counts").at("chance"));
    }

    void check_expectation() {
        Solution& solution = out_.solution;
        // What the solver promises is far below this.
        constexpr double largest_error = 1e-6;
        require(solution.error >= 0 && solution.error <= largest_error * out_.expected.range());
        require(!solution.repetition && !solution.remoteness);
        for (const double value : solution.value)
            require(std::abs(value) <= std::max(-out_.expected.least(), out_.expected.greatest()) + solution.error);
        solution.win_probability = out_.expected.win_probability(solution.value.front());
        require(sum(decided_) + solution.counts.chance == solution.positions);
    }

    void check_results(const Json& json) {
        const Solution& solution = out_.solution;
        const Outcomes& outcomes = out_.outcomes;
        require(solution.remoteness.has_value() != solution.repetition);
        require(!solution.repetition || outcomes.cycles());
        require(outcomes.find(solution.value).has_value());
        std::vector<std::uint64_t> counts;
        Tally tally;
        for (const Json& row : json.at("histogram")) {
            require(row.size() == 3);
            const Histogram::Count count{whole<std::uint32_t>(row[0]), whole<Result>(row[1]),
                                         whole<std::uint64_t>(row[2])};
            require(count.mover < game_.players() && outcomes.outcome(count.result) < outcomes.size());
            require(count.positions <= solution.positions);
            const double value = outcomes.utility(outcomes.outcome(count.result), count.mover);
            (value > 0 ? tally.won : value < 0 ? tally.lost : tally.drawn) += count.positions;
            counts.push_back(count.positions);
            out_.histogram.push_back(count);
        }
        require(sum(counts) == solution.positions);
        require(tally == solution.tally);
    }

    // Numbers are below 2^63 in every database that is right, and there are few of them.
    static std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
        std::uint64_t total = 0;
        for (const std::uint64_t number : numbers) require(!__builtin_add_overflow(total, number, &total));
        return total;
    }

    game::Game& game_;
    std::span<const std::uint8_t> combinations_;
    std::uint64_t stored_;
    Description out_;
    std::vector<std::uint64_t> decided_;
};

} // namespace

Identity identity_of(const game::Game& game) {
    const ir::Program& program = game.program();
    Identity identity{.name = program.source.name, .params = {}, .rules = game.rules_digest()};
    for (const ir::Param& param : program.params) identity.params.emplace_back(param.name, param.value);
    return identity;
}

tl::expected<Description, Error> read_description(const std::string& text, std::span<const std::uint8_t> combinations,
                                                  game::Game& game, std::uint64_t positions) {
    const auto unreadable = [] { return failure("its description can't be read"); };
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return unreadable();
    try {
        return Reader(game, combinations, positions).read(json);
    } catch (const std::exception&) {
        return unreadable();
    }
}

} // namespace zug::solve
