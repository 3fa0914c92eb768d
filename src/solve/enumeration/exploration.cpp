#include "solve/enumeration/exploration.hpp"

#include <algorithm>
#include <string>

namespace zug::solve {

namespace {

constexpr std::uint32_t share = 64;  // positions that a thread expands at a time
constexpr std::uint32_t shares = 16; // for each thread, before what they found is put together

class Exploration {
public:
    explicit Exploration(const ExplorationTask& task)
        : task_(task), found_(task.pool.walker(0).missed().width()), errors_(task.pool.size()),
          successors_(task.pool.size()) {}

    tl::expected<TupleSet, Error> run() {
        collect();
        for (std::uint32_t done = 0; done < found_.size() && !is_full();) {
            done = expand(done);
            for (std::string& error : errors_)
                if (!error.empty()) return failure(std::move(error));
            collect();
            if (found_.size() > task_.limits.most_positions)
                return failure(too_many_positions(task_.limits.most_positions));
            if (task_.limits.stop && task_.limits.stop({Stage::Work::Enumerating, found_.size(), 0}))
                return failure(std::string(stopped));
        }
        return std::move(found_);
    }

private:
    bool is_full() const {
        return found_.size() >= task_.most || found_.bytes() >= task_.most_bytes || !found_.has_room();
    }

    // Expands some positions from this number on, and returns the next.
    std::uint32_t expand(std::uint32_t begin) {
        const auto most = static_cast<std::uint32_t>(shares * share * task_.pool.size());
        const std::uint32_t end = begin + std::min(found_.size() - begin, most);
        task_.pool.share((end - begin + share - 1) / share, [&](std::size_t thread, std::size_t i) {
            const std::uint32_t first = begin + static_cast<std::uint32_t>(i) * share;
            for (std::uint32_t number = first; number < std::min(end, first + share); ++number)
                expand_one(thread, number);
        });
        return end;
    }

    void expand_one(std::size_t thread, std::uint32_t number) {
        Walker& walker = task_.pool.walker(thread);
        successors_[thread].clear();
        walker.expand_missed(found_[number], successors_[thread]);
        if (walker.kind() == game::NodeKind::Fault) errors_[thread] = walker.error();
    }

    // Takes what the walkers have found.
    void collect() {
        for (std::size_t thread = 0; thread < task_.pool.size(); ++thread) {
            TupleSet& missed = task_.pool.walker(thread).missed();
            for (std::uint32_t i = 0; i < missed.size() && !is_full(); ++i) found_.insert(missed[i]);
            missed.clear();
        }
    }

    const ExplorationTask& task_;
    TupleSet found_;
    std::vector<std::string> errors_;          // by thread
    std::vector<std::vector<Key>> successors_; // by thread
};

} // namespace

tl::expected<TupleSet, Error> explore(const ExplorationTask& task) { return Exploration(task).run(); }

} // namespace zug::solve
