// Paints the sample pictures: an evening by a mountain lake, and a balloon cut out of its background.
//
//   glproc_make_sample FOLDER     writes FOLDER/sample.png and FOLDER/sample_alpha.png
#include "balloon.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "scene.hpp"

#include <cstdio>
#include <filesystem>

using namespace glproc;
using namespace sample;

namespace {

Image paint_scene(int width, int height) {
    Image image(width, height, 3, Depth::u8);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            Colour c = supersample(x, y, [&](double px, double py) {
                const Colour sample = scene(px * 1.5 / width, py / height);
                return Colour{std::min(sample.r, 8.0), std::min(sample.g, 8.0), std::min(sample.b, 8.0)};
            });
            const double corner = std::hypot((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5);
            c = c * (1 - 0.42 * smooth(0.30, 0.75, corner));
            const double grain = (hash(x, y, 900) + hash(x, y, 901) - 1) * 0.9;
            auto* out = reinterpret_cast<std::uint8_t*>(image.row(y)) + std::ptrdiff_t{3} * x;
            out[0] = code(develop(c.r) + grain);
            out[1] = code(develop(c.g) + grain);
            out[2] = code(develop(c.b) + grain);
        }
    }
    return image;
}

/// A colour times its cover, with the cover: what may be averaged.
struct Premultiplied {
    Colour colour;
    double alpha = 0;
};
Premultiplied operator+(const Premultiplied& a, const Premultiplied& b) {
    return {a.colour + b.colour, a.alpha + b.alpha};
}
Premultiplied operator*(const Premultiplied& a, double k) {
    return {a.colour * k, a.alpha * k};
}

/// The balloon alone, over mist that fades to nothing. Wholly transparent pixels are
/// bright green: a filter that lets them bleed into the picture shows at once.
Image paint_cutout(int width, int height) {
    Image image(width, height, 4, Depth::u8);
    const double radius = height * 0.30;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const Premultiplied p = supersample(x, y, [&](double px, double py) {
                const Layer top =
                    balloon((px - width * 0.5) / radius, (py - height * 0.36) / radius, 0.2 / radius);
                const double mist =
                    smooth(0.42, 0.78, fbm(px / 120, py / 60, 5, 800)) * smooth(0.45, 0.90, py / height) *
                    smooth(0.5, 0.25, std::abs(px / width - 0.5)) * smooth(1.0, 0.93, py / height) * 0.9;
                const double below = mist * (1 - top.cover);
                return Premultiplied{top.colour * top.cover + Colour{0.75, 0.80, 0.95} * below,
                                     top.cover + below};
            });
            auto* out = reinterpret_cast<std::uint8_t*>(image.row(y)) + std::ptrdiff_t{4} * x;
            const std::uint8_t alpha = code(p.alpha * 255);
            const Colour c = p.colour * (1 / std::max(p.alpha, 1e-9));
            out[0] = alpha == 0 ? std::uint8_t{0} : code(develop(c.r));
            out[1] = alpha == 0 ? std::uint8_t{255} : code(develop(c.g));
            out[2] = alpha == 0 ? std::uint8_t{0} : code(develop(c.b));
            out[3] = alpha;
        }
    }
    return image;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: glproc_make_sample FOLDER\n", stderr);
        return 2;
    }
    try {
        const std::filesystem::path folder = argv[1];
        save(paint_scene(1280, 853), folder / "sample.png", {.png_level = 12});
        save(paint_cutout(640, 427), folder / "sample_alpha.png", {.png_level = 12});
    } catch (const Error& error) {
        std::fprintf(stderr, "glproc_make_sample: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
