#include "solve/database_writer.hpp"

#include "solve/database_format.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

namespace zug::solve {

namespace {

using Json = nlohmann::ordered_json;
using Done = tl::expected<void, game::Error>;

constexpr int compression_level = 3;
constexpr std::size_t buffer_bytes = 1 << 20;

Json histogram_json(const Histogram& histogram) {
    Json rows = Json::array();
    for (const auto& [mover, result, positions] : histogram.counts()) rows.push_back({mover, result, positions});
    return rows;
}

Json identity_json(const Identity& identity) {
    Json params = Json::object();
    for (const auto& [name, value] : identity.params) params[name] = value;
    return {{"name", identity.name}, {"params", params}, {"rules", fmt::format("{:016x}", identity.rules_hash)}};
}

Json outcomes_json(const Outcomes& outcomes) {
    Json ends = Json::array();
    for (std::uint32_t o = 0; o < outcomes.size(); ++o)
        if (!outcomes.is_drawn(o)) ends.push_back(outcomes.payoffs(o));
    return {{"ends", ends}, {"players", outcomes.players()}, {"cycles", outcomes.cycles()}};
}

Json solution_json(const Solution& solution) {
    Json json = {{"value", solution.value},         {"repetition", solution.repetition},
                 {"positions", solution.positions}, {"moves", solution.moves},
                 {"tiers", solution.tiers},         {"longest_jump", solution.longest_jump},
                 {"assumes", solution.assumes},     {"won", solution.tally.won},
                 {"lost", solution.tally.lost},     {"drawn", solution.tally.drawn}};
    json["remoteness"] = solution.remoteness ? Json(*solution.remoteness) : Json();
    return json;
}

} // namespace

struct DatabaseWriter::File {
    std::filesystem::path path, part;
    Identity identity;
    int handle = -1;
    bool complete = false, saved = false;
    std::uint64_t written = 0; // and what stands in the buffer
    std::vector<std::uint8_t> buffer;
    std::vector<format::IndexEntry> index;
    Json description;
    std::vector<std::uint8_t> raw, packed;
    ZSTD_CCtx* zstd = ZSTD_createCCtx();

    File(std::filesystem::path where, Identity whose)
        : path(std::move(where)), part(path.string() + ".part"), identity(std::move(whose)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (handle >= 0 && !complete && !saved) ::unlink(part.c_str());
        if (handle >= 0) ::close(handle);
        ZSTD_freeCCtx(zstd);
    }

    tl::unexpected<game::Error> failure(const char* what, int error = errno) const {
        return tl::unexpected(game::Error{fmt::format("can't {} {}: {}", what, part.string(), std::strerror(error))});
    }

    Done open() {
        if (handle >= 0) return {}; // what was saved turned out to be damaged
        handle = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (handle < 0) return failure("write");
        if (::flock(handle, LOCK_EX | LOCK_NB) != 0) {
            ::close(handle);
            handle = -1;
            return tl::unexpected(game::Error{"another process is writing " + part.string()});
        }
        return {};
    }

    Done clear() {
        saved = false;
        if (::ftruncate(handle, 0) != 0) return failure("write");
        return {};
    }

    // What a checkpoint needs of the file.
    struct State {
        std::uint64_t written = 0;
        std::vector<format::IndexEntry> index;
    };

    tl::expected<archive::Bytes, game::Error> save() {
        if (auto done = flush(); !done) return tl::unexpected(done.error());
        if (::fsync(handle) != 0) return failure("write");
        saved = true;
        archive::Writer writer;
        writer.value(State{written, index});
        return std::move(writer.bytes);
    }

    Done restore(const archive::Bytes& bytes) {
        State state;
        archive::Reader reader(bytes);
        reader.value(state);
        bool good = reader.done();
        for (const format::IndexEntry& entry : state.index) {
            packed.resize(entry.bytes);
            good = good && entry.offset + entry.bytes <= state.written &&
                   ::pread(handle, packed.data(), entry.bytes, static_cast<off_t>(entry.offset)) == entry.bytes &&
                   XXH64(packed.data(), entry.bytes, 0) == entry.hash;
        }
        if (!good) return tl::unexpected(game::Error{part.string() + " is damaged"});
        const auto end = static_cast<off_t>(state.written);
        if (::ftruncate(handle, end) != 0 || ::lseek(handle, end, SEEK_SET) != end) return failure("write");
        written = state.written;
        index = std::move(state.index);
        saved = true;
        return {};
    }

    Done put(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        buffer.insert(buffer.end(), bytes, bytes + size);
        written += size;
        return buffer.size() < buffer_bytes ? Done{} : flush();
    }

    Done flush() {
        std::size_t done = 0;
        while (done < buffer.size()) {
            const ssize_t count = ::write(handle, buffer.data() + done, buffer.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return failure("write");
            done += static_cast<std::size_t>(count);
        }
        buffer.clear();
        return {};
    }

    Done put_block(Key first, std::span<const std::uint8_t> differences, std::span<const Result> results) {
        raw.assign(differences.begin(), differences.end());
        for (const Result result : results) raw.push_back(static_cast<std::uint8_t>(result));
        for (const Result result : results) raw.push_back(static_cast<std::uint8_t>(result >> 8));
        packed.resize(ZSTD_compressBound(raw.size()));
        const std::size_t size =
            ZSTD_compressCCtx(zstd, packed.data(), packed.size(), raw.data(), raw.size(), compression_level);
        if (ZSTD_isError(size) != 0) return tl::unexpected(game::Error{ZSTD_getErrorName(size)});
        index.push_back({first, written, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(results.size()),
                         XXH64(packed.data(), size, 0)});
        return put(packed.data(), size);
    }

    Done finish() {
        std::ranges::sort(index, {}, &format::IndexEntry::first_key);
        format::Footer footer{};
        footer.index_offset = written;
        footer.blocks = index.size();
        footer.index_hash = XXH64(index.data(), index.size() * sizeof(format::IndexEntry), 0);
        for (const auto& entry : index) footer.positions += entry.keys;
        if (auto done = put(index.data(), index.size() * sizeof(format::IndexEntry)); !done) return done;
        const std::string text = description.dump();
        footer.description_offset = written;
        footer.description_bytes = text.size();
        footer.description_hash = XXH64(text.data(), text.size(), 0);
        if (auto done = put(text.data(), text.size()); !done) return done;
        std::ranges::copy(format::end_magic, footer.magic.begin());
        if (auto done = put(&footer, sizeof footer); !done) return done;
        if (auto done = flush(); !done) return done;
        return rename();
    }

    // The file is on the disk before it has its name, and its name before anybody is told.
    Done rename() {
        if (::fsync(handle) != 0) return failure("write");
        if (::rename(part.c_str(), path.c_str()) != 0) return failure("rename");
        complete = true;
        const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
        if (const int parent = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); parent >= 0) {
            ::fsync(parent);
            ::close(parent);
        }
        return {};
    }
};

DatabaseWriter::DatabaseWriter(std::filesystem::path path, const ir::Program& program)
    : file_(std::make_unique<File>(std::move(path), identity_of(program))) {}
DatabaseWriter::~DatabaseWriter() = default;

std::uint64_t DatabaseWriter::bytes() const { return file_->complete ? file_->written : 0; }

Done DatabaseWriter::begin(const Frame& frame, const archive::Bytes* saved) {
    if (auto done = file_->open(); !done) return done;
    if (auto done = saved != nullptr ? file_->restore(*saved) : file_->clear(); !done) return done;
    file_->description = identity_json(file_->identity);
    file_->description["measure"] = frame.measure.weights;
    file_->description["outcomes"] = outcomes_json(frame.outcomes);
    file_->description["ties"] = frame.ties == Ties::Kind ? "kind" : "spiteful";
    file_->description["start"] = frame.start;
    if (saved != nullptr) return {};
    format::Header header{};
    std::ranges::copy(format::magic, header.magic.begin());
    header.version = format::version;
    return file_->put(&header, sizeof header);
}

Done DatabaseWriter::keep(const Tier& tier, std::size_t first_block, std::span<const Result> results) {
    PackedKeys::Room room;
    for (std::size_t from = 0; from < results.size(); from += block_keys) {
        const std::size_t block = first_block + from / block_keys;
        const auto own = results.subspan(from, std::min(block_keys, results.size() - from));
        if (auto done = file_->put_block(tier.keys.first(block), tier.keys.differences(block, room), own); !done)
            return done;
    }
    return {};
}

tl::expected<archive::Bytes, game::Error> DatabaseWriter::save() { return file_->save(); }

Done DatabaseWriter::end(const Solution& solution, const Histogram& histogram) {
    file_->description["solution"] = solution_json(solution);
    file_->description["histogram"] = histogram_json(histogram);
    return file_->finish();
}

} // namespace zug::solve
