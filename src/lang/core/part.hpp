#pragma once
// The base of every part of the checker: short names for what all of them do with the shared context. Internal to
// src/lang.

#include "lang/core/context.hpp"

namespace zug::lang {

class CheckerPart {
protected:
    explicit CheckerPart(Context& context)
        : context_(context), program_(context.program), builder_(context.builder), subsets_(context.subsets) {}
    CheckerPart(const CheckerPart&) = delete;
    CheckerPart& operator=(const CheckerPart&) = delete;
    ~CheckerPart() = default;

    // ---- diagnostics
    void error(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {}) {
        context_.error(message, span, std::move(arguments), std::move(fix));
    }
    void warn(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {}) {
        context_.warn(message, span, std::move(arguments), std::move(fix));
    }
    void mismatch(Span span, const Operand& found, std::string_view expected, std::string fix = {});
    void step(Span span) { context_.step(span); }

    // ---- the tree at hand
    const syntax::Node& node(NodeId id) const { return (*context_.tree)[id]; }
    std::span<const NodeId> children(NodeId id) const { return context_.tree->children(id); }
    NodeId child(NodeId id, std::size_t i) const { return context_.tree->child(id, i); }
    Span span(NodeId id) const { return node(id).span; }
    Span name_span(NodeId id) const; // of the name that a declaration gives
    bool is_name(NodeId id, std::string_view text) const;

    // ---- local names
    Local* find_local(std::string_view name) { return context_.find_local(name); }
    void push_local(Local local);
    void push_binding(const Binding& binding, bool warn);

    // ---- the index of names, if one is wanted
    void note_use(NodeId id, Span declaration) {
        if (context_.index != nullptr) context_.index->add_use(name_span(id), declaration);
    }
    void note_use(Span name, Span declaration) {
        if (context_.index != nullptr) context_.index->add_use(name, declaration);
    }
    void note_type(NodeId id, const Operand& found);

    // ---- types
    ir::TypeTable& types() { return program_.types; }
    TypeKind kind(TypeId id) const { return program_.types.kind(id); }
    TypeId set_type(TypeId element, Span span); // none_id: reported, it has too many values
    TypeId bare(TypeId id) const;               // without `?`
    bool is_scalar(TypeId id) const;
    bool is_path_like(TypeId id) const;
    // A hint for what is given as a path and is none: pairs of numbers are offsets. Empty: there is none.
    std::string path_hint(const Operand& given) const;
    ir::BoardId board_of(TypeId id) const;  // of sites, directions, paths, and sets of them
    std::string type_text(TypeId id) const; // with an article: a `cell`
    std::string type_noun(TypeId id) const; // of what sets and tuples hold: `cell`, numbers 1..3
    std::string found_text(const Operand& operand) const;

    // ---- operands
    Operand poison(Span span) const { return {.span = span}; }
    Operand value(ExprId expr, Span span) { return subsets_.widened(expr, span); }

    Context& context_;
    ir::Program& program_;
    Builder& builder_;
    Subsets& subsets_;
};

} // namespace zug::lang
