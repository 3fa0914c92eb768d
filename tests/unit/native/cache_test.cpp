// Errors of the cache are never fatal: a file with which something is wrong is as good as none.

#include "native/cache.hpp"
#include "native/image.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace zug::native;
namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() : path(fs::temp_directory_path() / ("zug-cache-test-" + std::to_string(getpid()))) {
        fs::remove_all(path);
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

Image image_of(std::uint8_t byte, std::size_t size = 100) {
    Image image;
    image.offsets = {0, no_code, 8};
    image.imports = 16;
    image.code.assign(size, byte);
    return image;
}

void store(const Cache& cache, const Key& key, const Image& image) { cache.store(key, write_image(image, key)); }

constexpr Key key = {1, 2}, other_key = {1, 3};

} // namespace

TEST_CASE("what is stored is found again, by its own key") {
    const Folder folder;
    const Cache cache(folder.path / "deep" / "inside");
    CHECK(!cache.load(key));
    store(cache, key, image_of(7));
    const auto body = cache.load(key);
    REQUIRE(body);
    const auto found = parse_image(*body);
    REQUIRE(found);
    CHECK(found->code == image_of(7).code);
    CHECK(found->offsets == image_of(7).offsets);
    CHECK(found->imports == 16);
    CHECK(!cache.load(other_key));
    fs::copy_file(cache.path(key), cache.path(other_key));
    CHECK(!cache.load(other_key));
}

TEST_CASE("a file that is cut short or changed in any byte is not there") {
    const Folder folder;
    const Cache cache(folder.path);
    const Bytes whole = write_image(image_of(7), key);
    for (std::size_t k = 0; k < whole.size(); ++k) {
        CAPTURE(k);
        CHECK(!read_image(std::span(whole).first(k), key));
        Bytes changed = whole;
        changed[k] ^= 0x10;
        CHECK(!read_image(changed, key));
    }
    store(cache, key, image_of(7));
    fs::resize_file(cache.path(key), 50);
    CHECK(!cache.load(key));
    store(cache, key, image_of(8));
    CHECK(cache.load(key));
}

TEST_CASE("a file that others may write is not trusted") {
    const Folder folder;
    const Cache cache(folder.path);
    store(cache, key, image_of(7));
    chmod(cache.path(key).c_str(), 0666);
    CHECK(!cache.load(key));
}

TEST_CASE("a folder that can't be made or written") {
    for (const fs::path& path : {fs::path("/dev/null/zug"), fs::path("/proc/zug"), fs::path()}) {
        const Cache cache(path);
        store(cache, key, image_of(7));
        CHECK(!cache.load(key));
    }
}

TEST_CASE("several that store and load at once see one image or the other") {
    const Folder folder;
    const Cache cache(folder.path);
    store(cache, key, image_of(1, 50'000));
    std::vector<std::jthread> threads;
    for (std::uint8_t t = 1; t <= 3; ++t)
        threads.emplace_back([&cache, t] {
            for (int k = 0; k < 50; ++k) {
                store(cache, key, image_of(t, 50'000));
                const auto body = cache.load(key);
                const auto found = body ? parse_image(*body) : std::nullopt;
                if (found) CHECK(found->code == image_of(found->code[0], 50'000).code);
            }
        });
}

TEST_CASE("the least recently used go when there is too much") {
    const Folder folder;
    const Cache cache(folder.path, 2500);
    const auto now = fs::file_time_type::clock::now();
    for (std::uint8_t k = 0; k < 4; ++k) {
        store(cache, {k, k}, image_of(1, 1000));
        if (fs::exists(cache.path({k, k})))
            fs::last_write_time(cache.path({k, k}), now - std::chrono::seconds(100 - k));
    }
    CHECK(!cache.load({0, 0}));
    CHECK(!cache.load({1, 1}));
    CHECK(cache.load({2, 2}));
    CHECK(cache.load({3, 3}));
}

TEST_CASE("who claims the cache is waited for, but not for ever") {
    using namespace std::chrono_literals;
    const Folder folder;
    const Cache cache(folder.path);
    {
        Cache::Claim first, second;
        cache.claim(0ms, first);
        const auto begin = std::chrono::steady_clock::now();
        cache.claim(60ms, second);
        CHECK(std::chrono::steady_clock::now() - begin >= 60ms);
    }
    CHECK(fs::is_empty(folder.path));

    auto held = std::make_unique<Cache::Claim>();
    cache.claim(0ms, *held);
    std::atomic<bool> stored = false;
    std::thread other([&] {
        Cache::Claim waiting;
        cache.claim(10s, waiting);
        CHECK(stored);
    });
    store(cache, key, image_of(7));
    stored = true;
    held.reset();
    other.join();
}
