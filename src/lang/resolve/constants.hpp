#pragma once
// Expressions that must be known when the file is read. The declarations need the expression checker, which in turn
// needs the declarations: they reach it through this class alone, by the interface ExpressionReader. Internal to
// src/lang.

#include "lang/core/expression_reader.hpp"
#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;

class Constants : CheckerPart {
public:
    Constants(Context& context, Conversions& conversions) : CheckerPart(context), conversions_(conversions) {}

    void attach(ExpressionReader& reader) { reader_ = &reader; } // before the first use
    Operand expr(NodeId id) { return reader_->expr(id); }
    ExprId condition(NodeId id) { return reader_->condition(id); }
    bool is_known_value(std::string_view name) { return reader_->is_known_value(name); }

    std::optional<std::int64_t> constant_int(NodeId id, std::string fix = {}); // reported

private:
    Conversions& conversions_;
    ExpressionReader* reader_ = nullptr;
};

} // namespace zug::lang
