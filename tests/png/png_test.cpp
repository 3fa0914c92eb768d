// `zug draw` and `zug tree` as PNG, where the program was built with the library that makes them: another reader
// decodes what they wrote.

#include "tests/cli/process.hpp"

#include <doctest/doctest.h>

#include <cairo.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>

namespace fs = std::filesystem;
using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

struct Decoded {
    int width = 0, height = 0;
    std::set<std::uint32_t> colours; // of the pixels, as 0xRRGGBB
};

Decoded decoded(const fs::path& file) {
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create_from_png(file.c_str()), &cairo_surface_destroy);
    REQUIRE(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS);
    Decoded out{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
    const auto* const bytes = cairo_image_surface_get_data(surface.get());
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, bytes + y * cairo_image_surface_get_stride(surface.get()) + 4 * x, sizeof pixel);
            out.colours.insert(pixel & 0xffffff);
        }
    return out;
}

// The side of a picture in SVG, as its first such attribute says.
int side_of(const std::string& svg, const std::string& name) {
    return std::stoi(svg.substr(svg.find(" " + name + "=\"") + name.size() + 3));
}

} // namespace

TEST_CASE("a PNG has twice the size of the picture in SVG, or the size that was asked for") {
    const TemporaryFolder folder;
    const std::string png = (folder.path() / "board.png").string();
    const std::string svg = run_zug({"draw", "chess"}).out;
    const int width = side_of(svg, "width"), height = side_of(svg, "height");
    const auto drawn = [&](std::vector<std::string> line) {
        line.insert(line.end(), {"-o", png});
        const Result result = run_zug(line);
        CHECK(result.err == "");
        REQUIRE(result.code == 0);
        return decoded(png);
    };
    const Decoded whole = drawn({"draw", "chess"});
    CHECK(whole.width == 2 * width);
    CHECK(whole.height == 2 * height);
    const std::string fill = "fill=\"#";
    for (std::size_t at = svg.find(fill); at != svg.npos; at = svg.find(fill, at + 1)) {
        const std::string colour = svg.substr(at + fill.size(), 6);
        CAPTURE(colour);
        CHECK(whole.colours.contains(static_cast<std::uint32_t>(std::stoul(colour, nullptr, 16))));
    }
    const Decoded narrow = drawn({"draw", "chess", "--width", "200"});
    CHECK(narrow.width == 200);
    CHECK(std::abs(narrow.height - 200 * height / width) <= 1);
    const Decoded sized = drawn({"draw", "chess", "--size", "300"});
    CHECK(std::max(sized.width, sized.height) == 300);
    CHECK(drawn({"tree", "tree-pruning", "--width", "700"}).width == 700);
    const Result named = run_zug({"draw", "chess", "--format", "png"});
    CHECK(named.out.starts_with("\x89PNG"));
    Setting setting;
    setting.environment["ASAN_OPTIONS"] = "detect_leaks=0"; // which looks into the process from another one
    const Result shut_in = run_zug({"draw", "chess", "--sandbox", "-o", png}, setting);
    if (has(shut_in.err, "--sandbox needs Landlock")) return; // which this system doesn't have
    CHECK(shut_in.code == 0);
    CHECK(decoded(png).colours == whole.colours);
}

TEST_CASE("a PNG that can't be made or written leaves what was there") {
    const TemporaryFolder folder;
    const std::string png = folder.write("board.png", "old");
    const auto refused = [&](const std::vector<std::string>& line, int code, const std::string& why) {
        const Result result = run_zug(line);
        CAPTURE(result.err);
        CHECK(result.code == code);
        CHECK(has(result.err, why));
        CHECK(read_file(png) == "old");
    };
    refused({"draw", "chess", "--moves", "e2e5", "-o", png}, 1, "e2e5");
    refused({"draw", "chess", "--format", "png", "-o", "/dev/full"}, 1, "can't write to /dev/full");
    refused({"draw", "chess", "-o", (folder.path() / "none" / "x.png").string()}, 1, "can't write to");
    refused({"draw", "chess", "--width", "30000", "-o", png}, 1, "--width makes it smaller");
    Setting setting;
    setting.terminal = true;
    const Result shown = run_zug({"draw", "chess", "--format", "png"}, setting);
    CHECK(shown.code == 2);
    CHECK(has(shown.out, "can't be shown on a terminal"));
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}
