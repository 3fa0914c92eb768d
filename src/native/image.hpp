#pragma once
// Machine code as it is kept: a header, where each routine begins, and code that runs at any address. It calls nothing
// but the functions of run::RoutineHost and those of `imports`.

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

// What identifies a request, the translator's version and the processor together.
Key key_of(std::span<const std::uint8_t> request);

// What compilers may call on their own account. Slot k of the imports holds the address of function k.
inline constexpr std::array<std::string_view, 3> import_names = {"memcpy", "memmove", "memset"};

inline constexpr std::uint32_t no_code = UINT32_MAX;

struct Image {
    std::vector<std::uint32_t>
        offsets;               // into code, by number of the routine in Code::routines; no_code: not translated
    std::uint32_t imports = 0; // where in the code the addresses of the imports belong
    Bytes code;
};

Bytes write_image(const Image& image, const Key& key);
// What was sealed, as an image; empty if it is none.
std::optional<Image> parse_image(std::span<const std::uint8_t> body);
// Empty if the bytes are not the image of that key, whole and unchanged.
std::optional<Image> read_image(std::span<const std::uint8_t> bytes, const Key& key);

// Code in memory, ready to run.
class Loaded {
public:
    // Null if the system gives no memory for code.
    static std::unique_ptr<const Loaded> load(const Image& image, const run::Bytecode& code);
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    ~Loaded();
    const run::Routine* routines() const { return by_entry_.data(); }
    std::size_t size() const { return size_; }

private:
    Loaded(void* memory, std::size_t size) : memory_(memory), size_(size) {}
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    std::vector<run::Routine> by_entry_;
};

} // namespace zug::native
