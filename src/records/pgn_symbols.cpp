#include "records/pgn_symbols.hpp"

#include "records/game_text.hpp"

#include <algorithm>
#include <array>

namespace zug::records {

namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";
constexpr std::string_view ends_word = " \t\r\n\f\v{}();[]\"";
constexpr std::array<std::string_view, 4> results{"1-0", "0-1", "1/2-1/2", "*"};

// `12.`, `12...`; or with the move right behind, of which the rest is given.
std::optional<std::string_view> behind_number(std::string_view word) {
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (digits == word.size() || word[digits] != '.') return std::nullopt;
    const std::size_t dots = word.find_first_not_of('.', digits);
    return dots == word.npos ? std::string_view() : word.substr(dots);
}

} // namespace

const PgnTag* PgnGame::tag(std::string_view name) const {
    const auto found = std::ranges::find(tags, name, &PgnTag::name);
    return found == tags.end() ? nullptr : &*found;
}

std::optional<tl::expected<PgnGame, Error>> PgnSymbols::next() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (at_ == 0 && text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    const auto skipped = skip();
    if (skipped && at_ == text_.size()) return std::nullopt;
    const std::size_t begin = at_;
    tl::expected<PgnGame, Error> read = skipped ? game() : tl::unexpected(skipped.error());
    if (!read) recover(begin);
    return read;
}

void PgnSymbols::recover(std::size_t begin) {
    const std::size_t tags = text_.find("\n\n[", std::max(at_, begin + 1));
    at_ = tags == text_.npos ? text_.size() : tags;
}

// Skips what is between words: blanks, comments, lines that begin with %, variations, and glyphs of annotation.
tl::expected<void, Error> PgnSymbols::skip() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (white_space.find(c) != white_space.npos) {
            ++at_;
        } else if (c == ';' || (c == '%' && (at_ == 0 || text_[at_ - 1] == '\n'))) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (c == '{') {
            const std::size_t end = text_.find('}', at_);
            if (end == text_.npos) return failure_at(text_, at_, "this comment has no `}`");
            at_ = end + 1;
        } else if (c == '(') {
            if (auto done = skip_variation(); !done) return done;
        } else if (c == '$') {
            at_ = std::min(text_.find_first_not_of("0123456789", at_ + 1), text_.size());
        } else {
            break;
        }
    }
    return {};
}

// They may have others inside, and comments, in which parentheses mean nothing.
tl::expected<void, Error> PgnSymbols::skip_variation() {
    const std::size_t begin = at_;
    std::size_t open = 0;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '{' || c == ';') {
            const std::size_t end = text_.find(c == '{' ? '}' : '\n', at_);
            if (end == text_.npos) break;
            at_ = end;
        }
        ++at_;
        if (c == '(') ++open;
        if (c == ')' && --open == 0) return {};
    }
    at_ = text_.size();
    return failure_at(text_, begin, "this variation has no `)`");
}

// `[Name "value"]`, where `\` makes a quote or a backslash part of the value.
tl::expected<PgnTag, Error> PgnSymbols::tag() {
    PgnTag tag{.name = "", .value = "", .offset = at_};
    const auto wrong = [&] { return failure_at(text_, tag.offset, "a tag is written as [Name \"value\"]"); };
    const auto blanks = [&] { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); };
    ++at_;
    blanks();
    const std::size_t name_end = std::min(text_.find_first_of(ends_word, at_), text_.size());
    tag.name = text_.substr(at_, name_end - at_);
    at_ = name_end;
    blanks();
    if (tag.name.empty() || at_ == text_.size() || text_[at_] != '"') return wrong();
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
        const bool escape =
            text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
        if (escape) ++at_;
        tag.value += text_[at_];
    }
    if (at_ == text_.size() || text_[at_] != '"') return wrong();
    ++at_;
    blanks();
    if (at_ == text_.size() || text_[at_] != ']') return wrong();
    ++at_;
    return tag;
}

// Takes one word: a move's number, a move, both, or the result.
void PgnSymbols::word(PgnGame& game) {
    const std::size_t begin = at_;
    at_ = std::max(std::min(text_.find_first_of(ends_word, at_), text_.size()), begin + 1);
    std::string_view word = text_.substr(begin, at_ - begin);
    if (std::ranges::find(results, word) != results.end()) {
        game.result = {word, begin};
        return;
    }
    if (const auto rest = behind_number(word)) word = *rest;
    const bool marks = word.find_first_not_of(".!?") == word.npos;
    if (!marks) game.moves.push_back({word, at_ - word.size()});
}

tl::expected<PgnGame, Error> PgnSymbols::game() {
    PgnGame game{.offset = at_, .tags = {}, .moves = {}, .result = {}};
    for (;;) {
        if (auto done = skip(); !done) return tl::unexpected(done.error());
        if (at_ == text_.size() || !game.result.text.empty()) return game;
        if (text_[at_] == '[') {
            if (!game.moves.empty()) return game;
            auto read = tag();
            if (!read) return tl::unexpected(read.error());
            game.tags.push_back(std::move(*read));
        } else {
            word(game);
        }
    }
}

} // namespace zug::records
