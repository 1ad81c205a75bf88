// Objects of pictures with pixels that cannot be seen.
#include "glproc/ops/components.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/maxima.hpp"
#include "glproc/ops/morphology.hpp"
#include "glproc/ops/skeleton.hpp"
#include "glproc/ops/watershed.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// The colours without alpha, black where they cannot be seen.
Image on_black(const Image& image) {
    Image result(image.width(), image.height(), image.channels() - 1, image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < result.channels(); ++c) {
                set_value(result, x, y, c,
                          is_hidden(image, x, y) ? 0 : image.at(x, y, c) / max_code(image.depth()));
            }
        }
    }
    return result;
}

std::vector<Image> pictures() {
    std::vector<Image> all;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            all.push_back(with_hidden_pixels(two_valued_image({53, 38, channels, depth}, 0, 1, 7)));
            all.push_back(with_hidden_pixels(constant_image({70, 21, channels, depth}, 1), 4));
        }
    }
    return all;
}

template <class Op>
void check(const std::string& name, const Op& op) {
    for (const Image& picture : pictures()) {
        INFO(name << " on " << describe(picture));
        const Image black = on_black(picture);
        const Image right = whole(op, black);
        CHECK_THAT(whole(op, picture), IsBitwise(right));
        CHECK_THAT(image_by_processor(plan(op, picture.form()), picture), IsBitwise(right));
    }
}

} // namespace

TEST_CASE("hidden: a pixel that cannot be seen belongs to no object") {
    using enum MorphologyStep;
    check("distance", Distance{});
    check("distance of luma", Distance{.threshold = Level(0.5)});
    check("distance to objects", Distance{.nearest = NearestKind::foreground});
    check("distance with its sign", Distance{.is_signed = true});
    check("distance by the processor", Distance{.method = DistanceMethod::cpu});
    check("skeleton", Skeleton{});
    check("skeleton by the processor", Skeleton{.variant = SkeletonMethod::cpu});
    check("watershed of objects", Watershed{.split = true});
    for (const MorphologyStep step : {fill, clear_border}) {
        check("objects", Morphology{.step = step});
        check("objects by the processor", Morphology{.step = step, .method = MorphologyMethod::cpu});
    }
    check("hitmiss",
          Morphology{.step = hitmiss,
                     .pattern = FieldText<HitPattern>::parse({"pattern", "", {}}, "0 0 0; - 1 -; 1 1 1")});
}

TEST_CASE("hidden: components leave out pixels that cannot be seen") {
    for (const Image& picture : pictures()) {
        const GpuImage black = gpu().upload(on_black(picture));
        for (const std::optional<MaskThreshold>& threshold :
             {std::optional<MaskThreshold>(), std::optional(MaskThreshold{.at = Level(0.5)})}) {
            const std::vector<ComponentSums> right = Components{.threshold = threshold}(gpu(), black);
            CHECK_FALSE(right.empty());
            for (const auto& method : enum_rows<ComponentsMethod>) {
                INFO(method.name << " on " << describe(picture) << (threshold ? " above a threshold" : ""));
                CHECK(Components{.threshold = threshold,
                                 .method = method.value}(gpu(), gpu().upload(picture)) == right);
            }
        }
    }
}

TEST_CASE("hidden: no maximum stands out from pixels that cannot be seen") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            const GpuImage flat =
                gpu().upload(with_hidden_pixels(constant_image({40, 30, channels, depth}, 0.5)));
            for (const auto& method : enum_rows<MaximaMethod>) {
                INFO(method.name << " of " << channels << " channels");
                CHECK(Maxima{.border = true, .method = method.value}(gpu(), flat).empty());
            }
        }
    }
}
