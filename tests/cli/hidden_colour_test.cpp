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
            for (int c = 0; c < 3 && image.at(x, y, 3) > 0; ++c) {
                CHECK(std::abs(image.at(x, y, c) / scale - colour[static_cast<std::size_t>(c)]) <= 0.51);
            }
        }
    }
}

} // namespace

TEST_CASE("hidden colour: measures see what can be seen") {
    const Folder folder;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        save(half_hidden(depth), folder / "a.tif");
        const auto made = [&](std::vector<std::string> arguments) {
            arguments.insert(arguments.begin() + 1, {"a.tif", "o.tif"});
            return folder.made(std::move(arguments));
        };
        for (const std::string method : {"gpu", "cpu"}) {
            CAPTURE(static_cast<int>(depth), method);
            if (depth != Depth::f32) { // whose light is unknown; the mean of 0.578, 0.305 and 0.127 is 0.337
                check_flat(made({"balance", "--variant", method}), {157, 157, 157});
            }
            check_flat(made({"levels", "--auto", "--method", method}), {200, 150, 100});
        }
        if (depth != Depth::f32) {
            for (const std::string method : {"auto", "cpu"}) {
                check_flat(made({"equalize", "--method", method}), {200, 150, 100});
                check_flat(made({"equalize", "--per-channel", "--method", method}), {200, 150, 100});
            }
        }
    }
}

TEST_CASE("hidden colour: a threshold is that of the pixels that can be seen") {
    const Folder folder;
    Image image = random_image({61, 47, 2, Depth::u8}, 5);
    double sum = 0;
    double count = 0;
    for (int y = 0; y < 47; ++y) {
        for (int x = 0; x < 61; ++x) {
            std::uint8_t& alpha = image.values<std::uint8_t>()[static_cast<std::size_t>(2 * (61 * y + x) + 1)];
            alpha = image.at(x, y, 0) > 180 ? 0 : alpha == 0 ? 1 : alpha; // the bright ones are hidden
            sum += alpha == 0 ? 0 : image.at(x, y, 0);
            count += alpha == 0 ? 0 : 1;
        }
    }
    save(image, folder / "a.tif");
    for (const std::string method : {"gpu", "cpu"}) {
        const Image mask = folder.made({"threshold", "a.tif", "o.tif", "--rule", "mean", "--variant", method});
        for (int y = 0; y < 47; ++y) {
            for (int x = 0; x < 61; ++x) {
                REQUIRE((mask.at(x, y, 0) > 0) == (image.at(x, y, 0) > sum / count));
            }
        }
    }
}

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
            check_flat(made({"morphology", "--do", "dilate", "--radius", "1"}), {200, 150, 100});
            check_flat(made({"morphology", "--do", "erode", "--radius", "1"}), {200, 150, 100});
            check_flat(made({"morphology", "--do", "dilate", "--radius", "2", "--shape", "disk"}), {200, 150, 100});
            check_flat(made({"morphology", "--do", "gradient", "--radius", "1"}), {0, 0, 0});
            for (const std::string measure : {"min", "max"}) {
                check_flat(made({"local", "--measure", measure, "--radius", "2"}), {200, 150, 100});
            }
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
