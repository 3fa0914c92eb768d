#pragma once
// From relocatable ELF objects to one image that runs at any address.

#include "native/image.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace zug::codegen {

class Linker {
public:
    // Appends an object. `symbol` is called with each visible function's name and place in the code. False, with `why`,
    // if the object needs what an image can't have.
    bool add(std::span<const std::uint8_t> object, const std::function<void(std::string_view, std::uint32_t)>& symbol,
             std::string& why);
    // Fills code and imports.
    void finish(native::Image& image);

private:
    std::uint32_t append(std::size_t size, std::size_t alignment);
    std::uint32_t import_stub(std::size_t import);

    native::Bytes code_;
    std::array<std::uint32_t, native::import_names.size()> stubs_{}; // 0: not needed yet
    struct Slot {
        std::uint32_t at; // of a displacement to the address of an import
        std::size_t import;
    };
    std::vector<Slot> slots_;
};

} // namespace zug::codegen
