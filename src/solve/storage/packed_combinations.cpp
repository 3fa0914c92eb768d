#include "solve/storage/packed_combinations.hpp"

#include "solve/storage/byte_planes.hpp"

#include <zstd.h>

#include <new>

namespace zug::solve {

namespace {

constexpr int compression_level = 3;

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
    if (combinations.all()) return {};
    PackedCombinations packed{.span = combinations.span(), .counts = {}, .words = {}};
    archive::Bytes planes;
    for (const auto& block : combinations.blocks()) {
        packed.counts.push_back(block.tuples.size());
        for (std::size_t w = 0; w < block.tuples.width(); ++w)
            append_planes<std::uint64_t>(column(block.tuples, w), planes);
    }
    packed.words.resize(ZSTD_compressBound(planes.size()));
    const std::size_t size =
        ZSTD_compress(packed.words.data(), packed.words.size(), planes.data(), planes.size(), compression_level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc(); // the only error where there is room for the output
    packed.words.resize(size);
    archive::Writer writer;
    writer.value(packed);
    return writer.bytes;
}

std::optional<Combinations> unpack_combinations(const ir::Program& program, std::span<const std::uint8_t> bytes,
                                                std::uint64_t most) {
    if (bytes.empty()) return Combinations();
    const auto packed = archive::read<PackedCombinations>(bytes);
    if (!packed || packed->span == 0) return std::nullopt;
    const Combinations shape(program, packed->span);
    const std::vector<std::uint32_t>& counts = packed->counts;
    if (counts.size() != shape.blocks().size()) return std::nullopt;
    std::size_t all = 0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        if (counts[b] > most) return std::nullopt;
        all += counts[b] * shape.blocks()[b].tuples.width() * sizeof(std::uint64_t);
    }
    const archive::Bytes& frame = packed->words;
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != all) return std::nullopt;
    archive::Bytes planes(all);
    if (ZSTD_decompress(planes.data(), all, frame.data(), frame.size()) != all) return std::nullopt;
    std::vector<std::vector<std::uint64_t>> words;
    const std::uint8_t* from = planes.data();
    for (std::size_t b = 0; b < counts.size(); ++b) {
        words.push_back(read_tuples(from, counts[b], shape.blocks()[b].tuples.width()));
        from += words.back().size() * sizeof(std::uint64_t);
    }
    return Combinations::of(program, packed->span, words);
}

} // namespace zug::solve
