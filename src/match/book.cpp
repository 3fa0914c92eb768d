#include "match/book.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace zug::match {

namespace {

constexpr std::string_view arrow = "->";
constexpr double greatest_weight = 1e12;

// Calls take(piece) for each piece between separators, until one fails.
template <class F>
tl::expected<void, Error> split(std::string_view text, char separator, F&& take) {
    for (;;) {
        const std::size_t end = text.find(separator);
        if (auto done = take(trimmed(text.substr(0, end))); !done) return done;
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
}

std::optional<double> weight_of(std::string_view text) {
    const auto weight = number_in<double>(text);
    return weight && *weight > 0 && *weight <= greatest_weight ? weight : std::nullopt;
}

} // namespace

Book::Book() = default;
Book::Book(Book&&) noexcept = default;
Book& Book::operator=(Book&&) noexcept = default;
Book::~Book() = default;

tl::expected<Book, Error> Book::parse(game::Game& game, std::string_view text, std::string_view name) {
    Book book;
    std::size_t number = 0;
    const auto done = split(text, '\n', [&](std::string_view line) -> tl::expected<void, Error> {
        ++number;
        if (line.empty() || line.front() == '#') return {};
        return book.add_line(game, line);
    });
    game.clear_fault();
    if (!done) return failure(fmt::format("{}:{}: {}", name, number, done.error().text));
    return book;
}

tl::expected<Book, Error> Book::read(game::Game& game, const std::string& file) {
    constexpr std::uint64_t most_bytes = 64 << 20;
    const auto text = read_file(file, most_bytes);
    if (!text) return failure(fmt::format("the book `{}`: {}", file, text.error().text));
    return parse(game, *text, file);
}

tl::expected<void, Error> Book::add_line(game::Game& game, std::string_view line) {
    const std::size_t at = line.find(arrow);
    if (at == line.npos)
        return failure("a line of a book is moves, `->`, and what may be played there, as in `e2e4 -> e7e5 3; c7c5 2`");
    const auto state = game.play_line(game.initial(), trimmed(line.substr(0, at)));
    if (!state) return tl::unexpected(state.error());
    game::MoveList moves;
    const game::NodeKind kind = game.expand(*state, moves);
    if (kind == game::NodeKind::Fault) return failure(game.fault_text());
    if (kind != game::NodeKind::Decision)
        return failure(kind == game::NodeKind::Terminal ? "the game is over there" : "chance is to move there");
    return split(line.substr(at + arrow.size()), ';',
                 [&](std::string_view reply) { return add_reply(game, *state, moves, reply); });
}

tl::expected<void, Error> Book::add_reply(game::Game& game, const game::State& state, const game::MoveList& moves,
                                          std::string_view text) {
    const std::size_t blank = text.find_last_of(" \t");
    const auto weight = blank == text.npos ? std::nullopt : weight_of(text.substr(blank + 1));
    if (!weight)
        return failure(fmt::format("`{}` must be a move and its weight, a number above 0, as in `e7e5 3`", text));
    const auto move = game.parse_move(state, moves, trimmed(text.substr(0, blank)));
    if (!move) return tl::unexpected(move.error());
    std::vector<Reply>& replies = replies_[game.position_text(state)];
    for (Reply& reply : replies)
        if (reply.id == moves.id(*move)) return reply.weight += *weight, tl::expected<void, Error>();
    replies.push_back({moves.id(*move), *weight});
    return {};
}

std::optional<std::size_t> Book::choose(game::Game& game, const game::State& state, const game::MoveList& moves,
                                        Random& random) const {
    if (replies_.empty()) return std::nullopt;
    const auto found = replies_.find(game.position_text(state));
    if (found == replies_.end()) return std::nullopt;
    double all = 0;
    for (const Reply& reply : found->second) all += reply.weight;
    double drawn = random.unit() * all;
    for (const Reply& reply : found->second) {
        drawn -= reply.weight;
        if (drawn < 0 || &reply == &found->second.back()) return moves.find(reply.id);
    }
    return std::nullopt;
}

} // namespace zug::match
