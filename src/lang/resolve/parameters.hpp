#pragma once
// Parameters of the game, their defaults and the values given with -D. Internal to src/lang.

#include "lang/core/part.hpp"

#include <map>

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;
class Types;

class Parameters : CheckerPart {
public:
    Parameters(Context& context, Conversions& conversions, Symbols& symbols, Constants& constants, Types& types)
        : CheckerPart(context), conversions_(conversions), symbols_(symbols), constants_(constants), types_(types) {}

    // The default of a parameter as text, before any -D.
    const std::string& default_text(const std::string& name) { return default_texts_[name]; }

    // Works out all parameters, and reports -D values for others.
    void check_params();
    // Works out one parameter, on first use.
    void check_param(Declaration& declaration);
    // A value given for a parameter, checked against its type. Poison: an error has been reported.
    Operand fitted_override(const Declaration& declaration, NodeId type, const Operand& given);
    // The value of a parameter as text that parses to the same value.
    std::string param_text(const Operand& value) const;
    std::vector<std::string> param_names() const;

private:
    bool is_choice(NodeId choices, const Operand& found);
    Operand param_value(NodeId type, const Operand& found);
    Operand override_value(const Declaration& declaration, const std::string& text);
    std::string literal_text(const Declaration& declaration);
    Span override_span(const std::string& name, const std::string& text);

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    Types& types_;
    std::map<std::string, std::string> default_texts_; // by parameter
};

} // namespace zug::lang
