#pragma once
// The implementation of verify(), with one member function per kind of node. Internal to src/ir.

#include "ir/print.hpp"
#include "ir/verify.hpp"

#include <fmt/format.h>

namespace zug::ir {

// A broken program may not even be printable, so findings name nodes by number only.
class Verifier {
public:
    explicit Verifier(const Program& program) : program_(program) {}

    std::vector<std::string> run();

private:
    template <class... Args>
    void fail(fmt::format_string<Args...> pattern, Args&&... args) {
        if (findings_.size() < 100) findings_.push_back(fmt::format(pattern, std::forward<Args>(args)...));
    }

    void expr(ExprId id);
    bool immediate(ExprId id);
    void node(ExprId id);
    void arithmetic(ExprId id);
    void sets(ExprId id);
    void binder(ExprId id);
    void path(ExprId id);
    void scalars(ExprId id);
    void map_get(ExprId id);
    void tuple(ExprId id);
    void call(ExprId id);
    void can(ExprId id);

    void states();
    void rules();
    void key(const HistoryKey& key);
    void clauses(const std::vector<Clause>& list, std::string_view where);
    void block(const Block& b);
    void effect(EffectId id);
    void assignment(EffectId id);
    void turn();
    void teams();
    void ends();
    void notations();
    void position();

    TypeId type(ExprId id) const { return program_.exprs[id].type; }
    TypeKind kind(TypeId id) const { return program_.types.kind(id); }
    TypeKind kind(ExprId id) const { return kind(type(id)); }
    ExprId arg(ExprId id, std::size_t i) const { return program_.argument(id, i); }
    TypeId stripped(TypeId id) const { return kind(id) == TypeKind::Optional ? program_.types.inner(id) : id; }
    bool scalar(TypeId id) const;
    // Whether values of type a may occur where b is expected: ranges of integers and `none` are checked at run time.
    bool fits(TypeId a, TypeId b) const;
    void expect(ExprId id, std::size_t i, TypeKind wanted);
    void expect_fit(ExprId id, TypeId from, TypeId to);
    bool good(ExprId id, std::string_view where, TypeKind wanted);

    const Program& program_;
    std::vector<std::string> findings_;
};

} // namespace zug::ir
