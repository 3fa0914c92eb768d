#include "partner.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <utility>

namespace zug::test {

namespace {

const std::string rules = ZUG_SOURCE_DIR "/rules/";

protocols::OpenedGame open_with_parameters(const std::string& text) {
    std::istringstream words(text);
    std::string name, word;
    words >> name;
    lang::Overrides parameters;
    while (words >> word) parameters[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    return open(name, parameters);
}

} // namespace

protocols::GameSource source() {
    protocols::GameSource made;
    made.find = [](const std::string& name) -> tl::expected<std::string, Error> {
        for (const std::string& path : {name, rules + name, rules + name + ".zug"})
            if (std::filesystem::is_regular_file(path)) return path;
        return failure("there is no rule file `" + name + "`");
    };
    for (const char* name : {"chess", "gardner", "los-alamos", "hex", "tic-tac-toe"})
        made.library.push_back(rules + name + ".zug");
    made.folders = {rules};
    made.executor = game::ExecutorKind::Interpreter;
    made.version = "1.2.3";
    made.memory = std::uint64_t{2} << 30U;
    return made;
}

protocols::OpenedGame open(const std::string& name, const lang::Overrides& parameters) {
    auto game = protocols::open_file(source(), name, parameters);
    REQUIRE_MESSAGE(game.has_value(), game.error().text);
    return std::move(*game);
}

Partner::Partner(const std::string& protocol, const std::string& game, const std::string& player) {
    if (protocol == "uci") {
        auto made = protocols::Uci::make(source(), open_with_parameters(game), player,
                                         [this](const std::string& line) { hear(line); });
        if (made) uci_ = std::move(*made);
        if (!made) refusal_ = made.error().text;
    } else if (protocol == "gtp") {
        auto made = protocols::Gtp::make(
            source(), open_with_parameters(game), player, [this](const std::string& text) { hear(text); }, never_);
        if (made) gtp_ = std::move(*made);
        if (!made) refusal_ = made.error().text;
    } else {
        REQUIRE(protocol == "engine");
        engine_ =
            std::make_unique<protocols::Engine>(source(), player, [this](const std::string& line) { hear(line); });
        if (game.find_first_not_of(' ') != game.npos) engine_->open(open_with_parameters(game));
    }
}

// The empty line that ends an answer of GTP is not kept, nor the blank before an answer without words.
void Partner::hear(const std::string& text) {
    const std::scoped_lock lock(hearing_);
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line.resize(line.find_last_not_of(' ') + 1);
        if (!line.empty()) heard_.push_back(line);
    }
}

std::vector<std::string> Partner::say(const std::string& line) {
    if (uci_) {
        quit_ = !uci_->take(line);
        uci_->wait();
    } else if (gtp_) {
        quit_ = !gtp_->take(line);
    } else {
        quit_ = !engine_->take(line);
        if (line.find("infinite") == line.npos) engine_->wait();
    }
    const std::scoped_lock lock(hearing_);
    return std::exchange(heard_, {});
}

} // namespace zug::test
