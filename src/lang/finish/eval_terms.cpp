#include "lang/finish/eval_terms.hpp"

#include <algorithm>
#include <cctype>

namespace zug::lang {

namespace {

constexpr std::size_t most_terms = 64;
constexpr std::size_t most_steps = 1'000; // of one player's eval

class TermFinder {
public:
    TermFinder(const Builder& builder, const ir::Program& program) : builder_(builder), program_(program) {}

    struct Term {
        double weight = 1;
        ir::EvalTerm::Part part;
        Span span;
    };
    // Empty: there are too many.
    std::vector<Term> find(ExprId eval) {
        add(eval, 1);
        return left_ > 0 && terms_.size() <= most_terms ? std::move(terms_) : std::vector<Term>();
    }

private:
    ExprId arg(ExprId id, std::size_t i) const { return program_.argument(id, i); }

    void add(ExprId e, double weight) {
        if (left_ == 0) return;
        --left_;
        if (builder_.number(e)) return; // what is the same in all positions tells nothing
        switch (builder_[e].op) {
        case Op::Add: add(arg(e, 0), weight); return add(arg(e, 1), weight);
        case Op::Sub: add(arg(e, 0), weight); return add(arg(e, 1), -weight);
        case Op::Neg: return add(arg(e, 0), -weight);
        case Op::ToReal: return add(arg(e, 0), weight);
        case Op::Let:
            lets_.emplace_back(static_cast<VarId>(builder_[e].imm), arg(e, 0));
            add(arg(e, 1), weight);
            return lets_.pop_back();
        case Op::Mul:
        case Op::Div: return add_product(e, weight);
        default: add_term(e, weight);
        }
    }

    void add_product(ExprId e, double weight) {
        const auto left = builder_.number(arg(e, 0)), right = builder_.number(arg(e, 1));
        if (builder_[e].op == Op::Mul && left) return add(arg(e, 1), weight * *left);
        if (builder_[e].op == Op::Mul && right) return add(arg(e, 0), weight * *right);
        const bool real = program_.types.kind(builder_.type(e)) == TypeKind::Real;
        if (builder_[e].op == Op::Div && real && right && *right != 0) return add(arg(e, 0), weight / *right);
        add_term(e, weight);
    }

    void add_term(ExprId e, double weight) {
        terms_.push_back({.weight = weight, .part = {.lets = lets_, .expr = e}, .span = builder_[e].span});
    }

    const Builder& builder_;
    const ir::Program& program_;
    std::vector<Term> terms_;
    std::vector<std::pair<VarId, ExprId>> lets_;
    std::size_t left_ = most_steps;
};

// The text of the span on one line.
std::string text_of(const Context& context, Span span) {
    const std::string_view all(context.sources.text(span.file));
    std::string text;
    for (const char c : all.substr(span.begin, span.end - span.begin)) {
        const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank)
            text += c;
        else if (!text.ends_with(' '))
            text += ' ';
    }
    return text;
}

bool alike(const TermFinder::Term& a, const TermFinder::Term& b) { return a.span == b.span && a.weight == b.weight; }

} // namespace

void find_eval_terms(Context& context) {
    ir::Program& program = context.program;
    std::vector<ir::EvalTerm> found;
    std::vector<TermFinder::Term> first;
    for (const ExprId eval : program.evals) {
        const auto terms = TermFinder(context.builder, program).find(eval);
        if (terms.size() < 2) return;
        if (found.empty()) {
            first = terms;
            for (const TermFinder::Term& term : terms)
                found.push_back({.text = text_of(context, term.span), .weight = term.weight, .by_player = {}});
        }
        if (!std::ranges::equal(terms, first, alike)) return;
        for (std::size_t t = 0; t < terms.size(); ++t) found[t].by_player.push_back(terms[t].part);
    }
    program.terms = std::move(found);
}

} // namespace zug::lang
