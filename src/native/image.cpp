#include "native/image.hpp"

#include "native/processor.hpp"
#include "run/hash.hpp"
#include "translator_version.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace zug::native {
namespace {

struct Header {
    std::array<char, 8> magic;
    Key key;
    Key checksum; // of all that follows
    std::uint32_t routines, imports, code_size, reserved;
};
constexpr std::array<char, 8> magic = {'z', 'u', 'g', 'c', 'o', 'd', 'e', '1'};

Key hash_of(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint64_t> words(bytes.size() / 8 + 1, bytes.size());
    if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size() / 8 * 8);
    std::uint64_t tail = bytes.size();
    for (std::size_t k = bytes.size() / 8 * 8; k < bytes.size(); ++k) tail = tail << 8 ^ bytes[k];
    words.back() = tail;
    return run::words_hash(words);
}

Key checksum_of(const Header& header, std::span<const std::uint8_t> body) {
    const Key of_body = hash_of(body);
    return run::words_hash(std::array<std::uint64_t, 6>{of_body[0], of_body[1], header.routines, header.imports,
                                                        header.code_size, header.reserved});
}

} // namespace

Key key_of(std::span<const std::uint8_t> request) {
    std::vector<std::uint64_t> words;
    for (const Key& part : {hash_of(request), processor_hash(), Key{translator_version[0], translator_version[1]}})
        words.insert(words.end(), part.begin(), part.end());
    return run::words_hash(words);
}

Bytes write_image(const Image& image, const Key& key) {
    Bytes body(image.offsets.size() * sizeof(std::uint32_t) + image.code.size());
    if (!image.offsets.empty())
        std::memcpy(body.data(), image.offsets.data(), image.offsets.size() * sizeof(std::uint32_t));
    std::copy(image.code.begin(), image.code.end(), body.end() - static_cast<std::ptrdiff_t>(image.code.size()));
    Header header{.magic = magic,
                  .key = key,
                  .checksum = {},
                  .routines = static_cast<std::uint32_t>(image.offsets.size()),
                  .imports = image.imports,
                  .code_size = static_cast<std::uint32_t>(image.code.size()),
                  .reserved = 0};
    header.checksum = checksum_of(header, body);
    Bytes bytes(sizeof header + body.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::copy(body.begin(), body.end(), bytes.begin() + sizeof header);
    return bytes;
}

std::optional<Image> read_image(std::span<const std::uint8_t> bytes, const Key& key) {
    Header header;
    if (bytes.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto body = bytes.subspan(sizeof header);
    const std::size_t offsets = std::size_t{header.routines} * sizeof(std::uint32_t);
    if (header.magic != magic || header.key != key || body.size() != offsets + header.code_size) return std::nullopt;
    if (checksum_of(header, body) != header.checksum) return std::nullopt;
    Image image;
    image.offsets.resize(header.routines);
    if (offsets > 0) std::memcpy(image.offsets.data(), body.data(), offsets);
    image.imports = header.imports;
    image.code.assign(body.begin() + static_cast<std::ptrdiff_t>(offsets), body.end());
    const std::size_t imports_end = std::size_t{image.imports} + import_names.size() * sizeof(void*);
    const bool inside =
        std::ranges::all_of(image.offsets, [&](std::uint32_t at) { return at == no_code || at < image.code.size(); });
    if (!inside || imports_end > image.code.size()) return std::nullopt;
    return image;
}

std::unique_ptr<const Loaded> Loaded::load(const Image& image, const run::Code& code) {
    if (image.offsets.size() != code.routines.size() || image.code.empty()) return nullptr;
    void* const memory = mmap(nullptr, image.code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::unique_ptr<Loaded> loaded(new Loaded(memory, image.code.size()));
    auto* const bytes = static_cast<std::uint8_t*>(memory);
    std::memcpy(bytes, image.code.data(), image.code.size());
    const std::array<void*, import_names.size()> imports = {reinterpret_cast<void*>(&std::memcpy),
                                                            reinterpret_cast<void*>(&std::memmove),
                                                            reinterpret_cast<void*>(&std::memset)};
    std::memcpy(bytes + image.imports, imports.data(), sizeof imports);
    if (mprotect(memory, image.code.size(), PROT_READ | PROT_EXEC) != 0) return nullptr;
    loaded->by_entry_.assign(code.instrs.size(), nullptr);
    for (std::size_t r = 0; r < code.routines.size(); ++r)
        if (image.offsets[r] != no_code)
            loaded->by_entry_[code.routines[r].entry] = reinterpret_cast<run::Routine>(bytes + image.offsets[r]);
    return loaded;
}

Loaded::~Loaded() {
    if (memory_ != nullptr) munmap(memory_, size_);
}

} // namespace zug::native
