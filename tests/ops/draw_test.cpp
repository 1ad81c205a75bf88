#include "glproc/ops/draw.hpp"

#include "glproc/base/error.hpp"
#include "support/operation_cases.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <string>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr Colour red{1, 0, 0, 1};
constexpr Colour half_blue{0.2, 0, 1, 128.0 / 255};

/// Values from 0 to 1.
std::array<double, 4> pixel_of(const Image& image, int x, int y) {
    const double full = max_code(image.depth());
    const bool grey = image.channels() < 3;
    return {image.at(x, y, 0) / full, image.at(x, y, grey ? 0 : 1) / full,
            image.at(x, y, grey ? 0 : 2) / full,
            image.has_alpha() ? image.at(x, y, image.channels() - 1) / full : 1};
}

using IsCovered = std::function<bool(int x, int y)>;

/// The colour where `covered` says, by the formula of W3C's over.
Reference with_colour(const Image& image, const Colour& colour, const IsCovered& covered) {
    Reference answer = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!covered(x, y)) {
                continue;
            }
            const std::array<double, 4> under = pixel_of(image, x, y);
            const double left = under[3] * (1 - colour.alpha);
            const double alpha = colour.alpha + left;
            const std::array<double, 3> top{colour.red, colour.green, colour.blue};
            for (int c = 0; c < image.channels(); ++c) {
                const bool is_alpha = image.has_alpha() && c == image.channels() - 1;
                const auto i = static_cast<std::size_t>(c);
                answer.at(x, y, c) =
                    max_code(image.depth()) *
                    (is_alpha ? alpha : (colour.alpha * top[i % 3] + left * under[i % 3]) / alpha);
            }
        }
    }
    return answer;
}

Image on_black(const Draw& op, int width, int height) {
    return whole(op, Image(width, height, 1, Depth::u8));
}

/// x, y, width and height of what differs from 0.
std::array<int, 4> changed_part(const Image& image) {
    int left = image.width();
    int top = image.height();
    int right = 0;
    int bottom = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.at(x, y, 0) > 0) {
                left = std::min(left, x);
                top = std::min(top, y);
                right = std::max(right, x + 1);
                bottom = std::max(bottom, y + 1);
            }
        }
    }
    return {left, top, std::max(right - left, 0), std::max(bottom - top, 0)};
}

/// The pixels of a drawing in white, row by row: '#' full, '+' in part.
std::string picture_of(const Image& image) {
    std::string rows;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            rows += image.at(x, y, 0) == 255 ? '#' : image.at(x, y, 0) > 0 ? '+' : '.';
        }
        rows += ' ';
    }
    return rows;
}

Draw drawing(const std::function<void(Draw&)>& change) {
    Draw op;
    change(op);
    return op;
}

std::string failure_of(const Draw& op, const Form& form = {300, 200, 3, Depth::u8}) {
    try {
        static_cast<void>(plan(op, form));
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        return error.what();
    }
    return {};
}

std::string failure_of_list(const std::string& json) {
    const TempDir folder;
    std::ofstream(folder.path() / "list.json") << json;
    Draw op;
    op.from = DrawList((folder.path() / "list.json").string());
    const std::string failure = failure_of(op);
    return failure.substr(std::min(failure.find("list.json"), failure.size()));
}

} // namespace

TEST_CASE("a filled rectangle covers its pixels and no other, in all kinds of images") {
    for (const Shape& shape : all_kinds({37, 23})) {
        for (const Colour& colour : {red, half_blue}) {
            if (shape.channels < 3 && !colour.is_grey()) {
                continue;
            }
            const Image image = random_image(shape, 3);
            const Draw op = drawing([&](Draw& d) {
                d.rect = Points{{5, 7, 20, 11}};
                d.stroke = 0;
                d.fill = colour;
            });
            check_operation(op, image, with_colour(image, colour, [](int x, int y) {
                                return x >= 5 && x < 25 && y >= 7 && y < 18;
                            }));
        }
    }
}

TEST_CASE("grey is drawn on grey, and what lies beyond the image is cut off") {
    for (const Shape& shape : all_kinds({31, 17})) {
        const Image image = random_image(shape, 4);
        const Colour grey{0.6, 0.6, 0.6, 1};
        const Draw op = drawing([&](Draw& d) {
            d.rect = Points{{-50, 10, 60, 500}};
            d.stroke = 0;
            d.fill = grey;
        });
        check_operation(op, image, with_colour(image, grey, [](int x, int y) { return x < 10 && y >= 10; }));
    }
}

TEST_CASE("lines and edges of whole widths cover whole pixels") {
    CHECK(picture_of(on_black(drawing([](Draw& d) {
                                  d.line = Points{{1, 1, 4, 1}};
                                  d.stroke = 1;
                              }),
                              6, 3)) == "...... .####. ...... ");
    CHECK(picture_of(on_black(drawing([](Draw& d) {
                                  d.line = Points{{2, 2, 4, 2}};
                              }),
                              7, 4)) == "....... .####.. .####.. ....... ");
    CHECK(picture_of(on_black(drawing([](Draw& d) {
                                  d.rect = Points{{1, 0, 5, 4}};
                                  d.stroke = 1;
                              }),
                              7, 5)) == ".#####. .#...#. .#...#. .#####. ....... ");
    CHECK(picture_of(on_black(drawing([](Draw& d) {
                                  d.polygon = Points{{1, 1, 5, 1, 5, 4, 1, 4}};
                                  d.stroke = 1;
                              }),
                              7, 6)) == "....... .#####. .#...#. .#...#. .#####. ....... ");
}

TEST_CASE("a circle covers of each pixel what lies within its radius") {
    const Image image = on_black(drawing([](Draw& d) {
                                     d.circle = Points{{20, 16, 9}};
                                     d.stroke = 0;
                                     d.fill = Colour{1, 1, 1, 1};
                                 }),
                                 41, 33);
    CHECK(changed_part(image) == std::array{11, 7, 19, 19});
    constexpr int fine = 32;
    constexpr double subsampling = 8; // Cairo's of edges, in codes
    for (int y = 0; y < 33; ++y) {
        for (int x = 0; x < 41; ++x) {
            int inside = 0;
            for (int i = 0; i < fine * fine; ++i) {
                const double dx = x + (i % fine + 0.5) / fine - 20.5;
                const double dy = y + (i / fine + 0.5) / fine - 16.5;
                inside += dx * dx + dy * dy <= 9.5 * 9.5 ? 1 : 0;
            }
            INFO(x << ", " << y);
            CHECK(std::abs(image.at(x, y, 0) - 255.0 * inside / (fine * fine)) <= subsampling);
        }
    }
}

TEST_CASE("an arrow lies between its points, with its head at the second") {
    const Image image = on_black(drawing([](Draw& d) { d.arrow = Points{{5, 20, 60, 20}}; }), 80, 41);
    const std::array<int, 4> part = changed_part(image);
    CHECK(part[0] >= 4);
    CHECK(part[0] + part[2] <= 61);
    CHECK(part[3] >= 8);
    CHECK(image.at(10, 19, 0) == 255);
    CHECK(image.at(10, 24, 0) == 0);
    CHECK(image.at(52, 22, 0) > 0);
}

TEST_CASE("text and its box lie where gravity says") {
    for (const EnumRow<Gravity>& row : enum_rows<Gravity>) {
        for (const bool has_box : {true, false}) {
            const auto [x, y, width, height] = changed_part(
                on_black(drawing([&](Draw& d) {
                             d.text = "Hg";
                             d.gravity = row.value;
                             d.margin = 7;
                             d.box = has_box ? std::optional(Colour{0.5, 0.5, 0.5, 1}) : std::nullopt;
                         }),
                         301, 201));
            INFO(row.name << " " << x << "," << y << " " << width << "x" << height);
            REQUIRE(width > 10);
            const std::string name(row.name);
            const int slack = has_box ? 0 : 12; // the space of lines and letters
            const auto near = [&](int first, int size, int whole, bool low, bool high) {
                const int ideal = low ? 7 : high ? whole - size - 7 : (whole - size) / 2;
                return std::abs(first - ideal) <= slack;
            };
            CHECK(near(x, width, 301, name.ends_with("west"), name.ends_with("east")));
            CHECK(near(y, height, 201, name.starts_with("north"), name.starts_with("south")));
        }
    }
}

TEST_CASE("letters cover the same of each depth") {
    const Draw op = drawing([](Draw& d) { d.text = "Ag"; });
    const Image bytes = whole(op, Image(60, 50, 1, Depth::u8));
    const Image words = whole(op, Image(60, 50, 1, Depth::u16));
    const Image floats = whole(op, Image(60, 50, 1, Depth::f32));
    CHECK(changed_part(bytes)[2] > 10);
    for (int y = 0; y < 50; ++y) {
        for (int x = 0; x < 60; ++x) {
            CHECK(words.at(x, y, 0) == bytes.at(x, y, 0) * 257);
            CHECK(floats.at(x, y, 0) == static_cast<float>(bytes.at(x, y, 0) / 255));
        }
    }
}

TEST_CASE("what is not drawn on keeps its bits") {
    for (Shape shape : all_kinds({64, 48})) {
        const Image image = random_image(shape, 8);
        const Draw op = drawing([](Draw& d) {
            d.text = "x";
            d.at = PerAxis<PixelLength<int>>{20, 10};
            d.outline = Colour{0, 0, 0, 1};
        });
        const auto [x, y, width, height] = changed_part(on_black(drawing([](Draw& d) {
                                                                     d.text = "x";
                                                                     d.at = PerAxis<PixelLength<int>>{20, 10};
                                                                     d.outline = Colour{1, 1, 1, 1};
                                                                 }),
                                                                 64, 48));
        const Image result = whole(op, image);
        int changed = 0;
        for (int row = 0; row < 48; ++row) {
            for (int column = 0; column < 64; ++column) {
                const bool inside = column >= x && column < x + width && row >= y && row < y + height;
                const bool same =
                    std::equal(result.row(row) + static_cast<std::size_t>(column) * image.pixel_bytes(),
                               result.row(row) + static_cast<std::size_t>(column + 1) * image.pixel_bytes(),
                               image.row(row) + static_cast<std::size_t>(column) * image.pixel_bytes());
                CHECK((inside || same));
                changed += same ? 0 : 1;
            }
        }
        CHECK(changed > 20);
    }
}

TEST_CASE("a scale bar has the length that it states") {
    const auto bar = [](const std::string& length, const std::string& pixel) {
        const Draw op = drawing([&](Draw& d) {
            d.scale_bar = FieldText<Length>::parse({"scale-bar", "", {}}, length);
            d.pixel_size = FieldText<Length>::parse({"pixel-size", "", {}}, pixel);
            d.at = PerAxis<PixelLength<int>>{10, 10};
        });
        const Image image = on_black(op, 400, 100);
        const auto [x, y, width, height] = changed_part(image);
        int covered = 0;
        for (int column = 0; column < 400; ++column) {
            covered += image.at(column, y + height - 1, 0) == 255 ? 1 : 0;
        }
        return covered;
    };
    CHECK(bar("50,um", "0.5,um") == 100);
    CHECK(bar("50um", "0.5") == 100);
    CHECK(bar("0.1 mm", "500nm") == 200);
    CHECK(bar("1,in", "0.1,mm") == 254);
    CHECK(failure_of(drawing([](Draw& d) {
              d.scale_bar = Length{50, "um"};
          })) == "draw --scale-bar needs --pixel-size: how long one pixel is");
    CHECK(failure_of(drawing([](Draw& d) {
              d.scale_bar = Length{50, "um"};
              d.pixel_size = Length{1, "px"};
          })) == "50,um and 1,px do not measure the same");
    CHECK(failure_of(drawing([](Draw& d) {
              d.scale_bar = Length{50, "um"};
              d.pixel_size = Length{0.1, "um"};
          })) == "the scale bar would be 500 pixels long, the image is 300 wide");
}

TEST_CASE("texts have the values of variables") {
    const auto width_of = [](const std::string& text) {
        return changed_part(on_black(drawing([&](Draw& d) {
                                         d.text = text;
                                         d.picture = {.path = "some/photo.jpg"};
                                     }),
                                     600, 60));
    };
    CHECK(width_of("{name}") == width_of("photo.jpg"));
    CHECK(width_of("{stem}!") == width_of("photo!"));
    CHECK(width_of("{{stem}}") != width_of("photo"));
    CHECK(width_of("a{exif:Model}b") == width_of("ab"));
    CHECK(width_of("{date}")[2] > width_of("{stem}")[2]);
    CHECK(width_of("a\\nb")[3] > 30);
    CHECK(failure_of(drawing([](Draw& d) { d.text = "{size}"; })) == "draw knows no {size}");
    CHECK(failure_of(drawing([](Draw& d) { d.text = "{name}"; })) ==
          "{name} has no value: the image comes from no file");
    CHECK(failure_of(drawing([](Draw& d) { d.text = "{name"; })) == "draw --text has a { without a }");
}

TEST_CASE("a list draws what calls would, each with the style of the call") {
    const TempDir folder;
    std::ofstream(folder.path() / "list.json") << R"([
        {"rect": [2, 3, 4, 5], "stroke": 0, "fill": "white"},
        {"line": [[20, 3], [23, 3]], "stroke": "1"},
        {"text": "\u00e9\"", "gravity": "south"}])";
    Draw op;
    op.color = Colour{0.2, 0.2, 0.2, 1};
    op.from = DrawList((folder.path() / "list.json").string());
    const Image image = on_black(op, 80, 60);
    CHECK(image.at(2, 3, 0) == 255);
    CHECK(image.at(5, 7, 0) == 255);
    CHECK(image.at(6, 7, 0) == 0);
    CHECK(image.at(20, 3, 0) == 51);
    CHECK(image.at(24, 3, 0) == 0);
}

TEST_CASE("errors of a list name the line") {
    CHECK(failure_of_list("[\n{\"text\": \"a\"},\n{\"txt\": \"b\"}]") ==
          "list.json:3: unknown name \"txt\" (did you mean \"text\"?)");
    CHECK(failure_of_list("[\n{\"text\": \"a\",\n\"size\": \"big\"}]") ==
          "list.json:3: --size big is not a number");
    CHECK(failure_of_list("[\n{\"text\": \"a\",\n\"size\": 0}]") == "list.json:3: --size 0 is out of range");
    CHECK(failure_of_list("[{\"text\": \"a\"\n\"size\": 3}]") == "list.json:2: expected a comma or }");
    CHECK(failure_of_list("[\n{\"text\": \"a\"},\n{\"rect\": [1, 2, 3]}]") == "list.json:3: --rect has 3 numbers");
    CHECK(failure_of_list("[\n{\"text\": \"a\"},\n\n{\"text\": \"b\", \"font\": \"Nosuch\"}]").starts_with("list.json:4: draw --font Nosuch: this font is not installed"));
    CHECK(failure_of_list("[\n{\"text\": \"" + std::string(100000, 'a') + "\"}]") == "list.json:2: a name or value of more than 65536 bytes");
    CHECK(failure_of_list("[\n{\"" + std::string(100000, 'a') + "\": 1}]") == "list.json:2: a name or value of more than 65536 bytes");
    CHECK(failure_of_list("[\n{\"text\": \"a\", \"size\": 1" + std::string(100000, '0') + "}]") == "list.json:2: a name or value of more than 65536 bytes");
    CHECK(failure_of_list("[\n{\"" + std::string(65536, 'a') + "\": 1}]").starts_with("list.json:2: unknown name \"aaa"));
    CHECK(failure_of_list("[\n{\"text\": \"{nosuch}\"}]").starts_with("list.json:2: "));
    CHECK(failure_of_list("[{\"text\": true}]") ==
          "list.json:1: expected a text, a number or a list of numbers");
    CHECK(failure_of_list("{}") == "list.json:1: expected a list of objects, which begins with [");
    CHECK(failure_of_list("[{\"text\": \"a}]") == "list.json:1: a text without its closing quote");
    CHECK(failure_of_list("[{\"text\": \"a\", \"text\": \"b\"}]") == "list.json:1: \"text\" is given twice");
    CHECK(failure_of_list("[]\n[") == "list.json:2: something follows the list");
    CHECK(failure_of_list("") == "list.json:1: the file ends before a list of objects, which begins with [");
    CHECK(failure_of_list(std::string(1000000, '[')) ==
          "list.json:1: expected an object, which begins with {");
    CHECK(failure_of_list("[{\"line\": " + std::string(1000000, '[')) ==
          "list.json:1: expected a text, a number or a list of numbers");
}

TEST_CASE("draw refuses what it cannot draw") {
    CHECK(failure_of({}) == "draw needs something to draw");
    CHECK(failure_of(drawing([](Draw& d) { d.text = std::string(1 << 20, 'a'); })) ==
          "draw --text has 1048576 bytes; the most is 65536");
    CHECK(failure_of(drawing([](Draw& d) {
              d.text = std::string(1000, 'a');
              d.size = 4000;
          })) == "draw --text has 1000 bytes, too many for letters of 4000 pixels");
    CHECK_THAT(failure_of(drawing([](Draw& d) {
                   d.text = "a";
                   d.font = "No Such Font";
               })),
               Catch::Matchers::StartsWith("draw --font No Such Font: this font is not installed; "));
    CHECK(failure_of(drawing([](Draw& d) { d.rect = Points{{1, 2}}; })) == "--rect has 2 numbers");
    CHECK(failure_of(drawing([](Draw& d) {
              d.polygon = Points{{1, 2, 3, 4}};
          })) == "--polygon has 4 numbers");
    CHECK(failure_of(drawing([](Draw& d) {
              d.arrow = Points{{1, 2, 1, 2}};
          })) == "draw --arrow begins where it ends");
    CHECK(failure_of(drawing([](Draw& d) {
              d.line = Points{{1, 2, 1, 1e9}};
          })) == "points 1000000000 is out of range");
    CHECK(failure_of(drawing([](Draw& d) {
              d.text = "a";
              d.scale_bar = Length{50, "px"};
          })) == "draw takes --text or --scale-bar: both have the same place");
    CHECK(failure_of(drawing([](Draw& d) {
                         d.rect = Points{{0, 0, 30000, 30000}};
                     }),
                     {30000, 30000, 1, Depth::u8}) ==
          "draw would cover 30000x30000 pixels; the most is 268435456 at one go");
}
