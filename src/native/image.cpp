#include "native/image.hpp"

#include "native/cpu_features.hpp"
#include "translator_version.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace zug::native {

Key key_of(std::span<const std::uint8_t> request) {
    archive::Writer writer;
    writer.value(digest_of(request));
    writer.value(cpu_features());
    writer.value(translator_version);
    return digest_of(writer.bytes);
}

Bytes write_image(const Image& image, const Key& key) {
    archive::Writer writer;
    writer.value(image);
    return write_blob(writer.bytes, key);
}

std::optional<Image> read_image(std::span<const std::uint8_t> bytes, const Key& key) {
    const auto body = read_blob(bytes, key);
    return body ? parse_image(*body) : std::nullopt;
}

std::optional<Image> parse_image(std::span<const std::uint8_t> body) {
    auto image = archive::read<Image>(body);
    if (!image) return std::nullopt;
    const std::size_t imports_end = std::size_t{image->imports} + import_names.size() * sizeof(void*);
    const bool inside =
        std::ranges::all_of(image->offsets, [&](std::uint32_t at) { return at == no_code || at < image->code.size(); });
    if (!inside || imports_end > image->code.size()) image.reset();
    return image;
}

std::unique_ptr<const LoadedImage> LoadedImage::load(const Image& image, const run::Bytecode& code) {
    if (image.offsets.size() != code.routines.size() || image.code.empty()) return nullptr;
    void* const memory = mmap(nullptr, image.code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::unique_ptr<LoadedImage> loaded(new LoadedImage(memory, image.code.size()));
    auto* const bytes = static_cast<std::uint8_t*>(memory);
    std::memcpy(bytes, image.code.data(), image.code.size());
    const std::array<void*, import_names.size()> imports = {reinterpret_cast<void*>(&std::memcpy),
                                                            reinterpret_cast<void*>(&std::memmove),
                                                            reinterpret_cast<void*>(&std::memset)};
    std::memcpy(bytes + image.imports, static_cast<const void*>(imports.data()), sizeof imports);
    if (mprotect(memory, image.code.size(), PROT_READ | PROT_EXEC) != 0) return nullptr;
    loaded->by_entry_.assign(code.instrs.size(), nullptr);
    for (std::size_t r = 0; r < code.routines.size(); ++r)
        if (image.offsets[r] != no_code)
            loaded->by_entry_[code.routines[r].entry] = reinterpret_cast<run::Routine>(bytes + image.offsets[r]);
    return loaded;
}

LoadedImage::~LoadedImage() {
    if (memory_ != nullptr) munmap(memory_, size_);
}

} // namespace zug::native
