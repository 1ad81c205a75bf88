// Pixels of alpha 0 have no colour: it counts in no measure, and reaches no neighbour.
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

TEST_CASE("hidden colour: measures see what can be seen") {
    const Folder folder;
    save(half_hidden(), folder / "a.png");
    check_flat(folder.made({"balance", "a.png", "o.tif"}), {150, 150, 150});
    check_flat(folder.made({"equalize", "a.png", "o.tif"}), {200, 150, 100});
    check_flat(folder.made({"equalize", "a.png", "o.tif", "--per-channel"}), {200, 150, 100});
    check_flat(folder.made({"levels", "a.png", "o.tif", "--auto"}), {200, 150, 100});
    const ProgramResult stats = run_glproc(folder.path(), {"stats", "a.png", "--format", "csv"});
    CHECK(stats.out.find("b,32,0,100,100,100,0,100,0") != std::string::npos);
    CHECK(stats.out.find("a,64,0,0,255,127.5") != std::string::npos);
    const ProgramResult all = run_glproc(folder.path(), {"stats", "a.png", "--format", "csv", "--hidden"});
    CHECK(all.out.find("b,64,0,100,255,177.5") != std::string::npos);
    const ProgramResult counts = run_glproc(folder.path(), {"histogram", "a.png", "--channels", "b", "--bins", "256", "--format", "csv"});
    CHECK(counts.out.find("255,255,255,0\n") != std::string::npos);
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
            check_flat(made({"sobel"}), {0, 0, 0});
            check_flat(made({"laplacian"}), {0, 0, 0});
            check_flat(made({"laplacian", "--sigma", "1.5"}), {0, 0, 0});
            check_flat(made({"median", "--radius", "1"}), {200, 150, 100});
            check_flat(made({"guided", "--radius", "2", "--eps", "0.01"}), {200, 150, 100});
            for (const std::string measure : {"stddev", "range"}) {
                check_flat(made({"local", "--measure", measure, "--radius", "2"}), {0, 0, 0});
            }
            check_flat(made({"local", "--measure", "mean", "--radius", "2"}), {200, 150, 100});
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
