#include "glproc/ops/contours.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"
#include "glproc/ops/contours/formats.hpp"
#include "support/catch.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;

namespace {

using Pixel = std::array<int, 2>;
using Pixels = std::vector<Pixel>;

/// Rows of a mask as people draw it: '#' is set.
Image drawn(const std::vector<std::string>& rows) {
    Image image(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()), 1, Depth::u8);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool is_set = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
            image.values<std::uint8_t>()[static_cast<std::size_t>(y * image.width() + x)] = is_set ? 255 : 0;
        }
    }
    return image;
}

bool is_set(const Image& image, Pixel at) {
    return at[0] >= 0 && at[1] >= 0 && at[0] < image.width() && at[1] < image.height() &&
           image.at(at[0], at[1], 0) != 0;
}

/// Objects and the areas around them, each with a number of its own, by flooding one after another. The mask
/// has a pixel around it that is not set.
class Areas {
  public:
    Areas(const Image& image, bool eight)
        : width_(image.width() + 2), numbers_(static_cast<std::size_t>(width_ * (image.height() + 2))) {
        for (int y = -1; y <= image.height(); ++y) {
            for (int x = -1; x <= image.width(); ++x) {
                if (number({x, y}) == 0) {
                    flood(image, {x, y}, eight == is_set(image, {x, y}), ++count_);
                }
            }
        }
    }
    int at(Pixel p) const { return numbers_[index(p)]; }

  private:
    std::size_t index(Pixel p) const { return static_cast<std::size_t>((p[1] + 1) * width_ + p[0] + 1); }
    int& number(Pixel p) { return numbers_[index(p)]; }

    void flood(const Image& image, Pixel from, bool diagonally, int as) {
        const bool what = is_set(image, from);
        Pixels left{from};
        number(from) = as;
        while (!left.empty()) {
            const Pixel p = left.back();
            left.pop_back();
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const Pixel q{p[0] + dx, p[1] + dy};
                    const bool is_inside =
                        q[0] >= -1 && q[1] >= -1 && q[0] <= image.width() && q[1] <= image.height();
                    if (is_inside && (diagonally || dx == 0 || dy == 0) && is_set(image, q) == what &&
                        number(q) == 0) {
                        number(q) = as;
                        left.push_back(q);
                    }
                }
            }
        }
    }

    int width_;
    std::vector<int> numbers_;
    int count_ = 0;
};

/// Pixels along the sides that an object shares with the area on the other side of the first one: the object
/// is on the left of who walks from corner to corner.
Pixels walked(const Image& image, Pixel first, Pixel ahead, bool eight) {
    Pixels passed;
    Pixel pixel = first;
    const Pixel start = ahead;
    do {
        passed.push_back(pixel);
        const Pixel left{ahead[1], -ahead[0]};
        const Pixel front{pixel[0] + ahead[0], pixel[1] + ahead[1]};
        const Pixel across{front[0] - left[0], front[1] - left[1]};
        if (is_set(image, across) && (eight || is_set(image, front))) {
            if (!eight) {
                passed.push_back(front);
            }
            pixel = across;
            ahead = {-left[0], -left[1]};
        } else if (is_set(image, front)) {
            pixel = front;
        } else {
            ahead = left;
        }
    } while (pixel != first || ahead != start);
    Pixels once;
    for (const Pixel& p : passed) {
        if (once.empty() || once.back() != p) {
            once.push_back(p);
        }
    }
    if (once.size() > 1 && once.back() == once.front()) {
        once.pop_back();
    }
    return once;
}

struct Truth {
    Pixels points;
    int parent = -1;
    bool is_hole = false;
};

/// All outlines, in the order in which their first pixels come.
std::vector<Truth> found_by_floods(const Image& image, bool eight) {
    const Areas areas(image, eight);
    std::map<int, int> outline_of; // an object, or a hole
    std::map<int, int> around;     // a hole: the object that it is in
    std::vector<Truth> found;
    outline_of[areas.at({-1, -1})] = -1;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const int area = areas.at({x, y});
            if (outline_of.contains(area)) {
                continue;
            }
            const int beside = areas.at({x - 1, y});
            outline_of[area] = static_cast<int>(found.size());
            if (is_set(image, {x, y})) {
                found.push_back({walked(image, {x, y}, {0, 1}, eight), outline_of.at(beside), false});
            } else {
                found.push_back({walked(image, {x - 1, y}, {0, -1}, eight), outline_of.at(beside), true});
            }
        }
    }
    return found;
}

/// With parents first, then children from the last to the first.
void put_below(int parent, const std::vector<Truth>& found, std::vector<int>& order) {
    for (int i = static_cast<int>(found.size()); i-- > 0;) {
        if (found[static_cast<std::size_t>(i)].parent == parent) {
            order.push_back(i);
            put_below(i, found, order);
        }
    }
}

Pixels points_of(const Outlines& outlines, const Outline& outline) {
    return {outlines.pixels.begin() + static_cast<std::ptrdiff_t>(outline.first),
            outlines.pixels.begin() + static_cast<std::ptrdiff_t>(outline.first + outline.count)};
}

/// Only those between a step and another one.
Pixels turns_of(const Pixels& points) {
    Pixels turns;
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Pixel& a = points[(i + count - 1) % count];
        const Pixel& b = points[i];
        const Pixel& c = points[(i + 1) % count];
        if (count == 1 || b[0] - a[0] != c[0] - b[0] || b[1] - a[1] != c[1] - b[1]) {
            turns.push_back(b);
        }
    }
    return turns;
}

void check_mask(const Image& image, Connectivity connectivity) {
    const std::vector<Truth> truth = found_by_floods(image, connectivity == Connectivity::eight);
    std::vector<int> order;
    put_below(-1, truth, order);
    std::map<int, int> place{{-1, -1}};
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<int>(i);
    }
    for (const bool simplify : {false, true}) {
        const Outlines got = Contours{.connectivity = connectivity, .simplify = simplify}(image);
        REQUIRE(got.outlines.size() == truth.size());
        std::map<int, int> last; // of a parent's children
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Truth& right = truth[static_cast<std::size_t>(order[i])];
            const Outline& outline = got.outlines[i];
            INFO("contour " << i);
            CHECK(points_of(got, outline) == (simplify ? turns_of(right.points) : right.points));
            CHECK(outline.is_hole == right.is_hole);
            CHECK(outline.parent == place.at(right.parent));
            const auto before = last.find(outline.parent);
            CHECK(outline.previous == (before == last.end() ? -1 : before->second));
            if (before != last.end()) {
                CHECK(got.outlines[static_cast<std::size_t>(before->second)].next == static_cast<int>(i));
            } else if (outline.parent >= 0) {
                CHECK(got.outlines[static_cast<std::size_t>(outline.parent)].child == static_cast<int>(i));
            }
            last[outline.parent] = static_cast<int>(i);
        }
        for (const auto& [parent, child] : last) {
            CHECK(got.outlines[static_cast<std::size_t>(child)].next == -1);
        }
    }
}

Image random_mask(int width, int height, double density, unsigned seed) {
    std::mt19937 random(seed);
    Image image(width, height, 1, Depth::u8);
    for (std::uint8_t& value : image.values<std::uint8_t>()) {
        value = static_cast<double>(random()) < density * 4294967296.0 ? 255 : 0;
    }
    return image;
}

const std::vector<std::string> ring_in_ring{"#######..", "#.....#.#", "#.###.#..", "#.#.#.#.#",
                                            "#.###.#.#", "#.....#..", "#######.."};

std::string written(const Outlines& outlines, std::string_view format) {
    std::string text;
    write_outlines(outlines, format, [&](std::string_view part) { text += part; });
    return text;
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, int count, bool big) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
        const std::size_t byte = at + static_cast<std::size_t>(big ? i : count - 1 - i);
        value = value << 8U | static_cast<unsigned char>(bytes.at(byte));
    }
    return value;
}

struct Region {
    int type;
    std::array<int, 4> box; ///< top, left, bottom, right
    std::vector<OutlinePoint> points;
};

/// As ImageJ reads it.
Region read_roi(const std::string& roi) {
    REQUIRE(roi.substr(0, 4) == "Iout");
    const auto whole = [&](std::size_t at) {
        return static_cast<int>(static_cast<std::int16_t>(number_at(roi, at, 2, true)));
    };
    CHECK(whole(4) == 227);
    CHECK((number_at(roi, 50, 2, true) & 128U) != 0);
    CHECK(number_at(roi, 60, 4, true) == 0); // no second header
    Region region{static_cast<unsigned char>(roi.at(6)), {whole(8), whole(10), whole(12), whole(14)}, {}};
    const std::size_t count = number_at(roi, 16, 2, true);
    REQUIRE(roi.size() == 64 + count * 12);
    const auto real = [&](std::size_t at) {
        return double(std::bit_cast<float>(number_at(roi, at, 4, true)));
    };
    for (std::size_t i = 0; i < count; ++i) {
        const OutlinePoint point{real(64 + 4 * count + 4 * i), real(64 + 8 * count + 4 * i)};
        CHECK(whole(64 + 2 * i) + region.box[1] == std::floor(point.x));
        CHECK(whole(64 + 2 * count + 2 * i) + region.box[0] == std::floor(point.y));
        region.points.push_back(point);
    }
    return region;
}

} // namespace

TEST_CASE("contours: masks whose answer from OpenCV is known") {
    struct Known {
        std::vector<std::string> mask;
        std::vector<Pixels> points;
        std::vector<std::array<int, 4>> hierarchy; ///< next, previous, child, parent
    };
    const std::vector<Known> all{
        {{"#"}, {{{0, 0}}}, {{-1, -1, -1, -1}}},
        {{"."}, {}, {}},
        {{"..."}, {}, {}},
        {{".....", ".###."}, {{{1, 1}, {2, 1}, {3, 1}, {2, 1}}}, {{-1, -1, -1, -1}}},
        {{"#..", ".#.", "..#"}, {{{0, 0}, {1, 1}, {2, 2}, {1, 1}}}, {{-1, -1, -1, -1}}},
        {{"###", "###"}, {{{0, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 0}, {1, 0}}}, {{-1, -1, -1, -1}}},
        {{"#.#", ".#.", "#.#"},
         {{{0, 0}, {1, 1}, {0, 2}, {1, 1}, {2, 2}, {1, 1}, {2, 0}, {1, 1}}},
         {{-1, -1, -1, -1}}},
        {{".#.", "#.#", ".#."},
         {{{1, 0}, {0, 1}, {1, 2}, {2, 1}}, {{0, 1}, {1, 0}, {2, 1}, {1, 2}}},
         {{-1, -1, 1, -1}, {-1, -1, -1, 0}}},
    };
    for (const Known& known : all) {
        const Outlines got = Contours{}(drawn(known.mask));
        INFO(known.mask.front());
        REQUIRE(got.outlines.size() == known.points.size());
        for (std::size_t i = 0; i < known.points.size(); ++i) {
            const Outline& outline = got.outlines[i];
            CHECK(points_of(got, outline) == known.points[i]);
            CHECK(std::array{outline.next, outline.previous, outline.child, outline.parent} ==
                  known.hierarchy[i]);
        }
    }
}

TEST_CASE("contours: a ring in a ring, and specks beside it") {
    const Outlines got = Contours{.simplify = true}(drawn(ring_in_ring));
    REQUIRE(got.outlines.size() == 6);
    using Row = std::array<int, 5>;
    std::vector<Row> rows;
    for (const Outline& o : got.outlines) {
        rows.push_back({o.next, o.previous, o.child, o.parent, o.is_hole ? 1 : 0});
    }
    // As cv2.findContours(mask, RETR_TREE, CHAIN_APPROX_SIMPLE) has them.
    CHECK(rows == std::vector<Row>{{1, -1, -1, -1, 0},
                                   {2, 0, -1, -1, 0},
                                   {-1, 1, 3, -1, 0},
                                   {-1, -1, 4, 2, 1},
                                   {-1, -1, 5, 3, 0},
                                   {-1, -1, -1, 4, 1}});
    CHECK(points_of(got, got.outlines[0]) == Pixels{{8, 3}, {8, 4}});
    CHECK(points_of(got, got.outlines[2]) == Pixels{{0, 0}, {0, 6}, {6, 6}, {6, 0}});
    CHECK(points_of(got, got.outlines[5]) == Pixels{{2, 3}, {3, 2}, {4, 3}, {3, 4}});
    CHECK(got.area(got.outlines[2]) == 36);
    CHECK(got.area(got.outlines[0]) == 0);
    const OutlineBox box = got.box(got.outlines[0]);
    CHECK(std::array{box.left, box.top, box.width, box.height} == std::array{8.0, 3.0, 1.0, 2.0});
}

TEST_CASE("contours equal borders walked along the sides of flooded areas") {
    for (const Connectivity connectivity : {Connectivity::eight, Connectivity::four}) {
        INFO("connectivity " << static_cast<int>(connectivity));
        check_mask(drawn(ring_in_ring), connectivity);
        Image checkerboard(31, 24, 1, Depth::u8);
        for (int y = 0; y < 24; ++y) {
            for (int x = 0; x < 31; ++x) {
                checkerboard.values<std::uint8_t>()[static_cast<std::size_t>(y * 31 + x)] =
                    (x + y) % 2 == 0 ? 1 : 0;
            }
        }
        check_mask(checkerboard, connectivity);
        for (unsigned seed = 0; seed < 120; ++seed) {
            const std::array sizes{Pixel{1, 1}, Pixel{1, 40},  Pixel{40, 1},
                                   Pixel{2, 2}, Pixel{33, 29}, Pixel{64, 64}};
            const std::array densities{0.0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.95, 1.0};
            const Pixel size = sizes.at(seed % sizes.size());
            INFO("seed " << seed);
            check_mask(random_mask(size[0], size[1], densities.at(seed % densities.size()), seed),
                       connectivity);
        }
    }
}

TEST_CASE("contours: what is set is what components takes") {
    Image image(5, 1, 2, Depth::f32);
    const auto values = image.values<float>();
    const std::array<float, 10> wanted{0.2F, 1,    0.6F, 1, 0.7F, 0, std::numeric_limits<float>::quiet_NaN(),
                                       1,    0.9F, 1};
    std::copy(wanted.begin(), wanted.end(), values.begin());
    CHECK(Contours{}(image).pixels == Pixels{{0, 0}, {1, 0}, {3, 0}, {4, 0}});
    CHECK(Contours{.threshold = MaskThreshold{.at = Level(0.5)}}(image).pixels == Pixels{{1, 0}, {4, 0}});
}

TEST_CASE("contours at a level: lines whose answer from scikit-image is known") {
    Image image(3, 3, 1, Depth::u8);
    image.values<std::uint8_t>()[0] = 255;
    const Outlines corner = Contours{.level = Level(0.5)}(image);
    REQUIRE(corner.outlines.size() == 1);
    CHECK(corner.lines == std::vector<OutlinePoint>{{0.5, 0}, {0, 0.5}});
    CHECK_FALSE(corner.is_closed(corner.outlines[0]));

    image.values<std::uint8_t>()[0] = 0;
    image.values<std::uint8_t>()[4] = 204;
    const Outlines around = Contours{.level = Level(102.0 / 255)}(image);
    CHECK(around.lines == std::vector<OutlinePoint>{{1, 1.5}, {0.5, 1}, {1, 0.5}, {1.5, 1}, {1, 1.5}});
    CHECK(around.is_closed(around.outlines[0]));
    CHECK(around.area(around.outlines[0]) == 0.5);

    Image saddle(2, 2, 1, Depth::f32);
    saddle.values<float>()[0] = saddle.values<float>()[3] = 1;
    CHECK(Contours{.level = Level(0.25)}(saddle).lines ==
          std::vector<OutlinePoint>{{0.75, 0}, {0, 0.75}, {0.25, 1}, {1, 0.25}});
    CHECK(Contours{.level = Level(0.25), .fully_connected = LevelJoin::high}(saddle).lines ==
          std::vector<OutlinePoint>{{0.75, 0}, {1, 0.25}, {0.25, 1}, {0, 0.75}});
}

TEST_CASE("contours at a level: a ramp has a straight line, and NaN ends it") {
    Image ramp(40, 30, 1, Depth::f32);
    const auto values = ramp.values<float>();
    for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
            values[static_cast<std::size_t>(y * 40 + x)] = static_cast<float>(x + 2 * y); // exact
        }
    }
    const Outlines lines = Contours{.level = Level(40.5)}(ramp);
    REQUIRE(lines.outlines.size() == 1);
    for (const OutlinePoint& point : lines.lines) {
        CHECK(point.x + 2 * point.y == Approx(40.5).epsilon(1e-14));
    }
    CHECK(lines.lines.front() == OutlinePoint{0, 20.25});
    CHECK(lines.lines.back() == OutlinePoint{39, 0.75});
    CHECK(lines.lines.size() == 60); // it crosses each column and each second row

    values[10 * 40 + 20] = std::numeric_limits<float>::quiet_NaN();
    CHECK(Contours{.level = Level(40.5)}(ramp).outlines.size() == 2);
    CHECK(Contours{.level = Level(1000)}(ramp).outlines.empty());
}

TEST_CASE("contours at a level: every crossing is on a line, where it belongs") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        Image image(23, 17, 1, Depth::u16);
        for (std::uint16_t& value : image.values<std::uint16_t>()) {
            value = static_cast<std::uint16_t>(random());
        }
        const double level = 30000.5;
        const Outlines lines = Contours{.level = Level(level / 65535)}(image);
        std::size_t crossings = 0;
        const auto value = [&](int x, int y) { return static_cast<double>(image.at(x, y, 0)); };
        std::vector<OutlinePoint> right;
        for (int y = 0; y < 17; ++y) {
            for (int x = 0; x < 23; ++x) {
                if (x < 22 && (value(x, y) > level) != (value(x + 1, y) > level)) {
                    right.push_back({x + (level - value(x, y)) / (value(x + 1, y) - value(x, y)), double(y)});
                }
                if (y < 16 && (value(x, y) > level) != (value(x, y + 1) > level)) {
                    right.push_back({double(x), y + (level - value(x, y)) / (value(x, y + 1) - value(x, y))});
                }
            }
        }
        std::vector<OutlinePoint> got;
        for (const Outline& line : lines.outlines) {
            for (std::size_t i = 0; i < line.count - (lines.is_closed(line) ? 1 : 0); ++i, ++crossings) {
                got.push_back(lines.point(line, i));
            }
        }
        const auto less = [](const OutlinePoint& a, const OutlinePoint& b) {
            return std::pair(a.x, a.y) < std::pair(b.x, b.y);
        };
        std::sort(right.begin(), right.end(), less);
        std::sort(got.begin(), got.end(), less);
        REQUIRE(crossings == right.size());
        for (std::size_t i = 0; i < right.size(); ++i) {
            CHECK(got[i].x == Approx(right[i].x).margin(1e-9));
            CHECK(got[i].y == Approx(right[i].y).margin(1e-9));
        }
    }
}

TEST_CASE("contours as text") {
    const Outlines square = Contours{.simplify = true}(drawn({".....", ".###.", ".#.#.", ".###.", "#...."}));
    CHECK(written(square, "csv") ==
          "contour,point,x,y\n0,0,1,1\n0,1,1,3\n0,2,0,4\n0,3,1,3\n0,4,3,3\n0,5,3,1\n"
          "1,0,1,2\n1,1,2,1\n1,2,3,2\n1,3,2,3\n");
    CHECK(written(square, "json") ==
          "{\"schema\":\"glproc.contours/1\",\"width\":5,\"height\":5,\"count\":2,\"contours\":[\n"
          "{\"next\":-1,\"previous\":-1,\"first_child\":1,\"parent\":-1,\"hole\":0,\"closed\":1,\"area\":4,"
          "\"box\":[0,1,4,4],\"points\":[[1,1],[1,3],[0,4],[1,3],[3,3],[3,1]]},\n"
          "{\"next\":-1,\"previous\":-1,\"first_child\":-1,\"parent\":0,\"hole\":1,\"closed\":1,\"area\":2,"
          "\"box\":[1,1,3,3],\"points\":[[1,2],[2,1],[3,2],[2,3]]}\n]}\n");
    CHECK(written(square, "svg") ==
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"5\" height=\"5\" viewBox=\"0 0 5 5\">\n"
          "<g transform=\"translate(0.5 0.5)\" fill=\"black\" fill-rule=\"evenodd\" stroke=\"black\" "
          "stroke-linecap=\"square\">\n"
          "<path d=\"M1 1L1 3L0 4L1 3L3 3L3 1ZM1 2L2 1L3 2L2 3Z\"/>\n</g>\n</svg>\n");
    CHECK(written(square, "geojson") ==
          "{\"type\":\"FeatureCollection\",\"axes\":\"pixels; x goes right, y goes down\",\"features\":[\n"
          "{\"type\":\"Feature\",\"properties\":{\"contour\":0},\"geometry\":{\"type\":\"Polygon\","
          "\"coordinates\":["
          "[[3,1],[3,3],[1,3],[0,4],[1,3],[1,1],[3,1]],[[2,3],[3,2],[2,1],[1,2],[2,3]]]}}\n]}\n");
    const Outlines specks = Contours{.simplify = true}(drawn({"#..##"}));
    CHECK(written(specks, "geojson").find(R"("LineString","coordinates":[[3,0],[4,0]]})") !=
          std::string::npos);
    CHECK(written(specks, "geojson").find(R"("Point","coordinates":[0,0]})") != std::string::npos);
    CHECK(written(Contours{}(drawn({"."})), "json").ends_with("\"count\":0,\"contours\":[\n]}\n"));
}

TEST_CASE("contours as regions of ImageJ") {
    const Outlines square = Contours{.simplify = true}(drawn({"....", ".###", ".###"}));
    const Region region = read_roi(written(square, "roi"));
    CHECK(region.type == 0);
    CHECK(region.box == std::array{1, 1, 3, 4});
    CHECK(region.points == std::vector<OutlinePoint>{{1.5, 1.5}, {1.5, 2.5}, {3.5, 2.5}, {3.5, 1.5}});

    Image ramp(2, 2, 1, Depth::f32);
    ramp.values<float>()[1] = ramp.values<float>()[3] = 4;
    const Region line = read_roi(written(Contours{.level = Level(1)}(ramp), "roi"));
    CHECK(line.type == 5); // it is open
    CHECK(line.points == std::vector<OutlinePoint>{{0.75, 1.5}, {0.75, 0.5}});

    const Outlines rings = Contours{}(drawn(ring_in_ring));
    CHECK_THROWS_MATCHES(written(rings, "roi"), Error,
                         Catch::Message("a .roi file holds one contour, and there are 6"));
    const std::string zip = written(rings, "zip");
    const std::size_t end = zip.size() - 22;
    REQUIRE(zip.substr(end, 4) == "PK\5\6");
    REQUIRE(number_at(zip, end + 10, 2, false) == 6);
    std::size_t entry = number_at(zip, end + 16, 4, false);
    for (std::size_t i = 0; i < 6; ++i) {
        REQUIRE(zip.substr(entry, 4) == "PK\1\2");
        const std::size_t size = number_at(zip, entry + 24, 4, false);
        const std::size_t name = number_at(zip, entry + 28, 2, false);
        const std::size_t file = number_at(zip, entry + 42, 4, false);
        CHECK(zip.substr(file, 4) == "PK\3\4");
        CHECK(zip.substr(entry + 46, name) == zip.substr(file + 30, name));
        CHECK(read_roi(zip.substr(file + 30 + name, size)).points.size() == rings.outlines[i].count);
        entry += 46 + name;
    }
    CHECK(entry == end);
    CHECK(written(Contours{}(drawn({"."})), "zip").size() == 22);
}

TEST_CASE("contours refuses what makes no sense") {
    const Image image = drawn({"#."});
    CHECK_THROWS_MATCHES((Contours{.simplify = true, .level = Level(0.5)}(image)), Error,
                         Catch::Message("--simplify is for outlines of pixels, not for lines at a level"));
    CHECK_THROWS_AS((Contours{.level = Level(128)}(image)), Error);
    CHECK(Contours{.level = Level(0.5)}(image).outlines.empty()); // a single row has no squares
}
