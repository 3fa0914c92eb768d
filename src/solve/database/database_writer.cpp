#include "solve/database/database_writer.hpp"

#include "base/file.hpp"
#include "solve/database/database_format.hpp"
#include "solve/storage/byte_planes.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

namespace zug::solve {

namespace {

using Json = nlohmann::ordered_json;
using Done = tl::expected<void, Error>;

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
    return {{"name", identity.name}, {"params", params}, {"rules", digest_text(identity.rules)}};
}

Json outcomes_json(const Outcomes& outcomes) {
    Json ends = Json::array();
    for (std::uint32_t o = 0; o < outcomes.size(); ++o)
        if (!outcomes.is_drawn(o)) ends.push_back(outcomes.payoffs(o));
    return {{"ends", ends}, {"players", outcomes.players()}, {"cycles", outcomes.cycles()}};
}

Json counts_json(const ValueCounts& counts) { return {{"decided", counts.decided}, {"chance", counts.chance}}; }
Json symmetries_json(const game::SymmetryGroup& symmetries) {
    Json generators = Json::array();
    for (const game::Symmetry& symmetry : symmetries.generators)
        generators.push_back({{"to", symmetry.to}, {"values", symmetry.values}});
    return generators;
}

Json solution_json(const Solution& solution) {
    Json json = {{"value", solution.value},
                 {"repetition", solution.repetition},
                 {"positions", solution.positions},
                 {"with_symmetry", solution.with_symmetry},
                 {"moves", solution.moves},
                 {"tiers", solution.tiers},
                 {"longest_jump", solution.longest_jump},
                 {"assumes", solution.assumes},
                 {"won", solution.tally.won},
                 {"lost", solution.tally.lost},
                 {"drawn", solution.tally.drawn}};
    json["remoteness"] = solution.remoteness ? Json(*solution.remoteness) : Json();
    if (solution.chance) {
        json["error"] = solution.error;
        json["counts"] = counts_json(solution.counts);
    }
    return json;
}

// The part of a tier's numbers that belongs to block b.
template <class Number>
std::span<const Number> block_of(std::span<const Number> numbers, std::size_t b) {
    return numbers.subspan(b * block_keys, std::min(block_keys, numbers.size() - b * block_keys));
}

} // namespace

struct DatabaseWriter::File {
    std::filesystem::path path, part;
    Identity identity;
    int handle = -1;
    bool complete = false, saved = false;
    std::uint64_t written = 0; // bytes, including those in the buffer
    std::vector<std::uint8_t> buffer;
    std::vector<format::IndexEntry> index;
    archive::Bytes combinations;
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

    tl::unexpected<Error> system_error(const char* what, int error = errno) const {
        return failure(fmt::format("can't {} {}: {}", what, part.string(), std::strerror(error)));
    }

    Done open() {
        if (zstd == nullptr) return failure("there is no memory left");
        if (handle >= 0) return {}; // open already: the checkpoint was damaged, and the work starts again
        handle = ::open(part.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (handle < 0) return system_error("write");
        struct stat about {};
        if (::fstat(handle, &about) != 0 || !S_ISREG(about.st_mode)) return failure(part.string() + " is not a file");
        return {};
    }

    Done clear() {
        saved = false;
        if (::ftruncate(handle, 0) != 0) return system_error("write");
        return {};
    }

    // The state of the file in a checkpoint.
    struct State {
        std::uint64_t written = 0;
        std::vector<format::IndexEntry> index;
    };

    tl::expected<archive::Bytes, Error> save() {
        if (auto done = flush(); !done) return tl::unexpected(done.error());
        if (::fsync(handle) != 0) return system_error("write");
        saved = true;
        archive::Writer writer;
        writer.value(State{written, index});
        return std::move(writer.bytes);
    }

    Done restore(const archive::Bytes& bytes) {
        auto state = archive::read<State>(bytes);
        if (!state) return failure(std::string(unreadable));
        struct stat about {};
        if (::fstat(handle, &about) != 0) return system_error("read");
        bool good = state->written <= static_cast<std::uint64_t>(about.st_size);
        saved = good; // until it turns out to be damaged: an error leaves the file to another run
        for (const format::IndexEntry& entry : state->index) {
            good = good && entry.offset + entry.bytes <= state->written;
            if (!good) break;
            packed.resize(entry.bytes);
            if (auto done = read_at(handle, entry.offset, packed); !done)
                return failure(fmt::format("can't read {}: {}", part.string(), done.error().text));
            good = XXH64(packed.data(), entry.bytes, 0) == entry.hash;
        }
        saved = good;
        if (!good) return failure(std::string(unreadable));
        const auto end = static_cast<off_t>(state->written);
        if (::ftruncate(handle, end) != 0 || ::lseek(handle, end, SEEK_SET) != end) return system_error("write");
        written = state->written;
        index = std::move(state->index);
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
            if (count < 0) return system_error("write");
            done += static_cast<std::size_t>(count);
        }
        buffer.clear();
        return {};
    }

    // Writes blocks from `first_block` on. append(b, raw) appends the values of the b-th of these blocks to `raw`.
    template <class Append>
    Done put_blocks(const PackedKeys& keys, std::size_t first_block, std::size_t blocks, const Append& append) {
        PackedKeys::Buffer buffer;
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::size_t block = first_block + b;
            const auto differences = keys.differences(block, buffer);
            raw.assign(differences.begin(), differences.end());
            append(b, raw);
            const std::size_t count = std::min(block_keys, keys.size() - block * block_keys);
            if (auto done = put_block(keys.first(block), count); !done) return done;
        }
        return {};
    }

    Done put_block(Key first, std::size_t keys) {
        packed.resize(ZSTD_compressBound(raw.size()));
        const std::size_t size =
            ZSTD_compressCCtx(zstd, packed.data(), packed.size(), raw.data(), raw.size(), compression_level);
        if (ZSTD_isError(size) != 0) return failure(ZSTD_getErrorName(size));
        index.push_back({first, written, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(keys),
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
        footer.combinations_offset = written;
        footer.combinations_bytes = combinations.size();
        footer.combinations_hash = XXH64(combinations.data(), combinations.size(), 0);
        if (auto done = put(combinations.data(), combinations.size()); !done) return done;
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

    // Syncs the file before it gets its name, and the folder before this returns.
    Done rename() {
        if (::fsync(handle) != 0) return system_error("write");
        if (::rename(part.c_str(), path.c_str()) != 0) return system_error("rename");
        complete = true;
        const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
        const int parent = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (parent < 0) return {}; // perhaps there is no permission to read it
        const int error = ::fsync(parent) == 0 ? 0 : errno;
        ::close(parent);
        // The checkpoint has to stay: a loss of power could take the new name away.
        if (error != 0) return failure(fmt::format("can't write {}: {}", folder.string(), std::strerror(error)));
        return {};
    }
};

DatabaseWriter::DatabaseWriter(std::filesystem::path path, const game::Game& game)
    : file_(std::make_unique<File>(std::move(path), identity_of(game))) {}
DatabaseWriter::~DatabaseWriter() = default;

std::uint64_t DatabaseWriter::bytes() const { return file_->complete ? file_->written : 0; }

Done DatabaseWriter::begin(const Frame& frame, const archive::Bytes* saved) {
    if (auto done = file_->open(); !done) return done;
    if (auto done = saved != nullptr ? file_->restore(*saved) : file_->clear(); !done) return done;
    file_->description = identity_json(file_->identity);
    file_->description["measure"] = frame.potential.weights;
    file_->description["symmetries"] = symmetries_json(frame.symmetries);
    file_->combinations = frame.combinations;
    file_->description["outcomes"] = outcomes_json(frame.outcomes);
    file_->description["ties"] = frame.ties == Ties::Kind ? "kind" : "spiteful";
    file_->description["start"] = frame.start;
    if (frame.expected != nullptr) file_->description["kept"] = frame.expected->width();
    if (saved != nullptr) return {};
    format::Header header{};
    std::ranges::copy(format::magic, header.magic.begin());
    header.version = format::version;
    return file_->put(&header, sizeof header);
}

Done DatabaseWriter::keep(const Tier& tier, std::size_t first_block, std::span<const Result> results) {
    const std::size_t blocks = (results.size() + block_keys - 1) / block_keys;
    return file_->put_blocks(tier.keys, first_block, blocks, [&](std::size_t b, std::vector<std::uint8_t>& raw) {
        append_planes(block_of(results, b), raw);
    });
}

Done DatabaseWriter::keep_expected(const Tier& tier, std::size_t first_block, ExpectedValues::Columns values) {
    const std::size_t blocks = (values.front().size() + block_keys - 1) / block_keys;
    return file_->put_blocks(tier.keys, first_block, blocks, [&](std::size_t b, std::vector<std::uint8_t>& raw) {
        for (const auto& column : values) append_planes(block_of(std::span(column), b), raw);
    });
}

tl::expected<archive::Bytes, Error> DatabaseWriter::save() { return file_->save(); }

Done DatabaseWriter::end(const Solution& solution, const Histogram& histogram) {
    file_->description["solution"] = solution_json(solution);
    file_->description["histogram"] = histogram_json(histogram);
    return file_->finish();
}

} // namespace zug::solve
