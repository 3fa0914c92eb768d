#include "draw/png/png.hpp"

#include <librsvg/rsvg.h>

#include <cmath>
#include <cstdint>
#include <memory>

namespace zug::draw {

namespace {

constexpr double most_side = 32'767;        // of a surface of cairo, in pixels
constexpr double most_pixels = 128'000'000; // which take half a gigabyte

struct Release {
    void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(GError* error) const { g_error_free(error); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

struct Pixels {
    double width = 0, height = 0;
};

Pixels pixels_of(RsvgHandle* picture, const PngSize& size) {
    Pixels own;
    rsvg_handle_get_intrinsic_size_in_pixels(picture, &own.width, &own.height);
    const double scale = size.width > 0 ? size.width / own.width : size.scale;
    return {std::round(own.width * scale), std::fmax(1, std::round(own.height * scale))};
}

std::string text_of(const Pixels& pixels) {
    return std::to_string(static_cast<std::int64_t>(pixels.width)) + " x " +
           std::to_string(static_cast<std::int64_t>(pixels.height)) + " pixels";
}

cairo_status_t append(void* out, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

bool refuse(std::string& out, const std::string& reason) {
    out = reason;
    return false;
}

bool make_png(std::string_view svg, const PngSize& size, std::string& out) {
    GError* error = nullptr;
    const auto failed = [&] { return refuse(out, Owned<GError>(error)->message); };
    const Owned<RsvgHandle> picture(
        rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    if (!picture) return failed();
    const Pixels pixels = pixels_of(picture.get(), size);
    if (pixels.width > most_side || pixels.height > most_side || pixels.width * pixels.height > most_pixels)
        return refuse(out, "the picture would have " + text_of(pixels) +
                               ", which is too large; --width makes it smaller, "
                               "and SVG has any size");
    const Owned<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(pixels.width),
                                                                    static_cast<int>(pixels.height)));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        return refuse(out, "there is no memory for a picture of " + text_of(pixels));
    const Owned<cairo_t> context(cairo_create(surface.get()));
    const RsvgRectangle all{0, 0, pixels.width, pixels.height};
    if (rsvg_handle_render_document(picture.get(), context.get(), &all, &error) == 0) return failed();
    out.clear();
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &out);
    return status == CAIRO_STATUS_SUCCESS || refuse(out, cairo_status_to_string(status));
}

} // namespace

extern "C" bool zug_make_png(std::string_view svg, const PngSize& size, std::string& out) {
    return make_png(svg, size, out);
}

} // namespace zug::draw
