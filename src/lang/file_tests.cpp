// The tests in a rule file. A test for other parameters than those of this load keeps only its parameters: to run it,
// the file is loaded again with them.

#include "lang/file_tests.hpp"

#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/parameters.hpp"
#include "lang/resolve/symbols.hpp"

namespace zug::lang {

using ir::Test;

void FileTests::check_test(NodeId id) {
    Test test;
    test.title = node(id).text;
    test.span = span(id);
    if (const NodeId from = child(id, 1); valid(from)) test.from = node(from).text;
    if (const NodeId after = child(id, 2); valid(after)) test.after = node(after).text;
    const bool ours = test_params(child(id, 0), test);
    const bool stuck = std::exchange(context_.stuck_allowed, true);
    for (NodeId check : children(id).subspan(3)) {
        if (!valid(check)) continue;
        // With other parameters a check may be meaningless: it may name sites that do not exist.
        if (ours) test.items.push_back(test_item(check));
    }
    context_.stuck_allowed = stuck;
    program_.tests.push_back(std::move(test));
}

// Fills test.params. Returns whether this load has these parameters, and the defaults for all others.
bool FileTests::test_params(NodeId with, Test& test) {
    std::map<std::string, std::string> wanted;
    bool fine = true;
    for (NodeId binding : valid(with) ? children(with) : std::span<const NodeId>{}) {
        if (!valid(binding)) continue;
        const std::string& name = node(binding).text;
        const Operand found = expressions_.expr(child(binding, 0));
        Declaration* d = symbols_.find(name);
        if (d == nullptr || d->kind != DeclKind::Param) {
            symbols_.none_of(Message::UnknownParam, name, span(binding), {parameters_.param_names(), "parameters"});
            fine = false;
            continue;
        }
        note_use(binding, d->span);
        fine &= found.ok() && d->value.ok();
        if (!found.ok() || !d->value.ok()) continue;
        const InTree scope(context_, d->tree);
        const Operand fitted = parameters_.fitted_override(*d, child(d->node, 0), found);
        fine &= fitted.ok();
        if (!fitted.ok()) continue;
        wanted[name] = parameters_.param_text(fitted);
        test.params.emplace_back(name, wanted[name]);
    }
    if (!fine) return false;
    for (const auto& param : program_.params) {
        const Declaration* d = symbols_.find(param.name);
        const auto it = wanted.find(param.name);
        if (it != wanted.end() ? it->second != param.value
                               : d != nullptr && param.value != parameters_.default_text(param.name))
            return false;
    }
    return true;
}

Test::Item FileTests::test_item(NodeId id) {
    using Check = Test::Check;
    Test::Item item;
    item.span = span(id);
    const auto& n = node(id);
    const auto number = [&](NodeId of) -> std::int64_t {
        return valid(of) ? constants_.constant_int(of).value_or(0) : -1;
    };
    switch (n.kind) {
    case Kind::CheckPerft:
        item.check = Check::Perft;
        item.depth = number(child(id, 0));
        item.count = static_cast<std::uint64_t>(number(child(id, 1)));
        break;
    case Kind::CheckText:
        item.check = n.text == "moves"     ? Check::Moves
                     : n.text == "legal"   ? Check::Legal
                     : n.text == "illegal" ? Check::Illegal
                     : n.text == "loud"    ? Check::Loud
                                           : Check::Position;
        item.text = node(child(id, 0)).text;
        break;
    case Kind::CheckDraw: item.check = Check::Draw; break;
    case Kind::CheckOpen: item.check = Check::Open; break;
    case Kind::CheckWins: {
        item.check = Check::Wins;
        const ExprId player = conversions_.convert(expressions_.expr(child(id, 0)), program_.player_type);
        if (valid(player) && !builder_.scalar(player)) error(Message::NotConstant, span(child(id, 0)));
        if (valid(player)) item.player = builder_.scalar(player).value_or(0);
        break;
    }
    case Kind::CheckPayoffs:
        item.check = Check::Payoffs;
        for (NodeId payoff : children(id)) item.values.push_back(constant_real(payoff));
        if (item.values.size() != program_.players.size() && !symbols_.lacks_players())
            error(Message::OutcomeCount, n.span,
                  {std::to_string(item.values.size()), std::to_string(program_.players.size())});
        break;
    case Kind::CheckValue: {
        item.check = Check::Value;
        const NodeId values = child(id, 0);
        if (valid(values) && node(values).kind == Kind::Tuple) {
            for (NodeId one : children(values)) item.values.push_back(constant_real(one));
            if (item.values.size() != program_.players.size() && !symbols_.lacks_players())
                error(Message::OutcomeCount, span(values),
                      {std::to_string(item.values.size()), std::to_string(program_.players.size())});
        } else {
            item.values.push_back(constant_real(values));
        }
        item.depth = number(child(id, 1));
        break;
    }
    case Kind::CheckHolds:
        item.check = Check::Holds;
        item.expr = expressions_.condition(child(id, 0));
        break;
    default: break;
    }
    return item;
}

double FileTests::constant_real(NodeId id) {
    const ExprId real = conversions_.as_real(expressions_.expr(id));
    if (!valid(real)) return 0;
    const auto number = builder_.number(real);
    if (!number) error(Message::NotConstant, span(id));
    return number.value_or(0);
}

} // namespace zug::lang
