// Pixels of alpha 0 have no colour: it reaches no neighbour.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// 200, 150, 100 above, and below it fully transparent blue.
Image half_hidden(Depth depth = Depth::u8) {
    Image image(8, 8, 4, Depth::u8);
    for (std::size_t i = 0; i < 64; ++i) {
        const bool seen = i < 32;
        const std::array<std::uint8_t, 4> pixel =
            seen ? std::array<std::uint8_t, 4>{200, 150, 100, 255} : std::array<std::uint8_t, 4>{0, 0, 255, 0};
        std::copy(pixel.begin(), pixel.end(), &image.values<std::uint8_t>()[4 * i]);
    }
    return with_depth(std::move(image), depth);
}

struct Folder : TempDir {
    Image made(std::vector<std::string> arguments) const {
        const ProgramResult result = run_glproc(path(), std::move(arguments));
        INFO(result.err);
        REQUIRE(result.status == 0);
        return load(*this / "o.tif");
    }
};

/// The colours of the visible pixels, which are all the same.
void check_flat(const Image& image, const std::vector<int>& colour) {
    const double scale = max_code(image.depth()) / 255;
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 8; ++x) {
            for (int c = 0; c < 3; ++c) {
                CHECK(std::abs(image.at(x, y, c) / scale - colour[static_cast<std::size_t>(c)]) <= 0.51);
            }
        }
    }
}

} // namespace

TEST_CASE("hidden colour: nothing of it reaches a neighbour") {
    const Folder folder;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        save(half_hidden(depth), folder / "a.tif");
        for (const std::string method : {"auto", "cpu"}) {
            CAPTURE(static_cast<int>(depth), method);
            const auto made = [&](std::vector<std::string> arguments) {
                arguments.insert(arguments.begin() + 1, {"a.tif", "o.tif"});
                arguments.insert(arguments.end(), {"--method", method});
                return folder.made(std::move(arguments));
            };
            check_flat(made({"sobel"}), {0, 0, 0});
            check_flat(made({"laplacian"}), {0, 0, 0});
        }
    }
}

TEST_CASE("hidden colour: a flat sprite stays flat in resize") {
    const Folder folder;
    Image sprite(128, 128, 4, Depth::u8);
    for (int y = 0; y < 128; ++y) {
        for (int x = 0; x < 128; ++x) {
            const double distance = std::hypot(x - 63.5, y - 63.5);
            const double alpha = std::clamp(50.5 - distance, 0.0, 1.0);
            const std::array<int, 4> pixel{alpha > 0 ? 60 : 0, alpha > 0 ? 200 : 0, alpha > 0 ? 255 : 0,
                                           static_cast<int>(255 * alpha)};
            for (int c = 0; c < 4; ++c) {
                sprite.values<std::uint8_t>()[static_cast<std::size_t>(4 * (128 * y + x) + c)] =
                    static_cast<std::uint8_t>(pixel[static_cast<std::size_t>(c)]);
            }
        }
    }
    save(sprite, folder / "s.png");
    for (const std::string size : {"64x64", "37x50", "200x200"}) {
        for (const std::string linear : {"", "--linear"}) {
            std::vector<std::string> call{"resize", "s.png", "o.tif", size};
            if (!linear.empty()) {
                call.push_back(linear);
            }
            const Image made = folder.made(call);
            double worst = 0;
            for (int y = 0; y < made.height(); ++y) {
                for (int x = 0; x < made.width(); ++x) {
                    for (int c = 0; c < 3 && made.at(x, y, 3) > 0; ++c) {
                        worst = std::max(worst, std::abs(made.at(x, y, c) - std::array{60, 200, 255}.at(static_cast<std::size_t>(c))));
                    }
                }
            }
            CHECK(worst <= 1);
        }
    }
}
