#include "glproc/ops/distance.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/ops/distance/sweeps.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// What a call makes: distances, and rows and columns of the nearest sites.
struct Found {
    std::vector<float> distances;
    std::vector<std::int32_t> indices;
    bool operator==(const Found&) const = default;
};

double length(Metric metric, std::int64_t across, std::int64_t down) {
    switch (metric) {
    case Metric::taxicab:
        return static_cast<double>(std::abs(across) + std::abs(down));
    case Metric::chessboard:
        return static_cast<double>(std::max(std::abs(across), std::abs(down)));
    case Metric::euclidean:
        break;
    }
    return std::sqrt(static_cast<double>(across * across + down * down));
}

/// The definition: all pixels are looked at in the order of the picture, and the first of the nearest stays.
Found reference(const Mask& mask, const Distance& op) {
    const bool wanted = op.nearest == NearestKind::foreground;
    const std::size_t pixels = mask.pixels.size();
    Found found{std::vector<float>(pixels, infinity), std::vector<std::int32_t>(2 * pixels, -1)};
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) +
                                   static_cast<std::size_t>(x);
            double least = std::numeric_limits<double>::infinity();
            for (int row = 0; row < mask.height; ++row) {
                for (int column = 0; column < mask.width; ++column) {
                    const double distance = length(op.metric, column - x, row - y);
                    if (mask.is_set(column, row) == wanted && distance < least &&
                        distance <= op.most.value_or(1e9)) {
                        least = distance;
                        found.indices[at] = row;
                        found.indices[pixels + at] = column;
                    }
                }
            }
            found.distances[at] = static_cast<float>(least);
        }
    }
    return found;
}

/// The bytes of a file.
class BytesWriter final : public RowWriter {
  public:
    void write(std::span<const std::byte> bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void finish() override {}
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

std::vector<std::int32_t> indices_in(const std::vector<std::byte>& file, const Image& image) {
    const Array array = parse_npy(file, "indices");
    CHECK(array.type == ArrayType::i32);
    CHECK(array.shape == std::vector<std::size_t>{2, static_cast<std::size_t>(image.height()),
                                                  static_cast<std::size_t>(image.width())});
    std::vector<std::int32_t> indices(array.count());
    std::memcpy(indices.data(), array.bytes.data(), array.bytes.size());
    return indices;
}

std::vector<float> values_of(const Image& image) {
    const auto values = image.values<float>();
    return {values.begin(), values.end()};
}

/// In bands of so many rows; 0 is whole, on the GPU.
Found find(Distance op, const Image& image, int rows) {
    BytesWriter file;
    op.indices.to = &file;
    Image distances;
    if (rows == 0) {
        distances = whole(op, image);
    } else {
        SweepPlan plan = distance_sweeps(op, image.form());
        plan.needs = [&, needs = plan.needs](Context& gpu) {
            TileNeeds few = needs(gpu);
            few.most_rows = std::min<std::int64_t>(few.most_rows, rows);
            return few;
        };
        ImageRows result({image.width(), image.height(), 1, Depth::f32});
        run_sweeps(gpu(), plan, rows_of(image), &result);
        result.finish();
        distances = std::move(result.image());
    }
    return {values_of(distances), indices_in(file.bytes(), image)};
}

std::vector<Distance> all_ways() {
    std::vector<Distance> ways;
    for (const auto& metric : enum_rows<Metric>) {
        ways.push_back({.metric = metric.value});
        ways.push_back({.nearest = NearestKind::foreground, .metric = metric.value, .most = 3.2});
    }
    return ways;
}

void check(const Mask& mask, const std::vector<int>& bands) {
    const Image image = mask.image();
    for (Distance op : all_ways()) {
        const Found right = reference(mask, op);
        for (const DistanceMethod method : {DistanceMethod::gpu, DistanceMethod::cpu}) {
            op.method = method;
            INFO(mask.name << ", " << mask.width << "x" << mask.height << ", to " << name_of(op.nearest)
                           << ", " << name_of(op.metric) << " by " << name_of(op.method));
            CHECK(values_of(whole(op, image)) == right.distances); // which goes another way than with indices
            CHECK((find(op, image, 0) == right));
            for (const int rows : bands) {
                INFO("in bands of " << rows);
                CHECK((find(op, image, rows) == right));
            }
        }
    }
}

/// Sites so far apart that a search nearby does not find them, and many pixels have several as near.
Mask with_sites_apart(int width, int height, int every) {
    Mask mask{"sites apart", width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            mask.pixels.push_back(x % every == every / 2 && y % every == every / 2 ? 0 : 1);
        }
    }
    return mask;
}

} // namespace

TEST_CASE("distance metrics: hostile masks, whole and in bands, with indices") {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 67}, {71, 1}, {33, 13}, {37, 66}}) {
        for (const Mask& mask : hostile_masks(width, height)) {
            check(mask, {1, 7, 64});
        }
    }
}

TEST_CASE("distance metrics: random masks, dense and sparse") {
    for (std::uint32_t seed = 1; seed <= 16; ++seed) {
        check(random_mask(seed, 50, 40), {1 + static_cast<int>(seed % 9)});
    }
}

TEST_CASE("distance metrics: sites beyond the search nearby") {
    check(with_sites_apart(150, 70, 70), {11});
    check(with_sites_apart(90, 120, 90), {32});
}

TEST_CASE("distance metrics: signed distances of steps") {
    for (const Mask& mask : hostile_masks(37, 23)) {
        for (const auto& metric : enum_rows<Metric>) {
            for (const DistanceMethod method : {DistanceMethod::gpu, DistanceMethod::cpu}) {
                INFO(mask.name << ", " << metric.name << " by " << name_of(method));
                const Distance op{.is_signed = true, .metric = metric.value, .method = method};
                std::vector<float> right = reference(mask, op).distances;
                const std::vector<float> inner =
                    reference(mask, {.nearest = NearestKind::foreground, .metric = metric.value}).distances;
                for (std::size_t i = 0; i < right.size(); ++i) {
                    right[i] = right[i] == 0 ? -inner[i] : right[i];
                }
                CHECK(values_of(whole(op, mask.image())) == right);
            }
        }
    }
}

TEST_CASE("distance metrics: whole numbers larger than floats have places for are rounded once") {
    constexpr int height = 70000;
    Mask mask{"one site", 2, height, std::vector<std::uint8_t>(2 * height, 1)};
    mask.pixels[5] = 0; // row 2, column 1
    const Image image = mask.image();
    for (const Metric metric : {Metric::taxicab, Metric::chessboard}) {
        const Found found = find({.metric = metric, .method = DistanceMethod::gpu}, image, 1 << 20);
        CHECK(found.distances[2 * (height - 1)] ==
              static_cast<float>(height - 3 + (metric == Metric::taxicab ? 1 : 0)));
        CHECK((found == find({.metric = metric, .method = DistanceMethod::cpu}, image, 999)));
    }
}

TEST_CASE("distance metrics: indices are not for signed distances, and need a .npy file") {
    BytesWriter file;
    CHECK_THROWS(plan(Distance{.is_signed = true, .indices = {.path = "a.npy", .to = &file}},
                      Form{4, 4, 1, Depth::u8}));
    const auto op = find_operation("distance")->make();
    CHECK_THROWS(op->set("indices", "a.png"));
    op->set("indices", "a.npy");
    CHECK(op->arrays().size() == 1);
    CHECK_THROWS(op->set("signed", ""));
}
