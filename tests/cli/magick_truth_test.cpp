// Hints for calls of ImageMagick do what it does, pixel by pixel, as its manual defines that.
#include "cli/hint_folder.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int width = 61;
constexpr int height = 48;

struct OddFolder : HintFolder {
    OddFolder() {
        save(photo_like_image({.width = width, .height = height, .channels = 3}, 5), *this / "odd.png");
        save(photo_like_image({.width = 9, .height = 6, .channels = 3}, 6), *this / "small.png");
    }
    /// What the hint of `odd.png FLAGS made.png` makes.
    Image made(Words flags) const {
        flags.insert(flags.begin(), "odd.png");
        flags.emplace_back("made.png");
        const std::string hint = hint_of(path(), flags);
        INFO(hint);
        REQUIRE(typed(path(), hint).status == 0);
        return load(*this / "made.png");
    }
};

/// The value at a place and channel of the result, from the image.
using Truth = std::function<double(const Image&, int, int, int)>;

/// The largest distance of the result from the truth, in codes; as large as can be for another size.
double farthest(const OddFolder& folder, const Words& flags, int columns, int rows, const Truth& truth) {
    const Image image = load(folder / "odd.png");
    const Image made = folder.made(flags);
    if (made.width() != columns || made.height() != rows || made.channels() != 3) {
        return 255;
    }
    double most = 0;
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            for (int c = 0; c < 3; ++c) {
                most = std::max(most,
                                std::abs(made.at(x, y, c) - std::clamp(truth(image, x, y, c), 0.0, 255.0)));
            }
        }
    }
    return most;
}

/// Of a value alone.
double farthest(const OddFolder& folder, const Words& flags, const std::function<double(double)>& truth) {
    return farthest(folder, flags, width, height,
                    [&](const Image& image, int x, int y, int c) { return truth(image.at(x, y, c)); });
}

double clamped(const Image& image, int x, int y, int c) {
    return image.at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1), c);
}

constexpr double half = 0.5001; // of a code, by which a rounded value is away

} // namespace

TEST_CASE("magick: pixels that move") {
    const OddFolder folder;
    const auto check = [&](const Words& flags, int columns, int rows, int left, int top) {
        INFO(flags[0] << " " << flags.back());
        CHECK(farthest(folder, flags, columns, rows, [=](const Image& image, int x, int y, int c) {
                  return image.at((x + left + width) % width, (y + top + height) % height, c);
              }) == 0);
    };
    check({"-roll", "+10+5"}, width, height, -10, -5);
    check({"-roll", "-3+50"}, width, height, 3, -2);
    check({"-shave", "5x3"}, width - 10, height - 6, 5, 3);
    check({"-shave", "10%"}, width - 12, height - 10, 6, 5);
    check({"-chop", "7x4"}, width - 7, height - 4, 7, 4);
    check({"-gravity", "southeast", "-chop", "7x4"}, width - 7, height - 4, 0, 0);
    check({"-crop", "100x100+40+30"}, width - 40, height - 30, 40, 30);
    check({"-crop", "0x10+0+30"}, width, 10, 0, 30);
    check({"-gravity", "southeast", "-crop", "20x10+5+3"}, 20, 10, width - 25, height - 13);
    check({"-gravity", "center", "-crop", "20x11+5-3"}, 20, 11, 30 - 10 + 5, 24 - 5 - 3);
    check({"-extent", "20x10+5+3"}, 20, 10, 5, 3);
    check({"-extent", "50%"}, 31, 24, 0, 0);
    CHECK(farthest(folder, {"-transpose"}, height, width,
                   [](const Image& image, int x, int y, int c) { return image.at(y, x, c); }) == 0);
    CHECK(farthest(folder, {"-transverse"}, height, width, [](const Image& image, int x, int y, int c) {
              return image.at(width - 1 - y, height - 1 - x, c);
          }) == 0);
    CHECK(farthest(folder, {"-scale", "200%"}, 2 * width, 2 * height,
                   [](const Image& image, int x, int y, int c) { return image.at(x / 2, y / 2, c); }) == 0);
}

TEST_CASE("magick: margins") {
    const OddFolder folder;
    const auto check = [&](const Words& flags, int left, int top, int right, int bottom, double around) {
        INFO(flags[0] << " " << flags.back());
        CHECK(farthest(folder, flags, width + left + right, height + top + bottom,
                       [=](const Image& image, int x, int y, int c) {
                           const bool is_inside =
                               x >= left && y >= top && x < left + width && y < top + height;
                           return is_inside ? image.at(x - left, y - top, c) : around;
                       }) == 0);
    };
    check({"-border", "5%"}, 3, 2, 3, 2, 223);
    check({"-bordercolor", "gray20", "-border", "4x2"}, 4, 2, 4, 2, 51);
    check({"-frame", "4x2"}, 4, 2, 4, 2, 189);
    check({"-splice", "4x2"}, 4, 2, 0, 0, 255);
    check({"-background", "black", "-gravity", "south", "-splice", "0x9"}, 0, 0, 0, 9, 0);
    check({"-extent", "200%"}, 0, 0, width, height, 255);
    check({"-extent", "70"}, 0, 0, 9, 0, 255);             // the height stays
    for (const std::string flag : {"-border", "-frame"}) { // what is transparent shows -bordercolor
        const std::string hint = hint_of(folder.path(), {"logo.png", flag, "2", "made.png"});
        REQUIRE(typed(folder.path(), hint).status == 0);
        const Image logo = load(folder / "logo.png");
        const Image framed = load(folder / "made.png");
        REQUIRE(framed.width() == 44);
        double most = 0;
        for (int x = 0; x < 40; ++x) {
            const double alpha = logo.at(x, 7, 3) / 255;
            most = std::max(
                most, std::abs(framed.at(x + 2, 9, 0) - (alpha * logo.at(x, 7, 0) + (1 - alpha) * 223)));
        }
        CHECK(most <= half);
        CHECK(framed.at(0, 0, 0) == (flag == "-border" ? 223 : 189));
    }
    const Image fitted = folder.made({"-resize", "30x30", "-gravity", "center", "-extent", "30x30"});
    REQUIRE(fitted.height() == 30); // 30x24, whose halves are subtracted
    CHECK(fitted.at(0, 2, 0) == 255);
    CHECK(fitted.at(0, 3, 0) < 255);
    CHECK(fitted.at(0, 26, 0) < 255);
    CHECK(fitted.at(0, 27, 0) == 255);
}

namespace {

using Kernel = std::function<bool(int, int)>;

/// The largest or smallest value under the kernel, so many times.
Image extreme(Image image, const Kernel& kernel, bool largest, int times) {
    for (; times > 0; --times) {
        Image made = image;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                for (int c = 0; c < 3; ++c) {
                    double value = image.at(x, y, c);
                    for (int v = -5; v <= 5; ++v) {
                        for (int u = -5; u <= 5; ++u) {
                            if (kernel(u, v)) {
                                const double other = clamped(image, x + u, y + v, c);
                                value = largest ? std::max(value, other) : std::min(value, other);
                            }
                        }
                    }
                    made.values<std::uint8_t>()[static_cast<std::size_t>((y * width + x) * 3 + c)] =
                        static_cast<std::uint8_t>(value);
                }
            }
        }
        image = std::move(made);
    }
    return image;
}

} // namespace

TEST_CASE("magick: the kernels of -morphology") {
    const OddFolder folder;
    const Image image = load(folder / "odd.png");
    const auto in_box = [](int u, int v, int radius) { return std::max(std::abs(u), std::abs(v)) <= radius; };
    const std::vector<std::pair<std::string, Kernel>> kernels{
        {"Disk:2", [](int u, int v) { return u * u + v * v <= 4; }},
        {"Disk", [](int u, int v) { return u * u + v * v <= 18; }}, // of radius 4.3
        {"Square", [=](int u, int v) { return in_box(u, v, 1); }},
        {"square:3", [=](int u, int v) { return in_box(u, v, 3); }},
        {"Diamond", [](int u, int v) { return std::abs(u) + std::abs(v) <= 1; }},
        {"Diamond:3", [](int u, int v) { return std::abs(u) + std::abs(v) <= 3; }},
        {"Octagon", [=](int u, int v) { return in_box(u, v, 2) && std::abs(u) + std::abs(v) <= 3; }},
        {"Octagon:3", [=](int u, int v) { return in_box(u, v, 3) && std::abs(u) + std::abs(v) <= 4; }},
        {"Octagon:4", [=](int u, int v) { return in_box(u, v, 4) && std::abs(u) + std::abs(v) <= 6; }},
        {"Plus:2", [=](int u, int v) { return in_box(u, v, 2) && (u == 0 || v == 0); }},
        {"Rectangle:5x3", [](int u, int v) { return std::abs(u) <= 2 && std::abs(v) <= 1; }}};
    for (const auto& [name, kernel] : kernels) {
        INFO(name);
        CHECK_THAT(folder.made({"-morphology", "Dilate", name}), IsBitwise(extreme(image, kernel, true, 1)));
        CHECK_THAT(folder.made({"-morphology", "erode:2", name}),
                   IsBitwise(extreme(image, kernel, false, 2)));
        CHECK_THAT(folder.made({"-morphology", "Close", name}),
                   IsBitwise(extreme(extreme(image, kernel, true, 1), kernel, false, 1)));
    }
    for (const std::string kernel :
         {"Disk:2.5", "Ring:2", "Square:0", "3x3:1,1,1,1,1,1,1,1,1", "Rectangle:4x3"}) {
        CHECK(hint_of(folder.path(), {"odd.png", "-morphology", "Erode", kernel, "made.png"}) ==
              "glproc help morphology");
    }
}

TEST_CASE("magick: what is done to each value") {
    const OddFolder folder;
    const auto check = [&](const Words& flags, const std::function<double(double)>& truth) {
        INFO(flags[0] << " " << flags[1] << " " << flags.back());
        CHECK(farthest(folder, flags, truth) <= half);
    };
    check({"-evaluate", "add", "10%"}, [](double v) { return v + 25.5; });
    check({"-evaluate", "Subtract", "6553.5"}, [](double v) { return v - 25.5; });
    check({"-evaluate", "multiply", "1.5"}, [](double v) { return v * 1.5; });
    check({"-evaluate", "multiply", "0.3"}, [](double v) { return v * 0.3; });
    check({"-evaluate", "divide", "4"}, [](double v) { return v / 4; });
    check({"-evaluate", "pow", "2"}, [](double v) { return v * v / 255; });
    check({"-evaluate", "set", "20%"}, [](double) { return 51; });
    check({"-evaluate", "threshold", "50%"}, [](double v) { return v > 127.5 ? 255 : 0; });
    check({"+level", "10%,90%"}, [](double v) { return 25.5 + 0.8 * v; });
    check({"-solarize", "50%"}, [](double v) { return v > 127.5 ? 255 - v : v; });
    CHECK(farthest(folder, {"-sigmoidal-contrast", "4x40%"}, [](double v) {
              const auto s = [](double u) { return 1 / (1 + std::exp(4 * (0.4 - u))); };
              return 255 * (s(v / 255) - s(0)) / (s(1) - s(0));
          }) <= 1);
    const auto of_colour = [&](const Words& flags, const Truth& truth) {
        INFO(flags[0] << " " << flags[1] << " " << flags.back());
        CHECK(farthest(folder, flags, width, height, truth) <= half);
    };
    of_colour({"-fill", "red", "-colorize", "30"}, [](const Image& image, int x, int y, int c) {
        return image.at(x, y, c) * 0.7 + (c == 0 ? 76.5 : 0);
    });
    of_colour({"-gamma", "0.5,1,2"}, [](const Image& image, int x, int y, int c) {
        return 255 * std::pow(image.at(x, y, c) / 255, c == 0 ? 2 : c == 1 ? 1 : 0.5);
    });
    of_colour({"+level-colors", "red,blue"}, [](const Image& image, int x, int y, int c) {
        return c == 0 ? 255 - image.at(x, y, c) : c == 1 ? 0 : image.at(x, y, c);
    });
    of_colour({"-channel", "RB", "-negate"}, [](const Image& image, int x, int y, int c) {
        return c == 1 ? image.at(x, y, c) : 255 - image.at(x, y, c);
    });
    of_colour({"-color-matrix", "0 0 1 0 1 0 1 0 0"},
              [](const Image& image, int x, int y, int c) { return image.at(x, y, 2 - c); });
    of_colour({"-channel", "RGB", "-threshold", "40%"}, [](const Image& image, int x, int y, int c) {
        return image.at(x, y, c) > 0.4 * 255 ? 255 : 0;
    });
    CHECK(hint_of(folder.path(), {"odd.png", "-channel", "R", "-blur", "0x2", "made.png"}) ==
          "glproc help channels");
    CHECK(hint_of(folder.path(), {"odd.png", "-blur", "0x1", "-solarize", "50%", "made.png"}) ==
          "glproc help curve");
}

TEST_CASE("magick: -statistic and -sharpen") {
    const OddFolder folder;
    /// Of a window this wide and high.
    const auto sorted = [](const Image& image, int x, int y, int c, int across, int down) {
        std::vector<double> values;
        for (int v = -down; v <= down; ++v) {
            for (int u = -across; u <= across; ++u) {
                values.push_back(clamped(image, x + u, y + v, c));
            }
        }
        std::sort(values.begin(), values.end());
        return values;
    };
    const auto check = [&](const std::string& kind, const std::string& window, int across, int down,
                           const std::function<double(const std::vector<double>&)>& truth) {
        INFO(kind << " " << window);
        CHECK(farthest(folder, {"-statistic", kind, window}, width, height,
                       [&](const Image& image, int x, int y, int c) {
                           return truth(sorted(image, x, y, c, across, down));
                       }) <= half);
    };
    const auto mean = [](const std::vector<double>& v) {
        double sum = 0;
        for (const double value : v) {
            sum += value;
        }
        return sum / static_cast<double>(v.size());
    };
    check("Median", "5x3", 2, 1, [](const std::vector<double>& v) { return v[v.size() / 2]; });
    check("median", "3", 1, 2,
          [](const std::vector<double>& v) { return v[v.size() / 2]; }); // 5 high where nothing is said
    check("Minimum", "5x5", 2, 2, [](const std::vector<double>& v) { return v.front(); });
    check("maximum", "5x3", 2, 1, [](const std::vector<double>& v) { return v.back(); });
    check("Mean", "3x5", 1, 2, mean);
    check("Gradient", "3x3", 1, 1, [](const std::vector<double>& v) { return v.back() - v.front(); });
    CHECK(hint_of(folder.path(), {"odd.png", "-statistic", "Median", "4x4", "made.png"}) ==
          "glproc help local");
    CHECK(hint_of(folder.path(), {"odd.png", "-statistic", "Mode", "3x3", "made.png"}) ==
          "glproc help local");
    CHECK(farthest(folder, {"-sharpen", "0x1"}, width, height, [](const Image& image, int x, int y, int c) {
              double sum = 0; // twice the pixel minus all of the Gaussian but its middle
              double weights = 0;
              for (int v = -6; v <= 6; ++v) {
                  for (int u = -6; u <= 6; ++u) {
                      const double g = std::exp(-(u * u + v * v) / 2.0);
                      sum -= u == 0 && v == 0 ? 0 : g * clamped(image, x + u, y + v, c);
                      weights += g;
                  }
              }
              return (sum + 2 * weights * image.at(x, y, c)) / (2 * weights - (weights - 1));
          }) <= 1);
}

TEST_CASE("magick: -composite lays the second file where it says") {
    const OddFolder folder;
    const Image top = load(folder / "small.png");
    const auto check = [&](const Words& flags, int left, int top_row,
                           const std::function<double(double, double)>& mixed) {
        Words call{"small.png"};
        call.insert(call.end(), flags.begin(), flags.end());
        call.emplace_back("-composite");
        CHECK(farthest(folder, call, width, height, [&](const Image& image, int x, int y, int c) {
                  const bool is_inside = x >= left && y >= top_row && x < left + 9 && y < top_row + 6;
                  return is_inside ? mixed(image.at(x, y, c), top.at(x - left, y - top_row, c))
                                   : image.at(x, y, c);
              }) <= half);
    };
    const auto over = [](double, double second) { return second; };
    check({}, 0, 0, over);
    check({"-geometry", "+5+3"}, 5, 3, over);
    check({"-gravity", "southeast", "-geometry", "+5+3"}, width - 9 - 5, height - 6 - 3, over);
    check({"-gravity", "center"}, 26, 21, over);
    check({"-compose", "Multiply"}, 0, 0, [](double first, double second) { return first * second / 255; });
    check({"-compose", "blend", "-define", "compose:args=30"}, 0, 0,
          [](double first, double second) { return 0.7 * first + 0.3 * second; });
    check({"-compose", "minus_src"}, 0, 0, [](double first, double second) { return first - second; });
    check({"-compose", "Color-Dodge"}, 0, 0, [](double first, double second) {
        return first == 0 ? 0 : second == 255 ? 255 : std::min(255.0, first / (1 - second / 255));
    });
    CHECK(hint_of(folder.path(), {"odd.png", "small.png", "-resize", "50%", "-composite", "made.png"}) ==
          "glproc help blend");
    CHECK(hint_of(folder.path(), {"odd.png", "small.png", "-compose", "minus", "-composite", "made.png"}) ==
          "glproc help blend");
    CHECK(hint_of(folder.path(), {"odd.png", "-resize", "50%", "small.png", "-composite", "made.png"}) ==
          "glproc pipe odd.png made.png resize 50% then blend --with small.png");
}

TEST_CASE("magick: what lies beyond the edges, and places that move") {
    const OddFolder folder;
    const auto mirrored = [](int at, int size) {
        return at < 0 ? -1 - at : at >= size ? 2 * size - 1 - at : at;
    };
    CHECK(farthest(folder, {"-virtual-pixel", "mirror", "-blur", "0x2"}, width, height,
                   [&](const Image& image, int x, int y, int c) {
                       double sum = 0;
                       double weights = 0;
                       for (int down = -8; down <= 8; ++down) {
                           for (int across = -8; across <= 8; ++across) {
                               const double weight = std::exp(-(down * down + across * across) / 8.0);
                               sum += weight *
                                      image.at(mirrored(x + across, width), mirrored(y + down, height), c);
                               weights += weight;
                           }
                       }
                       return sum / weights;
                   }) <= half);
    CHECK(farthest(folder, {"-distort", "Perspective", "0,0 5,3  20,0 25,3  20,20 25,23  0,20 5,23"}, width,
                   height, [](const Image& image, int x, int y, int c) {
                       return clamped(image, x - 5, y - 3, c);
                   }) <= half);
}

TEST_CASE("magick: -morphology Distance counts 100 of 65535 for each pixel") {
    const OddFolder folder;
    Image shape(width, height, 1, Depth::u8);
    for (int y = 9; y < 40; ++y) {
        for (int x = 5; x < 50 - y / 2; ++x) {
            shape.bytes()[static_cast<std::size_t>(y * width + x)] = static_cast<std::byte>(255);
        }
    }
    save(shape, folder / "shape.png");
    const std::string hint =
        hint_of(folder.path(), {"shape.png", "-morphology", "Distance", "Euclidean", "made.png"});
    REQUIRE(typed(folder.path(), hint).status == 0);
    const Image made = load(folder / "made.png");
    REQUIRE(made.depth() == Depth::u16);
    double most = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            double nearest = shape.at(x, y, 0) > 0 ? 1e9 : 0;
            for (int row = 0; row < height; ++row) {
                for (int column = 0; column < width; ++column) {
                    nearest = shape.at(column, row, 0) > 0
                                  ? nearest
                                  : std::min(nearest, std::hypot(column - x, row - y));
                }
            }
            most = std::max(most, std::abs(made.at(x, y, 0) - 100 * nearest));
        }
    }
    CHECK(most <= half);
}
