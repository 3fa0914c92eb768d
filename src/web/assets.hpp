#pragma once
// The files of the page, which are part of the program.

#include <span>
#include <string_view>

namespace zug::web {

#define PAGE_FILE(function, path, type) std::string_view function();
#include "web/assets.def"
#undef PAGE_FILE

struct Asset {
    std::string_view path, type, text;
};
std::span<const Asset> assets();

} // namespace zug::web
