#include "solve/storage/packed_combinations.hpp"

#include "solve/storage/byte_planes.hpp"

#include <zstd.h>

#include <cstring>
#include <new>

namespace zug::solve {

namespace {

constexpr int compression_level = 3;

void append(archive::Bytes& bytes, std::uint32_t number) {
    bytes.resize(bytes.size() + sizeof number);
    std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
}

class Input {
public:
    explicit Input(std::span<const std::uint8_t> bytes) : rest(bytes) {}
    bool number(std::uint32_t& out) {
        if (rest.size() < sizeof out) return false;
        std::memcpy(&out, rest.data(), sizeof out);
        rest = rest.subspan(sizeof out);
        return true;
    }

    std::span<const std::uint8_t> rest;
};

// Word w of each of some tuples.
std::vector<std::uint64_t> column(const TupleSet& tuples, std::size_t w) {
    std::vector<std::uint64_t> column;
    for (std::uint32_t i = 0; i < tuples.size(); ++i) column.push_back(tuples[i][w]);
    return column;
}

std::vector<std::uint64_t> read_tuples(const std::uint8_t* planes, std::size_t count, std::size_t width) {
    std::vector<std::uint64_t> words(count * width), column(count);
    for (std::size_t w = 0; w < width; ++w, planes += count * sizeof(std::uint64_t)) {
        read_planes(planes, std::span(column));
        for (std::size_t i = 0; i < count; ++i) words[i * width + w] = column[i];
    }
    return words;
}

} // namespace

archive::Bytes pack(const Combinations& combinations) {
    archive::Bytes bytes;
    if (combinations.all()) return bytes;
    append(bytes, combinations.span());
    append(bytes, static_cast<std::uint32_t>(combinations.blocks().size()));
    archive::Bytes planes;
    for (const auto& block : combinations.blocks()) {
        append(bytes, block.tuples.size());
        for (std::size_t w = 0; w < block.tuples.width(); ++w)
            append_planes<std::uint64_t>(column(block.tuples, w), planes);
    }
    const std::size_t head = bytes.size();
    bytes.resize(head + ZSTD_compressBound(planes.size()));
    const std::size_t size =
        ZSTD_compress(bytes.data() + head, bytes.size() - head, planes.data(), planes.size(), compression_level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc(); // the only error where there is room for the output
    bytes.resize(head + size);
    return bytes;
}

std::optional<Combinations> unpack_combinations(const ir::Program& program, std::span<const std::uint8_t> bytes,
                                                std::uint64_t most) {
    if (bytes.empty()) return Combinations();
    Input input(bytes);
    std::uint32_t span = 0, blocks = 0;
    if (!input.number(span) || !input.number(blocks) || span == 0) return std::nullopt;
    const Combinations shape(program, span);
    if (blocks != shape.blocks().size()) return std::nullopt;
    std::vector<std::uint32_t> counts(blocks);
    std::size_t all = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (!input.number(counts[b]) || counts[b] > most) return std::nullopt;
        all += counts[b] * shape.blocks()[b].tuples.width() * sizeof(std::uint64_t);
    }
    if (ZSTD_getFrameContentSize(input.rest.data(), input.rest.size()) != all) return std::nullopt;
    archive::Bytes planes(all);
    if (ZSTD_decompress(planes.data(), all, input.rest.data(), input.rest.size()) != all) return std::nullopt;
    std::vector<std::vector<std::uint64_t>> words;
    const std::uint8_t* from = planes.data();
    for (std::size_t b = 0; b < blocks; ++b) {
        words.push_back(read_tuples(from, counts[b], shape.blocks()[b].tuples.width()));
        from += words.back().size() * sizeof(std::uint64_t);
    }
    return Combinations::of(program, span, words);
}

} // namespace zug::solve
