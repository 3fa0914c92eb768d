#include "support.hpp"

#include <doctest/doctest.h>

using namespace zug::syntax;

TEST_CASE("operators bind as the precedence table says") {
    CHECK(
        expression_tree("a or b and not c = d + e * f") ==
        "(Binary or (Name a) (Binary and (Name b) (Unary not (Binary = (Name c) (Binary + (Name d) (Binary * (Name e) "
        "(Name f)))))))");
    CHECK(expression_tree("a - b - c") == "(Binary - (Binary - (Name a) (Name b)) (Name c))");
    CHECK(expression_tree("a | b & c \\ d . e ^2") == "(Binary | (Name a) (Binary \\ (Binary & (Name b) (Name c)) "
                                                      "(Binary . (Name d) (Power (Name e) (Number 2) -))))");
    CHECK(expression_tree("~d^*.at[c]") == "(Binary . (Power * (Unary ~ (Name d)) - -) (Index (Name at) (Name c)))");
    CHECK(expression_tree("a implies b") == "(Binary implies (Name a) (Name b))");
    CHECK(expression_tree("1 .. 2 * n - 1") ==
          "(Binary .. (Number 1) (Binary - (Binary * (Number 2) (Name n)) (Number 1)))");
    CHECK(expression_tree("- a.b") == "(Unary - (Binary . (Name a) (Name b)))");
}

TEST_CASE("exponents") {
    CHECK(expression_tree("d^+") == "(Power + (Name d) - -)");
    CHECK(expression_tree("d^+=s") == "(Binary = (Power + (Name d) - -) (Name s))");
    CHECK(expression_tree("d^k") == "(Power (Name d) (Name k) -)");
    CHECK(expression_tree("d^(1..n - 1)") == "(Power (Name d) (Number 1) (Binary - (Name n) (Number 1)))");
    CHECK(expression_tree("d^(count s)") == "(Power (Name d) (Quantified count (Name s)) -)");
}

TEST_CASE("a call's bracket touches its name") {
    CHECK(expression_tree("f(x, _)") == "(Call f (Name x) (Name _))");
    CHECK(expression_tree("f()") == "(Call f)");
    CHECK(expression_tree("at.(p, _)") == "(Binary . (Name at) (Tuple (Name p) (Name _)))");
    CHECK(expression_tree("max(a, b) + next(p)") == "(Binary + (Call max (Name a) (Name b)) (Call next (Name p)))");
    CHECK(expression_tree("max {a, b}") == "(Quantified max (SetLiteral (Name a) (Name b)))");
    CHECK(expression_tree("f (x)").find("touches its name: `f(`") != std::string::npos);
    CHECK(expression_tree("f [x]").find("touches its map: `f[`") != std::string::npos);
}

TEST_CASE("quantifiers with names, and without") {
    CHECK(expression_tree("count a | b <= 3") ==
          "(Binary <= (Quantified count (Binary | (Name a) (Name b))) (Number 3))");
    CHECK(expression_tree("count A - count B") == "(Binary - (Quantified count (Name A)) (Quantified count (Name B)))");
    CHECK(expression_tree("sum h in S: n[h] + 1") ==
          "(Quantifier sum (Binary + (Index (Name n) (Name h)) (Number 1)) (Binder h (Name S) (Name in)))");
    CHECK(expression_tree("all p: player: a") == "(Quantifier all (Name a) (Binder p (TypeName player) (Name :)))");
    CHECK(expression_tree("no a, b in S, c: 1..n: x") == "(Quantifier no (Name x) (Binder a (Name S) (Name in)) "
                                                         "(Binder b (Name S) (Name in)) (Binder c (TypeRange (Number "
                                                         "1) (Name n)) (Name :)))");
    CHECK(expression_tree("odd count s") == "(Quantified odd (Quantified count (Name s)))");
    CHECK(expression_tree("if some s: a else b") == "(If (Quantified some (Name s)) (Name a) (Name b))");
    CHECK(expression_tree("no t, f in S") == "(Conditions (Quantified no (Name t)) (Binary in (Name f) (Name S)))");
}

TEST_CASE("the body of some, all and no runs on over the conditions after it") {
    CHECK(expression_tree("a, some x in S: b, c") ==
          "(Conditions (Name a) (Quantifier some (Conditions (Name b) (Name c)) (Binder x (Name S) (Name in))))");
    CHECK(expression_tree("f(some x in S: b, c)") ==
          "(Call f (Quantifier some (Name b) (Binder x (Name S) (Name in))) (Name c))");
    CHECK(expression_tree("count x in S: b, c") ==
          "(Conditions (Quantifier count (Name b) (Binder x (Name S) (Name in))) (Name c))");
    CHECK(tree_of("move m then x := some d in S: a, y := 2") ==
          "(Move m - - - (Then (Block (Assign := (Name x) (Quantifier some (Name a) (Binder d (Name S) (Name in)))) "
          "(Assign := "
          "(Name y) (Number 2)))) -)\n");
}

TEST_CASE("sets, comprehensions, tuples") {
    CHECK(expression_tree("{}") == "(SetLiteral)");
    CHECK(expression_tree("{1..3, 5}") == "(SetLiteral (Binary .. (Number 1) (Number 3)) (Number 5))");
    CHECK(
        expression_tree("{c in S & T | c in U | V}") ==
        "(Comprehension (Binder c (Binary & (Name S) (Name T)) (Name in)) (Binary in (Name c) (Binary | (Name U) (Name "
        "V))))");
    CHECK(expression_tree("{c in (S | T) | a, b}") ==
          "(Comprehension (Binder c (Binary | (Name S) (Name T)) (Name in)) (Conditions (Name a) (Name b)))");
    CHECK(expression_tree("{s = e | can go(_, s) for foe}") ==
          "(Comprehension (Binder s (Name e) (Name =)) (Can go (Name foe) (Name _) (Name s)))");
    CHECK(expression_tree("(a)") == "(Name a)");
    CHECK(expression_tree("(a, b)") == "(Tuple (Name a) (Name b))");
}

TEST_CASE("if, let, match, is, can, earlier") {
    CHECK(expression_tree("if a: b else if c: d else e") == "(If (Name a) (Name b) (If (Name c) (Name d) (Name e)))");
    CHECK(expression_tree("let a = 1, b = x in a in S") ==
          "(LetIn (Lets (Binding a (Number 1)) (Binding b (Name x))) (Binary in (Name a) (Name S)))");
    CHECK(expression_tree("match x (p, Man): 1 A | B: -2 none: {}") ==
          "(Match (Name x) (Arm (Tuple (Name p) (Name Man)) (Number 1)) (Arm (Binary | (Name A) (Name B)) (Unary - "
          "(Number "
          "2))) (Arm (Name none) (SetLiteral)))");
    CHECK(expression_tree("a is (me, k)") == "(Is (Name a) (Tuple (Name me) (Name k)))");
    CHECK(expression_tree("a is not none") == "(Unary not (Is (Name a) (Name none)))");
    CHECK(expression_tree("a not in b") == "(Unary not (Binary in (Name a) (Name b)))");
    CHECK(expression_tree("not a not in b and c") ==
          "(Binary and (Unary not (Unary not (Binary in (Name a) (Name b)))) (Name c))");
    CHECK(expression_tree("can place for p and b") == "(Binary and (Can place (Name p)) (Name b))");
    CHECK(expression_tree("earlier(at, me) = 2") == "(Binary = (Earlier (Name at) (Name me)) (Number 2))");
    CHECK(expression_tree("not stuck") == "(Unary not (Name stuck))");
}

TEST_CASE("numbers") {
    CHECK(expression_tree("7.5 + 1_000") == "(Binary + (Number 7.5) (Number 1000))");
    CHECK(expression_tree("1..6") == "(Binary .. (Number 1) (Number 6))");
    CHECK(expression_tree("9223372036854775807") == "(Number 9223372036854775807)");
    CHECK(expression_tree("9223372036854775808").find("[number-too-large]") != std::string::npos);
    CHECK(expression_tree("12ab").find("[malformed-number]") != std::string::npos);
}

TEST_CASE("an expression inside a longer text") {
    zug::diag::Sources sources;
    const auto file = sources.add("x.zug", "notation m \"{f(a)} to {b +}\"");
    zug::diag::Report report;
    Tree tree;
    CHECK(dump(tree, parse_expression(tree, sources, {file, 13, 17}, report)) == "(Call f (Name a))");
    CHECK(!report.has_errors());
    CHECK(dump(tree, parse_expression(tree, sources, {file, 23, 26}, report)) == "(Error)");
    CHECK(zug::diag::render(sources, report)
              .find("x.zug:1:27: error: found the end of the file, expected a value after `+`") == 0);
}
