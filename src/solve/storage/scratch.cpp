#include "solve/storage/scratch.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace zug::solve {

namespace {

constexpr std::int64_t least_looks = 2, most_looks = 1 << 16;

} // namespace

std::uint64_t resident_memory() {
    static const int handle = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    std::array<char, 128> text{};
    if (handle < 0 || ::pread(handle, text.data(), text.size() - 1, 0) <= 0) return 0;
    char* second = nullptr;
    std::strtoull(text.data(), &second, 10);
    return std::strtoull(second, nullptr, 10) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void return_memory() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

Mapping::~Mapping() {
    if (data_ == nullptr) return;
    if (owner_ != nullptr) owner_->forget(data_);
    ::munmap(data_, bytes_);
}

Scratch::Scratch(Work& work, std::uint64_t free, const Need& need)
    : work_(work), free_(free), moves_in_files_(need.all > free), positions_in_files_(need.positions > free) {
    if (!moves_in_files_) return;
    return_memory();
    most_resident_ = resident_memory() + free;
}

Mapping Scratch::map(std::size_t bytes, bool in_file) {
    if (bytes == 0) return {};
    int handle = -1;
    std::shared_ptr<WorkFile> file; // the mapping lives on without it
    if (in_file) {
        file = work_.create_nameless();
        if (!file->extend(bytes)) return {};
        handle = file->handle();
    }
    void* data =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, in_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, handle, 0);
    if (data == MAP_FAILED) {
        work_.io_error().note("there is no memory left");
        return {};
    }
    if (!in_file) return {data, bytes, nullptr};
    mapped_.emplace_back(static_cast<std::byte*>(data), bytes);
    schedule(resident_memory());
    return {data, bytes, this};
}

void Scratch::forget(void* data) {
    std::erase_if(mapped_, [&](const auto& range) { return range.data() == data; });
}

// Kernels map more than 16 pages at once if their cache holds them contiguously, so more than the estimate can become
// resident.
void Scratch::schedule(std::uint64_t resident) {
    constexpr std::uint64_t caution = 4;
    const std::uint64_t left = most_resident_ - std::min(most_resident_, resident);
    until_question_ = std::clamp(static_cast<std::int64_t>(left / caution / bytes_of_a_look), least_looks, most_looks);
}

// A page that another thread uses is mapped again with its contents.
void Scratch::release_pages() {
    const std::lock_guard lock(asks_);
    if (until_question_ > 0) return; // another thread has checked meanwhile
    // Checking only at the limit would check at every second look(). Checking earlier costs few checks and few
    // releases.
    const std::uint64_t reserve =
        std::clamp(free_ / 4, static_cast<std::uint64_t>(least_looks) * bytes_of_a_look, 16 * bytes_of_a_look);
    std::uint64_t resident = resident_memory();
    if (resident + reserve > most_resident_) {
        for (const auto range : mapped_) ::madvise(range.data(), range.size(), MADV_DONTNEED);
        resident = resident_memory();
        // If buffers exceed their share the limit yields, or nothing else would be done.
        most_resident_ = std::max(most_resident_, resident + 2 * reserve);
    }
    schedule(resident);
}

} // namespace zug::solve
