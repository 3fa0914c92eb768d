#include "learn/trainer.hpp"

#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"
#include "game/search_form.hpp"
#include "learn/checkpoint.hpp"
#include "learn/network/network_learner.hpp"
#include "learn/record_study.hpp"
#include "learn/self_play.hpp"
#include "learn/terms/term_learner.hpp"
#include "learn/tuples/tuple_learner.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <mutex>
#include <vector>

namespace zug::learn {

namespace {

using Clock = std::chrono::steady_clock;

// The model under way.
class Course {
    template <class F>
    auto on(F&& f) {
        if (terms_) return f(*terms_);
        return tuples_ ? f(*tuples_) : f(*network_);
    }

public:
    Course(game::Game& game, const TrainerOptions& options) {
        switch (options.model) {
        case ModelKind::Tuples: tuples_.emplace(game, options.apart, options.seed, options.inputs); break;
        case ModelKind::Network: network_.emplace(game, options.apart, options.seed, options.units); break;
        case ModelKind::Terms: terms_.emplace(game); break;
        }
    }
    std::unique_ptr<Learner> learner() {
        return on([](auto& course) { return make_learner(course); });
    }
    Model model() {
        Model model;
        if (tuples_) model.tuples = tuples_->net();
        if (network_) model.network = network_->net();
        if (terms_) model.terms = terms_->net();
        return model;
    }
    std::vector<float> save() {
        return on([](auto& course) { return course.save(); });
    }
    bool load(std::span<const float> numbers) {
        return on([&](auto& course) { return course.load(numbers); });
    }
    // Begins with what a model of the same kind knows; false: it is of another form.
    bool take(const Model& model) {
        if (terms_) return model.terms && terms_->take(*model.terms);
        if (tuples_) return model.tuples && tuples_->take(*model.tuples);
        return model.network && network_->take(*model.network);
    }
    // The size of a step after this share of the learning. The weights of n-tuples have step sizes of their own.
    double rate(double share) const {
        constexpr double first = 0.03, last = 0.003;
        return tuples_ ? 1 : first * std::pow(last / first, share);
    }

private:
    std::optional<TupleCourse> tuples_;
    std::optional<NetworkCourse> network_;
    std::optional<TermCourse> terms_;
};

class Trainer {
public:
    Trainer(game::Game& game, const TrainerOptions& options) : game_(game), options_(options), course_(game, options) {
        if (options.past > 0 && !options.records) past_.emplace(game, options);
        for (std::uint64_t t = 0; t < options.threads; ++t) {
            std::uint64_t seed = options.seed + t * 0x9E3779B97F4A7C15ULL;
            randoms_.push_back(Random(splitmix64(seed)).words());
        }
    }

    bool begin_with(const Model& model) { return course_.take(model) && (!past_ || past_->take(model)); }

    bool resume(const Checkpoint& from) {
        if (from.randoms.size() != randoms_.size() || !course_.load(from.numbers)) return false;
        if (past_ && !past_->load(from.past)) return false;
        randoms_ = from.randoms;
        games_ = begun_ = from.training.games;
        positions_ = from.training.positions;
        seconds_before_ = from.training.seconds;
        return true;
    }

    tl::expected<Net, Error> run() {
        // Without repetitions, which neither estimates nor searches know of, games are played several times as fast.
        const game::SearchForm form(game_);
        std::vector<game::SearchForm> forms;
        for (std::uint32_t t = 0; t < options_.threads; ++t) forms.push_back(form.clone());
        working_ = options_.threads;
        run_in_threads(options_.threads, [&](std::size_t thread) { work(forms[thread].game(), thread); });
        if (!fault_.empty()) return failure(fault_);
        if (options_.checkpoint) save();
        return net();
    }

private:
    double seconds() const { return seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool time_is_up() const {
        return ended_.load(std::memory_order_relaxed) || is_set(options_.stop) ||
               (options_.seconds > 0 && seconds() >= options_.seconds);
    }

    // Large models, which take long to save, are saved less often.
    double until_saved(double saving) const {
        constexpr double share = 0.05;
        return options_.checkpoint_seconds > 0 ? std::max(options_.checkpoint_seconds, saving / share) : 0;
    }

    // How much of the learning is done, from 0 to 1.
    double share_done() const {
        const double by_games = static_cast<double>(games_.load()) / static_cast<double>(options_.games);
        return std::min(1.0, std::max(by_games, options_.seconds > 0 ? seconds() / options_.seconds : 0));
    }

    std::unique_ptr<Study> study(game::Game& game) {
        if (!options_.records)
            return std::make_unique<SelfPlay>(game, course_.learner(), past_ ? past_->learner() : nullptr, options_);
        return std::make_unique<RecordStudy>(game, course_.learner(), options_);
    }

    void work(game::Game& game, std::size_t thread) {
        const std::unique_ptr<Study> study = this->study(game);
        study->set_random(randoms_[thread]);
        const std::uint32_t at_once = study->games_at_once();
        double told = seconds(), saved = told, saving = 0; // how long it took to save
        while (!time_is_up()) {
            const std::uint64_t first = begun_.fetch_add(at_once, std::memory_order_relaxed);
            if (first >= options_.games) break;
            if (past_ && std::has_single_bit(first)) {
                study->share();
                past_->load(course_.save());
            }
            const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(at_once, options_.games - first));
            const std::uint64_t before = study->positions();
            if (!study->learn_games(first, count, options_.rate * course_.rate(share_done()))) {
                note_fault(game);
                break;
            }
            note_games(*study, thread, count, study->positions() - before);
            if (thread != 0) continue;
            sample(*study, options_.sample_share);
            if (options_.progress && seconds() - told >= options_.progress_seconds) {
                told = seconds();
                tell(*study);
            }
            if (options_.checkpoint && seconds() - saved >= until_saved(saving)) {
                const double begun = seconds();
                study->share();
                save();
                saved = seconds();
                saving = saved - begun;
            }
        }
        study->share();
        // The last to end tells how it ended: the first thread may be done before, or have had no game.
        if (working_.fetch_sub(1) != 1) return;
        if (!time_is_up()) sample(*study, 0);
        if (options_.progress) tell(*study);
    }

    // If so much more has been done since.
    void sample(Study& study, double share) {
        const double done = share_done();
        if (!options_.sample || done <= sampled_ || done < sampled_ + share) return;
        sampled_ = done;
        study.share();
        options_.sample(net());
    }

    void note_games(const Study& study, std::size_t thread, std::uint32_t count, std::uint64_t positions) {
        const std::scoped_lock lock(mutex_);
        randoms_[thread] = study.random();
        games_.fetch_add(count, std::memory_order_relaxed);
        positions_.fetch_add(positions, std::memory_order_relaxed);
    }

    void save() {
        Checkpoint checkpoint{.rules = game_.rules_digest(),
                              .model = options_.model,
                              .weights = options_.inputs.weights,
                              .units = options_.units,
                              .apart = options_.apart,
                              .records = options_.records ? options_.records->size() : 0,
                              .training = training(),
                              .randoms = {},
                              .numbers = course_.save(),
                              .past = past_ ? past_->save() : std::vector<float>()};
        {
            const std::scoped_lock lock(mutex_);
            checkpoint.randoms = randoms_;
        }
        options_.checkpoint(checkpoint);
    }
    Training training() const { return {games_.load(), positions_.load(), options_.seed, seconds()}; }

    void tell(Study& study) {
        options_.progress({.games = games_.load(),
                           .positions = positions_.load(),
                           .seconds = seconds(),
                           .error = study.take_error(),
                           .error_of_others = study.error_of_others()});
    }

    void note_fault(game::Game& game) {
        if (!game.faulted()) return; // stopped
        const std::scoped_lock lock(mutex_);
        if (fault_.empty()) fault_ = game.fault_text();
        ended_ = true;
    }

    Net net() {
        Net net{.rules = game_.rules_digest(),
                .title = game_.program().title,
                .parameters = {},
                .training = {},
                .model = {}};
        for (const ir::Param& param : game_.program().params) net.parameters.emplace_back(param.name, param.value);
        net.training = training();
        net.model = course_.model();
        return net;
    }

    game::Game& game_;
    const TrainerOptions& options_;
    Course course_;
    std::optional<Course> past_; // as it was when the number of games was a power of two
    const Clock::time_point begin_ = Clock::now();
    double seconds_before_ = 0;          // the checkpoint
    double sampled_ = 0;                 // how much was done then
    std::vector<Random::Words> randoms_; // by thread, after its last game
    std::atomic<std::uint64_t> begun_ = 0, games_ = 0, positions_ = 0;
    std::atomic<std::uint32_t> working_ = 0; // threads
    std::atomic<bool> ended_ = false;
    std::mutex mutex_;
    std::string fault_; // the first
};

} // namespace

std::string unlearnable(const game::Game& game, ModelKind model) {
    if (model == ModelKind::Terms && game.program().terms.empty())
        return "its eval is no sum of two terms or more, the same for each player";
    if (!(game.traits().min_utility < game.traits().max_utility)) return "all its ends are worth the same";
    return "";
}

tl::expected<Net, Error> learn(game::Game& game, const TrainerOptions& options, const Checkpoint* from) {
    Trainer trainer(game, options);
    if (options.initial && !trainer.begin_with(*options.initial))
        return failure(
            "what is to be learned further has another form: its patterns may be those of another --seed or --weights");
    if (from != nullptr && !trainer.resume(*from)) return failure("what was saved does not fit the game");
    return trainer.run();
}

} // namespace zug::learn
