#include "api/game.hpp"

#include "api/inner.hpp"
#include "protocols/session/game_source.hpp"
#include "protocols/session/library.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace zug::api {

namespace {

tl::expected<game::ExecutorKind, Error> executor_named(const std::string& name) {
    if (name.empty()) return game::ExecutorKind::Fastest;
    if (name == "native") return game::ExecutorKind::BestNative;
    if (name == "interpreter") return game::ExecutorKind::Interpreter;
    if (name == "reference") return game::ExecutorKind::Reference;
    return failure(fmt::format("there is no executor `{}`; executors are native, interpreter and reference", name));
}

tl::expected<std::string, Error> file_named(const std::string& name) {
    if (protocols::is_file(name)) return name;
    const auto files = protocols::library_files(protocols::rules_folder());
    if (!files) return tl::unexpected(files.error());
    return protocols::file_of_library(*files, name);
}

tl::expected<protocols::GameSource, Error> source_of(const LoadOptions& options) {
    const auto executor = executor_named(options.executor);
    if (!executor) return tl::unexpected(executor.error());
    protocols::GameSource source;
    source.find = file_named;
    source.folders = options.folders;
    if (const auto rules = protocols::rules_folder(); !rules.empty()) source.folders.push_back(rules.string());
    source.executor = *executor;
    return source;
}

} // namespace

tl::expected<Game, Error> Game::made(std::shared_ptr<Inner> inner) {
    auto start = State::Node::of(*inner, inner->game.initial());
    if (!start) return tl::unexpected(start.error());
    inner->start = std::move(*start);
    return Game(std::move(inner));
}

tl::expected<Game, Error> Game::load(const std::string& file, const LoadOptions& options) {
    const auto source = source_of(options);
    if (!source) return tl::unexpected(source.error());
    auto open = protocols::open_file(*source, file, options.parameters);
    if (!open) return tl::unexpected(open.error());
    return made(std::make_shared<Inner>(std::move(open->game)));
}

tl::expected<Game, Error> Game::load_text(const std::string& rules, const LoadOptions& options) {
    const auto source = source_of(options);
    if (!source) return tl::unexpected(source.error());
    auto open = protocols::open_text(*source, rules, options.parameters);
    if (!open) return tl::unexpected(open.error());
    return made(std::make_shared<Inner>(std::move(open->game)));
}

Game Game::clone() const {
    auto inner = std::make_shared<Inner>(inner_->game.clone());
    inner->start = inner_->start;
    return Game(std::move(inner));
}

const Observer& Game::observer() const {
    if (!inner_->observer) inner_->observer = std::make_shared<const Observer>(*this);
    return *inner_->observer;
}

std::string Game::name() const { return inner_->game.program().source.name; }

std::string Game::title() const { return inner_->game.program().title; }

std::map<std::string, std::string> Game::parameters() const {
    std::map<std::string, std::string> all;
    for (const ir::Param& param : inner_->game.program().params) all[param.name] = param.value;
    return all;
}

std::vector<std::string> Game::players() const { return inner_->game.program().players; }

bool Game::has_chance() const { return inner_->game.traits().chance; }

bool Game::is_zero_sum() const { return inner_->game.traits().zero_sum; }

double Game::lowest_utility() const { return inner_->game.traits().min_utility; }

double Game::highest_utility() const { return inner_->game.traits().max_utility; }

std::string Game::executor() const { return std::string(inner_->game.executor_name()); }

State Game::initial() const { return {inner_, inner_->start}; }

tl::expected<State, Error> Game::position(std::string_view text) const {
    auto state = inner_->game.parse_position(text);
    if (!state) return tl::unexpected(state.error());
    auto node = State::Node::of(*inner_, std::move(*state));
    if (!node) return tl::unexpected(node.error());
    return State(inner_, std::move(*node));
}

std::int64_t Game::action_count() const { return inner_->numbering.actions(); }

std::int64_t Game::outcome_count() const { return inner_->numbering.outcomes(); }

std::string Game::action_text(std::int64_t action) const {
    return inner_->numbering.text(inner_->game.program(), action, false);
}

std::string Game::outcome_text(std::int64_t outcome) const {
    return inner_->numbering.text(inner_->game.program(), outcome, true);
}

tl::expected<std::vector<std::string>, Error> library() {
    const auto files = protocols::library_files(protocols::rules_folder());
    if (!files) return tl::unexpected(files.error());
    std::vector<std::string> names;
    for (const auto& file : *files) names.push_back(file.stem().string());
    return names;
}

} // namespace zug::api
