#include "web/assets.hpp"

#include <array>

namespace zug::web {

std::span<const Asset> assets() {
    static const auto all = std::to_array<Asset>({
#define PAGE_FILE(function, path, type) Asset{path, type, function()},
#include "web/assets.def"
#undef PAGE_FILE
    });
    return all;
}

} // namespace zug::web
