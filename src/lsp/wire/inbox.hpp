#pragma once
// Messages that have arrived and wait for an answer. One thread adds them while another one answers: a request can be
// cancelled while it waits, and whoever answers knows whether more is waiting.

#include "lsp/text/json.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

namespace zug::lsp {

struct Received {
    Json message = {};
    bool cancelled = false;   // a request that is only to be refused
    bool end = false;         // of the input
    std::string problem = {}; // what arrived was no message, and why
};

class Inbox {
public:
    // Adds a message, once there is room for it. `$/cancelRequest` marks the request that it names, if that still
    // waits; else it waits itself.
    void add(Json message);
    void add_problem(std::string problem);
    void close(); // the input has ended
    // Waits for the next one.
    Received take();
    bool empty() const;

    static constexpr std::size_t most_waiting = 1000; // whoever writes faster than answers can be given has to wait

private:
    bool cancel(const Json& notice);
    void push(Received received);

    mutable std::mutex mutex_;
    std::condition_variable arrived_, taken_;
    std::deque<Received> waiting_;
};

} // namespace zug::lsp
