#include "tests/fuzz/forged_database.hpp"

#include "solve/storage/packed_combinations.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <zstd.h>

namespace zug::fuzz {

namespace {

namespace format = solve::format;
using Json = nlohmann::ordered_json;

std::uint64_t hash(const void* data, std::size_t bytes) { return XXH64(data, bytes, 0); }

template <class T>
T part(const std::string& text, std::size_t at) {
    T value;
    std::memcpy(&value, text.data() + at, sizeof value);
    return value;
}

void all_nodes(Json& json, std::vector<Json*>& nodes) {
    nodes.push_back(&json);
    if (json.is_structured())
        for (Json& child : json) all_nodes(child, nodes);
}

Json any_value(Numbers& numbers, const std::vector<Json*>& nodes) {
    switch (numbers.below(9)) {
    case 0: return nullptr;
    case 1: return numbers.below(2) == 0;
    case 2: return numbers.edge();
    case 3: return static_cast<std::int64_t>(numbers.edge());
    case 4: return -0.5 * static_cast<double>(numbers.byte());
    case 5: return 1e300;
    case 6: return std::string(numbers.below(40), 'x');
    case 7: return Json::array();
    default: return *nodes[numbers.below(nodes.size())];
    }
}

// Adds to the n-th of the numbers that an array of 64-bit words holds.
template <class T>
void add(std::vector<T>& list, const std::vector<std::pair<std::size_t, std::uint64_t>>& changes) {
    const std::size_t words = list.size() * sizeof(T) / sizeof(std::uint64_t);
    for (const auto& [at, addend] : changes) {
        if (words == 0) return;
        std::uint64_t word = 0;
        std::uint8_t* const place = reinterpret_cast<std::uint8_t*>(list.data()) + at % words * sizeof word;
        std::memcpy(&word, place, sizeof word);
        word += addend;
        std::memcpy(place, &word, sizeof word);
    }
}

} // namespace

ForgedDatabase ForgedDatabase::read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ForgedDatabase database;
    database.header_ = part<format::Header>(text, 0);
    const auto footer = part<format::Footer>(text, text.size() - sizeof(format::Footer));
    for (std::uint64_t b = 0; b < footer.blocks; ++b) {
        const auto entry = part<format::IndexEntry>(text, footer.index_offset + b * sizeof(format::IndexEntry));
        const char* const packed = text.data() + entry.offset;
        Bytes raw(ZSTD_getFrameContentSize(packed, entry.bytes));
        require(ZSTD_decompress(raw.data(), raw.size(), packed, entry.bytes) == raw.size(), "a right block unpacks");
        database.blocks_.push_back({entry.first_key, entry.keys, std::move(raw)});
    }
    const char* const combinations = text.data() + footer.combinations_offset;
    database.combinations_.assign(combinations, combinations + footer.combinations_bytes);
    database.description_ = Json::parse(text.substr(footer.description_offset, footer.description_bytes));
    return database;
}

void ForgedDatabase::change_description(Numbers& numbers) {
    std::vector<Json*> nodes;
    all_nodes(description_, nodes);
    Json& node = *nodes[numbers.below(nodes.size())];
    const std::size_t kind = numbers.below(4);
    if (kind == 0 && node.is_structured() && !node.empty()) {
        auto child = node.begin();
        std::advance(child, static_cast<std::ptrdiff_t>(numbers.below(node.size())));
        node.erase(child);
    } else if (kind == 1 && node.is_array()) {
        node.insert(node.end(), any_value(numbers, nodes));
    } else if (kind == 2 && node.is_number_integer()) {
        // Unsigned, since the number may be the largest that there is.
        const auto addend = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(numbers.byte())});
        node = static_cast<std::int64_t>(node.get<std::uint64_t>() + addend);
    } else {
        node = any_value(numbers, nodes);
    }
}

void ForgedDatabase::change_block(Numbers& numbers) {
    Block& block = blocks_[numbers.below(blocks_.size())];
    switch (numbers.below(7)) {
    case 0: block.first_key += numbers.edge(); break;
    case 1: block.keys += static_cast<std::uint32_t>(numbers.edge()); break;
    case 2: block.raw.resize(numbers.below(2 * block.raw.size() + 1)); break;
    case 3: blocks_.push_back(block); break;
    case 4: std::swap(block, blocks_[numbers.below(blocks_.size())]); break;
    default:
        if (!block.raw.empty()) block.raw[numbers.below(block.raw.size())] += numbers.byte();
    }
}

// The numbers before the compressed words, or a byte of the words.
void ForgedDatabase::change_combinations(Numbers& numbers) {
    auto packed = archive::read<solve::PackedCombinations>(combinations_);
    if (!packed) return combinations_.resize(numbers.below(64), numbers.byte());
    const std::size_t kind = numbers.below(6);
    if (kind == 0) {
        packed->span = static_cast<std::uint32_t>(numbers.edge());
    } else if (kind == 1 && !packed->counts.empty()) {
        packed->counts[numbers.below(packed->counts.size())] = static_cast<std::uint32_t>(numbers.edge());
    } else if (kind == 2) {
        packed->counts.resize(numbers.below(2 * packed->counts.size() + 2));
    } else {
        constexpr std::size_t most = 1 << 20;
        const auto size = ZSTD_getFrameContentSize(packed->words.data(), packed->words.size());
        if (size == 0 || size > most) return;
        Bytes raw(size);
        if (ZSTD_decompress(raw.data(), size, packed->words.data(), packed->words.size()) != size) return;
        raw[numbers.below(size)] += numbers.byte();
        packed->words.resize(ZSTD_compressBound(size));
        packed->words.resize(ZSTD_compress(packed->words.data(), packed->words.size(), raw.data(), size, 1));
    }
    archive::Writer writer;
    writer.value(*packed);
    combinations_ = std::move(writer.bytes);
}

void ForgedDatabase::change(Numbers& numbers) {
    switch (numbers.below(9)) {
    case 8: change_combinations(numbers); break;
    case 0: index_changes_.emplace_back(numbers.byte(), numbers.edge()); break;
    case 1: footer_changes_.emplace_back(numbers.byte(), numbers.edge()); break;
    case 2: cut_ = numbers.below(300); break;
    case 3:
    case 4: change_block(numbers); break;
    default: change_description(numbers);
    }
}

void ForgedDatabase::write(const std::filesystem::path& path) const {
    std::string text(reinterpret_cast<const char*>(&header_), sizeof header_);
    std::vector<format::IndexEntry> index;
    for (const Block& block : blocks_) {
        Bytes packed(ZSTD_compressBound(block.raw.size()));
        packed.resize(ZSTD_compress(packed.data(), packed.size(), block.raw.data(), block.raw.size(), 1));
        index.push_back({block.first_key, text.size(), static_cast<std::uint32_t>(packed.size()), block.keys,
                         hash(packed.data(), packed.size())});
        text.append(reinterpret_cast<const char*>(packed.data()), packed.size());
    }
    std::vector<format::Footer> footer(1);
    add(index, index_changes_);
    footer[0].index_offset = text.size();
    footer[0].blocks = index.size();
    footer[0].index_hash = hash(index.data(), index.size() * sizeof(format::IndexEntry));
    text.append(reinterpret_cast<const char*>(index.data()), index.size() * sizeof(format::IndexEntry));
    footer[0].combinations_offset = text.size();
    footer[0].combinations_bytes = combinations_.size();
    footer[0].combinations_hash = hash(combinations_.data(), combinations_.size());
    text.append(reinterpret_cast<const char*>(combinations_.data()), combinations_.size());
    const std::string about = description_.dump(-1, ' ', false, Json::error_handler_t::replace);
    footer[0].description_offset = text.size();
    footer[0].description_bytes = about.size();
    footer[0].description_hash = hash(about.data(), about.size());
    text += about;
    for (const format::IndexEntry& entry : index) footer[0].positions += entry.keys;
    std::ranges::copy(format::end_magic, footer[0].magic.begin());
    add(footer, footer_changes_);
    text.append(reinterpret_cast<const char*>(footer.data()), sizeof(format::Footer));
    text.resize(text.size() - std::min<std::uint64_t>(cut_, text.size()));
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace zug::fuzz
