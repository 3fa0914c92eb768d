#include "web/thinking.hpp"

#include "protocols/engine_answers.hpp"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

namespace zug::web {

namespace {

search::Limits limits_in(const Request& request, double most_seconds) {
    search::Limits limits;
    if (const auto time = request.members.find("time"); time != request.members.end())
        limits.seconds = std::min(time->get<double>(), most_seconds);
    limits.nodes = protocols::count_of(request, "nodes", 0);
    if (request.members.contains("depth"))
        limits.depth =
            static_cast<int>(std::min<std::uint64_t>(protocols::count_of(request, "depth", 0), search::max_depth));
    return limits;
}

// The answer, or that memory ran out: other games go on.
tl::expected<protocols::Answer, Error> answer_of(protocols::Thinker& thinker, const protocols::Question& question,
                                                 const protocols::Thinker::Tell& tell,
                                                 const std::atomic<bool>& stop) try {
    return thinker.answer(question, tell, stop);
} catch (const std::bad_alloc&) {
    return failure("this search took more memory than the server has");
}

} // namespace

tl::expected<match::PlayerSpec, Error> Thinking::spec_of(const std::string& player, game::Game& game) const {
    if (player == "solved" && bounds_.solved.empty())
        return failure("there is no solved database: start `zug web` with --solved DIR");
    const std::string text = player == "solved" ? "solved:" + bounds_.solved : player;
    const auto asked = match::parse_player(text);
    if (!asked) return tl::unexpected(asked.error());
    const search::Settings& search = asked->search;
    const bool own_eval = search.eval.empty() || search.eval == "none" || search.eval == "rules";
    if (!search.book.empty() || !search.rote.empty() || !own_eval ||
        (asked->kind == match::PlayerKind::Solved && player != "solved"))
        return failure("on this page players can't name files or folders");
    auto spec = protocols::player_of(text, game, bounds_.memory);
    if (!spec) return spec;
    search::Options& options = spec->search.options;
    options.threads = std::min(options.threads, std::max(1U, std::thread::hardware_concurrency()));
    options.memory = std::min<std::size_t>(options.memory, bounds_.memory);
    return spec;
}

Thinking::~Thinking() {
    worker_.stop();
    shared_.thinkers.drop(this);
}

tl::expected<std::shared_ptr<protocols::Thinker>, Error> Thinking::thinker_for(const std::string& player,
                                                                               game::Game& game) {
    if (auto known = shared_.thinkers.find(this, player)) return known;
    auto spec = spec_of(player, game);
    if (!spec) return tl::unexpected(spec.error());
    auto made = std::make_shared<protocols::Thinker>(game, std::move(*spec));
    shared_.thinkers.put(this, player, made);
    return made;
}

void Thinking::note(const char* member, Json value) {
    const std::scoped_lock lock(noting_);
    noted_[member] = std::move(value);
}

Answered Thinking::start(game::Game& game, const Request& request, protocols::Question question) {
    worker_.stop();
    if (noted_.contains("error")) shared_.thinkers.drop(this, player_); // who may hold all that it took
    const std::string player = protocols::text_of(request, "player");
    const auto thinker = thinker_for(player, game);
    if (!thinker) return tl::unexpected(thinker.error());
    player_ = player;
    search::Limits limits = limits_in(request, bounds_.seconds);
    if (limits.seconds > 0 || limits.nodes != 0 || limits.depth != search::unlimited_depth) question.limits = limits;
    question.lines = std::max<std::uint64_t>(1, protocols::count_of(request, "lines", 1));
    if (shared_.running.fetch_add(1) >= bounds_.at_once) {
        --shared_.running;
        return Json{{"wait", true}};
    }
    const std::uint64_t number = ++searches_;
    {
        const std::scoped_lock lock(noting_);
        noted_ = {{"search", number}, {"busy", true}};
    }
    auto begun =
        worker_.start([this, thinker = *thinker, question = std::move(question)](const std::atomic<bool>& stop) {
            const auto tell = [this](const protocols::Findings& findings) {
                note("info", protocols::findings_json(findings));
            };
            const auto answer = answer_of(*thinker, question, tell, stop);
            if (answer)
                note("answer", protocols::answer_json(*answer, stop));
            else
                note("error", {{"message", answer.error().text}});
            --shared_.running;
            return [this] { note("busy", false); };
        });
    if (!begun) --shared_.running;
    hear();
    if (begun)
        begun = worker_.ask_to_stop_when([this, began = heard_.load()] {
            return seconds_since(began) >= bounds_.seconds || seconds_since(heard_) >= bounds_.patience;
        });
    if (!begun) return tl::unexpected(begun.error());
    return Json{{"search", number}};
}

double Thinking::seconds_since(Clock::rep then) {
    return std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(then)).count();
}

Json Thinking::progress() {
    hear();
    const std::scoped_lock lock(noting_);
    return noted_;
}

} // namespace zug::web
