#include "glproc/ops/maxima.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/maxima/run.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace Catch {
template <>
struct StringMaker<Maximum> {
    static std::string convert(const Maximum& m) {
        return std::to_string(m.x) + "," + std::to_string(m.y) + ": " + std::to_string(m.value) + " (" +
               std::to_string(m.prominence) + ")";
    }
};
} // namespace Catch

namespace {

/// The definition, word by word.
class Naive {
  public:
    Naive(const Maxima& op, const Image& picture)
        : op_(op), grey_(picture.channels() < 3 ? picture : whole(Gray{}, picture)), width_(grey_.width()),
          height_(grey_.height()) {}

    std::vector<Maximum> maxima() const {
        std::vector<Maximum> found;
        for (int i : firsts()) {
            const Maximum maximum{i % width_, i / width_, static_cast<float>(at(i)),
                                  op_.prominence ? prominence(i) : 0};
            const double least_prominence = op_.prominence ? *op_.prominence * max_code(grey_.depth()) : 0;
            if (at(i) > lower_bound() && maximum.prominence >= least_prominence) {
                found.push_back(maximum);
            }
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Maximum& a, const Maximum& b) { return a.value > b.value; });
        std::vector<Maximum> kept;
        for (const Maximum& m : found) {
            if (std::none_of(kept.begin(), kept.end(), [&](const Maximum& other) {
                    return std::max(std::abs(m.x - other.x), std::abs(m.y - other.y)) < op_.distance;
                })) {
                kept.push_back(m);
            }
        }
        return kept;
    }

  private:
    /// What cannot be seen is missing.
    double at(int i) const {
        const bool is_missing = is_hidden(grey_, i % width_, i / width_);
        return is_missing ? std::numeric_limits<double>::quiet_NaN() : grey_.at(i % width_, i / width_, 0);
    }
    int pixels() const { return width_ * height_; }

    double least() const {
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < pixels(); ++i) {
            least = std::isnan(at(i)) ? least : std::min(least, at(i));
        }
        return least;
    }

    double lower_bound() const { return op_.threshold ? *op_.threshold * max_code(grey_.depth()) : least(); }

    std::vector<int> around(int i, int distance) const {
        std::vector<int> found;
        for (int y = i / width_ - distance; y <= i / width_ + distance; ++y) {
            for (int x = i % width_ - distance; x <= i % width_ + distance; ++x) {
                if (x >= 0 && y >= 0 && x < width_ && y < height_) {
                    found.push_back(y * width_ + x);
                }
            }
        }
        return found;
    }

    bool is_candidate(int i) const {
        const int border = op_.border ? 0 : op_.distance;
        const int x = i % width_;
        const int y = i / width_;
        if (x < border || y < border || x >= width_ - border || y >= height_ - border ||
            !(at(i) > lower_bound())) {
            return false;
        }
        const std::vector<int> window = around(i, op_.distance);
        return std::none_of(window.begin(), window.end(), [&](int other) { return at(other) > at(i); });
    }

    /// Of candidates that touch.
    std::vector<int> firsts() const {
        std::vector<char> is_open;
        for (int i = 0; i < pixels(); ++i) {
            is_open.push_back(is_candidate(i) ? 1 : 0);
        }
        std::vector<int> found;
        for (int i = 0; i < pixels(); ++i) {
            if (is_open[static_cast<std::size_t>(i)] == 0) {
                continue;
            }
            found.push_back(i);
            std::vector<int> open{i};
            while (!open.empty()) {
                const int here = open.back();
                open.pop_back();
                for (const int other : around(here, 1)) {
                    if (std::exchange(is_open[static_cast<std::size_t>(other)], 0) != 0) {
                        open.push_back(other);
                    }
                }
            }
        }
        return found;
    }

    /// Always takes the highest way on, until it has climbed above where it came from.
    float prominence(int start) const {
        std::vector<char> is_seen(static_cast<std::size_t>(pixels()));
        std::priority_queue<std::pair<double, int>> ways;
        std::vector<int> plateau{start};
        double down = at(start);
        is_seen[static_cast<std::size_t>(start)] = 1;
        ways.push({at(start), start});
        bool is_on_plateau = true;
        while (!ways.empty()) {
            const auto [value, here] = ways.top();
            ways.pop();
            is_on_plateau = is_on_plateau && value >= at(start);
            if (is_on_plateau) {
                plateau.push_back(here);
            }
            down = std::min(down, value);
            const int first = *std::min_element(plateau.begin(), plateau.end());
            if (value > at(start) || (!is_on_plateau && value == at(start) && here < first)) {
                return static_cast<float>(at(start)) - static_cast<float>(down);
            }
            for (const int other : around(here, 1)) {
                if (!std::isnan(at(other)) &&
                    std::exchange(is_seen[static_cast<std::size_t>(other)], 1) == 0) {
                    ways.push({at(other), other});
                }
            }
        }
        return static_cast<float>(at(start)) - static_cast<float>(least());
    }

    Maxima op_;
    Image grey_;
    int width_;
    int height_;
};

std::vector<Maximum> in_bands(const Maxima& op, const Image& picture, int rows) {
    const SweepResult result =
        run_sweeps(gpu(), in_bands_of(rows, plan(op, picture.form())), rows_of(picture), nullptr);
    return static_cast<const MaximaLook&>(*result.states.back()).maxima();
}

Image drawn(const Form& form, const std::vector<Maximum>& maxima) {
    Image image(form.width, form.height, 1, Depth::u8);
    for (const Maximum& maximum : maxima) {
        set_value(image, maximum.x, maximum.y, 0, 1);
    }
    return image;
}

Image points_in_bands(const Maxima& op, const Image& picture, int rows) {
    const SweepPlan plan = in_bands_of(rows, points_plan(op, picture.form()));
    ImageRows made(plan.sweeps.back().makes.value());
    run_sweeps(gpu(), plan, rows_of(picture), &made);
    made.finish();
    return std::move(made.image());
}

/// By both methods, whole and in bands.
void check(Maxima op, const Image& picture) {
    const std::vector<Maximum> right = Naive(op, picture).maxima();
    for (const MaximaMethod method : {MaximaMethod::gpu, MaximaMethod::cpu}) {
        op.method = method;
        INFO(describe(picture) << ", distance " << op.distance << ", method " << name_of(method));
        CHECK(op(gpu(), gpu().upload(picture)) == right);
        for (const int rows : {1, 2, 7, 64}) {
            INFO("bands of " << rows);
            CHECK(in_bands(op, picture, rows) == right);
        }
    }
    CHECK_THAT(points_in_bands(op, picture, 5), IsBitwise(drawn(picture.form(), right)));
}

/// Values from 0 to `steps` of 255: plateaus of many shapes.
Image terraces(const Form& form, int steps, std::uint32_t seed) {
    Image image = random_image(form, seed);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            for (int c = 0; c < form.channels; ++c) {
                const double value = std::floor(image.at(x, y, c) / max_code(form.depth) * (steps + 1));
                set_value(image, x, y, c, std::min<double>(value, steps) / 255);
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("maxima: of noise, plateaus and all kinds of images") {
    std::uint32_t seed = 1;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Form form{53, 37, channels, depth};
            check({.distance = 1 + static_cast<int>(seed % 3)}, random_image(form, seed, FloatRange::wide));
            check({.distance = 1 + static_cast<int>(seed % 4), .border = true}, terraces(form, 3, seed));
            ++seed;
        }
    }
}

TEST_CASE("maxima: awkward sizes, and windows larger than the image") {
    for (const Size& size : awkward_sizes()) {
        if (size.width * size.height <= 700) {
            const Form form{size.width, size.height, 1, Depth::u8};
            check({.distance = 2, .border = true}, terraces(form, 5, 7));
            check({.distance = 40, .border = true}, random_image(form));
        }
    }
    check({.distance = 300, .border = true}, random_image({90, 5, 1, Depth::f32}));
}

TEST_CASE("maxima: of masks, whose plateaus have any shape") {
    for (const Mask& mask : hostile_masks(47, 33)) {
        INFO(mask.name);
        check({.border = true}, mask.image());
        check({.distance = 3, .threshold = Level(0.5)}, mask.image());
    }
}

TEST_CASE("maxima: thresholds and prominences") {
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const Depth depth = seed % 3 == 0 ? Depth::f32 : seed % 3 == 1 ? Depth::u8 : Depth::u16;
        const Form form{40, 31, 1, depth};
        const Image picture = seed % 2 == 0 ? terraces(form, 6, seed) : photo_like_image(form, seed);
        check({.threshold = Level(3.0 / 255), .border = true}, picture);
        check({.prominence = Level(2.0 / 255), .border = true}, picture);
        check({.distance = 2, .prominence = Level(0.1)}, picture);
        check({.threshold = Level(0.3), .prominence = Level(0.0), .border = true}, picture);
    }
}

TEST_CASE("maxima: NaN, infinities and signed zeros") {
    Image picture = random_image({37, 29, 1, Depth::f32}, 5, FloatRange::wide);
    const auto put = [&](int x, int y, float value) {
        picture.values<float>()[static_cast<std::size_t>(y * 37 + x)] = value;
    };
    for (int i = 0; i < 29; ++i) {
        put(i, i, std::numeric_limits<float>::quiet_NaN());
        put(36 - i, i, i % 2 == 0 ? -0.0F : 0.0F);
    }
    put(20, 3, std::numeric_limits<float>::infinity());
    put(3, 20, -std::numeric_limits<float>::infinity());
    check({.border = true}, picture);
    check({.distance = 3, .threshold = Level(0.0)}, picture);
    check({.prominence = Level(0.25), .border = true}, picture);
    for (float& value : picture.values<float>()) {
        value = std::min(value, 0.0F);
    }
    check({.border = true}, picture);
    check({.distance = 2, .threshold = Level(-0.5), .border = true}, picture);
}

TEST_CASE("maxima: one plateau has one point, and equal points keep their distance") {
    Image picture(20, 3, 1, Depth::u8);
    for (const int x : {2, 3, 4, 8, 11, 17}) {
        set_value(picture, x, 1, 0, 0.5);
    }
    const auto columns = [&](int distance) {
        std::vector<int> found;
        for (const Maximum& maximum :
             Maxima{.distance = distance, .border = true}(gpu(), gpu().upload(picture))) {
            found.push_back(maximum.x);
        }
        return found;
    };
    CHECK(columns(1) == std::vector{2, 8, 11, 17});
    CHECK(columns(3) == std::vector{2, 8, 11, 17});
    CHECK(columns(4) == std::vector{2, 8, 17});
    CHECK(columns(7) == std::vector{2, 11});
    CHECK(Maxima{}(gpu(), gpu().upload(constant_image({9, 9, 1, Depth::u8}, 0.5))).empty());
}

TEST_CASE("maxima: rows too long for a texture") {
    const Image grey = terraces({400, 9, 1, Depth::u8}, 4, 3);
    const Image colour = random_image({400, 9, 3, Depth::u8});
    const Maxima op{.distance = 2, .border = true};
    const std::vector<Maximum> right = Naive(op, grey).maxima();
    const std::vector<Maximum> of_colour = Naive(op, colour).maxima();
    const ScopedLimits small("texture_size:16", plenty);
    CHECK(op(gpu(), rows_of(grey)) == right);
    CHECK(op(gpu(), rows_of(colour)) == of_colour);
}

TEST_CASE("maxima: parameters out of range are refused") {
    const Form form{9, 9, 1, Depth::u8};
    CHECK_THROWS_AS(plan(Maxima{.distance = 0}, form), Error);
    CHECK_THROWS_AS(plan(Maxima{.distance = 1001}, form), Error);
    CHECK_THROWS_AS(plan(Maxima{.threshold = Level(128.0)}, form), Error);
    CHECK_THROWS_AS(plan(Maxima{.prominence = Level(-1.0)}, form), Error);
}
