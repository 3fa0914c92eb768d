// What is in the cache of compiled code, or comes through the pipe of the compile service: bytes with the right
// checksum, but of any content. They are a program that fits its rules, a request, an image, or nothing.
//
// What fits is not run: the cache is the user's own folder, and only files that nobody else may write are read.

#include "base/archive.hpp"
#include "bytecode/compiled_program.hpp"
#include "native/checksummed_blob.hpp"
#include "native/image.hpp"
#include "native/program_cache.hpp"
#include "native/request.hpp"
#include "tests/fuzz/games.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace zug;
    static const game::Game game = fuzz::load("tic-tac-toe");
    const std::span<const std::uint8_t> bytes(data, size);
    const native::Key key = native::key_of(game.program());
    (void)native::read_blob(bytes, key);
    const native::Bytes blob = native::write_blob({bytes.begin(), bytes.end()}, key);
    const auto body = native::read_blob(blob, key);
    fuzz::require(body && std::ranges::equal(*body, bytes), "a blob is read as it was written");
    archive::Reader reader(*body);
    run::CompiledParts parts;
    reader.value(parts);
    if (reader.done()) (void)run::fits(parts, game.program());
    (void)native::read_request(*body);
    const auto image = native::read_image(blob, key);
    if (image) fuzz::require(native::read_image(native::write_image(*image, key), key).has_value(), "an image is kept");
    return 0;
}
