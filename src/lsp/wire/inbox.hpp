#pragma once
// Messages that have arrived and wait for an answer. One thread adds them while another one answers: a request can be
// cancelled while it waits, and whoever answers knows whether more is waiting.

#include <nlohmann/json.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

namespace zug::lsp {

struct Received {
    nlohmann::json message = {};
    bool cancelled = false;   // a request that is only to be refused
    bool end = false;         // of the input
    std::string problem = {}; // what arrived was no message, and why
};

class Inbox {
public:
    // Adds a message. `$/cancelRequest` marks the request that it names, if that still waits; else it waits itself.
    void add(nlohmann::json message);
    void add_problem(std::string problem);
    void close(); // the input has ended
    // Waits for the next one.
    Received take();
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Received> waiting_;
};

} // namespace zug::lsp
