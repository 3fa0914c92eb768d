#include "learn/rote_memory.hpp"

#include "base/archive.hpp"
#include "base/file.hpp"
#include "learn/packed.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace zug::learn {

namespace {

constexpr std::string_view rote_kind = "ZUGROTE 1", rote_called = "a memory of positions";
constexpr int fast_compression = 1;
constexpr int least_share = 20; // of the time that may go into writing: one part in so many

// The body of the file.
struct Body {
    std::vector<double> values;
    std::vector<std::uint16_t> depths;
    std::vector<std::uint32_t> ages, slots;
};

// Those of this process, by the canonical path of their file.
struct Shared {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<RoteMemory>> memories;
};

Shared& shared() {
    static Shared all;
    return all;
}

} // namespace

RoteMemory::RoteMemory(std::filesystem::path file, const game::Game& game, std::size_t most)
    : file_(std::move(file)), most_(most), game_(game.clone()), form_(game_), sizes_(ir::slot_sizes(game_.program())) {
    game_.executor().store(game_.initial(), initial_);
}

tl::expected<std::shared_ptr<RoteMemory>, Error> RoteMemory::open(const std::filesystem::path& file,
                                                                  const game::Game& game, std::size_t most) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    if (error) return failure(fmt::format("{}: {}", file.string(), error.message()));
    const std::scoped_lock lock(shared().mutex);
    std::weak_ptr<RoteMemory>& known = shared().memories[path.string()];
    if (auto memory = known.lock(); memory && memory->game_.rules_digest() == game.rules_digest()) return memory;
    std::shared_ptr<RoteMemory> memory(new RoteMemory(path, game, most));
    if (std::filesystem::exists(path, error) && !std::filesystem::is_empty(path, error))
        if (const auto read = memory->read(); !read)
            return failure(fmt::format("{}: {}", file.string(), read.error().text));
    memory->make_table();
    known = memory;
    return memory;
}

RoteMemory::~RoteMemory() {
    // What may be wrong with the file, end_game() has told.
    if (!met_.kept.empty()) take_in();
    if (!written_) static_cast<void>(write());
}

// -- the file

bool RoteMemory::fits(std::span<const std::uint32_t> slots) const {
    for (std::size_t s = 0; s < slots.size(); ++s)
        if (sizes_[s] > 1 ? slots[s] >= sizes_[s] : slots[s] != initial_[s]) return false;
    return true;
}

tl::expected<void, Error> RoteMemory::read() {
    const auto text = read_file(file_, most_packed_bytes);
    if (!text) return tl::unexpected(text.error());
    const auto packed = open_packed(*text, rote_kind, rote_called);
    if (!packed) return tl::unexpected(packed.error());
    if (packed->rules != game_.rules_digest())
        return failure(packed->title == game_.program().title ? "it is of other rules or parameters of this game"
                                                              : "it is of another game: " + packed->title);
    const auto bytes = unpack(packed->body);
    auto body = bytes ? archive::read<Body>(*bytes) : std::nullopt;
    const std::size_t width = initial_.size(), count = body ? body->values.size() : 0;
    const auto damaged = failure("it is damaged, or of another version of this program");
    if (!body || body->depths.size() != count || body->ages.size() != count || body->slots.size() != count * width)
        return damaged;
    const game::Traits& traits = game_.traits();
    game::State state;
    for (std::size_t i = 0; i < count; ++i) {
        const auto slots = std::span(body->slots).subspan(i * width, width);
        const double value = body->values[i];
        if (!fits(slots) || !(value >= traits.min_utility && value <= traits.max_utility) || body->depths[i] == 0)
            return damaged;
        game_.executor().load(slots, state);
        const std::uint64_t key = form_.position_hash(form_.convert(state));
        if (!places_.emplace(key, all_.kept.size()).second) continue;
        all_.kept.push_back({key, value, body->depths[i], body->ages[i]});
        all_.slots.insert(all_.slots.end(), slots.begin(), slots.end());
    }
    return {};
}

std::string RoteMemory::text() const {
    Body body;
    for (const Kept& kept : all_.kept) {
        body.values.push_back(kept.value);
        body.depths.push_back(kept.depth);
        body.ages.push_back(kept.age);
    }
    body.slots = all_.slots;
    archive::Writer writer;
    writer.value(body);
    nlohmann::ordered_json header;
    header["game"] = game_.program().title;
    header["rules"] = digest_text(game_.rules_digest());
    header["positions"] = all_.kept.size();
    return pack(rote_kind, header, writer.bytes, fast_compression);
}

tl::expected<void, Error> RoteMemory::write() {
    const Clock::time_point begin = Clock::now();
    auto written = replace_file(file_, text());
    written_ = written.has_value();
    next_write_ = begin + (Clock::now() - begin) * least_share;
    return written;
}

// -- positions

std::span<const std::uint32_t> RoteMemory::slots(const Positions& positions, std::size_t i) const {
    return std::span(positions.slots).subspan(i * initial_.size(), initial_.size());
}

void RoteMemory::meet(const game::State& state, double value, int depth) {
    if (depth < 1 || !std::isfinite(value)) return;
    const std::scoped_lock lock(mutex_);
    std::vector<std::uint32_t> slots;
    game_.executor().store(state, slots);
    const auto plies = static_cast<std::uint16_t>(std::min(depth, UINT16_MAX));
    met_.kept.push_back({form_.position_hash(form_.convert(state)), value, plies, 0});
    met_.slots.insert(met_.slots.end(), slots.begin(), slots.end());
}

void RoteMemory::age() {
    for (std::size_t i = 0; i < all_.kept.size(); ++i) {
        Kept& kept = all_.kept[i];
        kept.age = table_->was_used(i) ? kept.age / 2 : kept.age + 1;
    }
}

void RoteMemory::take_in(std::size_t i) {
    const Kept& met = met_.kept[i];
    const auto [place, fresh] = places_.emplace(met.key, all_.kept.size());
    if (fresh) {
        const auto slots = this->slots(met_, i);
        all_.kept.push_back(met);
        all_.slots.insert(all_.slots.end(), slots.begin(), slots.end());
        return;
    }
    Kept& kept = all_.kept[place->second];
    if (met.depth >= kept.depth) kept = met;
    kept.age = 0;
}

// The positions of the games that have ended.
void RoteMemory::take_in() {
    for (std::size_t i = 0; i < met_.kept.size(); ++i) take_in(i);
    met_ = {};
    forget_oldest();
    make_table();
    written_ = false;
}

void RoteMemory::forget_oldest() {
    if (all_.kept.size() <= most_) return;
    std::vector<std::size_t> order(all_.kept.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return std::pair(all_.kept[i].age, -int{all_.kept[i].depth}); });
    order.resize(most_);
    std::ranges::sort(order);
    Positions rest;
    places_.clear();
    for (const std::size_t i : order) {
        const auto slots = this->slots(all_, i);
        places_.emplace(all_.kept[i].key, rest.kept.size());
        rest.kept.push_back(all_.kept[i]);
        rest.slots.insert(rest.slots.end(), slots.begin(), slots.end());
    }
    all_ = std::move(rest);
}

void RoteMemory::make_table() {
    std::vector<search::RoteEntry> entries;
    entries.reserve(all_.kept.size());
    for (const Kept& kept : all_.kept) entries.push_back({kept.key, kept.value, kept.depth});
    table_ = std::make_shared<const search::RoteTable>(std::move(entries));
}

std::shared_ptr<const search::RoteTable> RoteMemory::table() const {
    const std::scoped_lock lock(mutex_);
    return table_;
}

std::size_t RoteMemory::size() const {
    const std::scoped_lock lock(mutex_);
    return all_.kept.size();
}

tl::expected<void, Error> RoteMemory::end_game() {
    const std::scoped_lock lock(mutex_);
    age();
    take_in();
    return Clock::now() < next_write_ ? tl::expected<void, Error>() : write();
}

} // namespace zug::learn
