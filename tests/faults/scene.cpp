#include "scene.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <regex>
#include <sstream>

namespace zug::test {

namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>; // contents by path

bool exhaustive() {
    const char* const wanted = std::getenv("ZUG_FAULTS");
    return wanted != nullptr && std::string(wanted) == "all";
}

Files files_in(const fs::path& folder) {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = fs::relative(entry.path(), folder).string();
        files[name] = entry.is_directory() ? "" : read_file(entry.path());
    }
    return files;
}

// Without times and memory, which differ from run to run.
std::string without_measures(const std::string& text) {
    static const std::regex measure("[0-9.,]+ (ms|s|min|MB)\\b[^\n]*");
    return std::regex_replace(text, measure, "");
}

std::string names_of(const Files& files) {
    std::string names;
    for (const auto& [name, bytes] : files) names += " " + name + ":" + std::to_string(bytes.size());
    return names;
}

std::string last_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

// The numbers of the calls that fail in turn: the first ones one by one, then some all over the rest, and the last.
std::vector<std::size_t> chosen(std::size_t calls, const Fault& fault) {
    const std::size_t most = exhaustive() ? fault.most * fault.every : fault.most;
    std::vector<std::size_t> numbers;
    const std::size_t first = calls <= most ? calls : most / 2;
    for (std::size_t n = 1; n <= first; ++n) numbers.push_back(n);
    const std::size_t others = calls <= most ? 0 : most - first;
    for (std::size_t i = 1; i <= others; ++i) numbers.push_back(first + (calls - first) * i / others);
    return numbers;
}

class Trial {
public:
    explicit Trial(const Scene& scene) : scene_(scene) {
        fs::create_directory(before_);
        if (scene.prepare) scene.prepare(before_);
        reset();
        run(""); // fills the shared cache
        reset();
        const Result result = run("", counts_.string(), scene.program);
        REQUIRE_MESSAGE(result.code == 0, result.err);
        if (scene.measures && scene.own_cache) {
            // Whether zug itself stores byte code depends on the time it took: only what zug-codegen stores counts.
            reset();
            run("rename:1+:EIO", "", "zug");
        }
        expected_ = files_in(now_);
        expected_out_ = without_measures(result.out);
    }

    std::map<std::string, std::size_t> counts() const {
        std::map<std::string, std::size_t> counts;
        std::istringstream lines(read_file(counts_));
        std::size_t count = 0;
        for (std::string kind; lines >> kind >> count;) counts[kind] = count;
        return counts;
    }

    // Why the program did wrong with this fault; empty: it did right.
    std::string wrong(FaultKind kind, const std::string& fault) {
        reset();
        const Result result = run(fault);
        std::string why = wrong_end(kind, result);
        const Files left = files_now();
        if (why.empty() && result.code == 0) why = wrong_files(left);
        if (why.empty() && has(result.err, "starting again")) why = "it discarded a checkpoint";
        if (why.empty() && !(result.code == 0 && left == expected_)) why = wrong_afterwards(result, left);
        return why.empty() ? "" : why + "\n  it left" + names_of(left) + "\n  and said: " + result.err;
    }

private:
    void reset() const {
        fs::remove_all(now_);
        fs::copy(before_, now_, fs::copy_options::recursive);
    }

    Result run(const std::string& fault, const std::string& counts, const std::string& program) const {
        Setting setting;
        setting.environment = {{"LD_PRELOAD", ZUG_FAULT_LIBRARY},
                               {"ZUG_CACHE", ((scene_.own_cache ? now_ : folder_.path()) / "cache").string()},
                               {"ZUG_FAULT_PROGRAM", program},
                               {"TMPDIR", folder_.path().string()}};
        if (!fault.empty()) setting.environment["ZUG_FAULT"] = fault;
        if (!counts.empty()) setting.environment["ZUG_FAULT_COUNTS"] = counts;
        setting.limit = 30;
        std::vector<std::string> command = scene_.command;
        for (std::string& word : command)
            if (const auto at = word.find('@'); at != std::string::npos) word.replace(at, 1, now_.string());
        return run_zug(command, setting);
    }

    Result run(const std::string& fault) const { return run(fault, "", scene_.program); }

    std::string wrong_end(FaultKind kind, const Result& result) const {
        if (result.timed_out) return "it did not end";
        if (result.signal != 0) return "it was ended by signal " + std::to_string(result.signal);
        if (result.code == 0 && !scene_.measures && without_measures(result.out) != expected_out_)
            return "it printed: " + result.out;
        if (result.code == 0) return "";
        if (result.code != 1) return "it ended with code " + std::to_string(result.code);
        // A message that says nothing, from the depths of the standard library.
        static const std::regex bare("bad_alloc|terminate|std::|filesystem error|basic_|^zug: [A-Z][a-z ]*$");
        static const std::regex good("^zug: .|^[^\n]*: error: ", std::regex::multiline);
        if (kind == FaultKind::Message) return "";
        const bool told = std::regex_search(result.err, good) && !std::regex_search(last_line(result.err), bare);
        return told ? "" : "the message is no good";
    }

    // Whether byte code is worth a file depends on the time it took to compile, which differs from run to run.
    Files files_now() const {
        Files files = files_in(now_);
        std::erase_if(files, [&](const auto& file) {
            return scene_.own_cache && file.first.ends_with(".zugcode") && !expected_.contains(file.first);
        });
        return files;
    }

    // What a run that reports no error has left. Compiled code may be missing, and drafts may be in the way.
    std::string wrong_files(const Files& left) const {
        if (scene_.essence) return left == expected_ ? "" : "its files are wrong";
        for (const auto& [name, bytes] : expected_) {
            const auto found = left.find(name);
            if (found == left.end() && !scene_.own_cache) return "the file " + name + " is missing";
            if (found != left.end() && found->second != bytes) return "the file " + name + " is wrong";
        }
        return "";
    }

    std::string wrong_afterwards(const Result& before, const Files& before_it) const {
        const Result result = run("");
        if (result.code != 0) return "the next run failed: " + result.err;
        // What could be resumed still can, unless it is done.
        const bool resumable =
            has(before.err, "the same command resumes") || has(before.err, "resuming from a checkpoint");
        if (resumable && !wrong_files(before_it).empty() && !has(result.err, "resuming from a checkpoint"))
            return "the checkpoint is lost";
        const Files left = files_now();
        if (scene_.essence) {
            for (const auto& [name, bytes] : expected_)
                if (!left.contains(name) || scene_.essence(left.at(name)) != scene_.essence(bytes))
                    return "after the next run " + name + " is wrong";
            return left.size() == expected_.size() ? "" : "the next run left" + names_of(left);
        }
        return left == expected_ ? "" : "the next run left" + names_of(left);
    }

    const Scene& scene_;
    TemporaryFolder folder_;
    fs::path before_ = folder_.path() / "before", now_ = folder_.path() / "now", counts_ = folder_.path() / "counts";
    Files expected_;
    std::string expected_out_;
};

} // namespace

std::vector<Fault> usual_faults(std::size_t most) {
    using enum FaultKind;
    const std::vector<std::pair<FaultKind, std::vector<std::string>>> errors = {
        {Write, {"ENOSPC", "short", "EINTR"}},
        {Read, {"EIO", "short", "EINTR"}},
        {Lock, {"EINTR", "EIO"}},
        {Open, {"EMFILE"}},
        {Rename, {"EIO"}},
        {Sync, {"EIO"}},
        {Resize, {"ENOSPC"}},
        {Map, {"ENOMEM"}},
        {MakeFolder, {"ENOSPC"}},
        {Stat, {"EIO"}},
        {Remove, {"EIO"}},
        {Seek, {"EIO"}},
        {Permit, {"EIO"}},
        {Thread, {"EAGAIN"}},
        {Pipe, {"EMFILE"}},
        {Process, {"EAGAIN"}},
    };
    std::vector<Fault> faults;
    for (const auto& [kind, names] : errors)
        for (const std::string& name : names) faults.push_back({kind, name, false, most});
    // A disk that stays full, and files that stay open.
    faults.push_back({Write, "ENOSPC", true, most});
    faults.push_back({Open, "EMFILE", true, most});
    const std::size_t fewer = (most + 1) / 2;
    faults.push_back({List, "EIO", false, fewer});
    faults.push_back({Output, "ENOSPC", false, fewer});
    faults.push_back({Message, "EIO", false, fewer});
    faults.push_back({Allocate, "ENOMEM", false, most, 200});
    return faults;
}

void try_faults(const Scene& scene, const std::vector<Fault>& faults) {
    Trial trial(scene);
    const auto counts = trial.counts();
    std::size_t runs = 0, failures = 0;
    for (const Fault& fault : faults) {
        const std::string kind(fault_kinds.at(static_cast<std::size_t>(fault.kind)));
        const auto calls = counts.find(kind);
        if (calls == counts.end()) continue;
        for (const std::size_t n : chosen(calls->second, fault)) {
            const std::string text = kind + ":" + std::to_string(n) + (fault.lasts ? "+:" : ":") + fault.error;
            const std::string why = trial.wrong(fault.kind, text);
            ++runs;
            if (!why.empty()) ++failures;
            CHECK_MESSAGE(why.empty(), scene.command[0], " ", scene.command[1], " with ", text, ": ", why);
        }
    }
    CHECK(runs > 0);
    if (exhaustive()) MESSAGE(scene.command[0], " ", scene.command[1], ": ", runs, " faults, ", failures, " failures");
}

} // namespace zug::test
