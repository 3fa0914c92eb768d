#pragma once
// Glyphs: how values are drawn on boards, and the letters of values without a glyph of their own. Internal to src/lang.

#include "lang/core/part.hpp"

#include <map>
#include <string>
#include <vector>

namespace zug::lang {

class Assembly;
class Symbols;
class Patterns;
class Expressions;

class Glyphs : CheckerPart {
public:
    Glyphs(Context& context, Assembly& assembly, Symbols& symbols, Patterns& patterns, Expressions& expressions)
        : CheckerPart(context), assembly_(assembly), symbols_(symbols), patterns_(patterns), expressions_(expressions) {
    }

    // Checks all glyphs and adds default letters. Before the initial values, which are read by letters.
    void check_glyphs();

private:
    void find_lettered(TypeId type, std::vector<TypeId>& found) const;
    void find_numbers(TypeId type, std::vector<TypeId>& found) const;
    void add_number_glyph(NodeId id, std::int64_t value);
    void check_glyph(NodeId id);
    void glyph_for(NodeId id, TypeId type);
    void add_glyph(NodeId id, TypeId type, std::int64_t value);
    const Span* given(TypeId type, std::int64_t value) const;
    const Span* origin(TypeId type, std::int64_t value) const;
    bool written_out(TypeId type, std::int64_t value) const;
    std::map<std::string, std::int64_t> taken_letters(TypeId type) const;
    void default_letters(TypeId type);
    void copy_glyphs(TypeId subset);
    void check_distinct(TypeId type);
    void check_readable(TypeId type);

    Assembly& assembly_;
    Symbols& symbols_;
    Patterns& patterns_;
    Expressions& expressions_;
    std::vector<Span> given_; // where the first glyphs of the program stand; the others are default letters
};

} // namespace zug::lang
