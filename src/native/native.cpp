#include "native/native.hpp"
#include "interpreter/make_interpreter.hpp"
#include "reference/make_reference.hpp"

#include "bytecode/native_routines.hpp"
#include "native/compile_service.hpp"
#include "native/cpu_features.hpp"
#include "native/image.hpp"
#include "native/program_cache.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace zug::native {
namespace {

// Nanoseconds of processor time in byte code after which machine code is made.
constexpr std::int64_t tier_up_threshold = 30'000'000;

// For machine code. The largest games of rules/ take two seconds; a file of thousands of rules could take minutes.
constexpr std::chrono::seconds most_wait{20};

std::int64_t work_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Request::move_count_change, found by a few plies of random play.
std::int32_t predict_move_count_change(const std::shared_ptr<const run::Compiled>& compiled) {
    constexpr int plies = 64;
    constexpr int enough = plies * 3 / 4;
    if (compiled->program->turn || compiled->play.entries.empty()) return no_prediction;
    const auto executor = run::make_interpreter(compiled, nullptr);
    run::State start, state;
    executor->initial(start);
    state = start;
    Random random(1);
    std::array<int, 2> found{}; // plies with as many moves as the ply before, and with one less
    std::uint64_t before = executor->count(state);
    constexpr std::uint64_t many = 100'000; // takes long to count, and no two positions will have as many
    if (before > many) return no_prediction;
    for (int ply = 0; ply < plies; ++ply) {
        if (executor->playout(state, random, 1).finished) state = start;
        if (executor->fault()) return no_prediction;
        const std::uint64_t now = executor->count(state);
        if (before - now < found.size()) ++found[before - now];
        before = now;
    }
    return found[0] >= enough ? 0 : found[1] >= enough ? -1 : no_prediction;
}

class TieredRoutines final : public run::RoutineTable {
public:
    explicit TieredRoutines(std::shared_ptr<const run::Compiled> compiled) : compiled_(std::move(compiled)) {}
    TieredRoutines(const TieredRoutines&) = delete;
    TieredRoutines& operator=(const TieredRoutines&) = delete;
    ~TieredRoutines() override {
        const std::uint64_t one = 1;
        if (cancel_ >= 0) (void)!write(cancel_, &one, sizeof one);
        if (thread_.joinable()) thread_.join();
        if (cancel_ >= 0) close(cancel_);
    }

    void on_call() override;
    // False, with the reason, if no machine code can be made.
    bool compile_now(Wait wait, std::string& why);

private:
    enum class Stage : std::uint8_t { Unused, Waiting, Done };
    void prepare();
    bool load_cached();
    bool use(const Image& image);
    void start_thread(const CompileOptions& options);

    std::shared_ptr<const run::Compiled> compiled_;
    std::mutex mutex_;
    std::atomic<Stage> stage_ = Stage::Unused;
    std::int64_t used_since_ = 0;
    Bytes request_;
    Key key_{};
    std::vector<std::unique_ptr<const LoadedImage>>
        loaded_;                      // the last is in use; routines of the others may still be running
    std::thread thread_;              // waits for the compile service; it alone adds to loaded_ once it runs
    std::condition_variable changed_; // that thread has changed loaded_ or finished_
    bool finished_ = false;
    int cancel_ = -1;
};

bool TieredRoutines::use(const Image& image) {
    auto loaded = LoadedImage::load(image, compiled_->code);
    if (!loaded) return false;
    publish(loaded->routines());
    loaded_.push_back(std::move(loaded));
    return true;
}

void TieredRoutines::prepare() {
    request_ = write_request(compiled_->code, compiled_->layout->state_words(), predict_move_count_change(compiled_));
    key_ = key_of(request_);
}

bool TieredRoutines::load_cached() {
    const auto body = Cache(cache_folder()).load(key_);
    const auto image = body ? parse_image(*body) : std::nullopt;
    return image && use(*image);
}

void TieredRoutines::on_call() {
    if (stage_.load(std::memory_order_relaxed) == Stage::Done) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    if (stage_ == Stage::Unused) {
        used_since_ = work_time();
        prepare();
        stage_ = load_cached() ? Stage::Done : Stage::Waiting;
    } else if (stage_ == Stage::Waiting && work_time() - used_since_ > tier_up_threshold) {
        stage_ = Stage::Done;
        start_thread({.key = key_, .cache = cache_folder(), .background = true});
    }
}

void TieredRoutines::start_thread(const CompileOptions& options) {
    cancel_ = eventfd(0, EFD_CLOEXEC);
    if (cancel_ < 0) return;
    const auto work = [this, options] {
        run_compile_service(codegen_program(), request_, options, cancel_, [this](std::span<const std::uint8_t> bytes) {
            const std::scoped_lock lock(mutex_);
            if (const auto image = read_image(bytes, key_)) use(*image);
            changed_.notify_all();
        });
        const std::scoped_lock lock(mutex_);
        finished_ = true;
        changed_.notify_all();
    };
    try {
        thread_ = std::thread(work);
    } catch (const std::system_error&) { // too many threads: byte code has to do
        finished_ = true;
    }
}

bool TieredRoutines::compile_now(Wait wait, std::string& why) {
    std::unique_lock lock(mutex_);
    stage_ = Stage::Done;
    const bool baseline_only = wait == Wait::Baseline;
    prepare();
    if (!baseline_only && load_cached()) return true;
    start_thread({.key = key_, .cache = cache_folder(), .baseline_only = baseline_only});
    if (thread_.joinable())
        changed_.wait_for(lock, most_wait, [&] { return finished_ || (wait == Wait::Ready && !loaded_.empty()); });
    if (!loaded_.empty()) return true;
    why = "zug-codegen failed";
    return false;
}

} // namespace

std::string unavailable() {
    if (!cpu_supported()) return "there is no machine code for this kind of processor";
    if (codegen_program().empty())
        return "this build has no zug-codegen, which needs LLVM 19 (Debian: llvm-19-dev) to be built";
    return {};
}

std::unique_ptr<run::Executor> make_native(std::shared_ptr<const ir::Program> program, Wait wait, std::string* why) {
    std::string ignored;
    std::string& reason = why == nullptr ? ignored : *why;
    std::shared_ptr<const run::Compiled> compiled = compile(program, Cache(cache_folder()), reason);
    if (!compiled) {
        reason = "there is no byte code for " + reason;
        return run::make_reference(std::move(program));
    }
    if (reason = unavailable(); !reason.empty()) return run::make_interpreter(compiled, nullptr);
    const auto routines = std::make_shared<TieredRoutines>(compiled);
    const auto stepwise = compiled->stepwise ? std::make_shared<TieredRoutines>(compiled->stepwise) : nullptr;
    if (wait != Wait::Never &&
        (!routines->compile_now(wait, reason) || (stepwise && !stepwise->compile_now(wait, reason))))
        return run::make_interpreter(compiled, nullptr);
    return run::make_interpreter(compiled, routines, stepwise);
}

} // namespace zug::native
