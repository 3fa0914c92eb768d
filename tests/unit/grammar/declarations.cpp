#include "support.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace zug::syntax;

TEST_CASE("names, params, types, players") {
    CHECK(tree_of("game \"A \\\"b\\\"\"\nimport \"x.zug\"\nextends \"y\"") ==
          "(Game \"A \"b\"\")\n(Import x.zug)\n(Extends y)\n");
    CHECK(tree_of("param n: {2, 3} = 2, k = 7.5") ==
          "(Param n (TypeValues (SetLiteral (Number 2) (Number 3))) (Number 2))\n(Param k - (Number 7.5))\n");
    CHECK(tree_of("type kind = Man | King\ntype row = 1..8\ntype piece = (player, kind)") ==
          "(TypeEnum kind (Name Man) (Name King))\n(TypeAlias row (TypeRange (Number 1) (Number 8)))\n"
          "(TypeAlias piece (TypeTuple (TypeName player) (TypeName kind)))\n");
    CHECK(tree_of("players A, B") == "(Players - (Name A) (Name B))\n");
    CHECK(tree_of("players n of A, B") == "(Players (Name n) (Name A) (Name B))\n");
    CHECK(tree_of("teams A B, C\nend draw") ==
          "(Teams (Team (Name A) (Name B)) (Team (Name C)))\n(End - (EndDraw -))\n");
}

TEST_CASE("boards") {
    CHECK(tree_of("board c = grid(8, n) where (x + y) mod 2 = 0, a") ==
          "(Board c (ShapeGrid (Number 8) (Name n)) (Conditions (Binary = (Binary mod (Binary + (Name x) (Name y)) "
          "(Number "
          "2)) (Number 0)) (Name a)))\n");
    CHECK(tree_of("board c = hex rhombus(size)") == "(Board c (ShapeHex rhombus (Name size) -) -)\n");
    CHECK(tree_of("board c = hex hexagon(3, 4)") == "(Board c (ShapeHex hexagon (Number 3) (Number 4)) -)\n");
    CHECK(tree_of("board c = ring(12)") == "(Board c (ShapeRing (Number 12)) -)\n");
    CHECK(tree_of("board c = star(4)") == "(Board c (ShapeStar (Number 4)) -)\n");
    CHECK(tree_of("board p = lines\n E: a b, c d\n N: a c\n group home: a group away: c d") ==
          "(Board p (ShapeLines (LineSet E (Line (Name a) (Name b)) (Line (Name c) (Name d))) (LineSet N (Line (Name "
          "a) (Name "
          "c)))) - (Group home (Name a)) (Group away (Name c) (Name d)))\n");
    CHECK(tree_of("board p = graph a: b c b: a") ==
          "(Board p (ShapeGraph (EdgeList a (Name b) (Name c)) (EdgeList b (Name a))) -)\n");
}

TEST_CASE("state") {
    CHECK(tree_of("state a: bool\nlocal b: 1..n?") ==
          "(State a - (TypeName bool) -)\n(Local b - (TypeOptional (TypeRange (Number 1) (Name n))) -)\n");
    CHECK(
        tree_of("state at: cell -> (player, kind)? = rows \"x2/3\"") ==
        "(State at (IndexTypes (TypeName cell)) (TypeOptional (TypeTuple (TypeName player) (TypeName kind))) (InitRows "
        "x2/3))\n");
    CHECK(tree_of("state m: player, point -> 0..15 = 2 on (_, 24), 5") ==
          "(State m (IndexTypes (TypeName player) (TypeName point)) (TypeRange (Number 0) (Number 15)) (Init (InitPart "
          "(Number "
          "2) (Tuple (Name _) (Number 24))) (InitPart (Number 5) -)))\n");
    CHECK(tree_of("state r: set square = {a1}") ==
          "(State r - (TypeSet (TypeName square)) (Init (InitPart (SetLiteral (Name a1)) -)))\n");
}

TEST_CASE("definitions") {
    CHECK(tree_of("def f(a, b: set, k: int) = a") == "(Def f (Parameters (Parameter a (TypeSet -)) (Parameter b "
                                                     "(TypeSet -)) (Parameter k (TypeName int))) (Name a))\n");
    CHECK(tree_of("path p(d: dir) = (d & s)^* . d") == "(PathDef p (Parameters (Parameter d (TypeName dir))) (Binary . "
                                                       "(Power * (Binary & (Name d) (Name s)) - -) (Name "
                                                       "d)))\n");
    CHECK(
        tree_of("effect e(m: map site -> int, r: path) = let k = m[h] m[h] := 0 then x += k") ==
        "(EffectDef e (Parameters (Parameter m (TypeMap (IndexTypes (TypeName site)) (TypeName int))) (Parameter r "
        "(TypeName "
        "path))) (Lets (Binding k (Index (Name m) (Name h)))) (Block (Assign := (Index (Name m) (Name h)) (Number 0))) "
        "(Block (Assign += (Name x) (Name k))))\n");
}

TEST_CASE("moves, chance, phases") {
    CHECK(tree_of("move m(c: cell)\n let k = 1\n when a, b\n then x := 1\n then y := 2\n ensure c") ==
          "(Move m (Parameters (Parameter c (TypeName cell))) (Lets (Binding k (Number 1))) (When (Name a) (Name b)) "
          "(Then "
          "(Block (Assign := (Name x) (Number 1))) (Block (Assign := (Name y) (Number 2)))) (Ensure (Name c)))\n");
    CHECK(tree_of("move pass") == "(Move pass - - - - -)\n");
    CHECK(tree_of("chance die(f: 1..6) when a weight 2 then x := f") ==
          "(Chance die (Parameters (Parameter f (TypeRange (Number 1) (Number 6)))) - (When (Name a)) (Weight (Number "
          "2)) (Then "
          "(Block (Assign := (Name x) (Name f)))))\n");
    CHECK(tree_of("phase p when a, b { move m chance c }") ==
          "(Phase p (Conditions (Name a) (Name b)) (Move m - - - - -) (Chance c - - - - -))\n");
}

TEST_CASE("effects") {
    CHECK(tree_of("move m then for c in S, d: dir: x := 1") == tree_of("move m then for c in S, d: dir: (x := 1)"));
    CHECK(tree_of("move m then if a: (x := 1, again) else next foe, for c in S: f(c)") ==
          "(Move m - - - (Then (Block (EffectIf (Name a) (Block (Assign := (Name x) (Number 1)) (Again)) (Block (Next "
          "(Name "
          "foe)))) (EffectFor (Binder c (Name S) (Name in)) (Block (EffectCall f (Name c)))))) -)\n");
    CHECK(tree_of("move m then a[x, y] -= 1, b += 2") == "(Move m - - - (Then (Block (Assign -= (Index (Name a) (Name "
                                                         "x) (Name y)) (Number 1)) (Assign += (Name b) (Number "
                                                         "2)))) -)\n");
}

TEST_CASE("what is added to a rule") {
    CHECK(tree_of("move a also when x then y := 1 ensure z\nchance b also then y := 1") ==
          "(MoveAlso a - (When (Name x)) (Then (Block (Assign := (Name y) (Number 1)))) (Ensure (Name z)))\n"
          "(ChanceAlso b - - (Then (Block (Assign := (Name y) (Number 1)))))\n");
}

TEST_CASE("turn, stuck, end, eval") {
    CHECK(
        tree_of("turn a may b may (c d)* may") ==
        "(Turn (Chain - (Step (Name a)) (MayStep (Name b)) (MayStep * (ChainGroup (Chain - (Step (Name c)) (Step (Name "
        "d))))) (Step (Name may))) - -)\n");
    CHECK(tree_of("turn jump+ most count taken else (step else shift) take? then x := 1\nstuck pass") ==
          "(Turn (Chain (Quantified count (Name taken)) (Step + (Name jump))) (Chain - (Step (ChainGroup (Chain - "
          "(Step (Name "
          "step))) (Chain - (Step (Name shift))))) (Step ? (Name take))) - (Then (Block (Assign := (Name x) (Number "
          "1)))))\n(StuckPass)\n");
    CHECK(tree_of("turn a most b by c, d") == "(Turn (Chain (Name b) (Step (Name a))) (By (Name c) (Name d)) -)\n");
    CHECK(tree_of("turn a else b by steps then x := 1") ==
          "(Turn (Chain - (Step (Name a))) (Chain - (Step (Name b))) (By steps) (Then (Block (Assign := (Name x) "
          "(Number 1)))))\n");
    CHECK(tree_of("end\n me wins when a, b\n next(me) loses 2\n A wins (x) when c\n draw when d") ==
          "(End - (EndWins wins (Name me) - (Conditions (Name a) (Name b))) (EndWins loses (Call next (Name me)) "
          "(Number 2) -) "
          "(EndWins wins (Name A) (Name x) (Name c)) (EndDraw (Name d)))\n");
    CHECK(
        tree_of("end when a payoff A = 1 payoff B = -payoff(A)") ==
        "(End (Name a) (EndPayoff - (PayoffItem (Name A) (Number 1)) (PayoffItem (Name B) (Unary - (Call payoff (Name "
        "A))))))\n");
    CHECK(tree_of("end draw when a\nstuck pass") == "(End - (EndDraw (Name a)))\n(StuckPass)\n");
    CHECK(tree_of("eval p = 1") == "(Eval p (Number 1))\n");
}

TEST_CASE("glyphs, notation, tests") {
    CHECK(tree_of("glyph X \"x\" red, (White, Pawn) \"\xE2\x99\x99\"") ==
          "(Glyph x (Name X) (Name red))\n(Glyph \"\xE2\x99\x99\" (Tuple (Name White) (Name Pawn)) -)\n");
    CHECK(
        tree_of("look cell plain, marked {a}, A on b | c, loops l when d") ==
        "(Look (Name cell) (LookWord plain) (LookSet marked (SetLiteral (Name a))) (InitPart (Name A) (Binary | (Name "
        "b) (Name c))) (LookLoops (Name l)) (When (Name d)))\n");
    CHECK(tree_of("look Man king, lettered\nlook men \"0 .\", turned 90") ==
          "(Look (Name Man) (LookWord king) (LookWord lettered) -)\n"
          "(Look (Name men) (Text \"0 .\") (LookTurned (Number 90)) -)\n");
    CHECK(tree_of("notation place \"{c}\"") == "(Notation {c} (Name place) (Text {c}) - -)\n");
    CHECK(tree_of("notation jump \"a\" then \"b\" when c, d\nnotation turn \" \"") ==
          "(Notation a (Name jump) (Text a) (Text b) (When (Name c) (Name d)))\n(NotationTurn \" \")\n");
    CHECK(tree_of("notation cell(c) \"{x(c)}\"") ==
          "(NotationSites \"{x(c)}\" (Name cell) (Name c) (Text \"{x(c)}\"))\n");
    CHECK(
        tree_of(
            "test \"t\" with n = 4 from \"p\" after \"a b\": perft 3 = 504, moves \"a\", legal \"b\", illegal \"c\"") ==
        "(Test t (With (Binding n (Number 4))) (Text p) (Text \"a b\") (CheckPerft (Number 3) (Number 504)) (CheckText "
        "moves "
        "(Text a)) (CheckText legal (Text b)) (CheckText illegal (Text c)))\n");
    CHECK(tree_of("test: outcome X wins, outcome draw, outcome open, outcome (1, -2), value 0 depth 9, holds a = 2") ==
          "(Test - - - (CheckWins (Name X)) (CheckDraw) (CheckOpen) (CheckPayoffs (Number 1) (Unary - (Number 2))) "
          "(CheckValue "
          "(Number 0) (Number 9)) (CheckHolds (Binary = (Name a) (Number 2))))\n");
}

TEST_CASE("positions") {
    CHECK(tree_of("position \"{at} {turn}\"\nturn W \"w\", B \"b\"\nrooks h1 \"K\"\nturn a b") ==
          "(Position (Text \"{at} {turn}\") (PositionField turn (PositionText w (Name W)) (PositionText b (Name B))) "
          "(PositionField rooks (PositionText K (Name h1))))\n(Turn (Chain - (Step (Name a)) (Step (Name b))) - -)\n");
    CHECK(tree_of("position \"{at}\"\nturn a? b") ==
          "(Position (Text {at}))\n(Turn (Chain - (Step ? (Name a)) (Step (Name b))) - -)\n");
    CHECK(tree_of("test: perft 1 = 2,\nposition \"a\"") ==
          "(Test - - - (CheckPerft (Number 1) (Number 2)) (CheckText position (Text a)))\n");
}

TEST_CASE("words with a meaning in one place only are names elsewhere") {
    for (const std::string word :
         {"rows", "on",   "wins",  "loses", "draw", "payoff", "most",  "group", "perft", "moves",  "legal",
          "pass", "grid", "lines", "value", "with", "from",   "after", "of",    "depth", "outcome"}) {
        CAPTURE(word);
        CHECK(expression_tree(word + ".N & x") == "(Binary & (Binary . (Name " + word + ") (Name N)) (Name x))");
    }
    CHECK(tree_of("move most when most > 1\nend draw wins when on = 2 payoff draw = 1") ==
          "(Move most - - (When (Binary > (Name most) (Number 1))) - -)\n(End - (EndWins wins (Name draw) - (Binary = "
          "(Name on) "
          "(Number 2))) (EndPayoff - (PayoffItem (Name draw) (Number 1))))\n");
}

TEST_CASE("spans cover what a node was read from") {
    const Parsed parsed("def f = (a + b) * c # end");
    const auto def = parsed.tree.child(parsed.tree.root, 0);
    const auto body = parsed.tree.child(def, 1);
    CHECK(parsed.tree[def].span == zug::Span{parsed.file, 0, 19});
    CHECK(parsed.tree[body].span == zug::Span{parsed.file, 8, 19});
    CHECK(parsed.tree[parsed.tree.child(body, 0)].span == zug::Span{parsed.file, 9, 14});
}

TEST_CASE("every rule file of the repository can be read") {
    for (const auto& entry : std::filesystem::directory_iterator(ZUG_SOURCE_DIR "/rules")) {
        if (entry.path().extension() != ".zug") continue;
        std::ifstream in(entry.path());
        std::stringstream text;
        text << in.rdbuf();
        const Parsed parsed(text.str());
        CHECK_MESSAGE(!parsed.report.has_errors(), entry.path().string() << "\n" << parsed.said());
    }
}
