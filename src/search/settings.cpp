#include "search/settings.hpp"

#include "base/nearest.hpp"
#include "search/setting_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace zug::search {

namespace {

constexpr std::uint32_t bit(Method method) { return 1U << static_cast<unsigned>(method); }
constexpr std::uint32_t any = ~0U;
constexpr std::uint32_t ordered = bit(Method::AlphaBeta) | bit(Method::Expectimax);
constexpr std::uint32_t opposed = bit(Method::Paranoid) | bit(Method::BestReply);
constexpr std::uint32_t pruned = ordered | opposed;
constexpr std::uint32_t with_chance = bit(Method::Expectimax) | opposed;
constexpr std::uint32_t tabled = pruned | bit(Method::MaxN) | bit(Method::IdaStar) | bit(Method::BranchAndBound);
constexpr std::uint32_t uct = bit(Method::MonteCarlo);
constexpr std::uint32_t best_first = bit(Method::BStar) | bit(Method::Mgss);
constexpr std::uint32_t iterative = pruned | bit(Method::Minimax) | bit(Method::MaxN) | bit(Method::OpponentModel);

constexpr std::size_t most_memory_of_model = std::size_t{256} << 20;

// What a player's search costs counts as many times as the opponent is to move: it is to be small.
bool suits_as_model(const Settings& player) {
    const Options usual;
    const Options& own = player.options;
    const bool limited = (player.depth >= 0 || player.nodes != 0) && player.seconds <= 0 && !player.game_time;
    const bool small = own.threads == 1 && own.table_bytes <= usual.table_bytes &&
                       (own.memory <= most_memory_of_model || own.memory == usual.memory);
    return limited && small && player.eval.empty() && player.book.empty() && player.rote.empty();
}

// A method with a limit that any machine keeps to, by the rules' evaluation; or any move. A model of a model is none:
// texts may come from anywhere, and would lead as deep as they are long.
bool set_model(Settings& settings, std::string_view value) {
    std::string_view text = value;
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    NamedOpponent opponent;
    if (text == "random") {
        opponent.random = 1;
    } else {
        if (text.find("model=") != text.npos) return false;
        const auto named = parse_settings(text);
        if (!named || !suits_as_model(*named)) return false;
        opponent = {named->method, named->options, named->depth, named->nodes, named->random};
        opponent.options.memory = std::min(opponent.options.memory, most_memory_of_model);
    }
    settings.options.opponent = std::make_shared<const NamedOpponent>(std::move(opponent));
    settings.model = value;
    return true;
}

constexpr std::array settings_table{
    Setting{"depth", any, "a whole number of plies from 1 to 1024", "The depth of the search.", "",
            [](Settings& s, std::string_view v) { return set_within(s.depth, v, 1, max_depth); },
            [](const Settings& s) { return s.depth < 0 ? "unlimited" : std::to_string(s.depth); }},
    Setting{"time", any, "a time above zero such as 2s, 500ms or 1m, or 5m+3s",
            "The time for each move; 5m+3s: five minutes for the game, and three seconds more for each move.", "",
            set_times, times_text},
    Setting{"nodes", any, "a whole number from 1", "The number of nodes for each move.", "",
            [](Settings& s, std::string_view v) { return set_within(s.nodes, v, std::uint64_t{1}, UINT64_MAX); },
            [](const Settings& s) { return s.nodes == 0 ? "unlimited" : std::to_string(s.nodes); }},
    Setting{"book", any, "a file that `zug book` made",
            "An opening book: where it has moves, a player makes one of them, by their weights.", "",
            [](Settings& s, std::string_view v) { return s.book = v, !v.empty(); },
            [](const Settings& s) { return s.book.empty() ? "none" : s.book; }},
    Setting{"eval", any, "rules, none, or a file that `zug learn` made",
            "What positions are evaluated by: the rule file's eval, nothing, or what was learned. auto takes "
            "NAME.zugnet beside the rule file, if there is one for these rules.",
            "", [](Settings& s, std::string_view v) { return s.eval = v, !v.empty(); },
            [](const Settings& s) { return s.eval.empty() ? "rules" : s.eval; }},
    Setting{"random", any, "a number from 0 to 1",
            "How often the player makes any legal move instead of the one that it finds, to be a weaker opponent.", "",
            [](Settings& s, std::string_view v) { return set_within(s.random, v, 0.0, 1.0); },
            [](const Settings& s) { return fmt::format("{}", s.random); }},
    Setting{"rote", bit(Method::AlphaBeta) | bit(Method::Expectimax), "a file, which need not be there yet",
            "Positions in which the player moves are kept there with what its searches found, and answer for searches "
            "of later games.",
            "Samuel 1959",
            [](Settings& s, std::string_view v) { return s.options.rote = true, s.rote = v, !v.empty(); },
            [](const Settings& s) { return s.rote.empty() ? "none" : s.rote; }},
    Setting{"rote_size", bit(Method::AlphaBeta) | bit(Method::Expectimax), "a whole number from 1 to 10000000",
            "How many positions are kept; those that were not looked up for the longest are forgotten first.",
            "Samuel 1959",
            [](Settings& s, std::string_view v) {
                return set_within(s.rote_size, v, std::size_t{1}, std::size_t{10'000'000});
            },
            [](const Settings& s) { return std::to_string(s.rote_size); }},
    Setting{
        "table", tabled, "on, off, or a size such as 64MB or 4GB",
        "The transposition table: results of positions are kept for when they come up again.",
        "Greenblatt, Eastlake and Crocker 1967; Breuker, Uiterwijk and van den Herik 1994",
        [](Settings& s, std::string_view v) { return set_table(s.options, v); },
        [](const Settings& s) { return s.options.table ? fmt::format("{}MB", s.options.table_bytes >> 20) : "off"; }},
    Setting{"memory", bit(Method::AStar) | uct | best_first, "a size such as 512MB or 4GB",
            "The memory for the positions that are kept.", "",
            [](Settings& s, std::string_view v) { return set_size(s.options.memory, v); },
            [](const Settings& s) { return fmt::format("{}MB", s.options.memory >> 20); }},
    Setting{"ordering", pruned, "on or off",
            "Moves are tried in the order of the table's move, killer moves and their history of cut-offs; off: by id.",
            "Akl and Newborn 1977; Schaeffer 1989",
            [](Settings& s, std::string_view v) { return set_switch(s.options.ordering, v); },
            [](const Settings& s) { return switch_text(s.options.ordering); }},
    Setting{"deepening", iterative, "on or off", "The depth grows ply by ply; off: one search of the whole depth.",
            "Slate and Atkin 1977", [](Settings& s, std::string_view v) { return set_switch(s.options.deepening, v); },
            [](const Settings& s) { return switch_text(s.options.deepening); }},
    Setting{"pruning", pruned | bit(Method::MaxN), "on or off", "Lines that can't change the value are left out.",
            "Knuth and Moore 1975", [](Settings& s, std::string_view v) { return set_switch(s.options.pruning, v); },
            [](const Settings& s) { return switch_text(s.options.pruning); }},
    Setting{"scout", pruned, "on or off",
            "Moves after the first are searched with a null window, and again if they turn out to be better.",
            "Marsland and Campbell 1982 (principal variation search)",
            [](Settings& s, std::string_view v) { return set_switch(s.options.scout, v); },
            [](const Settings& s) { return switch_text(s.options.scout); }},
    Setting{"star", bit(Method::Expectimax) | bit(Method::Paranoid), "off, 1 or 2",
            "Chance events are pruned by bounds on the outcomes not yet searched (1), which are found by probing one "
            "move after each (2).",
            "Ballard 1983; Hauk, Buro and Schaeffer 2004",
            [](Settings& s, std::string_view v) { return set_choice(s.options.star, v, star_names); },
            [](const Settings& s) { return std::string(star_names[static_cast<std::size_t>(s.options.star)]); }},
    Setting{"samples", with_chance, "a whole number from 0 to 1000000",
            "Of chance events with more outcomes only so many are drawn and searched, and the value is an estimate; 0: "
            "all.",
            "Kearns, Mansour and Ng 2002",
            [](Settings& s, std::string_view v) { return set_within(s.options.samples, v, 0U, 1'000'000U); },
            [](const Settings& s) { return std::to_string(s.options.samples); }},
    Setting{"window", bit(Method::AlphaBeta), "full, aspiration, mtdf, sss or dual",
            "The windows at the root: open; around the last depth's value; null windows from there (MTD(f)), from the "
            "greatest value (SSS*) or from the least (DUAL*).",
            "Slate and Atkin 1977; Plaat, Schaeffer, Pijls and de Bruin 1996; Stockman 1979",
            [](Settings& s, std::string_view v) { return set_choice(s.options.window, v, window_names); },
            [](const Settings& s) { return std::string(window_names[static_cast<std::size_t>(s.options.window)]); }},
    Setting{"threads", ordered | uct, "a whole number from 1 to 256",
            "The number of threads, which share the transposition table, and defer moves that another searches, or "
            "the tree.",
            "Weill 1996; Kerrigan 2017 (simplified ABDADA); Chaslot, Winands and van den Herik 2008",
            [](Settings& s, std::string_view v) { return set_within(s.options.threads, v, 1U, 256U); },
            [](const Settings& s) { return std::to_string(s.options.threads); }},
    Setting{
        "selective", ordered, "on or off",
        "Switches those of the following parts on that make play stronger in most games, or all off. With any of them "
        "the value is an estimate.",
        "", [](Settings& s, std::string_view v) { return set_selective(s.options, v); },
        [](const Settings& s) { return switch_text(s.options.selective()); }},
    Setting{"repetition", ordered, "on or off", "A position that is on the line of play already is a draw.", "",
            [](Settings& s, std::string_view v) { return set_switch(s.options.repetition, v); },
            [](const Settings& s) { return switch_text(s.options.repetition); }},
    Setting{"deeper", ordered, "on or off", "An entry of a deeper search answers for a shallower one.", "",
            [](Settings& s, std::string_view v) { return set_switch(s.options.deeper, v); },
            [](const Settings& s) { return switch_text(s.options.deeper); }},
    Setting{"quiescence", ordered, "on or off",
            "At the depth limit loud moves are played out, and one that wins is made.", "Harris 1975; Beal 1990",
            [](Settings& s, std::string_view v) { return set_switch(s.options.quiescence, v); },
            [](const Settings& s) { return switch_text(s.options.quiescence); }},
    Setting{"null", ordered, "on or off", "If a pass would be good enough, so is some move.",
            "Goetsch and Campbell 1990; Donninger 1993",
            [](Settings& s, std::string_view v) { return set_switch(s.options.null_move, v); },
            [](const Settings& s) { return switch_text(s.options.null_move); }},
    Setting{"reductions", ordered, "on, off, or a number from 0 to 3",
            "Late quiet moves are searched to a lesser depth first; the greater the number the lesser.",
            "Romein, Bal and Grune 1997",
            [](Settings& s, std::string_view v) { return set_amount(s.options.reductions, v, 3.0); },
            [](const Settings& s) { return fmt::format("{}", s.options.reductions); }},
    Setting{"extensions", ordered, "on or off", "A move that leaves few replies is searched a ply deeper.",
            "Anantharaman, Campbell and Hsu 1990",
            [](Settings& s, std::string_view v) { return set_switch(s.options.extensions, v); },
            [](const Settings& s) { return switch_text(s.options.extensions); }},
    Setting{"futility", ordered, "a number of utility, 0 or more",
            "Near the depth limit a quiet move is left out if a gain of so much would not be enough; 0: off.",
            "Schaeffer 1986; Heinz 1998",
            [](Settings& s, std::string_view v) { return set_within(s.options.futility, v, 0.0, 1e12); },
            [](const Settings& s) { return fmt::format("{}", s.options.futility); }},
    Setting{"plausible", ordered, "a whole number of moves from 0 to 1000",
            "Only so many moves of each position are searched, the best by the order; 0: all.",
            "Greenblatt, Eastlake and Crocker 1967",
            [](Settings& s, std::string_view v) { return set_within(s.options.plausible, v, 0U, 1000U); },
            [](const Settings& s) { return std::to_string(s.options.plausible); }},
    Setting{"secondary", bit(Method::AlphaBeta), "a whole number of plies from 0 to 64",
            "The best line is searched so much further from its end; if that makes its move worse than the second "
            "best, the second best is made. 0: off.",
            "Greenblatt, Eastlake and Crocker 1967",
            [](Settings& s, std::string_view v) { return set_within(s.options.secondary, v, 0, 64); },
            [](const Settings& s) { return std::to_string(s.options.secondary); }},
    Setting{
        "prove", bit(Method::AlphaBeta) | uct | best_first, "on, off, or a share of the time from 0 to 0.9",
        "Where random games show that the end is in sight, or positions are few, a proof of the position's value is "
        "looked for first; on: for three quarters of the time.",
        "Tromp 2008", [](Settings& s, std::string_view v) { return set_share(s.options.prove, v); },
        [](const Settings& s) { return fmt::format("{}", s.options.prove); }},
    Setting{"calibration", with_chance | bit(Method::MaxN) | bit(Method::OpponentModel) | uct | best_first, "on or off",
            "Evaluations count as much as quick games of the program against itself suggest, where means are taken of "
            "them; off: as if they were utilities.",
            "", [](Settings& s, std::string_view v) { return set_switch(s.options.calibration, v); },
            [](const Settings& s) { return switch_text(s.options.calibration); }},
    Setting{
        "error", bit(Method::OpponentModel), "a number above 0, up to 10",
        "The loss, as a share of the range of utilities, for which the opponent is e times less likely to make a move.",
        "", [](Settings& s, std::string_view v) { return set_within(s.options.error, v, 1e-6, 10.0); },
        [](const Settings& s) { return fmt::format("{}", s.options.error); }},
    Setting{"model", bit(Method::OpponentModel),
            "random, or a method with a depth or nodes such as (alphabeta:depth=2,random=0.1)",
            "The player who the opponent is taken to be, instead of one who errs by losses; on one thread, in at most "
            "256 MB "
            "of memory, by the rules' evaluation.",
            "Iida, Uiterwijk, van den Herik and Herschberg 1993; Carmel and Markovitch 1993", set_model,
            [](const Settings& s) { return s.model.empty() ? "none" : s.model; }},
    Setting{"probe", best_first, "a whole number of plies from 0 to 8",
            "The depth of the selective search that values a leaf; 0: quiescence.", "",
            [](Settings& s, std::string_view v) { return set_within(s.options.best_first.probe, v, 0, 8); },
            [](const Settings& s) { return std::to_string(s.options.best_first.probe); }},
    Setting{"playouts", best_first, "a whole number from 1 to 10000",
            "The random playouts that value a leaf where there is no evaluation.", "",
            [](Settings& s, std::string_view v) { return set_within(s.options.best_first.playouts, v, 1U, 10'000U); },
            [](const Settings& s) { return std::to_string(s.options.best_first.playouts); }},
    Setting{"width", bit(Method::BStar), "a number from 0 to 100",
            "How far the optimistic and pessimistic values of a leaf lie beyond its probes, in deviations of what "
            "expansion changes.",
            "Berliner 1979; Berliner and McConnell 1996",
            [](Settings& s, std::string_view v) { return set_within(s.options.best_first.width, v, 0.0, 100.0); },
            [](const Settings& s) { return fmt::format("{}", s.options.best_first.width); }},
    Setting{"cost", bit(Method::Mgss), "a number from 0 to 1",
            "What a thousand nodes cost, as a share of the range of utilities; the search ends when none are worth it.",
            "Russell and Wefald 1989",
            [](Settings& s, std::string_view v) { return set_within(s.options.best_first.cost, v, 0.0, 1.0); },
            [](const Settings& s) { return fmt::format("{}", s.options.best_first.cost); }},
    Setting{"exploration", uct, "a number from 0 to 10", "The weight of moves that were tried seldom.",
            "Auer, Cesa-Bianchi and Fischer 2002",
            [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.exploration, v, 0.0, 10.0); },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.exploration); }},
    Setting{
        "first_play", uct, "a number from -10 to 10",
        "How much more than its position a move counts that was never tried.", "Wang and Gelly 2007",
        [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.first_play, v, -10.0, 10.0); },
        [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.first_play); }},
    Setting{"transpositions", uct, "off, edges or nodes",
            "Positions that several lines reach are one node; a move is valued by its own visits, or by all visits of "
            "where it leads.",
            "Childs, Brodeur and Kocsis 2008",
            [](Settings& s, std::string_view v) {
                return set_choice(s.options.monte_carlo.transpositions, v, sharing_names);
            },
            [](const Settings& s) {
                return std::string(sharing_names[static_cast<std::size_t>(s.options.monte_carlo.transpositions)]);
            }},
    Setting{"rave", uct, "on, off or auto",
            "A move is also valued by the playouts in which it was made later; auto: where moves stay available.",
            "Gelly and Silver 2007",
            [](Settings& s, std::string_view v) { return set_rave(s.options.monte_carlo.rave, v); },
            [](const Settings& s) {
                return s.options.monte_carlo.rave ? switch_text(*s.options.monte_carlo.rave) : "auto";
            }},
    Setting{"rave_bias", uct, "a number from 0 to 10", "How soon that gives way to the own visits of a move.",
            "Gelly and Silver 2011",
            [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.rave_bias, v, 0.0, 10.0); },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.rave_bias); }},
    Setting{"prior", uct, "a number of visits from 0 to 10000", "The weight of the evaluation after a move, in visits.",
            "Gelly and Silver 2007",
            [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.prior, v, 0.0, 1e4); },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.prior); }},
    Setting{"implicit", uct, "a number from 0 to 1, or auto",
            "The weight of the evaluation backed up by minimax; auto: 0.3 where there is an evaluation.",
            "Lanctot, Winands, Pepels and Sturtevant 2014",
            [](Settings& s, std::string_view v) { return set_or_auto(s.options.monte_carlo.implicit, v, 0.0, 1.0); },
            [](const Settings& s) { return or_auto(s.options.monte_carlo.implicit); }},
    Setting{
        "cutoff", uct, "a whole number of plies from 0 to 1000000, or auto",
        "So many plies of a playout are made before it is evaluated; auto: 4 where there is an evaluation.",
        "Lorentz 2008",
        [](Settings& s, std::string_view v) { return set_or_auto(s.options.monte_carlo.cutoff, v, 0U, 1'000'000U); },
        [](const Settings& s) { return or_auto(s.options.monte_carlo.cutoff); }},
    Setting{"plies", uct, "a whole number from 1 to 1000000", "The longest playout.", "",
            [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.plies, v, 1U, 1'000'000U); },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.plies); }},
    Setting{"decisive", uct, "on or off",
            "Playouts make a winning move where there is one, and avoid those after which the opponent has one.",
            "Teytaud and Teytaud 2010",
            [](Settings& s, std::string_view v) { return set_switch(s.options.monte_carlo.decisive, v); },
            [](const Settings& s) { return switch_text(s.options.monte_carlo.decisive); }},
    Setting{"proof", uct, "on or off", "What follows from ends of the game is proven in the tree.",
            "Winands, Bjornsson and Saito 2008; Cazenave and Saffidine 2010",
            [](Settings& s, std::string_view v) { return set_switch(s.options.monte_carlo.proof, v); },
            [](const Settings& s) { return switch_text(s.options.monte_carlo.proof); }},
    Setting{"check", uct, "a share of the limits from 0 to 0.9",
            "The chosen move is searched by alpha-beta, and another one is chosen if it is proven to lose.",
            "Ramanujan, Sabharwal and Selman 2010; Baier and Winands 2013",
            [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.check, v, 0.0, 0.9); },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.check); }},
    Setting{
        "expand_after", uct, "a whole number of visits from 1 to 1000",
        "The visits after which the moves of a position get nodes.", "Coulom 2006",
        [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.expand_after, v, 1U, 1000U); },
        [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.expand_after); }},
    Setting{
        "outcomes", uct, "a whole number from 0 to 1000000",
        "Chance events with more outcomes are sampled without a list of them.", "",
        [](Settings& s, std::string_view v) { return set_within(s.options.monte_carlo.outcomes, v, 0U, 1'000'000U); },
        [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.outcomes); }},
    Setting{"keep_tree", uct, "on or off", "What is known of a position is kept for the next move.", "",
            [](Settings& s, std::string_view v) { return set_switch(s.options.monte_carlo.keep_tree, v); },
            [](const Settings& s) { return switch_text(s.options.monte_carlo.keep_tree); }},
    Setting{"seed", uct | best_first, "a whole number",
            "Equal seeds give equal searches, with one thread and no limit of time.", "",
            [](Settings& s, std::string_view v) {
                return set_within(s.options.monte_carlo.seed, v, std::uint64_t{0}, UINT64_MAX);
            },
            [](const Settings& s) { return fmt::format("{}", s.options.monte_carlo.seed); }},
};

// The text up to a comma that stands in no parentheses.
std::string_view first_piece(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++open;
        if (text[i] == ')') --open;
        if (text[i] == ',' && open <= 0) return text.substr(0, i);
    }
    return text;
}

// Sets what one `key=value` says.
tl::expected<void, Error> set_one(Settings& settings, std::string_view player, std::string_view key,
                                  std::string_view value) {
    std::vector<std::string_view> keys;
    for (const Setting& setting : settings_table)
        if (setting.suits(settings.method)) keys.push_back(setting.name);
    const auto found = std::ranges::find(settings_table, key, &Setting::name);
    if (found == settings_table.end())
        return failure(fmt::format("player `{}`: there is no setting `{}`{} (`zug help players` shows all)", player,
                                   key, suggestion(key, keys)));
    if (!found->suits(settings.method))
        return failure(fmt::format("player `{}`: {} has no `{}`; it has {}", player, player.substr(0, player.find(':')),
                                   key, fmt::join(keys, ", ")));
    if (!found->set(settings, value))
        return failure(fmt::format("player `{}`: {} must be {}, not `{}`", player, key, found->values, value));
    return {};
}

} // namespace

Limits Settings::limits() const {
    Limits limits;
    limits.depth = depth;
    limits.seconds = seconds;
    limits.nodes = nodes;
    return limits;
}

std::span<const Setting> all_settings() { return settings_table; }

std::string suggestion(std::string_view text, std::span<const std::string_view> names) {
    const std::string near = nearest(text, {names.begin(), names.end()});
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

tl::expected<Settings, Error> parse_settings(std::string_view text, const Settings& defaults) {
    Settings settings = defaults;
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    settings.method = method_named(name);
    if (!settings.method && name != "auto")
        return failure(fmt::format("there is no method `{}`; methods are {}{}", name, fmt::join(method_names(), ", "),
                                   suggestion(name, method_names())));
    if (colon == text.npos) return settings;
    std::vector<std::string_view> seen;
    for (std::string_view rest = text.substr(colon + 1);;) {
        const std::string_view setting = first_piece(rest);
        const std::size_t equals = setting.find('=');
        const std::string_view key = setting.substr(0, equals);
        if (std::ranges::find(seen, key) != seen.end())
            return failure(fmt::format("player `{}`: `{}` is set twice", text, key));
        seen.push_back(key);
        const std::string_view value = equals == setting.npos ? "" : setting.substr(equals + 1);
        if (auto done = set_one(settings, text, key, value); !done) return tl::unexpected(done.error());
        if (setting.size() == rest.size()) return settings;
        rest.remove_prefix(setting.size() + 1);
    }
}

} // namespace zug::search
