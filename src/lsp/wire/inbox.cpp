#include "lsp/wire/inbox.hpp"

namespace zug::lsp {

namespace {

bool cancels(const nlohmann::json& message) {
    const auto method = message.is_object() ? message.find("method") : message.end();
    return message.is_object() && method != message.end() && *method == "$/cancelRequest";
}

} // namespace

void Inbox::add(nlohmann::json message) {
    const std::scoped_lock lock(mutex_);
    if (cancels(message)) {
        const auto params = message.find("params");
        if (params == message.end() || !params->is_object() || !params->contains("id")) return;
        for (Received& other : waiting_) {
            const bool request = other.message.is_object() && other.message.contains("id");
            if (!request || other.message["id"] != (*params)["id"]) continue;
            other.cancelled = true;
            return;
        }
    }
    waiting_.push_back({.message = std::move(message)});
    arrived_.notify_one();
}

void Inbox::add_problem(std::string problem) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back({.problem = std::move(problem)});
    arrived_.notify_one();
}

void Inbox::close() {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back({.end = true});
    arrived_.notify_one();
}

Received Inbox::take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !waiting_.empty(); });
    Received first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
}

bool Inbox::empty() const {
    const std::scoped_lock lock(mutex_);
    return waiting_.empty();
}

} // namespace zug::lsp
