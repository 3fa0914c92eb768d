#pragma once
// The checker: from syntax trees to a typed program. One object checks one game; its member functions are spread over
// the files of this folder by subject, as the sections below say. Internal to src/lang.
//
// Errors don't stop it: an expression that is wrong becomes a poisoned operand, which silences whatever it touches. The
// exceptions are a file that asks for more than the budgets allow and one with more errors than are shown: GiveUp
// leaves the check at once.

#include "diag/diagnostic.hpp"
#include "lang/load.hpp"
#include "lang/operand.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string_view>

namespace zug::lang {

using diag::Message;

class Checker {
public:
    Checker(diag::Sources& sources, diag::Report& report, ir::Program& program, const Overrides& overrides);
    void check(const std::vector<SourceTree>& files);

    static constexpr std::uint64_t max_set = 1U << 16;
    static constexpr std::uint64_t max_sites = 4096;
    static constexpr std::uint64_t max_slots = 1U << 22;
    static constexpr std::uint64_t max_players = 16;
    static constexpr std::size_t max_steps = 3'000'000; // of elaboration
    static constexpr std::uint32_t max_inline = 40;     // expressions of a definition that is copied rather than called

private:
    void check_game();

    // ---- the declarations of all files, less those that another replaces (extends.cpp)
    void assemble(const std::vector<SourceTree>& files);
    void add_item(const Item& item);
    void add_phase(const Item& phase);
    void drop_replaced_wholes();
    std::vector<Item> own_first(Kind kind) const;
    void check_look(const Item& item, void (Checker::*check)(NodeId));

    // ---- diagnostics (checker.cpp)
    void error(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {});
    void warn(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {});
    void mismatch(Span span, const Operand& found, std::string_view expected, std::string fix = {});
    [[noreturn]] void give_up(Message message, Span span, std::vector<std::string> arguments = {});
    void step(Span span);
    Span name_span(NodeId id) const; // of the name that a declaration gives
    bool in_prelude() const { return prelude_depth_ > 0; }

    // ---- the tree at hand
    const syntax::Node& node(NodeId id) const { return (*tree_)[id]; }
    std::span<const NodeId> children(NodeId id) const { return tree_->children(id); }
    NodeId child(NodeId id, std::size_t i) const { return tree_->child(id, i); }
    Span span(NodeId id) const { return node(id).span; }
    bool is_name(NodeId id, std::string_view text) const;
    class InTree; // changes tree_, hides the local names, and undoes that
    class Names;  // forgets local names at its end
    class InPrelude;

    // ---- names (names.cpp, collect.cpp)
    void collect(const Item& item);
    void collect_with_members(DeclKind kind, NodeId id, DeclKind member, std::size_t first, bool prelude);
    void declare(DeclKind kind, NodeId id, Span name, bool prelude, Declaration* owner = nullptr,
                 std::uint32_t number = 0, std::string text = {});
    void find_recursion();
    void find_assigned_names(NodeId id);
    Declaration* find(std::string_view name);
    Local* find_local(std::string_view name);
    void push_local(Local local);
    void push_binding(const Binding& binding, bool warn);
    Operand name_value(NodeId id);
    Operand declared_value(Declaration& declaration, Span span);
    std::optional<Operand> builtin_name(std::string_view name, Span span);
    std::optional<Operand> board_name(ir::BoardId board, std::string_view name, Span span);
    bool is_known_value(std::string_view name);
    void unknown_name(std::string_view name, Span span);
    std::string suggestion(std::string_view name, std::vector<std::string> known);
    bool is_lost(std::string_view name) const;
    std::vector<std::string> known_names();
    ir::StateId map_named(NodeId id); // a Name of a state map with indices, or none

    // ---- types (types.cpp, convert.cpp)
    ir::TypeTable& types() { return program_.types; }
    TypeKind kind(TypeId id) const { return program_.types.kind(id); }
    TypeId type(NodeId id);                                    // none_id: reported
    TypeId parameter_type(NodeId id, const Operand* argument); // also the generic words
    TypeId range_type(NodeId id);
    TypeId named_type(NodeId id);
    void named_declaration(Declaration& declaration, Span span); // works out the type of an Alias or Enum
    TypeId set_type(TypeId element, Span span);                  // none_id if it has too many values
    TypeId first_site(Span span);
    std::string type_text(TypeId id) const; // with an article: a `cell`
    std::string type_noun(TypeId id) const; // of what sets and tuples hold: `cell`, numbers 1..3
    std::string found_text(const Operand& operand) const;
    TypeId bare(TypeId id) const; // without `?`
    bool is_scalar(TypeId id) const;
    std::optional<TypeId> unify(TypeId a, TypeId b);
    std::optional<TypeId> unify_elements(TypeId a, TypeId b);
    ExprId convert(const Operand& operand, TypeId to);     // none_id: reported
    ExprId try_convert(const Operand& operand, TypeId to); // none_id: no conversion
    ExprId convert_tuple(const Operand& operand, TypeId to);
    bool always_fits(TypeId found, TypeId wanted) const;
    ExprId convert_to_set(const Operand& operand, TypeId to);
    ExprId as_set(const Operand& operand);           // of its own element type; none_id: it is no set
    TypeId element_of(const Operand& operand) const; // of as_set
    Operand as_element(const Operand& operand);      // implicit `the` of a set
    Operand as_integer(const Operand& operand);      // without `?`; poison: reported
    ExprId as_real(const Operand& operand);
    ExprId missing(TypeId type, Span span);
    Operand poison(Span span) const { return {.span = span}; }
    Operand value(ExprId expr, Span span) const { return {.expr = expr, .type = builder_.type(expr), .span = span}; }

    // ---- constants, players, boards, states
    void check_params();
    void check_param(Declaration& declaration);
    Operand param_value(NodeId type, const Operand& found);
    Operand override_value(const std::string& name, const std::string& text);
    Operand fitted_override(const Declaration& declaration, NodeId type, const Operand& given);
    Span override_span(const std::string& name, const std::string& text);
    std::optional<std::int64_t> constant_int(NodeId id); // reported
    void resolve_players();
    void resolve_board(Declaration& declaration);
    bool make_board(NodeId id, ir::Board& board);
    std::optional<std::int64_t> board_size(NodeId id, std::int64_t low);
    bool fits_board(std::int64_t sites, Span span);
    bool grid_sites(NodeId shape, NodeId where, ir::Board& board);
    bool hex_sites(NodeId shape, NodeId where, ir::Board& board);
    bool star_sites(NodeId shape, NodeId where, ir::Board& board);
    bool ring_sites(NodeId shape, ir::Board& board);
    bool line_sites(NodeId shape, ir::Board& board);
    bool graph_sites(NodeId shape, ir::Board& board);
    bool keep_sites(ir::Board& board, std::int64_t width, std::int64_t height, NodeId where,
                    const std::function<bool(std::int64_t, std::int64_t)>& inside);
    void board_groups(NodeId id, ir::Board& board);
    void resolve_state(Declaration& declaration);
    void check_initial(Declaration& declaration);
    void initial_rows(NodeId rows, ir::StateVariable& state);
    template <class P>
    bool initial_row(std::string_view text, std::int64_t row, const P& places,
                     const std::map<std::string, std::int64_t>& letters, ir::StateVariable& state, Span span);
    void initial_parts(NodeId init, ir::StateVariable& state);
    void initial_part(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    void each_value(const std::vector<std::pair<NodeId, TypeId>>& names, std::size_t i,
                    const std::function<void()>& then);
    void initial_values(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    std::vector<bool> initial_places(NodeId pattern, const ir::StateVariable& state);
    std::optional<Bits> constant_places(NodeId id, TypeId index);
    bool store_initial(ir::StateVariable& state, std::uint64_t place, ExprId value, Span span);
    std::string place_text(const ir::StateVariable& state, std::uint64_t place) const;
    TypeId index_type(NodeId id);
    std::optional<std::uint64_t> slots_of(const ir::StateVariable& state);
    void lay_out_states();

    // ---- expressions (expressions.cpp)
    Operand expr(NodeId id);
    Operand expr_at(NodeId id);
    ExprId condition(NodeId id); // Bool; none_id: reported
    Operand number_literal(NodeId id);
    Operand unary(NodeId id);
    Operand binary(NodeId id);
    Operand conditions(NodeId id);
    Operand logic(NodeId id);
    Operand index_value(NodeId id);
    Operand tuple(NodeId id);
    Operand make_tuple(std::vector<Operand> parts, Span span);
    Operand if_value(NodeId id);
    Operand choose(ExprId condition, const Operand& yes, const Operand& no, Span span);
    Operand let_value(NodeId id);
    Operand wrap_let(VarId var, ExprId value, const Operand& body);
    Operand can_value(NodeId id);
    Operand earlier_value(NodeId id);
    bool history_key(std::span<const NodeId> parts, ir::HistoryKey& key); // false: reported
    std::vector<ExprId> map_indices(ir::StateId map, NodeId id);          // of an Index node; empty: reported

    // ---- arithmetic and comparison (arithmetic.cpp)
    Operand arithmetic(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand real_arithmetic(Op op, const Operand& a, const Operand& b, Span span);
    Operand negative(const Operand& a, Span span);
    Operand comparison(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand equality(const Operand& a, const Operand& b, Span span);
    Operand less(const Operand& a, const Operand& b, Span span);
    Operand membership(NodeId id);
    Operand int_range(NodeId id);

    // ---- sets, paths and quantifiers (sets.cpp, paths.cpp, quantifiers.cpp)
    Operand set_literal(NodeId id);
    Operand set_operator(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand combine_sets(Op op, const Operand& a, const Operand& b, Span span);
    Operand join(NodeId id);
    Operand join_operands(const Operand& a, const Operand& b, Span span);
    Operand image(const Operand& sites, const Operand& path, Span span);
    Operand matching_sites(ir::StateId map, NodeId pattern, Span span);
    Operand power(NodeId id);
    Operand converse(const Operand& path, Span span);
    bool is_path_like(TypeId id) const;
    bool is_site_like(const Operand& operand) const;
    Operand adjacency(ir::BoardId board, Span span);
    Operand edge_path(ir::BoardId board, Span span);
    Operand as_path(const Operand& operand); // poison: it is no path
    ir::BoardId board_of(TypeId id) const;   // of sites, directions, paths, and sets of them
    Operand offset_path(ir::BoardId board, std::int64_t dx, std::int64_t dy, bool reflected, Span span);
    ir::StepId offset_step(ir::BoardId board, std::int64_t dx, std::int64_t dy);
    Operand path_expr(Op op, std::initializer_list<ExprId> args, ir::BoardId board, Span span);
    Operand quantified(NodeId id);
    Operand quantified_value(std::string_view word, const Operand& operand, Span span);
    Operand fold_of_set(std::string_view word, const Operand& set, Span span);
    Operand quantifier(NodeId id);
    Operand quantify(NodeId id, std::size_t binder);
    Operand quantify_over(NodeId id, std::size_t binder, VarId var, ExprId domain);
    Operand accumulate(std::string_view word, VarId var, ExprId domain, const Operand& body,
                       Span span); // sum, min, max
    Operand union_over(VarId var, ExprId domain, const Operand& body, Span span);
    Operand count(ExprId set, Span span);
    Operand odd(const Operand& number, Span span);
    Operand comprehension(NodeId id);
    ExprId binder_domain(NodeId binder); // none_id: reported
    VarId push_binder(NodeId binder, ExprId domain);

    // ---- patterns and match (patterns.cpp, match.cpp)
    Pattern pattern(NodeId id, TypeId type, bool may_bind, bool top);
    Pattern pattern_value(NodeId id, TypeId type);
    Pattern pattern_alternatives(NodeId id, TypeId type, bool may_bind);
    Pattern pattern_tuple(NodeId id, TypeId type, bool may_bind);
    ExprId test(const Pattern& pattern, ExprId value, TypeId type, std::vector<Binding>* bindings);
    Operand part_of(ExprId value, TypeId tuple, std::size_t i, Span span);
    ExprId test_either(const Pattern& pattern, ExprId value, TypeId type);
    bool covers(const Pattern& pattern, TypeId type, std::int64_t value) const;
    void take_covered(const Pattern& wanted, TypeId type, Bits& open) const;
    Operand as_scalar_value(const Operand& operand);
    Operand is_value(NodeId id);
    Operand match_value(NodeId id);
    Operand match_arms(NodeId id, ExprId value, TypeId type);
    bool is_simple(ExprId id) const; // cheap enough to be written more than once

    // ---- calls (calls.cpp, builtins.cpp, instances.cpp)
    Operand call_value(NodeId id);
    std::vector<Operand> arguments(NodeId id);
    Operand argument(NodeId id);
    Operand apply(Declaration& definition, std::vector<Operand> args, Span span);
    Operand apply_to_each(Declaration& definition, std::vector<Operand> args, std::size_t i, TypeId element, Span span);
    Operand apply_unless_none(Declaration& definition, std::vector<Operand> args, std::size_t i, Span span);
    Operand call_instance(Instance& instance, const std::vector<ExprId>& args, Span span);
    Operand expand(Declaration& definition, const std::vector<Operand>& args, const std::vector<TypeId>& wanted,
                   Span span);
    std::optional<Local> expanded_argument(const Declaration& definition, NodeId parameter, const Operand& argument,
                                           TypeId wanted);
    enum class Fit { Right, Each, UnlessNone, Whole, Wrong };
    Fit fit_argument(const Declaration& definition, NodeId parameter, Operand& argument, TypeId& wanted, Span span);
    Instance* instance(Declaration& definition, const std::vector<TypeId>& types, Span span);
    void compile(Instance& instance, Declaration& definition, Span use);
    void compile_recursive(Instance& instance, Declaration& definition, Span use);
    bool attempt(Instance& instance, Declaration& definition, const Operand& guess);
    Operand copy_body(const Instance& called, const std::vector<ExprId>& args, Span span);
    Operand guess_result(const Declaration& definition);
    std::span<const NodeId> parameters_of(const Declaration& definition);
    NodeId definition_body(const Declaration& definition);
    TypeId wanted_type(const Declaration& definition, NodeId parameter, const Operand& argument, Span use);
    bool stands_for_whole(const Declaration& definition, NodeId parameter);
    bool takes_whole(const Declaration& definition); // a path or a map is among its parameters
    Operand site_call(Declaration& board, const std::vector<Operand>& args, Span span);
    std::optional<Operand> builtin_call(const std::string& name, NodeId id);
    bool expect_arguments(NodeId id, std::size_t count);
    Operand offsets_call(NodeId id);
    Operand extreme_call(bool least, NodeId id);
    Operand coordinate_call(Op op, NodeId id);
    Operand coordinate_of(Op op, const Operand& site, Span span);
    Operand number_call(NodeId id);
    Operand tip_call(NodeId id);
    Operand one_of_values(const Operand& found, Span span, const std::function<Operand(std::int64_t)>& f);
    Operand player_call(Op op, NodeId id);
    Operand absolute_call(NodeId id);
    Operand payoff_call(NodeId id);
    void check_definitions();
    void check_unused_definition(Declaration& definition);

    // ---- rules and effects (rules.cpp, effects.cpp, turn.cpp, ends.cpp)
    struct RuleNode {
        const syntax::Tree* tree = nullptr;
        NodeId id{};
        NodeId phase = none_id<NodeId>;
        std::vector<Local> names = {}; // parameters, then what `let` and `is` gave
        bool planned = false;          // the turn plan mentions it
        bool broken = false;           // a parameter is wrong
    };
    void declare_rule(NodeId id, NodeId phase);
    void resolve_rule_parameters(ir::RuleId id);
    void check_rule(ir::RuleId id);
    void rule_body(ir::RuleId id);
    void add_lets(NodeId lets, std::vector<ir::Clause>& clauses);
    Operand named_value(const std::string& name, const Operand& value, std::vector<ir::Clause>& clauses);
    void add_test(ExprId test, std::vector<ir::Clause>& clauses);
    void bind_poison(NodeId pattern);
    void bind_poison_name(NodeId binder);
    void add_conditions(std::span<const NodeId> ids, std::vector<ir::Clause>& clauses);
    void add_condition(NodeId id, std::vector<ir::Clause>& clauses);
    void add_is(NodeId id, std::vector<ir::Clause>& clauses);
    std::vector<ir::Block> blocks(std::span<const NodeId> ids);
    struct EffectSink {
        std::vector<ir::Block>* blocks = nullptr; // where later blocks of an effect go
        std::size_t block = 0;
        std::vector<ir::EffectId>* effects = nullptr; // a branch; none: the block itself
    };
    void add_effect(NodeId id, EffectSink sink);
    static ir::Effect new_effect(ir::EffectKind kind, Span span);
    void push_effect(ir::Effect effect, const EffectSink& sink);
    void assign_effect(NodeId id, const EffectSink& sink);
    ir::StateId assigned_state(NodeId place);
    bool assign_place(NodeId place, ir::StateId state, ir::Effect& effect);
    void add_effect_to_set(ir::Effect effect, const EffectSink& sink); // `at[S] += v`
    bool assign_indices(NodeId place, ir::StateId state, ir::Effect& effect);
    ExprId index_set(const std::vector<Operand>& indices, ir::StateId state, Span span);
    void if_effect(NodeId id, const EffectSink& sink);
    void for_effect(NodeId id, const EffectSink& sink);
    void next_effect(NodeId id, const EffectSink& sink);
    void call_effect(NodeId id, const EffectSink& sink);
    std::optional<Local> effect_argument(const Declaration& definition, NodeId parameter, NodeId argument,
                                         std::vector<ir::Clause>& named);
    void expand_blocks(const Declaration& definition, std::vector<ir::Clause>& named, const EffectSink& sink,
                       Span span);
    void branch(NodeId block, std::vector<ir::EffectId>& effects);
    void check_double_assignment(const ir::Block& block);
    void check_range(const Operand& value, ir::StateId state);
    void check_turn(NodeId id);
    std::uint32_t plan_chain(NodeId id);
    void plan_step(NodeId id, ir::PlanChain& chain, std::vector<ir::RuleId>& rules);
    void plan_most(NodeId id, const std::vector<ir::RuleId>& rules, ir::PlanChain& chain);
    void check_end(NodeId id);
    void end_clause(NodeId id, ExprId given);
    void end_wins(NodeId id, ir::EndClause& clause);
    void end_payoff(NodeId id, ir::EndClause& clause);
    ExprId end_condition(NodeId id, ExprId given, Span span);
    ExprId for_player(const std::string& name, Span span, NodeId body, std::int64_t player);
    void check_eval(NodeId id);
    std::optional<ir::RuleId> find_rule(std::string_view name);

    // ---- faces, notation and tests (faces.cpp, notations.cpp, file_tests.cpp)
    void check_glyphs(); // before the states' initial rows are read
    void check_glyph(NodeId id);
    void glyph_for(NodeId id, TypeId type);
    void add_glyph(NodeId id, TypeId type, std::int64_t value);
    std::map<std::string, std::int64_t> letters_of(TypeId type); // of a value type, as rows are written in
    void default_letters(TypeId type);
    std::string letter_of(TypeId type, std::int64_t value) const;
    struct TemplatePiece {
        std::string text = {};
        std::optional<Span> inside = {}; // of the braces after it
    };
    std::vector<TemplatePiece> template_pieces(NodeId text);
    std::vector<ir::NotationPart> template_parts(NodeId text, const std::vector<Local>& names);
    ExprId template_value(Span inside, const std::vector<Local>& names);
    void forget_warnings();
    void check_notation(NodeId id);
    std::vector<Local> names_before(ir::RuleId rule);
    std::vector<ir::Clause> notation_conditions(NodeId when, std::vector<Local>& names);
    void add_needed_names(ir::RuleId rule, ir::Notation& notation);
    void check_step_separator(NodeId id);
    void check_site_notation(NodeId id);
    Declaration* notated_board(NodeId name);
    bool are_site_parts(const std::vector<ir::NotationPart>& parts);
    bool are_site_texts(const std::vector<std::string>& texts, const ir::Board& board, Span at);
    void place_site_texts();
    void check_position(NodeId id); // positions.cpp
    std::string position_name(const ir::PositionPart& part) const;
    std::optional<ir::PositionPart> position_field(Span inside);
    std::optional<ir::PositionPart> position_part(const std::string& name);
    std::string last_name() const;
    void check_position_complete();
    void check_position_last();
    void position_texts(NodeId id);
    void position_text(NodeId id, ir::PositionPart& part, TypeId type, bool members);
    std::string wrong_position_text(const std::string& text, std::int64_t value, const ir::PositionPart& part,
                                    bool members) const;
    void check_test(NodeId id);
    bool test_params(NodeId with, ir::Test& test);
    ir::Test::Item test_item(NodeId id);
    double constant_real(NodeId id);
    std::string param_text(const Operand& value) const;

    // ---- finishing (finish.cpp, strata.cpp, compact.cpp)
    void finish();
    void find_assigned();
    void number_steps();
    void find_keeps_last();
    void check_recursion();
    void check_can_cycles();
    void check_stuck();
    void check_notation_questions();
    void warn_unused();

    diag::Sources& sources_;
    struct Warning {
        Message message;
        Span span;
        std::vector<std::string> arguments;
        std::string fix;
    };
    diag::Report* report_;
    std::vector<Warning> warnings_;
    bool damaged_ = false; // the parser found errors: whole declarations may be missing
    bool silent_ = false;  // an attempt at a recursive definition
    ir::Program& program_;
    const Overrides& overrides_;
    Builder builder_;
    std::vector<Item> items_;
    std::map<std::string, std::size_t> item_places_; // in items_, by name
    unsigned top_level_ = 0;                         // of the game's own file
    std::set<FileId> extended_files_;
    const syntax::Tree* tree_ = nullptr;
    std::vector<std::unique_ptr<Declaration>> declarations_;
    boost::unordered_flat_map<std::string, Declaration*> table_, prelude_table_;
    std::vector<Declaration*> boards_, states_;
    std::vector<Local> locals_;
    std::size_t first_local_ = 0;
    std::vector<std::unique_ptr<Instance>> instances_;
    IdVector<ir::RuleId, RuleNode> rules_;
    std::set<std::string> assigned_names_;
    std::vector<std::uint32_t> initial_slots_;
    NodeId players_node_ = none_id<NodeId>, game_node_ = none_id<NodeId>, turn_node_ = none_id<NodeId>;
    const syntax::Tree* players_tree_ = nullptr;
    const syntax::Tree* turn_tree_ = nullptr;
    bool players_done_ = false;
    Span whole_file_;                                        // where what the whole file lacks is reported
    std::vector<std::unique_ptr<syntax::Tree>> extra_trees_; // of -D values and notations
    std::map<ir::BoardId, std::vector<std::string>> site_texts_;
    Span position_span_;
    bool stuck_allowed_ = false;
    bool generic_ = false; // a definition is checked for its own sake: sizes that depend on arguments aren't known
    unsigned prelude_depth_ = 0, depth_ = 0;
    Span prelude_use_;
    std::string prelude_name_;
    std::size_t steps_ = 0;
    Span last_step_;
    std::size_t comparisons_ = 0; // of names, to suggest one
    bool has_end_ = false;
    std::map<std::string, std::string> default_texts_; // of the parameters
    std::map<std::int64_t, NodeId> payoff_values_;     // of the payoff clause at hand, by player
    std::set<std::int64_t> payoffs_under_way_;
};

} // namespace zug::lang

#include "lang/scopes.hpp" // the classes declared above that are too long for it
