// Sweeps as a plan: in chains, in tiles before and after them, looked at, and proved like any other.
#include "glproc/op/swept.hpp"

#include "glproc/kinds/chain.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/rotate.hpp"
#include "glproc/ops/threshold.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Image one_after_another(const Chain& chain, Image image) {
    for (const Chain::Step& step : chain.steps()) {
        image = gpu().download(run_whole(gpu(), step(image.form()), gpu().upload(image)));
    }
    return image;
}

Image in_rows(const Chain& chain, const Image& image) {
    const ScopedLimits lower("texture_size:32", plenty);
    const Plan planned = plan(chain, image.form());
    CHECK_FALSE(takes_whole(gpu(), planned));
    ImageRows rows(planned.shape.result);
    chain(gpu(), rows_of(image), rows);
    rows.finish();
    return std::move(rows.image());
}

std::vector<Chain> chains() {
    return {Chain{Distance{.threshold = 0.6}}, Chain{Threshold{.at = 0.6}, Distance{}},
            Chain{Blur{.sigma = 1}, Distance{.threshold = 0.5}, Blur{.sigma = 2}, Invert{}},
            Chain{Distance{.threshold = 0.6, .is_signed = true},
                  Distance{.threshold = 0.5, .nearest = NearestKind::foreground}},
            Chain{Rotate{.angle = 90}, Distance{.threshold = 0.4}, Rotate{.angle = 10}, Levels{.clip = 1}}};
}

} // namespace

TEST_CASE("swept plans in chains: whole and cut, the same as one after another") {
    const Image image = photo_like_image({.width = 101, .height = 90, .channels = 3});
    for (const Chain& chain : chains()) {
        const Image right = one_after_another(chain, image);
        CHECK_THAT(whole(chain, image), IsBitwise(right));
        CHECK_THAT(in_rows(chain, image), IsBitwise(right));
    }
}

TEST_CASE("rows of a swept plan are made once, and read as often as one likes") {
    int runs = 0;
    const Image image = photo_like_image({.width = 40, .height = 30, .channels = 1});
    const RowSource source = rows_of(image);
    const RowSource counted{source.form, source.metadata, [&] {
                                ++runs;
                                return source.open();
                            }};
    const Plan distances = plan(Distance{.threshold = 0.5}, image.form());
    const Image right = whole(Distance{.threshold = 0.5}, image);
    const RowSource rows = result_rows(gpu(), distances, counted);
    for (int turn = 0; turn < 2; ++turn) {
        Image read(right.form());
        rows.open()->read(read.bytes());
        CHECK_THAT(read, IsBitwise(right));
    }
    CHECK(runs == 1);
}
