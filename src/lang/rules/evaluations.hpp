#pragma once
// Static evaluations: a number, or a tuple of which the first part that differs decides. Internal to src/lang.
//
// Searches compare numbers, so a tuple becomes one number, and without loss: it is the sum of its parts, each times a
// weight that exceeds all that later parts can add up to. There are such weights because the parts are whole numbers
// within bounds (H. Sherali, A. Soyster, "Preemptive and nonpreemptive multi-objective programming", 1983). What is
// compared in the end is a team's tuple, the mean of its members', less the mean of the other teams' (game/game.cpp),
// so among `n` teams the weight of a part is 1 more than the sum, over the later parts, of their weight times
//
//   2 m (n - 1) (greatest value - least value),   or, of one player,   greatest value - least value,
//
// where `m` is the least number that all teams' numbers of members divide: 1 where everyone plays alone. Then the
// number of a team, less the mean of the others', is ordered as the tuples of these differences are. It is divided by a
// power of two that brings it between -1 and 1, where Game::evaluate() keeps all values apart.
//
// `if` and `let` may stand around tuples, of different lengths, too: what is left out at the end is 0.

#include "lang/core/part.hpp"

#include <optional>

namespace zug::lang {

class Conversions;
class Expressions;
class Operators;

class Evaluations : CheckerPart {
public:
    Evaluations(Context& context, Conversions& conversions, Operators& operators, Expressions& expressions)
        : CheckerPart(context), conversions_(conversions), operators_(operators), expressions_(expressions) {}

    void check_eval(NodeId id);

private:
    // A value, or a choice between two values that come before it in the vector, in the scope of some `let`.
    struct Value {
        Span span;
        std::vector<Operand> parts;         // of a value; one: a number
        bool tuple = false;                 // it was written as one
        ExprId test = none_id<ExprId>;      // of a choice
        std::size_t yes = 0, no = 0;        // of a choice
        std::vector<LetBinding> bound = {}; // by the `let` around it, the first outermost
    };
    struct Part {
        std::int64_t low = 0, high = 0; // over all tuples of all players
        double weight = 1;
    };
    using Values = std::vector<Value>; // of one player; the last is the whole

    // Each appends the value of a node, whatever stands inside it first. False: an error has been reported.
    bool read(NodeId id, Values& values);
    bool read_choice(NodeId id, Values& values);
    bool read_let(NodeId id, Values& values);
    bool read_tuple(NodeId id, Values& values);

    // The value as a number of the language, where no tuple is in it.
    Operand plain(const Values& values, std::size_t at);
    // Makes whole numbers of the parts of all values. False: an error has been reported.
    bool make_whole(Values& values);
    Operand whole(const Operand& part);
    // The parts that the tuples of all players have, with their weights; nothing: there are too many values.
    double difference_steps() const;
    std::optional<std::vector<Part>> weigh(const std::vector<Values>& players, Span at);
    // The number that stands for a tuple, a whole one.
    Operand number(const Values& values, std::size_t at, const std::vector<Part>& parts);
    void check_tuples(std::vector<Values>& players, Span at);

    Conversions& conversions_;
    Operators& operators_;
    Expressions& expressions_;
};

} // namespace zug::lang
