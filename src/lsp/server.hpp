#pragma once
// The language server for rule files: version 3.17 of the Language Server Protocol. Takes messages and writes answers
// and diagnostics; where they come from and go to is a matter of serve.hpp.

#include "lsp/analysis/workspace.hpp"
#include "lsp/features/runs.hpp"
#include "lsp/wire/message.hpp"
#include "protocols/session/worker.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace zug::lsp {

class Server {
public:
    using Write = std::function<void(const std::string& message)>; // called by several threads, by one at a time

    // `folders`: where files that others extend are looked for; the last has the standard vocabulary.
    Server(lang::Folders folders, std::string version, Write write);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Answers a message, whatever it is. False: `exit`. A cancelled request is refused.
    bool take(const Json& message, bool cancelled = false);
    // Answers what is no message.
    void take_problem(const std::string& problem);
    // Tells the diagnostics of all texts that have changed. Called when no message waits.
    void idle();
    // Waits for the end of the work under way.
    void wait() { worker_.wait(); }
    // 0 after `shutdown` and `exit`, else 1.
    int exit_code() const { return phase_ == Phase::ShutDown ? 0 : 1; }

private:
    enum class Phase : std::uint8_t { Fresh, Running, ShutDown };
    // What was found out about a text by running something.
    struct Outcomes {
        AnalysisPtr of;         // of these texts: of others it is not true
        std::string tests = {}; // titles of lenses; empty: not run
        std::string perft = {};
        Json failures = Json::array(); // diagnostics of tests that failed
        Json rules = Json::array();    // the other diagnostics, as they were told last
    };
    using Later = std::optional<Answer>; // empty: the answer comes later

    void refuse_message(const Json& id, const char* why);
    Later answer(const std::string& method, const Json& id, const Json& params);
    void notice(const std::string& method, const Json& params);
    Answer initialize(const Json& params);
    Answer ask(const std::string& method, const Json& params);
    Later execute(const Json& id, const Json& params);
    void open(const Json& params);
    void change(const Json& params);
    void close(const Json& params);
    // Ends work about texts that have changed since it began.
    void stop_outdated();
    // Those of a text as it is. The caller holds `outcomes_mutex_`.
    Outcomes& outcomes_of(const AnalysisPtr& analysis);
    void run(const Json& id, const std::string& command, const AnalysisPtr& analysis, const std::atomic<bool>& stop);
    void publish(const std::string& uri);
    void send_diagnostics(const Outcomes& known);
    void send_notice(const char* method, Json params);
    void log(const std::string& problem); // to the user, where no request can be answered
    void send(const Json& message);

    Workspace workspace_;
    const std::string version_;
    Write write_;
    std::mutex writing_;
    Phase phase_ = Phase::Fresh;
    bool refreshes_lenses_ = false; // the client can be told to ask for them again
    std::mutex outcomes_mutex_;
    std::map<std::string, Outcomes> outcomes_; // by URI
    std::string running_id_;                   // of the request that is answered when the work ends
    AnalysisPtr running_on_;                   // null: none has begun
    std::atomic<bool> cancelled_ = false;      // the client asked the work to stop
    protocols::Worker worker_;                 // the last, so that it ends first
};

} // namespace zug::lsp
