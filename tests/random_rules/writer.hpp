#pragma once
// Writes random small rule files: well-typed by construction, of no use as games, each with a meaning that all
// executors must share. Equal seeds give equal files.
//
// An expression is written for the type that its context expects. What a file costs to play is bounded by counting,
// while it is written, how often each expression is asked at a position: once it is too much, only leaves are written.

#include "base/random.hpp"
#include "tests/random_rules/type.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::random_rules {

class Writer {
public:
    explicit Writer(std::uint64_t seed) : random_(seed) {}
    std::string file();

private:
    struct Board {
        std::string name;
        std::vector<std::string> sites, dirs, dir_sets, groups;
        bool out = false, coordinates = false, numbered = false;
    };
    struct State {
        std::string name;
        std::vector<Type> indices;
        Type value;
        bool local = false;
    };
    struct Local {
        std::string name;
        Type type;
        bool map = false; // a parameter that is a map from sites to numbers
    };
    struct Parameter {
        std::string name, type_text;
        Type type;
        bool map = false;
    };
    struct Definition {
        std::string name;
        std::vector<Parameter> parameters;
        Type result = {};
        double cost = 0;
        bool several = false;                // of an effect: it has several blocks
        std::vector<std::string> taken = {}; // of an effect: what it assigns
    };
    struct Rule {
        std::string name;
        std::vector<Parameter> parameters;
    };
    // The context of an expression decides what it may ask.
    struct Context {
        bool stuck = false;
        bool earlier = false;
        std::size_t rules = 0; // `can` may ask the first so many of the move rules
    };
    // Names bound within it go out of scope at its end; what is written within it is evaluated `times` as often.
    class Scope {
    public:
        explicit Scope(Writer& writer, double times = 1)
            : writer_(writer), names_(writer.locals_.size()), times_(writer.times_) {
            writer.times_ *= times;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() {
            writer_.locals_.resize(names_);
            writer_.times_ = times_;
        }

    private:
        Writer& writer_;
        std::size_t names_;
        double times_;
    };

    // -- chance
    std::uint32_t below(std::size_t n) { return random_.below(static_cast<std::uint32_t>(n)); }
    int between(int low, int high) {
        const int count = high - low + 1;
        return low + static_cast<int>(below(static_cast<std::size_t>(count)));
    }
    bool percent(std::uint32_t p) { return below(100) < p; }
    template <class T>
    const T& any_of(const std::vector<T>& list) {
        return list[below(list.size())];
    }
    std::string word(std::initializer_list<const char*> words) { return words.begin()[below(words.size())]; }
    std::string fresh(const char* letter) { return letter + ("_" + std::to_string(++names_)); }

    // -- cost
    bool tired(int depth);
    void spend(double cost) { spent_ += cost * times_; }
    double size(const Type& type) const; // the number of its values

    // -- declarations (writer_declarations.cpp, writer_boards.cpp)
    void declare_names();
    void declare_board();
    std::string board_shape(std::size_t number);
    std::string grid();
    std::string small_shape();
    std::string large_shape();
    std::string lines(int sites);
    std::string graph(int sites);
    bool probe(Board& board, const std::string& text);
    void declare_states();
    void declare_state(const std::string& name, std::vector<Type> indices, Type value, bool local);
    std::string initial(const State& state);
    std::string constant(const Type& type);
    std::string type_text(const Type& type) const;
    const std::vector<std::string>& members(const Type& type) const {
        return (type.part ? parts_ : enums_)[type.number];
    }
    Type small_type();  // with finitely many values, for indices and parameters
    Type value_type();  // of a state variable
    Type member_type(); // of the members of sets

    // -- definitions (writer_definitions.cpp)
    void declare_definitions();
    void definition();
    void recursive_definition();
    void mutual_definitions();
    void family_definition();
    void path_definition();
    void effect_definition();
    std::vector<Parameter> definition_parameters(bool whole);
    std::string parameter_list(const std::vector<Parameter>& parameters) const;
    void open(const std::vector<Parameter>& parameters);

    // -- expressions. `depth`: at most so many levels (writer_values.cpp, writer_truths.cpp)
    std::string value(const Type& type, int depth);
    std::string one(const Type& type, int depth);
    std::string leaf(const Type& type);
    std::string of_sort(const Type& type, int depth);
    std::string site(const Type& type, int depth);
    std::optional<std::string> shared(const Type& type, int depth);
    std::string choice(const Type& type, int depth);
    std::string let(const Type& type, int depth);
    std::string match(const Type& type, int depth);
    std::optional<std::string> named(const Type& type);
    std::optional<std::string> from_map(const Type& type, int depth);
    std::optional<std::string> call(const Type& type, int depth);
    std::string argument(const Parameter& parameter, const Type& result, int depth);
    std::string number(int depth);
    std::string literal();
    std::string arithmetic(int depth);
    std::string divisor_of(const std::string& number);
    std::string counted(int depth);
    std::string clamped(int low, int high, int depth);
    std::string real(int depth);
    std::string ratio(int depth);
    std::string truth(int depth);
    std::string comparison(int depth);
    std::string quantified(int depth);
    std::string asked(int depth);
    std::string vocabulary_truth(int depth);
    // What is said of sites by the number of steps to them (writer_walks.cpp).
    struct Walk {
        const State* map;
        std::string from, dir;
    };
    std::optional<Walk> walk(int depth);
    static std::string stepped(const Walk& walk, const std::string& number, int more);
    std::string test_of_site(const Walk& walk, const std::string& site);
    std::string run_of(const Walk& walk, const std::string& k, int passed, bool reaches);
    std::string walk_truth(int depth);

    // -- turns of a few steps (writer_turns.cpp)
    void declare_steps();
    void step();
    std::pair<std::string, std::string> entry_step(const std::string& t);
    void declare_turn_of_steps();
    std::string few_steps(int depth);

    // -- boards by numbers (writer_matrix.cpp)
    void declare_matrix();
    void matrix_recursion();
    void matrix_move();
    std::string entry_truth(int depth);
    std::string entries_domain();
    std::string entries_truth();
    std::string entries_effect();

    std::string matched(int depth);
    std::string earlier();
    std::string over(const std::string& before, const Type& member, int depth,
                     const std::function<std::string()>& body);
    // A value that can be matched, and its exact type.
    std::pair<std::string, Type> subject(int depth);
    std::string pattern(const Type& type, int depth, bool names);
    std::string index(const State& state, int depth); // with its brackets

    // -- sets and paths (writer_sets.cpp)
    std::string set(const Type& member, int depth);
    std::string set_leaf(const Type& member);
    std::string everything(const Type& type);
    std::string set_literal(const Type& member, int depth);
    std::string those(const Type& member, int depth);
    std::optional<std::string> matching(const Type& member, int depth);
    std::string sites(std::size_t board, int depth);
    std::string vocabulary_sites(int depth);
    std::string image(std::size_t board, int depth);
    std::string path(std::size_t board, int depth);
    std::string path_leaf(std::size_t board);
    std::string power(std::size_t board, int depth);
    bool has_paths(std::size_t board) const;

    // -- rules (writer_rules.cpp, writer_effects.cpp)
    void declare_rules();
    void move(bool easy);
    void take_numbers();
    void chance();
    std::string heading(const char* word, Rule& rule, double most); // with parameters
    std::string lets();
    std::string when(const Rule& rule, const std::string& first, bool easy);
    std::string clause(const Rule& rule);
    std::string binding();
    std::string membership(const Parameter& parameter, int depth);
    std::string thens(const std::string& first);
    using Taken = std::vector<std::string>;
    std::string block(const std::string& first, int least);
    std::string block(const std::string& first, int least, Taken& taken);
    std::optional<std::string> effect(int depth, Taken& taken);
    std::optional<std::string> conditional(int depth, Taken& taken);
    std::optional<std::string> repeated(int depth, Taken& taken);
    std::optional<std::string> assignment(int depth, Taken& taken);
    std::optional<std::string> walk_effect(int depth, Taken& taken);
    std::string assigned_variable(const State& state, int depth);
    std::string new_value(const State& state, int depth);
    std::optional<std::string> effect_call(int depth, bool within, Taken& taken);
    std::string branch(int depth, Taken& taken);
    std::string open_question(); // a truth that changes as the game continues

    // -- how the game continues and ends (writer_ends.cpp)
    void declare_turn();
    std::string chain(int depth);
    std::string key();
    void declare_end();
    std::string end_clause();
    std::string payoffs();
    void declare_loud();
    void declare_looks();

    void line(const std::string& text) { text_ += text + "\n"; }

    Random random_;
    std::string text_, constants_;
    int names_ = 0;
    double times_ = 1, spent_ = 0, most_ = 3000;
    std::vector<std::string> players_;
    std::vector<std::size_t> team_;               // of each player: one of its members
    std::vector<std::vector<std::string>> enums_; // the name, then the members
    std::vector<std::vector<std::string>> parts_; // a sub-type of each, likewise
    std::vector<std::pair<std::string, Type>> aliases_;
    std::vector<std::string> numbers_; // parameters of the file
    std::vector<std::string> flags_;
    std::vector<Board> boards_;
    std::vector<State> states_;
    std::vector<Definition> definitions_, effects_;
    std::vector<Rule> moves_;
    std::vector<Local> locals_;
    Context context_;
    int limit_ = 0; // of the plies
    bool plan_ = false, steps_ = false, empty_ = false, entries_ = false, history_ = false;
    std::vector<Type> matrix_; // the index types of the board by numbers, if there is one
    bool reaches_ = false;     // there is a recursive condition on it
    bool deep_ = false;        // the steps of a turn are counted
};

} // namespace zug::random_rules
