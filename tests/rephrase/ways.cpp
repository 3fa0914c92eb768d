#include "tests/rephrase/ways.hpp"

#include <fmt/format.h>

namespace zug::rephrase {

using syntax::Kind;
using syntax::NodeId;

namespace {

// The two sides of a binary node, in brackets; empty: it is another one.
struct Sides {
    std::string left, right;
    explicit operator bool() const { return !left.empty(); }
};
Sides sides(Text& t, NodeId n, std::string_view sign) {
    if (!t.is(n, Kind::Binary, sign)) return {};
    return {t.in(t.child(n, 0)), t.in(t.child(n, 1))};
}

// -- sets

std::string image_as_union(Text& t, NodeId n) {
    if (t.is(n, Kind::Binary, ".") && t.is(t.child(n, 0), Kind::Name) && t.is_state(t[t.child(n, 0)].text)) return {};
    const Sides s = sides(t, n, ".");
    return s ? fmt::format("(union {0} in {1}: {0}.{2})", t.fresh(), s.left, s.right) : std::string();
}

// -- membership

// `x in {none, a}` asks whether x is none, too.
std::string in_as_some(Text& t, NodeId n) {
    const Sides s = sides(t, n, "in");
    if (!s || t.is(t.child(n, 1), Kind::SetLiteral)) return {};
    return fmt::format("(some {0} in {1}: {0} = {2})", t.fresh(), s.right, s.left);
}
std::string in_by_parts(Text& t, NodeId n) {
    if (!t.is(n, Kind::Binary, "in")) return {};
    const NodeId set = t.child(n, 1);
    const std::string x = t.in(t.child(n, 0));
    if (const Sides s = sides(t, set, "&")) return fmt::format("({0} in {1} and {0} in {2})", x, s.left, s.right);
    if (const Sides s = sides(t, set, "\\")) return fmt::format("({0} in {1} and {0} not in {2})", x, s.left, s.right);
    if (const Sides s = sides(t, set, "|")) return fmt::format("({0} in {1} or {0} in {2})", x, s.left, s.right);
    return {};
}
std::string in_braces_as_or(Text& t, NodeId n) {
    if (!t.is(n, Kind::Binary, "in") || !t.is(t.child(n, 1), Kind::SetLiteral)) return {};
    std::string out;
    for (std::size_t i = 0; i < t.children(t.child(n, 1)); ++i)
        out += fmt::format("{}{} = {}", i > 0 ? " or " : "", t.in(t.child(n, 0)), t.in(t.child(t.child(n, 1), i)));
    return out.empty() ? out : "(" + out + ")";
}

// -- maps: `at[c] = v`, `c in at.v`, `at.v`

// The name of a state variable with one index that the node reads; empty: it is something else.
std::string map_of(Text& t, NodeId n) {
    if (!t.is(n, Kind::Index) && !t.is(n, Kind::Binary, ".")) return {};
    const NodeId map = t.child(n, 0);
    return t.is(map, Kind::Name) && !t.index_type(t[map].text).empty() ? t[map].text : std::string();
}
bool has_wildcard(Text& t, NodeId n) {
    if (t.is(n, Kind::Name, "_")) return true;
    for (std::size_t i = 0; i < t.children(n); ++i)
        if (has_wildcard(t, t.child(n, i))) return true;
    return false;
}
std::string entry_as_member(Text& t, NodeId n) {
    if (!t.is(n, Kind::Binary, "=") || !t.is(t.child(n, 0), Kind::Index)) return {};
    const std::string map = map_of(t, t.child(n, 0));
    if (map.empty()) return {};
    return fmt::format("({} in {}.{})", t.in(t.child(t.child(n, 0), 1)), map, t.in(t.child(n, 1)));
}
std::string member_as_entry(Text& t, NodeId n) {
    if (!t.is(n, Kind::Binary, "in") || !t.is(t.child(n, 1), Kind::Binary, ".")) return {};
    const std::string map = map_of(t, t.child(n, 1));
    if (map.empty()) return {};
    const NodeId value = t.child(t.child(n, 1), 1);
    const std::string_view sign = has_wildcard(t, value) ? "is" : "=";
    return fmt::format("({}[{}] {} {})", map, t.plain(t.child(n, 0)), sign, t.quoted(value));
}
std::string lookup_as_those(Text& t, NodeId n) {
    const std::string map = t.is(n, Kind::Binary, ".") ? map_of(t, n) : std::string();
    if (map.empty()) return {};
    const NodeId value = t.child(n, 1);
    const std::string_view sign = has_wildcard(t, value) ? "is" : "=";
    return fmt::format("{{{0}: {1} | {2}[{0}] {3} {4}}}", t.fresh(), t.index_type(map), map, sign, t.quoted(value));
}

// -- truth

std::string if_negated(Text& t, NodeId n) {
    if (!t.is(n, Kind::If)) return {};
    return fmt::format("(if not {}: {} else {})", t.in(t.child(n, 0)), t.in(t.child(n, 2)), t.in(t.child(n, 1)));
}
std::string if_by_name(Text& t, NodeId n) {
    if (!t.is(n, Kind::If)) return {};
    return fmt::format("(let {0} = {1} in if {0}: {2} else {3})", t.fresh(), t.in(t.child(n, 0)), t.in(t.child(n, 1)),
                       t.in(t.child(n, 2)));
}

// -- quantifiers

std::string some_as_count(Text& t, NodeId n) {
    if (t.is(n, Kind::Quantified, "some")) return fmt::format("(count {} > 0)", t.in(t.child(n, 0)));
    if (t.is(n, Kind::Quantified, "no")) return fmt::format("(count {} = 0)", t.in(t.child(n, 0)));
    return {};
}
std::string no_as_not_some(Text& t, NodeId n) {
    if (t.is(n, Kind::Quantified, "no")) return fmt::format("(not some {})", t.in(t.child(n, 0)));
    if (t.is(n, Kind::Quantified, "some")) return fmt::format("(not no {})", t.in(t.child(n, 0)));
    return {};
}
std::string common_by_quantifier(Text& t, NodeId n) {
    if (!t.is(n, Kind::Quantified)) return {};
    const std::string& word = t[n].text;
    if (word != "some" && word != "no" && word != "count") return {};
    const Sides s = sides(t, t.child(n, 0), "&");
    return s ? fmt::format("({0} {1} in {2}: {1} in {3})", word, t.fresh(), s.left, s.right) : std::string();
}

// `x in S, y: type` as written, for a quantifier or within braces.
std::string binders(Text& t, NodeId n) {
    std::string out;
    for (std::size_t i = 1; i < t.children(n); ++i) {
        const NodeId binder = t.child(n, i);
        if (t.is(t.child(binder, 1), Kind::Name, "=")) return {};
        const bool type = t.is(t.child(binder, 1), Kind::Name, ":");
        out += fmt::format("{}{}{}{}", i > 1 ? ", " : "", t[binder].text, type ? ": " : " in ",
                           type ? t.plain(t.child(binder, 0)) : t.in(t.child(binder, 0)));
    }
    return out;
}
bool quantifier(Text& t, NodeId n, std::string_view word) { return t.is(n, Kind::Quantifier, word); }

std::string all_as_no(Text& t, NodeId n) {
    if (!quantifier(t, n, "all") || binders(t, n).empty()) return {};
    return fmt::format("(no {}: not {})", binders(t, n), t.in(t.child(n, 0)));
}
std::string quantifier_as_set(Text& t, NodeId n) {
    const bool fits = quantifier(t, n, "some") || quantifier(t, n, "no") || quantifier(t, n, "count");
    if (!fits || t.children(n) != 2 || binders(t, n).empty()) return {};
    return fmt::format("({} {{{} | {}}})", t[n].text, binders(t, n), t.plain(t.child(n, 0)));
}
std::string count_as_sum(Text& t, NodeId n) {
    if (quantifier(t, n, "count") && !binders(t, n).empty())
        return fmt::format("(sum {}: if {}: 1 else 0)", binders(t, n), t.in(t.child(n, 0)));
    if (t.is(n, Kind::Quantified, "count")) return fmt::format("(sum {} in {}: 1)", t.fresh(), t.in(t.child(n, 0)));
    return {};
}
std::string some_by_if(Text& t, NodeId n) {
    if (!quantifier(t, n, "some") || binders(t, n).empty()) return {};
    return fmt::format("(count {}: {}) > 0", binders(t, n), t.in(t.child(n, 0)));
}
std::string those_as_union(Text& t, NodeId n) {
    if (!t.is(n, Kind::Comprehension)) return {};
    const NodeId binder = t.child(n, 0);
    if (!t.is(binder, Kind::Binder) || t.is(t.child(binder, 1), Kind::Name, "=")) return {};
    const bool type = t.is(t.child(binder, 1), Kind::Name, ":");
    return fmt::format("(union {0}{1}{2}: if {3}: {{{0}}} else {{}})", t[binder].text, type ? ": " : " in ",
                       type ? t.plain(t.child(binder, 0)) : t.in(t.child(binder, 0)), t.in(t.child(n, 1)));
}
std::string nested_quantifiers(Text& t, NodeId n) {
    if (!t.is(n, Kind::Quantifier) || t.children(n) < 3 || binders(t, n).empty()) return {};
    if (t[n].text == "no") return {};
    std::string out;
    for (std::size_t i = 1; i < t.children(n); ++i) out += fmt::format("({} {}: ", t[n].text, t.quoted(t.child(n, i)));
    out += t.plain(t.child(n, 0));
    return out.append(t.children(n) - 1, ')');
}

// -- names

bool names(char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; }

// A body with arguments for parameters, word by word.
std::string substituted(const std::string& body, const std::map<std::string, std::string>& arguments) {
    std::string out;
    for (std::size_t i = 0; i < body.size();) {
        std::size_t end = i;
        while (end < body.size() && names(body[end])) ++end;
        if (end == i) {
            out += body[i++];
            continue;
        }
        const std::string word = body.substr(i, end - i);
        const auto found = arguments.find(word);
        out += found == arguments.end() ? word : found->second;
        i = end;
    }
    return out;
}
// In conditions only: effects may come after others that change what the value is of.
std::string lets_written_out(Text& t, NodeId n) {
    if (!t.is(n, Kind::When) || t.lets().empty()) return {};
    std::map<std::string, std::string> values;
    for (const auto& [name, value] : t.lets()) values[name] = "(" + substituted(value, values) + ")";
    return substituted(t.quoted(n), values);
}
// A set may be given for a parameter that is one of its members: then the call is a union. A short name is no set in
// the files of rules/.
bool is_one(Text& t, NodeId n) { return t.is(n, Kind::Name) && t[n].text.size() <= 3; }
std::string def_written_out(Text& t, NodeId n) {
    const bool name = t.is(n, Kind::Name), call = t.is(n, Kind::Call);
    if (!name && !call) return {};
    const Definition* const of = t.definition(t[n].text);
    const std::size_t given = name ? 0 : t.children(n);
    if (of == nullptr || of->parameters.size() != given) return {};
    std::map<std::string, std::string> arguments;
    for (std::size_t i = 0; i < given; ++i) {
        if (!is_one(t, t.child(n, i))) return {};
        arguments[of->parameters[i]] = t.in(t.child(n, i));
    }
    return "(" + substituted(of->body, arguments) + ")";
}

// -- clauses

// The parts of a list, last first; empty: there is only one.
std::string reversed_list(Text& t, NodeId n, std::string_view word) {
    if (t.children(n) < 2) return {};
    std::string out(word);
    for (std::size_t i = t.children(n); i-- > 0;) out += t.plain(t.child(n, i)) + (i > 0 ? ", " : "");
    return out;
}
std::string conditions_reversed(Text& t, NodeId n) {
    if (!t.is(n, Kind::When) || t.children(n) < 2) return {};
    std::string out = "when ";
    for (std::size_t i = t.children(n); i-- > 0;) // in brackets, or the body of a quantifier takes in what follows
        out += (t.is(t.child(n, i), Kind::Is) ? t.plain(t.child(n, i)) : t.in(t.child(n, i))) + (i > 0 ? ", " : "");
    return out;
}
std::string conditions_as_and(Text& t, NodeId n) {
    if (!t.is(n, Kind::When) || t.children(n) < 2) return {};
    std::string out = "when ";
    for (std::size_t i = 0; i < t.children(n); ++i) out += (i > 0 ? " and " : "") + t.in(t.child(n, i));
    return out;
}
std::string parameters_reversed(Text& t, NodeId n) {
    if (!t.is(n, Kind::Parameters) || t.children(n) < 2) return {};
    std::string out;
    for (std::size_t i = t.children(n); i-- > 0;)
        out += fmt::format("{}: {}{}", t[t.child(n, i)].text, t.quoted(t.child(t.child(n, i), 0)), i > 0 ? ", " : "");
    return "(" + out + ")";
}

// -- effects

std::string effects_reversed(Text& t, NodeId n) {
    if (!t.is(n, Kind::Block) || t.children(n) < 2) return {};
    const std::string list = reversed_list(t, n, "");
    return t.quoted(n).front() == '(' ? "(" + list + ")" : list;
}
std::string effect_if_as_value(Text& t, NodeId n) {
    if (!t.is(n, Kind::EffectIf) || valid(t.child(n, 2)) || t.children(t.child(n, 1)) != 1) return {};
    const NodeId effect = t.child(t.child(n, 1), 0);
    if (!t.is(effect, Kind::Assign, ":=")) return {};
    const std::string target = t.quoted(t.child(effect, 0));
    return fmt::format("{0} := if {1}: {2} else {0}", target, t.in(t.child(n, 0)), t.in(t.child(effect, 1)));
}
std::string value_if_as_effect(Text& t, NodeId n) {
    if (!t.is(n, Kind::Assign, ":=") || !t.is(t.child(n, 1), Kind::If)) return {};
    const NodeId value = t.child(n, 1);
    const std::string target = t.quoted(t.child(n, 0));
    return fmt::format("if {1}: ({0} := {2}) else ({0} := {3})", target, t.in(t.child(value, 0)),
                       t.plain(t.child(value, 1)), t.plain(t.child(value, 2)));
}
std::string added_as_sum(Text& t, NodeId n) {
    if (!t.is(n, Kind::Assign, "+=") && !t.is(n, Kind::Assign, "-=")) return {};
    return fmt::format("{0} := {0} {1} {2}", t.quoted(t.child(n, 0)), t[n].text.substr(0, 1), t.in(t.child(n, 1)));
}

constexpr Way table[] = {
    {"inter-as-those", "A & B", "{q in A | q in B}", "&", "{{{2} in {0} | {2} in {1}}}"},
    {"diff-as-those", "A \\ B", "{q in A | q not in B}", "\\", "{{{2} in {0} | {2} not in {1}}}"},
    {"diff-as-inter", "A \\ B", "A & ~B", "\\", "({0} & ~{1})"},
    {"inter-swapped", "A & B", "B & A", "&", "({1} & {0})"},
    {"union-swapped", "A | B", "B | A", "|", "({1} | {0})"},
    {"image-as-union", "A.path", "union q in A: q.path", {}, {}, image_as_union},
    {"in-as-some", "x in A", "some q in A: q = x", {}, {}, in_as_some},
    {"in-by-name", "x in A", "let q = x in q in A", "in", "(let {2} = {0} in {2} in {1})"},
    {"in-by-parts", "x in A & B", "x in A and x in B", {}, {}, in_by_parts},
    {"in-braces-as-or", "x in {a, b}", "x = a or x = b", {}, {}, in_braces_as_or},
    {"entry-as-member", "at[c] = v", "c in at.v", {}, {}, entry_as_member},
    {"member-as-entry", "c in at.v", "at[c] = v", {}, {}, member_as_entry},
    {"lookup-as-those", "at.v", "{q: site | at[q] = v}", {}, {}, lookup_as_those},
    {"and-as-if", "a and b", "if a: b else false", "and", "(if {0}: {1} else false)"},
    {"and-swapped", "a and b", "b and a", "and", "({1} and {0})"},
    {"or-swapped", "a or b", "b or a", "or", "({1} or {0})"},
    {"or-as-not", "a or b", "not (not a and not b)", "or", "(not (not {0} and not {1}))"},
    {"or-as-if", "a or b", "if a: true else b", "or", "(if {0}: true else {1})"},
    {"implies-as-or", "a implies b", "not a or b", "implies", "(not {0} or {1})"},
    {"equal-swapped", "a = b", "b = a", "=", "({1} = {0})"},
    {"unequal-as-not", "a != b", "not a = b", "!=", "(not {0} = {1})"},
    {"less-swapped", "a < b", "b > a", "<", "({1} > {0})"},
    {"less-as-not", "a < b", "not a >= b", "<", "(not {0} >= {1})"},
    {"at-least-as-not", "a >= b", "not a < b", ">=", "(not {0} < {1})"},
    {"at-most-as-or", "a <= b", "a < b or a = b", "<=", "({0} < {1} or {0} = {1})"},
    {"difference-compared", "a < b", "a - b < 0", "<", "({0} - {1} < 0)"},
    {"if-negated", "if a: b else c", "if not a: c else b", {}, {}, if_negated},
    {"if-by-name", "if a: b else c", "let q = a in if q: b else c", {}, {}, if_by_name},
    {"some-as-count", "some A", "count A > 0", {}, {}, some_as_count},
    {"no-as-not-some", "no A", "not some A", {}, {}, no_as_not_some},
    {"common-by-quantifier", "some A & B", "some q in A: q in B", {}, {}, common_by_quantifier},
    {"all-as-no", "all x in A: p", "no x in A: not p", {}, {}, all_as_no},
    {"quantifier-as-set", "some x in A: p", "some {x in A | p}", {}, {}, quantifier_as_set},
    {"count-as-sum", "count A", "sum q in A: 1", {}, {}, count_as_sum},
    {"some-by-count", "some x in A: p", "(count x in A: p) > 0", {}, {}, some_by_if},
    {"those-as-union", "{x in A | p}", "union x in A: if p: {x} else {}", {}, {}, those_as_union},
    {"nested-quantifiers", "some x in A, y in B: p", "some x in A: some y in B: p", {}, {}, nested_quantifiers},
    {"lets-written-out", "t of let t = e", "e", {}, {}, lets_written_out},
    {"def-written-out", "f(a) of def f(x) = e", "e with a for x", {}, {}, def_written_out},
    {"conditions-reversed", "when a, b", "when b, a", {}, {}, conditions_reversed},
    {"conditions-as-and", "when a, b", "when a and b", {}, {}, conditions_as_and},
    {"parameters-reversed", "(f: site, t: site)", "(t: site, f: site)", {}, {}, parameters_reversed},
    {"effects-reversed", "x := 1, y := 2", "y := 2, x := 1", {}, {}, effects_reversed},
    {"effect-if-as-value", "if a: x := 1", "x := if a: 1 else x", {}, {}, effect_if_as_value},
    {"value-if-as-effect", "x := if a: 1 else 2", "if a: x := 1 else x := 2", {}, {}, value_if_as_effect},
    {"added-as-sum", "x += 1", "x := x + 1", {}, {}, added_as_sum},
};

} // namespace

std::string Way::write(Text& text, NodeId node) const {
    if (other != nullptr) return other(text, node);
    const Sides s = sides(text, node, sign);
    return s ? fmt::format(fmt::runtime(form), s.left, s.right, text.fresh()) : std::string();
}

std::span<const Way> ways() { return table; }

} // namespace zug::rephrase
