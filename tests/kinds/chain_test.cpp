// A chain has the bits of its operations one after another, whole and in tiles.
#include "glproc/kinds/chain.hpp"

#include "glproc/kinds/point.hpp"
#include "glproc/ops/adjust.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/convert.hpp"
#include "glproc/ops/crop.hpp"
#include "glproc/ops/curve.hpp"
#include "glproc/ops/equalize.hpp"
#include "glproc/ops/flip.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/matrix.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"
#include "glproc/ops/pad.hpp"
#include "glproc/ops/resize.hpp"
#include "glproc/ops/rotate.hpp"
#include "glproc/ops/sobel.hpp"
#include "glproc/ops/threshold.hpp"
#include "glproc/ops/trim.hpp"
#include "glproc/ops/unsharp.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/operation_cases.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Each operation alone, through images in CPU memory as through files.
Image one_after_another(const Chain& chain, Image image) {
    for (const Chain::Step& step : chain.steps()) {
        image = gpu().download(run_whole(gpu(), step(image.form()), gpu().upload(image)));
    }
    return image;
}

Image in_tiles(const Chain& chain, const Image& image, const std::string& limits,
               std::uint64_t memory = plenty) {
    const ScopedLimits lower(limits, memory);
    const Plan planned = plan(chain, image.form());
    CHECK_FALSE(takes_whole(gpu(), planned));
    ImageRows rows(planned.shape.result);
    chain(gpu(), rows_of(image), rows);
    rows.finish();
    return std::move(rows.image());
}

void check_chain(const Chain& chain, const Image& image, const std::string& limits = "texture_size:48") {
    INFO(describe(image));
    const Image expected = one_after_another(chain, image);
    CHECK_THAT(whole(chain, image), IsBitwise(expected));
    CHECK_THAT(in_tiles(chain, image, limits), IsBitwise(expected));
}

/// Larger than a texture of 48 texels in every form.
Image picture(const Shape& shape, std::uint32_t seed = 1) {
    return random_image({193, 101, shape.channels, shape.depth}, seed);
}

/// What the chain runs on the GPU.
std::vector<std::string> passes_of(const Chain& chain, const Image& image) {
    std::vector<std::string> labels;
    ContextOptions options = second_context_options();
    options.timing = true;
    with_second_context(options, [&](Context& other) {
        const GpuImage source = other.upload(image);
        const std::size_t before = other.pass_times().size();
        chain(other, source);
        const std::vector<PassTime> times = other.pass_times();
        for (std::size_t i = before; i < times.size(); ++i) {
            labels.push_back(times[i].label);
        }
    });
    return labels;
}

const Matrix mixes{.matrix = {0.7, 0.2, 0.1, 0.1, 0.8, 0.1, 0.2, 0.3, 0.5}};
const Curve bends{.points = {{0, 0.1}, {0.3, 0.2}, {0.8, 0.9}, {1, 1}}};

} // namespace

// Each operation meets every kind of picture in its own tests: what chains add meets some_kinds().

TEST_CASE("chain: point operations in a row, of every depth and number of channels") {
    for (const Shape& shape : all_kinds({0, 0})) {
        check_chain(Chain{Levels{.black = 0.1, .gamma = 1.7}, mixes, bends, Invert{},
                          Adjust{.exposure = 0.4, .saturation = 1.3}},
                    picture(shape));
    }
}

TEST_CASE("chain: of 8 bits and channel by channel, which is one table") {
    for (int channels = 1; channels <= 4; ++channels) {
        check_chain(
            Chain{Levels{.black = 0.07, .gamma = 0.8}, bends, Adjust{.contrast = 0.2}, Invert{}, bends},
            picture({0, 0, channels, Depth::u8}));
    }
}

TEST_CASE("chain: the number of channels changes on the way") {
    for (const Shape& shape : some_kinds({0, 0})) {
        check_chain(Chain{bends, Gray{}, Invert{}, mixes, Convert{.alpha = {AlphaChange::Kind::add}},
                          Levels{.white = 0.8}},
                    picture(shape));
        check_chain(Chain{Convert{.alpha = {AlphaChange::Kind::flatten, {1, 1, 1}}}, Invert{}, Gray{}, bends},
                    picture(shape));
    }
}

TEST_CASE("chain: values beyond white are clamped on the way as in a file of integers, and kept in floats") {
    const Chain there_and_back{Adjust{.brightness = 0.5}, Adjust{.brightness = -0.5}};
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = constant_image({193, 101, 3, depth}, 0.75);
        check_chain(there_and_back, image);
        const double value = whole(there_and_back, image).at(5, 5, 0) / max_code(depth);
        CHECK(std::abs(value - (depth == Depth::f32 ? 0.75 : 0.5)) < 0.01);
    }
}

TEST_CASE("chain: hostile floats") {
    Image image = random_image({193, 101, 4, Depth::f32}, 5, FloatRange::wide);
    for (std::size_t at = 2; at < image.values<float>().size(); at += 97) {
        image.values<float>()[at] =
            std::array{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), -0.0F,
                       1e-40F, -std::numeric_limits<float>::max()}[at % 5];
    }
    check_chain(Chain{Invert{}, Invert{}, mixes, Levels{.gamma = 0.5}, Gray{}, bends}, image);
}

TEST_CASE("chain: halos, in any order") {
    for (const Shape& shape : some_kinds({0, 0})) {
        check_chain(Chain{Blur{.sigma = 2}, Unsharp{.sigma = 1.3}, Median{.radius = 1}}, picture(shape),
                    "texture_size:80");
        check_chain(
            Chain{Invert{}, Box{.radius = {3, 1}, .border = BorderMode::mirror}, bends, Sobel{}, Invert{}},
            picture(shape), "texture_size:80");
    }
}

TEST_CASE("chain: every border") {
    for (const Border& border : all_borders()) {
        for (const int channels : {1, 4}) {
            check_chain(Chain{Levels{.gamma = 2}, Blur{.sigma = 1.5, .border = border}, Invert{},
                              Box{.radius = 2, .border = border}, Gray{}},
                        picture({0, 0, channels, Depth::u8}), "texture_size:64");
        }
    }
}

TEST_CASE("chain: the size and the place of pixels change on the way") {
    const NewSize half{.percent = 50};
    const NewSize larger{.percent = 170};
    for (const Shape& shape : some_kinds({0, 0})) {
        const Image image = picture(shape);
        check_chain(Chain{Blur{.sigma = 1}, Resize{.size = half}, Unsharp{.sigma = 1}}, image,
                    "texture_size:64");
        check_chain(Chain{Resize{.size = larger}, Invert{}, Rotate{.angle = 20}, Box{.radius = 1}}, image,
                    "texture_size:100");
        check_chain(Chain{Rotate{.angle = 90}, Blur{.sigma = 1.2}, Crop{.rect = Rect{11, 5, 67, 89}}, Flip{}},
                    image, "texture_size:40");
        check_chain(Chain{Pad{.margin = Margin{9, 8, 7, 6}, .border = BorderMode::mirror},
                          Median{.radius = 2}, Rotate{.angle = 180}},
                    image, "texture_size:64");
        check_chain(Chain{Blur{.sigma = 1}, Pad{.margin = Margin{30, 8, 70, 96}, .border = BorderMode::wrap},
                          Invert{}},
                    image, "texture_size:64");
    }
}

TEST_CASE("chain: what leaves no room for a tile together is cut in parts") {
    const Image image = picture({0, 0, 4, Depth::f32});
    check_chain(Chain{Resize{.size = {.percent = 10}}, Box{.radius = 15}, Resize{.size = {.percent = 900}},
                      Box{.radius = 12}},
                image, "texture_size:80");
}

TEST_CASE("chain: what looks at the whole picture sees what came before") {
    for (const Shape& shape : some_kinds({0, 0})) {
        if (shape.depth != Depth::f32) {
            check_chain(Chain{Invert{}, Equalize{}, Blur{.sigma = 1}, Levels{.clip = 1}, bends, mixes,
                              Threshold{.rule = SplitRule::otsu}},
                        picture(shape), "texture_size:64");
        }
        check_chain(Chain{Resize{.size = {.percent = 60}}, Levels{.clip = 2}, Invert{},
                          Levels{.clip = 1, .per_channel = true}},
                    picture(shape));
    }
    check_chain(Chain{Equalize{}, Rotate{.angle = 30}, Equalize{.per_channel = true}},
                photo_like_image({193, 101, 3, Depth::u8}), "texture_size:80");
}

TEST_CASE("chain: the processor alone, where all steps can, has the same bits") {
    const Trim trim{.tolerance = 0.1};
    std::vector<Chain> chains(6);
    chains[0].then(Levels{.gamma = 2}).then(Sobel{}).then(Invert{});
    chains[1].then(Blur{.sigma = 2, .alpha = AlphaMode::straight}).then(Levels{.clip = 0.5}); // looks at what the blur made
    chains[2].then(Levels{.clip = 0.5}).then(Sobel{});
    chains[3].then(Levels{.gamma = 2}).then(trim).then(Sobel{}); // in which the size changes
    chains[4].then(chains[0]).then(Gray{});
    chains[5].then(Median{.radius = 1}).then(Flip{}).then(Box{.radius = 3}).then(Morphology{.radius = 2});
    for (const Chain& chain : chains) {
        for (const int channels : {1, 3, 4}) {
            const Image image = whole(Pad{.margin = Margin{9, 8, 7, 6}}, photo_like_image({67, 41, channels, Depth::u8}));
            const Plan planned = plan(chain, image.form());
            INFO("chain " << &chain - chains.data() << ", " << channels << " channels");
            REQUIRE(needs_no_device(planned));
            CHECK_THAT(image_by_processor(planned, image), IsBitwise(one_after_another(chain, image)));
        }
    }
    const Form form{9, 7, 3, Depth::u8};
    CHECK(needs_no_device(plan(Chain().then(Invert{}).then(Rotate{.angle = 30}), form)));
    CHECK_FALSE(needs_no_device(plan(Chain().then(Sobel{}).then(Invert{.method = PointMethod::gpu}), form)));
}

TEST_CASE("chain: a method on the CPU takes its place") {
    const Image image = picture({0, 0, 3, Depth::u8});
    const Chain chain{Levels{.gamma = 2}, Invert{.method = PointMethod::cpu}, bends};
    CHECK_THAT(whole(chain, image), IsBitwise(one_after_another(chain, image)));
}

TEST_CASE("chain: awkward sizes") {
    for (const Size& size : awkward_sizes()) {
        const Image image = random_image({size.width, size.height, 3, Depth::u8});
        const Chain chain{bends,    Gray{},
                          Invert{}, Blur{.sigma = 1, .border = BorderMode::wrap},
                          mixes,    Resize{.size = {7, 5}}};
        CHECK_THAT(whole(chain, image), IsBitwise(one_after_another(chain, image)));
    }
}

TEST_CASE("chain: little memory cuts as small textures do") {
    const Chain chain{Blur{.sigma = 1}, Levels{.clip = 1}, Resize{.size = {.percent = 200}}, bends,
                      Resize{.size = {.percent = 40}}};
    const Image image = picture({0, 0, 4, Depth::u8});
    CHECK_THAT(in_tiles(chain, image, "texture_size:16384", 400U << 10U),
               IsBitwise(one_after_another(chain, image)));
}

TEST_CASE("chain: point operations in a row are one pass, and values are data") {
    const Image image = picture({0, 0, 3, Depth::u8});
    using Labels = std::vector<std::string>;
    CHECK(passes_of(Chain{mixes, Invert{}, Gray{}}, image) == Labels{"matrix+invert+gray"});
    CHECK(passes_of(Chain{mixes, Flip{}, mixes, Gray{}}, image) ==
          Labels{"matrix", "gather.move", "matrix+gray"});
    const std::string eight = "matrix+matrix+matrix+matrix+matrix+matrix+matrix+matrix";
    CHECK(passes_of(Chain{mixes, mixes, mixes, mixes, mixes, mixes, mixes, mixes, Invert{}}, image) ==
          Labels{eight, "invert"});
    // What treats each channel alone is computed for 256 codes only.
    CHECK(passes_of(Chain{Levels{}, bends, Invert{}, mixes, bends}, image) ==
          Labels{"levels+curve+invert+matrix+curve.table", "levels+curve+invert+matrix+curve.table",
                 "levels+curve+invert+matrix+curve"});
    // Of a program for each of these there were four, and compiling shows in the time.
    with_second_context(second_context_options(), [&](Context& other) {
        const GpuImage source = other.upload(image);
        Chain{Levels{}, bends, mixes}(other, source);
        const double before = other.compile_time();
        for (const double x : {0.2, 0.3, 0.4}) {
            Chain{Levels{.gamma = x}, Curve{.points = {{0, x}, {0.5, 0.6}, {0.7, 0.8}, {1, 1}}},
                  mixes}(other, source);
        }
        if (other.compile_time() != before) {
            throw Error(ErrorCode::operation, "another value compiled another program");
        }
    });
}

TEST_CASE("chain: of chains, of one operation, and of none") {
    const Image image = picture({0, 0, 3, Depth::u8});
    Chain chain{bends};
    check_chain(chain, image);
    chain.then(Chain{Invert{}, Flip{}}).then(Gray{}).then(chain);
    CHECK(chain.steps().size() == 8);
    check_chain(chain, image);
    CHECK_THROWS_AS(plan(Chain{}, image.form()), Error);
}

TEST_CASE("chain: an operation that does not take what comes before it is refused before any work") {
    CHECK_THROWS_AS(
        plan(Chain{Resize{.size = {100, 100}}, Crop{.rect = Rect{90, 90, 20, 20}}}, {500, 500, 3, Depth::u8}),
        Error);
    CHECK_THROWS_AS(plan(Chain{Sobel{.output = GradientOutput::x}, Equalize{}}, {500, 500, 3, Depth::u8}),
                    Error);
}

TEST_CASE("chain: progress rises to 1") {
    const Image image = picture({0, 0, 1, Depth::u8});
    const ScopedLimits lower("texture_size:40", plenty);
    std::vector<double> shares;
    const Chain chain{Blur{.sigma = 1}, Equalize{}, Invert{}, Box{.radius = 1, .border = BorderMode::wrap},
                      Levels{.clip = 1}};
    ImageRows rows(image.form());
    chain(gpu(), rows_of(image), rows, [&](double share) { shares.push_back(share); });
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(shares.size() > 5);
    CHECK(shares.back() == 1);
}
