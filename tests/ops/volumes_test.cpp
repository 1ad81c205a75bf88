// Operations on volumes, against plain loops over the neighbours of each voxel in doubles.
#include "glproc/ops/operations_in_volume.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"

#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Voxels {
    std::array<int, 3> size; ///< planes, rows, columns
    int channels = 1;
    Depth depth = Depth::u8;
    std::vector<Image> planes = {};

    double at(int z, int y, int x, int channel) const {
        return planes[static_cast<std::size_t>(z)].at(x, y, channel);
    }
};

Voxels random_voxels(std::array<int, 3> size, int channels, Depth depth) {
    Voxels made{size, channels, depth};
    for (int z = 0; z < size[0]; ++z) {
        made.planes.push_back(
            random_image({size[2], size[1], channels, depth}, static_cast<unsigned>(z + 1)));
    }
    return made;
}

/// By walking to it; −1 for the constant.
int place_of(const std::string& border, int i, int n) {
    while (i < 0 || i >= n) {
        const bool before = i < 0;
        if (border == "constant") {
            return -1;
        }
        i = border == "clamp"       ? (before ? 0 : n - 1)
            : border == "wrap"      ? (before ? i + n : i - n)
            : border == "symmetric" ? (before ? -1 - i : 2 * n - 1 - i)
            : n == 1                ? 0
                                    : (before ? -i : 2 * n - 2 - i);
    }
    return i;
}

std::vector<Image> run(const std::string& name, const Fields& fields, const Voxels& voxels,
                       VolumeCall call = {}) {
    const OpInfo& info = *find_operation(name);
    const auto operation = info.make();
    for (const auto& [field, text] : fields) {
        operation->set(field, text);
    }
    const InVolume& how = *in_volume_of(info);
    VolumePart part{{}, 0, voxels.planes.size()};
    for (const Image& plane : voxels.planes) {
        part.planes.push_back(&plane);
    }
    how.around(*operation, call, voxels.planes.front().form());
    const MakePlane make = how.run(*operation, call, part);
    std::vector<Image> made;
    for (std::size_t i = 0; i < part.wanted; ++i) {
        made.push_back(make(i));
    }
    return made;
}

/// The value at a voxel, of the values around it: `near(dz, dy, dx)`.
using Near = std::function<double(int, int, int)>;
using Truth = std::function<double(const Near& near)>;

double rounded(double value, Depth depth) {
    return depth == Depth::f32 ? static_cast<float>(value)
                               : std::nearbyint(std::clamp<double>(value, 0, max_code(depth)));
}

void check_against(const std::string& name, const Fields& fields, const std::string& border,
                   const Truth& truth, const VolumeCall& call = {}) {
    for (const std::array<int, 3> size : {std::array{1, 1, 1}, {5, 7, 6}, {3, 1, 11}, {2, 13, 4}}) {
        for (const auto& [channels, depth] :
             {std::pair{1, Depth::u8}, {3, Depth::u16}, {1, Depth::f32}, {3, Depth::u8}}) {
            const Voxels voxels = random_voxels(size, channels, depth);
            Fields all = fields;
            const double share = border == "constant" ? 0.4 : 0; // a whole code at 8 and 16 bits
            const double beyond = depth == Depth::f32 ? 0.4 : share * max_code(depth);
            all.emplace_back("border", border == "constant" ? "constant:0.4" : border);
            const std::vector<Image> made = run(name, all, voxels, call);
            REQUIRE(made.size() == static_cast<std::size_t>(size[0]));
            double worst = 0;
            for (int i = 0; i < size[0] * size[1] * size[2] * channels; ++i) {
                const int c = i % channels;
                const int x = i / channels % size[2];
                const int y = i / channels / size[2] % size[1];
                const int z = i / channels / size[2] / size[1];
                const double expected =
                    rounded(truth([&](int dz, int dy, int dx) {
                                const int u = place_of(border, z + dz, size[0]);
                                const int v = place_of(border, y + dy, size[1]);
                                const int w = place_of(border, x + dx, size[2]);
                                return u < 0 || v < 0 || w < 0 ? beyond : voxels.at(u, v, w, c);
                            }),
                            depth);
                worst = std::max(worst, std::abs(expected - made[static_cast<std::size_t>(z)].at(x, y, c)));
            }
            INFO(name << " border " << border << " " << size[0] << "x" << size[1] << "x" << size[2]
                      << " channels " << channels << " depth " << static_cast<int>(depth));
            CHECK(worst <= (depth == Depth::f32 ? 3e-7 : 0));
        }
    }
}

std::vector<double> gaussian(double sigma) {
    const int radius = static_cast<int>(4 * sigma + 0.5);
    std::vector<double> weights;
    double sum = 0;
    for (int i = -radius; i <= radius; ++i) {
        weights.push_back(sigma > 0 ? std::exp(-i * i / (2 * sigma * sigma)) : 1);
        sum += weights.back();
    }
    std::ranges::transform(weights, weights.begin(), [sum](double weight) { return weight / sum; });
    return weights;
}

/// Weights of each axis multiplied.
double product_sum(const Near& near, const std::array<std::vector<double>, 3>& weights) {
    std::array<int, 3> reach{};
    std::ranges::transform(weights, reach.begin(),
                           [](const auto& w) { return static_cast<int>(w.size() / 2); });
    double sum = 0;
    for (int dz = -reach[0]; dz <= reach[0]; ++dz) {
        for (int dy = -reach[1]; dy <= reach[1]; ++dy) {
            for (int dx = -reach[2]; dx <= reach[2]; ++dx) {
                sum += near(dz, dy, dx) * weights[0][static_cast<std::size_t>(dz + reach[0])] *
                       weights[1][static_cast<std::size_t>(dy + reach[1])] *
                       weights[2][static_cast<std::size_t>(dx + reach[2])];
            }
        }
    }
    return sum;
}

std::vector<double> sorted_near(const Near& near, std::array<int, 3> radius,
                                const std::function<bool(int, int, int)>& is_in) {
    std::vector<double> values;
    for (int dz = -radius[0]; dz <= radius[0]; ++dz) {
        for (int dy = -radius[1]; dy <= radius[1]; ++dy) {
            for (int dx = -radius[2]; dx <= radius[2]; ++dx) {
                if (is_in(dz, dy, dx)) {
                    values.push_back(near(dz, dy, dx));
                }
            }
        }
    }
    std::ranges::sort(values);
    return values;
}

bool everywhere(int, int, int) {
    return true;
}

const std::vector<std::string> every_border{"clamp", "mirror", "symmetric", "wrap", "constant"};

} // namespace

TEST_CASE("volumes: blur, box and unsharp are sums over neighbours in space") {
    for (const std::string& border : every_border) {
        check_against("blur", {{"sigma", "0.8"}}, border, [w = gaussian(0.8)](const Near& near) {
            return product_sum(near, {w, w, w});
        });
        check_against(
            "box", {{"radius", "1,2"}}, border,
            [](const Near& near) {
                const std::vector<double> three(3, 1 / 3.0);
                return product_sum(near, {std::vector<double>{1}, std::vector<double>(5, 0.2), three});
            },
            {.across = {{"radius", 0}}});
    }
    check_against("blur", {{"sigma", "0.5,1"}}, "clamp",
                  [](const Near& near) {
                      return product_sum(near, {gaussian(1.5), gaussian(1), gaussian(0.5)});
                  },
                  {.across = {{"sigma", 1.5}}});
    check_against("blur", {{"sigma", "1"}}, "clamp", // of which a step between planes is two
                  [](const Near& near) {
                      return product_sum(near, {gaussian(0.5), gaussian(1), gaussian(1)});
                  },
                  {.spacing = {2, 1, 1}});
    check_against("unsharp", {{"sigma", "0.7"}, {"amount", "1.5"}}, "clamp",
                  [w = gaussian(0.7)](const Near& near) {
                      return 2.5 * near(0, 0, 0) - 1.5 * product_sum(near, {w, w, w});
                  });
}

TEST_CASE("volumes: sobel and laplacian are derivatives along three axes") {
    const std::vector<double> smooth{1, 2, 1};
    const std::vector<double> slope{-1, 0, 1};
    for (const std::string border : {"clamp", "mirror", "wrap", "constant"}) {
        check_against("sobel", {{"scale", "0.1"}}, border, [&](const Near& near) {
            const double z = product_sum(near, {slope, smooth, smooth});
            const double y = product_sum(near, {smooth, slope, smooth});
            const double x = product_sum(near, {smooth, smooth, slope});
            return 0.1 * std::sqrt(z * z + y * y + x * x);
        });
        check_against("laplacian", {{"scale", "0.2"}}, border, [&](const Near& near) {
            const double around = near(-1, 0, 0) + near(1, 0, 0) + near(0, -1, 0) + near(0, 1, 0) +
                                  near(0, 0, -1) + near(0, 0, 1);
            return 0.2 * std::abs(around - 6 * near(0, 0, 0));
        });
    }
    const Voxels ramp = random_voxels({3, 4, 5}, 1, Depth::u8);
    for (const Image& plane : run("sobel", {{"output", "x"}}, ramp)) {
        CHECK(plane.depth() == Depth::f32);
    }
    CHECK_THROWS_AS(run("sobel", {{"output", "angle"}}, ramp), Error);
}

TEST_CASE("volumes: median and morphology put neighbours in order") {
    for (const std::string& border : every_border) {
        check_against("median", {{"radius", "1"}}, border, [](const Near& near) {
            return sorted_near(near, {1, 1, 1}, everywhere).at(13);
        });
        check_against("morphology", {{"do", "erode"}, {"radius", "1,0"}}, border,
                      [](const Near& near) {
                          return sorted_near(near, {2, 0, 1}, everywhere).front();
                      },
                      {.across = {{"radius", 2}}});
        check_against("morphology", {{"do", "dilate"}, {"radius", "2"}, {"shape", "disk"}}, border,
                      [](const Near& near) {
                          return sorted_near(near, {2, 2, 2},
                                             [](int z, int y, int x) { return z * z + y * y + x * x <= 4; })
                              .back();
                      });
        check_against("morphology", {{"do", "gradient"}, {"radius", "1"}, {"shape", "cross"}}, border,
                      [](const Near& near) {
                          const auto values = sorted_near(near, {1, 1, 1}, [](int z, int y, int x) {
                              return std::abs(z) + std::abs(y) + std::abs(x) <= 1;
                          });
                          return values.back() - values.front();
                      });
    }
    const Voxels voxels = random_voxels({4, 5, 6}, 1, Depth::u8);
    const auto step = [&](const std::string& what, const Voxels& of) {
        Voxels made = of;
        made.planes = run("morphology", {{"do", what}, {"radius", "1"}}, of);
        return made;
    };
    const Voxels opened = step("dilate", step("erode", voxels));
    const std::vector<Image> hats = run("morphology", {{"do", "tophat"}, {"radius", "1"}}, voxels);
    for (int i = 0; i < 4 * 5 * 6; ++i) {
        CHECK(hats[static_cast<std::size_t>(i / 30)].at(i % 6, i / 6 % 5, 0) ==
              voxels.at(i / 30, i / 6 % 5, i % 6, 0) - opened.at(i / 30, i / 6 % 5, i % 6, 0));
    }
}

TEST_CASE("volumes: distances are those of the nearest black voxel, also in units") {
    for (const std::array<double, 3> spacing : {std::array<double, 3>{1, 1, 1}, {2.5, 0.5, 0.25}}) {
        Voxels voxels = random_voxels({4, 9, 8}, 1, Depth::u8);
        for (Image& plane : voxels.planes) {
            std::ranges::transform(
                plane.values<std::uint8_t>(), plane.values<std::uint8_t>().begin(),
                [](std::uint8_t value) { return value < 20 ? std::uint8_t{0} : std::uint8_t{255}; });
        }
        const std::vector<Image> made = run("distance", {}, voxels, {.spacing = spacing});
        for (int i = 0; i < 4 * 9 * 8; ++i) {
            double nearest = std::numeric_limits<double>::infinity();
            for (int j = 0; j < 4 * 9 * 8; ++j) {
                if (voxels.at(j / 72, j / 8 % 9, j % 8, 0) == 0) {
                    const double z = spacing[0] * (i / 72 - j / 72);
                    const double y = spacing[1] * (i / 8 % 9 - j / 8 % 9);
                    const double x = spacing[2] * (i % 8 - j % 8);
                    nearest = std::min(nearest, z * z + y * y + x * x);
                }
            }
            CHECK(made[static_cast<std::size_t>(i / 72)].at(i % 8, i / 8 % 9, 0) ==
                  Approx(std::sqrt(nearest)).epsilon(1e-6));
        }
    }
}

TEST_CASE("volumes: objects reach across planes") {
    Voxels voxels{{3, 4, 5}, 1, Depth::u8, std::vector<Image>(3, Image(5, 4, 1, Depth::u8))};
    const auto set = [&](int z, int y, int x) {
        voxels.planes[static_cast<std::size_t>(z)]
            .values<std::uint8_t>()[static_cast<std::size_t>(5 * y + x)] = 9;
    };
    set(0, 0, 0); // touches the next at a corner
    set(1, 1, 1);
    set(2, 1, 1);
    set(0, 3, 4);
    const auto label_at = [](const std::vector<Image>& made, int z, int y, int x) {
        return made[static_cast<std::size_t>(z)].at(x, y, 0);
    };
    const std::vector<Image> by_corners = run("components", {{"output", "labels"}}, voxels);
    CHECK(by_corners.front().depth() == Depth::u16);
    CHECK(label_at(by_corners, 0, 0, 0) == 1);
    CHECK(label_at(by_corners, 2, 1, 1) == 1);
    CHECK(label_at(by_corners, 0, 3, 4) == 2);
    const std::vector<Image> by_sides =
        run("components", {{"output", "labels"}, {"connectivity", "4"}}, voxels);
    CHECK(label_at(by_sides, 1, 1, 1) == 3);
    CHECK(label_at(by_sides, 2, 1, 1) == 3);
    const std::vector<Image> largest = run("components", {{"largest", "1"}}, voxels);
    CHECK(label_at(largest, 0, 0, 0) == 255);
    CHECK(label_at(largest, 0, 3, 4) == 0);
    CHECK_THROWS_AS(run("components", {{"keep", "area > 3"}}, voxels), Error);
}

TEST_CASE("volumes: a hole has no way out in any direction") {
    Voxels voxels{{3, 3, 3}, 1, Depth::u8, std::vector<Image>(3, Image(3, 3, 1, Depth::u8))};
    for (Image& plane : voxels.planes) {
        std::ranges::fill(plane.values<std::uint8_t>(), std::uint8_t{255});
    }
    voxels.planes[1].values<std::uint8_t>()[4] = 0;
    CHECK(run("components", {{"fill-holes", ""}}, voxels)[1].at(1, 1, 0) == 255);
    voxels.planes[0].values<std::uint8_t>()[4] = 0; // the way out
    CHECK(run("components", {{"fill-holes", ""}}, voxels)[1].at(1, 1, 0) == 0);
}

TEST_CASE("volumes: what they do not take is refused") {
    CHECK(in_volume_of(*find_operation("levels")) == nullptr);
    const Voxels alpha = random_voxels({2, 3, 3}, 4, Depth::u8);
    CHECK_THROWS_AS(run("blur", {{"sigma", "1"}}, alpha), Error);
    Voxels numbers = random_voxels({2, 3, 3}, 1, Depth::f32);
    CHECK_THROWS_AS(run("blur", {{"sigma", "1"}, {"linear", ""}}, numbers), Error);
    numbers.planes[1].values<float>()[2] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(run("median", {{"radius", "1"}}, numbers), Error);
    CHECK_THROWS_AS(run("blur", {{"sigma", "1"}}, numbers), Error);
    CHECK(std::isnan(run("unsharp", {{"sigma", "1"}}, numbers)[0].at(0, 0, 0)));
    Voxels infinite = random_voxels({2, 3, 3}, 1, Depth::f32);
    infinite.planes[1].values<float>()[2] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_AS(run("box", {{"radius", "1"}}, infinite), Error);
    CHECK(std::isnan(run("blur", {{"sigma", "1"}, {"nan", "propagate"}}, numbers)[0].at(0, 0, 0)));
    CHECK_THROWS_AS(run("median", {{"radius", "17"}}, random_voxels({2, 3, 3}, 1, Depth::u8)), Error);
    CHECK_THROWS_AS(run("median", {{"radius", "1"}, {"outliers", "dark"}, {"threshold", "0.1"}},
                        random_voxels({2, 3, 3}, 1, Depth::u8)),
                    Error);
}
