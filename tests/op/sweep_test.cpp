// Sweeps: whole pictures and bands of any height give the same, in either direction, once or until nothing changes.
#include "glproc/op/sweep.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/temp_dir.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array band_heights{1, 2, 7, 64};

using Codes = std::vector<std::uint8_t>;

std::vector<std::byte> bytes_of(const Codes& codes) {
    const auto bytes = std::as_bytes(std::span(codes));
    return {bytes.begin(), bytes.end()};
}

Codes codes_of(const Image& image) {
    const auto values = image.values<std::uint8_t>();
    return {values.begin(), values.end()};
}

/// Bands of so many rows.
std::function<TileNeeds(Context&)> bands_of(const Form& form, int rows) {
    return in_bands_of(rows, {.source = form, .sweeps = {}}).needs;
}

/// The largest value of each column so far. It reads the picture and, going up, the rows of the sweep before.
class LargestSoFar final : public SweepState {
  public:
    LargestSoFar(int width, bool up) : largest_(static_cast<std::size_t>(width)), up_(up) {}

    RowsMade next(Context&, Band& band) override {
        Codes rows = codes_of(band.made() != nullptr ? band.made()->pixels() : band.pixels());
        const Codes seen = codes_of(band.pixels());
        const auto width = largest_.size();
        for (int i = 0; i < band.rows(); ++i) {
            const auto y = static_cast<std::size_t>(up_ ? band.rows() - 1 - i : i);
            for (std::size_t x = 0; x < width; ++x) {
                largest_[x] = std::max(largest_[x], seen[y * width + x]);
                rows[y * width + x] = std::max(rows[y * width + x], largest_[x]);
            }
        }
        return bytes_of(rows);
    }

  private:
    Codes largest_;
    bool up_;
};

/// Down, then up: every value becomes the largest of its column.
SweepPlan largest_of_columns(const Form& form, int rows) {
    const auto begin = [](bool up) {
        return [up](Context&, const BandCut& cut, SweepState* before) {
            CHECK((before != nullptr) == up);
            return std::make_unique<LargestSoFar>(cut.picture.width, up);
        };
    };
    return {.source = form,
            .needs = bands_of(form, rows),
            .sweeps = {{.makes = form, .begin = begin(false)},
                       {.direction = Direction::up, .reads_made = true, .makes = form, .begin = begin(true)}}};
}

/// Writes the largest value of up to three rows above and below each pixel.
class LargestNear final : public SweepState {
  public:
    static constexpr int reach = 3;

    RowsMade next(Context&, Band& band) override {
        const Image& seen = band.pixels();
        REQUIRE(band.above() == std::min(band.first_row(), reach));
        const Codes codes = codes_of(seen);
        const auto width = static_cast<std::size_t>(seen.width());
        Codes rows;
        for (int y = band.above(); y < band.above() + band.rows(); ++y) {
            for (std::size_t x = 0; x < width; ++x) {
                std::uint8_t largest = 0;
                for (int v = std::max(y - reach, 0); v <= std::min(y + reach, seen.height() - 1); ++v) {
                    largest = std::max(largest, codes[static_cast<std::size_t>(v) * width + x]);
                }
                rows.push_back(largest);
            }
        }
        return bytes_of(rows);
    }
};

/// Lets marks of 255 spread to 1s below, or above, in steps: as many rounds are needed as a snake has turns.
class Spread final : public SweepState {
  public:
    Spread(int width, bool up, int& rounds) : edge_(static_cast<std::size_t>(width)), up_(up), rounds_(rounds) {}

    RowsMade next(Context&, Band& band) override {
        if (band.first_row() == 0 && !up_) {
            ++rounds_;
        }
        Codes rows = codes_of(band.made() != nullptr ? band.made()->pixels() : band.pixels());
        const auto width = edge_.size();
        for (int i = 0; i < band.rows(); ++i) {
            const auto y = static_cast<std::size_t>(up_ ? band.rows() - 1 - i : i);
            const auto row = std::span(rows).subspan(y * width, width);
            const auto mark = [&](std::size_t x, bool by) {
                if (by && row[x] == 1) {
                    row[x] = 255;
                    changed_ = true;
                }
            };
            for (std::size_t x = 0; x < width; ++x) {
                mark(x, edge_[x] == 255 || (x > 0 && row[x - 1] == 255));
            }
            for (std::size_t x = width - 1; x-- > 0;) {
                mark(x, row[x + 1] == 255);
            }
            std::copy(row.begin(), row.end(), edge_.begin());
        }
        return bytes_of(rows);
    }
    void end(Context&) override { std::fill(edge_.begin(), edge_.end(), std::uint8_t{0}); }
    bool again() override { return up_ && std::exchange(changed_, false); }

  private:
    Codes edge_;
    bool up_;
    bool changed_ = false;
    int& rounds_;
};

/// A snake of 1s that turns back and forth, with its head marked.
Image snake(int width, int height) {
    Image image(width, height, 1, Depth::u8);
    const auto values = image.values<std::uint8_t>();
    const auto set = [&](int x, int y) { values[static_cast<std::size_t>(y * width + x)] = 1; };
    for (int x = 0; x < width; x += 4) {
        for (int y = 1; y < height - 1; ++y) {
            set(x, y);
            set(std::min(x + 2, width - 1), y);
        }
        set(std::min(x + 1, width - 1), height - 2);
        set(std::min(x + 3, width - 1), 1);
    }
    values[static_cast<std::size_t>(width)] = 255;
    return image;
}

Image in_bands(const SweepPlan& plan, const Image& image) {
    ImageRows rows(plan.sweeps.back().makes.value());
    run_sweeps(gpu(), plan, rows_of(image), &rows);
    rows.finish();
    return std::move(rows.image());
}

Image as_a_whole(const SweepPlan& plan, const Image& image) {
    return gpu().download(run_sweeps(gpu(), plan, gpu().upload(image)).picture.value());
}

} // namespace

TEST_CASE("sweeps see rows around their bands") {
    for (const Direction direction : {Direction::down, Direction::up}) {
        for (const int height : {1, 2, 5, 40}) {
            const Image image = random_image({13, height, 1, Depth::u8}, 6);
            const auto plan_for = [&](int rows) {
                return SweepPlan{.source = image.form(),
                                 .needs = bands_of(image.form(), rows),
                                 .sweeps = {{.direction = direction,
                                             .halo = LargestNear::reach,
                                             .makes = image.form(),
                                             .begin = [](Context&, const BandCut&, SweepState*) {
                                                 return std::make_unique<LargestNear>();
                                             }}}};
            };
            const SweepResult whole = run_sweeps(gpu(), plan_for(height), gpu().upload(image));
            const Codes right = codes_of(gpu().download(whole.picture.value()));
            for (const int rows : band_heights) {
                INFO(height << " rows in bands of " << rows << (direction == Direction::up ? ", up" : ""));
                ImageRows result(image.form());
                run_sweeps(gpu(), plan_for(rows), rows_of(image), &result);
                result.finish();
                CHECK(codes_of(result.image()) == right);
            }
        }
    }
}

TEST_CASE("sweeps down and up give the same in bands of any height as on the whole") {
    for (const Shape& shape : {Shape{23, 200, 1, Depth::u8}, Shape{1, 130, 1, Depth::u8}, Shape{70, 1, 1, Depth::u8}}) {
        const Image image = random_image(shape);
        Image expected = image;
        const auto values = expected.values<std::uint8_t>();
        const auto width = static_cast<std::size_t>(shape.width);
        for (std::size_t x = 0; x < width; ++x) {
            std::uint8_t largest = 0;
            for (std::size_t i = x; i < values.size(); i += width) {
                largest = std::max(largest, values[i]);
            }
            for (std::size_t i = x; i < values.size(); i += width) {
                values[i] = largest;
            }
        }
        CHECK(std::ranges::equal(as_a_whole(largest_of_columns(shape, shape.height), image).bytes(), expected.bytes()));
        for (const int rows : band_heights) {
            INFO(describe(shape) << " in bands of " << rows);
            const SweepPlan plan = largest_of_columns(shape, rows);
            CHECK(band_cut(gpu(), plan).rows == std::min(rows, shape.height));
            CHECK(std::ranges::equal(in_bands(plan, image).bytes(), expected.bytes()));
        }
    }
}

TEST_CASE("rows that do not fit into memory wait in a file, and are the same") {
    const Image image = random_image({64, 300, 1, Depth::u8}, 5);
    const Image expected = as_a_whole(largest_of_columns(image.form(), 300), image);
    const ScopedLimits lower("", 4096); // so that 512 bytes of rows are kept in memory
    CHECK(std::ranges::equal(in_bands(largest_of_columns(image.form(), 7), image).bytes(), expected.bytes()));
    const TempDir folder;
    const ScopedVariable nowhere("TMPDIR", (folder.path() / "none").string());
    CHECK_THROWS_WITH(in_bands(largest_of_columns(image.form(), 7), image), Catch::Matchers::Contains("none"));
}

TEST_CASE("sweeps are done again until nothing changes") {
    const Image image = snake(40, 90);
    Image expected = image;
    for (std::uint8_t& value : expected.values<std::uint8_t>()) {
        value = value != 0 ? 255 : 0;
    }
    for (const int rows : {90, 1, 2, 7, 64}) {
        int rounds = 0;
        const auto begin = [&](bool up) {
            return [&rounds, up](Context&, const BandCut& cut, SweepState*) {
                return std::make_unique<Spread>(cut.picture.width, up, rounds);
            };
        };
        const Form form = image.form();
        const SweepPlan plan{.source = form,
                             .needs = bands_of(form, rows),
                             .sweeps = {{.reads_made = true, .makes = form, .begin = begin(false)},
                                        {.direction = Direction::up,
                                         .reads_source = false,
                                         .reads_made = true,
                                         .makes = form,
                                         .again_from = 0,
                                         .may_repeat = true,
                                         .begin = begin(true)}}};
        INFO("bands of " << rows);
        CHECK(std::ranges::equal(in_bands(plan, image).bytes(), expected.bytes()));
        const int in_bands_rounds = std::exchange(rounds, 0);
        CHECK(std::ranges::equal(as_a_whole(plan, image).bytes(), expected.bytes()));
        CHECK(rounds == in_bands_rounds);
        CHECK(rounds > 5);
    }
}

namespace {

/// Adds up the picture and a second one, and counts what it saw.
class SumOfBoth final : public SweepState {
  public:
    RowsMade next(Context&, Band& band) override {
        Codes rows = codes_of(band.pixels(0));
        const Codes other = codes_of(band.pixels(1));
        std::transform(rows.begin(), rows.end(), other.begin(), rows.begin(), [](std::uint8_t a, std::uint8_t b) {
            return static_cast<std::uint8_t>(a + b);
        });
        seen += band.rows();
        return bytes_of(rows);
    }
    int seen = 0;
};

} // namespace

TEST_CASE("a sweep sees the same rows of a second picture, and is there afterwards") {
    const Image image = random_image({31, 77, 1, Depth::u8}, 1);
    const Image other = random_image({31, 77, 1, Depth::u8}, 2);
    for (const int rows : {77, 1, 7}) {
        SweepPlan plan{.source = image.form(),
                       .more = {rows_of(other)},
                       .needs = bands_of(image.form(), rows),
                       .sweeps = {{.makes = image.form(), .begin = [](Context&, const BandCut&, SweepState*) {
                                       return std::make_unique<SumOfBoth>();
                                   }}}};
        const Image got = in_bands(plan, image);
        CHECK(got.at(30, 76, 0) == static_cast<std::uint8_t>(image.at(30, 76, 0) + other.at(30, 76, 0)));
        CHECK(std::ranges::equal(got.bytes(), as_a_whole(plan, image).bytes()));
        CHECK(run_sweeps(gpu(), plan, rows_of(image), nullptr).last<SumOfBoth>().seen == 77);
        const Image small = random_image({31, 76, 1, Depth::u8});
        plan.more = {rows_of(small)};
        CHECK_THROWS_AS(as_a_whole(plan, image), Error);
    }
}
