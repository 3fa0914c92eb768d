#include "base/zeroed_array.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace zug {

void prefer_huge_pages(void* block, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(block) & ~(page - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(block) + bytes;
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
    static_cast<void>(block), static_cast<void>(bytes);
#endif
}

} // namespace zug
