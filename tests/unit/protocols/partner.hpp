#pragma once
// The other side of a protocol, in the same process: says lines and hears what comes back.

#include "protocols/engine.hpp"
#include "protocols/gtp.hpp"
#include "protocols/uci.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace zug::test {

// The games of rules/, in the interpreter.
protocols::GameSource source();
protocols::OpenedGame open(const std::string& name, const lang::Overrides& parameters = {});

class Partner {
public:
    // `protocol`: uci, gtp or engine. `game` may be empty, or followed by parameters: `go size=5 komi=0.5`.
    Partner(const std::string& protocol, const std::string& game, const std::string& player);

    // Why the protocol refuses the game; empty: it does not.
    const std::string& refusal() const { return refusal_; }
    // The lines that come in answer to one, until all work that ends by itself has ended.
    std::vector<std::string> say(const std::string& line);
    bool has_quit() const { return quit_; }

private:
    void hear(const std::string& text);

    std::string refusal_;
    std::mutex hearing_;
    std::vector<std::string> heard_; // lines
    std::atomic<bool> never_ = false;
    bool quit_ = false;
    std::unique_ptr<protocols::Uci> uci_;
    std::unique_ptr<protocols::Gtp> gtp_;
    std::unique_ptr<protocols::Engine> engine_;
};

} // namespace zug::test
