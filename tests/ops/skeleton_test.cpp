#include "glproc/ops/skeleton.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/skeleton/thinning.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

// clang-format off
constexpr std::array shapes{
    "......##......###..###########......###..#######.....###########",
    ".#.#####...#..##...############.....##...#######....############",
    "..######......##...####...######....##...####..##...######.#.###",
    "..####.......###..##.##.....#####..#.....#####..##.#..##########",
    "..####........#...#####......####.###.#.#####...###.....##..####",
    "...####............##........####.###...####.....###..........##",
    "..######....................#####....#..####......##.........###",
    "...#####................##.######.......####......###........###",
    ".#.#####...#...#...........####.#........####....####.........##",
    "#...####.#.................######.........####...#.##.........##",
    ".#..###................#..#######.#......############...#.....##",
    "####.....................#####...........############.........##",
    "#####.........###.....#####............############............#",
    "######.......#####....####......##...############.............##",
    "######.....#######....####.....###....###########..........#####",
    "######.....#######....####.....##.#...############.........#####",
    "#######....##.####........###..###.....####.############....##.#",
    ".######.....#######........###.#####...##################...####",
    "...####.....##########..#..###.######.###########.##.####....###",
    ".....###...###########.....#########..###########..#############",
    ".......##..####.#######.....#######....#.########...############",
    ".......###..##....#.###.....#####.......#########..#############",
    "...................####.....####........########...#############",
    "...#..............######..#.####........######.....#############",
};

// By scikit-image 0.19's skeletonize().
constexpr std::array by_zhang{
    ".......#.......##.....#####..........##......##.................",
    ".#...##....#..#......#.....##.......#......##..#.....########...",
    "..#.#.........#.....##.......#......#.....#.....#...#....#.#.#..",
    "...##.........#....#.#........#....#......#.....#..#......####..",
    "....#...............#.........#....#..#...#......##...........#.",
    "....#.........................#.....#.....#.......#...........#.",
    "....#.........................#......#....#.......#...........#.",
    ".....#..................##....##..........#.......#...........#.",
    ".#...#.....#...#.............##.#.........#......##...........#.",
    "#...#....#..................#..#...........#.....#.#..........#.",
    ".#..#..................#...#......#........#.....##.....#.....#.",
    ".#.#......................#................#...##..............#",
    "..#......................#.................#..#................#",
    "..#.....................#.............#.....##.................#",
    "..#.....................#........#.....###..#...............#.#.",
    "...#.........#...........#......#.#.......###................##.",
    "....#.......#.#...........#.....##........#.#................#.#",
    "....#........##............#....#.........###########.........#.",
    ".....#.......#.##.......#...#...#.........#........#.#........#.",
    "......#......#...#..........#..#........##..........##........#.",
    ".......#....#.....##.........##........#.#............#......#..",
    "........##........#.#...................#............########...",
    "...................###.............................##...........",
    "...#..................##..#.....................................",
};

// By the definition in NumPy.
constexpr std::array by_guo_hall{
    ".......#........#......###............#......##.................",
    ".#....#....#...#.....##...###........#......#..#.....###..###...",
    "..####.........#....#........#......#......#....#...#...##.#.#..",
    "....#.........#....#.#........#....#.......#.....#.#......####..",
    "....#...............#..........#...#..#...#.......#...........#.",
    "....#..........................#....#.....#.......#...........#.",
    ".....#........................#......#....#........#..........#.",
    ".....#..................##.....#..........#........#..........#.",
    ".#...#.....#...#..............#.#..........#......#............#",
    "#....#...#...................#.#...........#.....#.#...........#",
    ".#..#..................#...##.....#.........#....##.....#......#",
    ".#.#......................#.................#...#..............#",
    "..#......................#...................###...............#",
    "...#....................#........#...###....#..................#",
    "...#...........#........#........#......####..................#.",
    "...#.........##..........#......#.#........#................###.",
    "....#.......#.#...........##.....#........#.######...........#.#",
    ".....#.......####...........#....#.........#......###.........#.",
    "......#.......#..#......#...#....###.......#.......#.#........#.",
    ".......#.....#....#..........#..#.......###.........###......#..",
    "........#..........#..........##.......#.#.............##....#..",
    ".........#........#.##........#.........#................####...",
    "...................#..#.........................................",
    "...#..............#....#..#.....................................",
};
// clang-format on

/// A picture from a drawing of it.
Image drawn(std::span<const char* const> rows) {
    Image image(static_cast<int>(std::string_view(rows[0]).size()), static_cast<int>(rows.size()), 1,
                Depth::u8);
    std::uint8_t* pixel = image.values<std::uint8_t>().data();
    for (const std::string_view row : rows) {
        pixel = std::transform(row.begin(), row.end(), pixel, [](char c) { return c == '#' ? 255 : 0; });
    }
    return image;
}

/// Pixels a whole pass at a time, as the definition has it.
class Naive {
  public:
    explicit Naive(const Mask& mask) : mask_(mask) {}

    Image thinned(SkeletonRule rule) {
        while (pass(rule, 0) + pass(rule, 1) > 0) {
        }
        Image image = mask_.image();
        for (std::uint8_t& value : image.values<std::uint8_t>()) {
            value = value != 0 ? 255 : 0;
        }
        return image;
    }

  private:
    int pass(SkeletonRule rule, int number) {
        const Mask before = mask_;
        int removed = 0;
        for (int y = 0; y < mask_.height; ++y) {
            for (int x = 0; x < mask_.width; ++x) {
                std::array<bool, 9> p{}; // p[1] is above, then clockwise: p2 to p9 of the papers
                constexpr std::array<std::pair<int, int>, 8> ring{
                    std::pair{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};
                for (std::size_t i = 0; i < ring.size(); ++i) {
                    p[i] = before.is_set(x + ring[i].first, y + ring[i].second);
                }
                p[8] = p[0];
                const bool goes = rule == SkeletonRule::zhang ? by_zhang(p, number) : by_guo_hall(p, number);
                if (before.is_set(x, y) && goes) {
                    mask_.pixels[static_cast<std::size_t>(y * mask_.width + x)] = 0;
                    ++removed;
                }
            }
        }
        return removed;
    }

    static bool is_one_of(std::string_view neighbours, std::initializer_list<std::string_view> list) {
        return std::find(list.begin(), list.end(), neighbours) != list.end();
    }

    /// What scikit-image adds to the paper's neighbourhoods, and takes from them, beginning above, clockwise.
    static bool is_exception(const std::array<bool, 9>& p, int number) {
        std::string text;
        for (std::size_t i = 0; i < 8; ++i) {
            text += p[i] ? '1' : '0';
        }
        return number == 0
                   ? is_one_of(text, {"10100000", "10100001", "00110000", "00101000", "00011000", "00111000",
                                      "00001100", "00000011", "10000010", "11000010", "00001010", "00001011",
                                      "00000110", "10000110", "11000110", "00001110"})
                   : is_one_of(text, {"10000001", "11000000", "10100000", "01100000", "11100000", "10110000",
                                      "00101000", "00011000", "00101100", "01101100", "00000011", "10000010",
                                      "10000011", "00001010", "00011010"});
    }

    static bool by_zhang(const std::array<bool, 9>& p, int number) {
        int set = 0;
        int begun = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            set += p[i] ? 1 : 0;
            begun += !p[i] && p[i + 1] ? 1 : 0;
        }
        const bool first = p[number == 0 ? 4 : 6] && p[0] && p[2];
        const bool second = p[number == 0 ? 2 : 0] && p[4] && p[6];
        const bool goes = begun == 1 && set >= 2 && set <= 6 && !first && !second;
        return goes != is_exception(p, number);
    }

    static bool by_guo_hall(const std::array<bool, 9>& p, int number) {
        int arcs = 0;
        int one = 0;
        int other = 0;
        for (std::size_t i = 0; i < 8; i += 2) {
            arcs += !p[i] && (p[i + 1] || p[(i + 2) % 8]) ? 1 : 0;
            one += p[(i + 7) % 8] || p[i] ? 1 : 0;
            other += p[i] || p[i + 1] ? 1 : 0;
        }
        const int least = std::min(one, other);
        const bool held = number == 0 ? (p[4] || p[5] || !p[7]) && p[6] : (p[0] || p[1] || !p[3]) && p[2];
        return arcs == 1 && least >= 2 && least <= 3 && !held;
    }

    Mask mask_;
};

Image in_bands(const Skeleton& op, const Image& image, int rows) {
    SweepPlan sweeps = std::get<BySweeps>(plan(op, image.form()).work.cutting).plan(image.form());
    sweeps.needs = [&, needs = sweeps.needs](Context& gpu) {
        TileNeeds few = needs(gpu);
        few.most_rows = rows;
        return few;
    };
    ImageRows result({image.width(), image.height(), 1, Depth::u8});
    run_sweeps(gpu(), sweeps, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

} // namespace

TEST_CASE("skeleton: of shapes what scikit-image and NumPy make of them") {
    const Image zhang = drawn(by_zhang);
    const Image guo_hall = drawn(by_guo_hall);
    for (const auto& row : enum_rows<SkeletonMethod>) {
        INFO(row.name);
        CHECK_THAT(whole(Skeleton{.variant = row.value}, drawn(shapes)), IsBitwise(zhang));
        CHECK_THAT(whole(Skeleton{.rule = SkeletonRule::guo_hall, .variant = row.value}, drawn(shapes)),
                   IsBitwise(guo_hall));
    }
}

TEST_CASE("skeleton: hostile and random masks, whole and in bands") {
    std::vector<Mask> masks;
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 50}, {70, 1}, {33, 13}, {101, 67}}) {
        for (Mask& mask : hostile_masks(width, height)) {
            masks.push_back(std::move(mask));
        }
    }
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        masks.push_back(random_mask(seed, 120, 80));
    }
    int turn = 0;
    for (const Mask& mask : masks) {
        for (const auto& rule : enum_rows<SkeletonRule>) {
            INFO(mask.name << ", " << mask.width << "x" << mask.height << ", " << rule.name);
            const Image right = Naive(mask).thinned(rule.value);
            for (const SkeletonMethod method : {SkeletonMethod::automatic, SkeletonMethod::gpu, SkeletonMethod::cpu}) {
                const Skeleton op{.rule = rule.value, .variant = method};
                CHECK_THAT(whole(op, mask.image()), IsBitwise(right));
                constexpr std::array bands{1, 2, 7, 64};
                CHECK_THAT(in_bands(op, mask.image(), bands[static_cast<std::size_t>(turn++) % bands.size()]),
                           IsBitwise(right));
            }
        }
    }
}

TEST_CASE("skeleton: rows too long for a texture") {
    const Mask mask = random_mask(4, 400, 60);
    const Image right = Naive(mask).thinned(SkeletonRule::zhang);
    const ScopedLimits small("texture_size:16", plenty);
    CHECK_THAT(in_bands({}, mask.image(), 7), IsBitwise(right));
}

TEST_CASE("skeleton: a thick shape takes time in proportion to its pixels", "[.clock]") {
    const auto processor_time = [](int side) {
        HostMask mask = inverted(host_mask(Image(side, side, 1, Depth::u8), MaskedPixels::nonzero));
        const std::clock_t begin = std::clock();
        static_cast<void>(thin(std::move(mask), SkeletonRule::zhang));
        return static_cast<double>(std::clock() - begin);
    };
    CHECK(processor_time(3000) < 36 * processor_time(750)); // 16 times the pixels; 64 times as long if each pass sees all of them
}
