#pragma once
// Links relocatable ELF objects to one position-independent image.

#include "native/image.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace zug::codegen {

class Linker {
public:
    // Appends an object. `symbol` is called with the name and the offset in the code of each global function. False,
    // with `why`, if the object has a relocation that images do not support.
    bool add(std::span<const std::uint8_t> object, const std::function<void(std::string_view, std::uint32_t)>& symbol,
             std::string& why);
    // Sets the image's code and imports.
    void finish(native::Image& image);

private:
    std::uint32_t append(std::size_t size, std::size_t alignment);
    std::uint32_t import_stub(std::size_t import);

    native::Bytes code_;
    std::array<std::uint32_t, native::import_names.size()> stubs_{}; // offsets; 0: none so far
    struct Slot {
        std::uint32_t at; // the offset of a displacement to the address of an import
        std::size_t import;
    };
    std::vector<Slot> slots_;
};

} // namespace zug::codegen
