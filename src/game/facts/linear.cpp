#include "game/facts/linear.hpp"

#include <bit>
#include <map>

namespace zug::game {

using ir::Op;

namespace {

// A constant and multiples of other terms.
struct Linear {
    double constant = 0;
    std::map<TermId, double> parts;

    void add(const Linear& other, double factor) {
        constant += factor * other.constant;
        for (const auto& [term, coefficient] : other.parts) {
            const double sum = parts[term] += factor * coefficient;
            if (sum == 0) parts.erase(term);
        }
    }
};

// Conditions taken to hold or not.
using Cases = std::map<TermId, bool>;

class Prover {
public:
    explicit Prover(Terms& terms) : terms_(terms) {}

    bool vanishes(TermId a, TermId b, Cases& cases) {
        if (++tries_ > max_tries) return false;
        open_ = none_id<TermId>;
        Linear sum = linear(a, cases);
        sum.add(linear(b, cases), 1);
        if (sum.constant == 0 && sum.parts.empty()) return true;
        if (!valid(open_)) return false;
        const TermId condition = open_;
        for (const bool holds : {true, false}) {
            cases[condition] = holds;
            if (!vanishes(a, b, cases)) return false;
        }
        cases.erase(condition);
        return true;
    }

private:
    Linear atom(TermId id) { return {.constant = 0, .parts = {{id, 1}}}; }

    Linear scaled(const Linear& of, double factor) {
        Linear result;
        result.add(of, factor);
        return result;
    }

    Linear product(TermId id, const Cases& cases) {
        const Linear left = linear(terms_[id].args[0], cases);
        const Linear right = linear(terms_[id].args[1], cases);
        if (left.parts.empty()) return scaled(right, left.constant);
        if (right.parts.empty()) return scaled(left, right.constant);
        return atom(id);
    }

    Linear branch(TermId id, const Cases& cases) {
        const Term& term = terms_[id];
        const auto it = cases.find(term.args[0]);
        if (it == cases.end()) {
            open_ = term.args[0];
            return atom(id);
        }
        return linear(term.args[it->second ? 1 : 2], cases);
    }

    Linear linear(TermId id, const Cases& cases) {
        const Term term = terms_[id];
        switch (term.op) {
        case Op::Const: return {.constant = static_cast<double>(term.imm), .parts = {}};
        case Op::RealConst: return {.constant = std::bit_cast<double>(term.imm), .parts = {}};
        case Op::ToReal: return linear(term.args[0], cases);
        case Op::Neg: return scaled(linear(term.args[0], cases), -1);
        case Op::Add:
        case Op::Sub: {
            Linear sum = linear(term.args[0], cases);
            sum.add(linear(term.args[1], cases), term.op == Op::Add ? 1 : -1);
            return sum;
        }
        case Op::Mul: return product(id, cases);
        case Op::If: return branch(id, cases);
        default: return atom(id);
        }
    }

    static constexpr int max_tries = 4096;

    Terms& terms_;
    TermId open_ = none_id<TermId>; // a condition met that no case decides
    int tries_ = 0;
};

} // namespace

bool adds_to_zero(Terms& terms, TermId a, TermId b) {
    Cases cases;
    return Prover(terms).vanishes(a, b, cases);
}

} // namespace zug::game
