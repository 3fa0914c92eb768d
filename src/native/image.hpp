#pragma once
// Machine code as it is cached and sent: the offsets of the routines, and position-independent code. It calls nothing
// but the functions of run::RoutineHost and those named in `import_names`.

#include "bytecode/native_routines.hpp"
#include "native/checksummed_blob.hpp"
#include "native/request.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace zug::native {

// The key of the code for a request, made by this version of the translator for this processor.
Key key_of(std::span<const std::uint8_t> request);

// Functions to which compilers may insert calls. Slot k of the imports holds the address of function k.
inline constexpr std::array<std::string_view, 3> import_names = {"memcpy", "memmove", "memset"};

inline constexpr std::uint32_t no_code = UINT32_MAX;

struct Image {
    std::vector<std::uint32_t> offsets; // into code, by index in Bytecode::routines; no_code: not translated
    std::uint32_t imports = 0;          // the offset of the slots for the addresses of the imports
    Bytes code;
};

Bytes write_image(const Image& image, const Key& key);
// The body of a blob as an image; nullopt if it is not a valid one.
std::optional<Image> parse_image(std::span<const std::uint8_t> body);
// A whole blob as an image; nullopt if it is damaged or has another key.
std::optional<Image> read_image(std::span<const std::uint8_t> bytes, const Key& key);

// An image in executable memory.
class LoadedImage {
public:
    // Null if the system gives no memory for code.
    static std::unique_ptr<const LoadedImage> load(const Image& image, const run::Bytecode& code);
    LoadedImage(const LoadedImage&) = delete;
    LoadedImage& operator=(const LoadedImage&) = delete;
    ~LoadedImage();
    const run::Routine* routines() const { return by_entry_.data(); }
    std::size_t size() const { return size_; }

private:
    LoadedImage(void* memory, std::size_t size) : memory_(memory), size_(size) {}
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    std::vector<run::Routine> by_entry_;
};

} // namespace zug::native
