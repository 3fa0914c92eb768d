#include "game/selfplay/kept_calibration.hpp"

#include "base/stop_flag.hpp"
#include "game/selfplay/calibration.hpp"
#include "native/cache.hpp"

#include <map>
#include <mutex>
#include <string>

namespace zug::game {

namespace {

constexpr std::uint32_t version = 2; // of calibrate() and of what is kept

// What the cache holds.
struct Kept {
    std::optional<EvalScale> scale;
};

std::optional<EvalScale> load_or_calibrate(Game& game, const std::atomic<bool>* stop) {
    archive::Writer writer;
    writer.value(std::string("calibration"));
    writer.value(version);
    writer.value(game.rules_digest());
    const native::Key key = digest_of(writer.bytes);
    const native::Cache cache(native::cache_folder());
    if (const auto body = cache.load(key))
        if (const auto kept = archive::read<Kept>(*body)) return kept->scale;
    const Kept found{calibrate(game, stop)};
    if (is_set(stop)) return std::nullopt;
    archive::Writer body;
    body.value(found);
    cache.store(key, native::write_blob(body.bytes, key));
    return found.scale;
}

} // namespace

std::optional<EvalScale> kept_calibration(Game& game, const std::atomic<bool>* stop) {
    static std::mutex mutex;
    static std::map<Digest, std::optional<EvalScale>> known;
    if (!game.uses_file_eval()) return std::nullopt;
    const std::scoped_lock lock(mutex);
    const Digest digest = game.rules_digest();
    if (const auto found = known.find(digest); found != known.end()) return found->second;
    const auto scale = load_or_calibrate(game, stop);
    if (!is_set(stop)) known.emplace(digest, scale);
    return scale;
}

} // namespace zug::game
