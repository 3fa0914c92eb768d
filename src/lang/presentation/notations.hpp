#pragma once
// Notation: how moves and sites are written. Internal to src/lang.

#include "lang/core/part.hpp"

#include <map>

namespace zug::lang {

class Symbols;
class Boards;
class Clauses;
class Rules;
class Templates;

class Notations : CheckerPart {
public:
    struct Uses {
        Symbols& symbols;
        Boards& boards;
        Clauses& clauses;
        Rules& rules;
        Templates& templates;
    };
    Notations(Context& context, const Uses& uses)
        : CheckerPart(context), symbols_(uses.symbols), boards_(uses.boards), clauses_(uses.clauses),
          rules_(uses.rules), templates_(uses.templates) {}

    void check_notation(NodeId id);
    void check_step_separator(NodeId id);
    // Writes the steps of rules that pick sets, where the file doesn't: after the rule's name the members one after the
    // other, or `none`. After all others.
    void add_set_notations();
    void check_site_notation(NodeId id);
    // Sets the texts of sites. At the very end: expressions of the file use the plain names.
    void set_site_texts();

private:
    std::vector<ir::Clause> notation_conditions(NodeId when, std::vector<Local>& names);
    void add_needed_names(ir::RuleId rule, ir::Notation& notation);
    Declaration* notated_board(NodeId name);
    bool are_site_parts(const std::vector<ir::NotationPart>& parts);
    bool are_site_texts(const std::vector<std::string>& texts, const ir::Board& board, Span at);

    Symbols& symbols_;
    Boards& boards_;
    Clauses& clauses_;
    Rules& rules_;
    Templates& templates_;
    std::map<ir::BoardId, std::vector<std::string>> site_texts_;
};

} // namespace zug::lang
