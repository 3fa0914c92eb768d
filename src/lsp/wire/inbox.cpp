#include "lsp/wire/inbox.hpp"

namespace zug::lsp {

namespace {

bool cancels(const Json& message) {
    const auto method = message.is_object() ? message.find("method") : message.end();
    return message.is_object() && method != message.end() && *method == "$/cancelRequest";
}

} // namespace

void Inbox::add(Json message) {
    if (!cancels(message) || !cancel(message)) push({.message = std::move(message)});
}

// Whether that is all there is to be done about it.
bool Inbox::cancel(const Json& notice) {
    const auto params = notice.find("params");
    if (params == notice.end() || !params->is_object() || !params->contains("id")) return true;
    const std::scoped_lock lock(mutex_);
    for (Received& other : waiting_) {
        const bool request = other.message.is_object() && other.message.contains("id");
        if (!request || other.message["id"] != (*params)["id"]) continue;
        other.cancelled = true;
        return true;
    }
    return false;
}

void Inbox::add_problem(std::string problem) { push({.problem = std::move(problem)}); }

void Inbox::close() { push({.end = true}); }

void Inbox::push(Received received) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, [&] { return waiting_.size() < most_waiting; });
    waiting_.push_back(std::move(received));
    arrived_.notify_one();
}

Received Inbox::take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !waiting_.empty(); });
    Received first = std::move(waiting_.front());
    waiting_.pop_front();
    taken_.notify_one();
    return first;
}

bool Inbox::empty() const {
    const std::scoped_lock lock(mutex_);
    return waiting_.empty();
}

} // namespace zug::lsp
