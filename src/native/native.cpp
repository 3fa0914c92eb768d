#include "native/native.hpp"

#include "native/cache.hpp"
#include "native/helper.hpp"
#include "native/processor.hpp"
#include "run/compile.hpp"
#include "run/routines.hpp"

#include <array>
#include <ctime>
#include <mutex>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace zug::native {
namespace {

// Work, in nanoseconds of processor time, after which machine code is worth making.
constexpr std::int64_t worth_making = 30'000'000;

std::int64_t work_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// From a few plies of random play.
std::int32_t trend_of(const std::shared_ptr<const run::Compiled>& compiled) {
    constexpr int plies = 64;
    constexpr int enough = plies * 3 / 4;
    if (compiled->program->turn || compiled->play.entries.empty()) return no_trend;
    const auto executor = run::make_interpreter(compiled, nullptr);
    run::State start, state;
    executor->initial(start);
    state = start;
    Random random(1);
    std::array<int, 2> found{}; // the same number of moves as before, and one less
    std::uint64_t before = executor->count(state);
    for (int ply = 0; ply < plies; ++ply) {
        if (executor->playout(state, random, 1).finished) state = start;
        if (executor->fault()) return no_trend;
        const std::uint64_t now = executor->count(state);
        if (before - now < found.size()) ++found[before - now];
        before = now;
    }
    return found[0] >= enough ? 0 : found[1] >= enough ? -1 : no_trend;
}

class Routines final : public run::RoutineTable {
public:
    explicit Routines(std::shared_ptr<const run::Compiled> compiled) : compiled_(std::move(compiled)) {}
    Routines(const Routines&) = delete;
    Routines& operator=(const Routines&) = delete;
    ~Routines() override {
        if (!thread_.joinable()) return;
        const std::uint64_t one = 1;
        (void)!write(cancel_, &one, sizeof one);
        thread_.join();
        close(cancel_);
    }

    void wanted() override;
    // False, with the reason, where there is no machine code to be had.
    bool make_now(std::string& why);

private:
    enum class Stage : std::uint8_t { Unused, Waiting, Done };
    bool load_cached();
    bool use(const Image& image);
    void start_thread();

    std::shared_ptr<const run::Compiled> compiled_;
    std::mutex mutex_;
    std::atomic<Stage> stage_ = Stage::Unused;
    std::int64_t used_since_ = 0;
    Bytes request_;
    Key key_{};
    std::unique_ptr<const Loaded> loaded_;
    std::thread thread_;
    int cancel_ = -1;
};

bool Routines::use(const Image& image) {
    loaded_ = Loaded::load(image, compiled_->code);
    if (loaded_) publish(loaded_->routines());
    return loaded_ != nullptr;
}

bool Routines::load_cached() {
    request_ = write_request(compiled_->code, compiled_->layout->state_words(), trend_of(compiled_));
    key_ = key_of(request_);
    const auto image = Cache(cache_folder()).load(key_);
    return image && use(*image);
}

void Routines::wanted() {
    if (stage_.load(std::memory_order_relaxed) == Stage::Done) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    if (stage_ == Stage::Unused) {
        used_since_ = work_time();
        stage_ = load_cached() ? Stage::Done : Stage::Waiting;
    } else if (stage_ == Stage::Waiting && work_time() - used_since_ > worth_making) {
        stage_ = Stage::Done;
        start_thread();
    }
}

void Routines::start_thread() {
    cancel_ = eventfd(0, EFD_CLOEXEC);
    if (cancel_ < 0) return;
    thread_ = std::thread([this] {
        const Bytes answer =
            ask_helper(helper_program(), request_, {.key = key_, .cache = cache_folder(), .background = true}, cancel_);
        if (const auto image = read_image(answer, key_)) use(*image);
    });
}

bool Routines::make_now(std::string& why) {
    stage_ = Stage::Done;
    if (load_cached()) return true;
    const Bytes answer = ask_helper(helper_program(), request_, {.key = key_, .cache = cache_folder()}, -1);
    const auto image = read_image(answer, key_);
    if (image && use(*image)) return true;
    why = "zug-codegen failed";
    return false;
}

} // namespace

std::string unavailable() {
    if (!processor_known()) return "there is no machine code for this kind of processor";
    if (helper_program().empty())
        return "this build has no zug-codegen, which needs LLVM 19 (Debian: llvm-19-dev) to be built";
    return {};
}

std::unique_ptr<run::Executor> make_native(std::shared_ptr<const ir::Program> program, Wait wait, std::string* why) {
    std::string ignored;
    std::string& reason = why == nullptr ? ignored : *why;
    std::shared_ptr<const run::Compiled> compiled = run::compile(program, reason);
    if (!compiled) {
        reason = "there is no byte code for " + reason;
        return run::make_reference(std::move(program));
    }
    if (reason = unavailable(); !reason.empty()) return run::make_interpreter(compiled, nullptr);
    const auto routines = std::make_shared<Routines>(compiled);
    if (wait == Wait::Ready && !routines->make_now(reason)) return run::make_interpreter(compiled, nullptr);
    return run::make_interpreter(compiled, routines);
}

} // namespace zug::native
