// Declarations: names, types, players, boards, state, definitions, presentation.

#include "grammar/rules/lookahead.hpp"
#include "grammar/rules/recovery.hpp"
#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

// ---- game, extends, import, param, type, players, teams

const auto game = node(Kind::Game, tok(Tok::Game) > string_text);
const auto extends = node(Kind::Extends, tok(Tok::Extends) > string_text);
const auto import = node(Kind::Import, tok(Tok::Import) > string_text);

const auto param_type = tok(Tok::Colon) > named("a type after `:`", type);
const auto param_item =
    named("a name", node(Kind::Param, name_text > maybe(param_type) > equals > named("a value after `=`", expression)));
const auto param = tok(Tok::Param) > listed(param_item);

// `type kind = Pawn | Rook` is an enumeration, `type row = 1..8` another name for a type.
const auto type_head = tok(Tok::Type) >> name_text >> equals;
const auto one_of_many = check([](Builder&, TokenIt at) { return at->kind == Tok::Name && at[1].kind == Tok::Bar; });
const auto type_enum = node(Kind::TypeEnum, type_head >> one_of_many > name_node > +(tok(Tok::Bar) > name_node));
const auto type_alias = node(Kind::TypeAlias, tok(Tok::Type) > name_text > equals > named("a type after `=`", type));

const auto players_count = value >> word("of");
const auto players = node(Kind::Players, tok(Tok::Players) > maybe(players_count) >
                                             named("the names of the players", listed(name_node)));
const auto team = node(Kind::Team, named("the name of a player", +name_node));
const auto teams = node(Kind::Teams, tok(Tok::Teams) > listed(team));

// ---- board

const auto size = named("a size", value);
const auto grid = node(Kind::ShapeGrid, word("grid") > tok(Tok::OpenParen) >
                                            reading(in_brackets, size > tok(Tok::Comma) > size) > tok(Tok::CloseParen));
const auto hex_form = named("`rhombus` or `hexagon` after `hex`", (word("rhombus") | word("hexagon")) >> take_text);
const auto hex = node(Kind::ShapeHex, word("hex") > hex_form > tok(Tok::OpenParen) > size >
                                          ((tok(Tok::Comma) > size) | push_none) > tok(Tok::CloseParen));
const auto ring = node(Kind::ShapeRing, word("ring") > tok(Tok::OpenParen) > size > tok(Tok::CloseParen));
const auto star = node(Kind::ShapeStar, word("star") > tok(Tok::OpenParen) > size > tok(Tok::CloseParen));

// A list of sites has no end mark: it goes on up to the label, or the word `group`, that starts the next one.
const auto site_follows =
    check([](Builder& b, TokenIt at) { return !label_ahead(at) && !(b.source(at) == "group" && label_ahead(at + 1)); });
const auto sites = +(&tok(Tok::Name) >> site_follows >> name_node);
const auto line = node(Kind::Line, named("the name of a site", sites));
const auto label = attempt(name_text >> tok(Tok::Colon));
const auto line_set = node(Kind::LineSet, label > listed(line));
const auto lines = node(Kind::ShapeLines, word("lines") > named("a direction and `:`", +line_set));
const auto edges = node(Kind::EdgeList, label > named("the name of a site", sites));
const auto graph = node(Kind::ShapeGraph, word("graph") > named("a site and `:`", +edges));
const auto group = node(Kind::Group, word("group") >> name_text > tok(Tok::Colon) > named("the name of a site", sites));

const auto shape = named("a board: grid, hex, ring, star, lines or graph", grid | hex | ring | star | lines | graph);
const auto board =
    node(Kind::Board, tok(Tok::Board) > name_text > equals > shape >
                          maybe(tok(Tok::Where) > named("a condition after `where`", conditions)) > *group);

// ---- state

const auto index_types = node(Kind::IndexTypes, listed(named("a type", type))) >> tok(Tok::Arrow);
const auto rows = node(Kind::InitRows, word("rows") >> string_text);
const auto init_part =
    node(Kind::InitPart, named("a value", expression) > maybe(word("on") > named("a pattern after `on`", value)));
const auto init = rows | node(Kind::Init, listed(init_part));
const auto state_rest = name_text > tok(Tok::Colon) > maybe(index_types) > named("a type", type) > maybe(equals > init);
const auto state = node(Kind::State, tok(Tok::State) > state_rest);
const auto local = node(Kind::Local, tok(Tok::Local) > state_rest);

// ---- definitions

const auto def =
    node(Kind::Def, tok(Tok::Def) > name_text > maybe(parameters) > equals > named("a value after `=`", conditions));
const auto path = node(Kind::PathDef,
                       tok(Tok::Path) > name_text > maybe(parameters) > equals > named("a path after `=`", expression));
const auto effect_definition =
    node(Kind::EffectDef, tok(Tok::Effect) > name_text > parameters > equals > maybe(lets) > block >
                              *(tok(Tok::Then) > named("an effect after `then`", block)));

// ---- knowledge, glyphs

const auto eval = node(Kind::Eval, tok(Tok::Eval) > name_text > equals > named("a value after `=`", expression));
const auto clause_when = maybe(node(Kind::When, tok(Tok::When) > named("a condition after `when`", condition_list)));
const auto loud = node(Kind::Loud, tok(Tok::Loud) > named("the name of a move rule", name_node) > not_if > clause_when);
// `moves >= e`, `payoff <= e`: the sign says on which side the bound lies, and no other is meant.
const auto bound_sense =
    (word("moves") >> take_text > tok(Tok::GreaterEqual)) | (word("payoff") >> take_text > tok(Tok::LessEqual));
const auto bound_item = node(Kind::BoundItem, named("`moves >=` or `payoff <=`", bound_sense) >
                                                  named("a value after `>=` or `<=`", expression));
const auto bound_declaration = node(Kind::Bound, tok(Tok::Bound) > listed(bound_item));
const auto colour = tok(Tok::Name) >> push_name;
const auto glyph_item = node(Kind::Glyph, named("a value", value) > string_text > maybe(colour));
const auto glyph = tok(Tok::Glyph) > listed(glyph_item);

// ---- looks

// A word that is the whole part: the name of a shape, or `checkered`; the player of `Red on row(1)` is a value.
const auto word_alone = check([](Builder&, TokenIt at) {
    const Tok next = at->kind == Tok::Name ? at[1].kind : Tok::Name;
    return next == Tok::Comma || next == Tok::When || next == Tok::End || starts_declaration(next);
});
const auto look_word = node(Kind::LookWord, word_alone >> name_text);
const auto look_turned = node(Kind::LookTurned, word("turned") > named("an angle after `turned`", value));
const auto look_loops = node(Kind::LookLoops, word("loops") > named("a path after `loops`", set_value));
const auto look_set = node(Kind::LookSet, (word("marked") | word("shaded")) >> take_text > named("a set", set_value));
const auto look_side = node(Kind::InitPart, value > word("on") > named("sites after `on`", value));
const auto look_row = &tok(Tok::String) > string_node;
const auto look_part = named("how it looks", look_row | look_word | look_turned | look_loops | look_set | look_side);
const auto look = node(Kind::Look, tok(Tok::Look) > name_node > listed(look_part) > clause_when);

// ---- notation: of a rule, of what stands between steps, of sites

const auto template_text = &string_text > string_node;
const auto later_text = maybe(tok(Tok::Then) > string_node);
const auto notated = named("the name of a rule, `turn`, or a board with a name in brackets", name_node);
const auto notation_rule =
    node(Kind::Notation, tok(Tok::Notation) > notated > template_text > later_text > not_if > clause_when);
const auto notation_turn = node(Kind::NotationTurn, tok(Tok::Notation) >> tok(Tok::Turn) > string_text);
const auto notation_sites =
    node(Kind::NotationSites, tok(Tok::Notation) >> name_node >> touching >> tok(Tok::OpenParen) > name_node >
                                  tok(Tok::CloseParen) > template_text);
const auto notation = notation_turn | notation_sites | notation_rule;

// ---- position

// Lines of texts follow, each beginning with a name. `turn White "w"` is one, too, and no declaration.
const auto texts_follow = check([](Builder&, TokenIt at) {
    return at->kind == Tok::Name || (at->kind == Tok::Turn && at[1].kind == Tok::Name && at[2].kind == Tok::String);
});
const auto value_text = node(Kind::PositionText, named("a value", value) > string_text);
const auto field_name = (tok(Tok::Turn) >> take_text) | name_text;
const auto value_texts = node(Kind::PositionField, texts_follow >> field_name > listed(value_text));
const auto position = node(Kind::Position, tok(Tok::Position) > string_node > *value_texts);

const auto declaration_def =
    recover(game | extends | import | param | type_enum | type_alias | players | teams | board | state | local | def |
            path | effect_definition | eval | loud | bound_declaration | glyph | look | notation | position |
            move_declaration | test_declaration);

} // namespace

BOOST_SPIRIT_DEFINE(declaration)
ZUG_INSTANTIATE(declaration)

} // namespace zug::syntax
