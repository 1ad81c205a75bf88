// The self-check: a kernel that the driver computes wrongly is noticed, and the picture comes out right all the same.
#include "glproc/op/proof.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/ops/adjust.hpp"
#include "glproc/ops/background.hpp"
#include "glproc/ops/bilateral.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/convolve.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/equalize.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/integral.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/local.hpp"
#include "glproc/ops/maxima.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"
#include "glproc/ops/resize.hpp"
#include "glproc/ops/rotate.hpp"
#include "glproc/ops/scan.hpp"
#include "glproc/ops/sobel.hpp"
#include "glproc/ops/trim.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

const Image& picture() {
    static const Image image = photo_like_image({.width = 139, .height = 87, .channels = 3});
    return image;
}

/// What a context with the self-check made, and what it said.
struct Outcome {
    std::optional<Image> image;
    std::vector<std::string> warnings;
    std::optional<Error> error;
    double check_time = 0;
};

using Work = std::function<Image(Context&)>;

Outcome checked(const Work& work) {
    Outcome outcome;
    ContextOptions options = second_context_options();
    options.debug = false;
    options.self_check = true;
    options.warn = [&](const std::string& what) { outcome.warnings.push_back(what); };
    with_second_context(options, [&](Context& own) {
        try {
            outcome.image = work(own);
        } catch (const Error& error) {
            outcome.error = error;
        }
        outcome.check_time = own.check_time();
    });
    return outcome;
}

template <class Op>
Work by(Op op) {
    return [op](Context& own) { return own.download(op(own, own.upload(picture()))); };
}

int largest_difference(const Image& a, const Image& b) {
    int largest = 0;
    for (std::size_t i = 0; i < a.bytes().size(); ++i) {
        largest = std::max(largest, std::abs(std::to_integer<int>(a.bytes()[i]) - std::to_integer<int>(b.bytes()[i])));
    }
    return largest;
}

/// No verdicts from other runs, nor for them.
class OwnStore {
  public:
    OwnStore() : variable_("XDG_CACHE_HOME", next_folder()) {}

  private:
    static std::string next_folder() {
        static const TempDir all; // drivers keep programs there, too, until the end
        static int count = 0;
        const auto folder = all.path() / std::to_string(count++);
        std::filesystem::create_directory(folder);
        return folder.string();
    }

    ScopedVariable variable_;
};

} // namespace

TEST_CASE("proof: whichever kernel is wrong, it is named once, and the picture is right") {
    struct Case {
        std::string kernel;
        Work work;
    };
    const std::vector<Case> cases{
        {"kinds/separable/walk.comp", by(Blur{.sigma = 2})},
        {"kinds/separable/window.comp", by(Blur{.sigma = 2})},
        {"kinds/separable/fast_walk_up.comp", by(Blur{.sigma = 9})},
        {"kinds/separable/fast_up.comp", by(Blur{.sigma = 9})},
        {"median/network.comp", by(Median{.radius = 2})},
        {"median/histogram.comp", by(Median{.radius = 20})},
        {"kinds/gather/resample.comp", by(Resize{.size = {.width = 60}})},
        {"kinds/gather/affine.comp", by(Rotate{.angle = 10})},
        {"kinds/point.comp", by(Gray{})},
        {"kinds/table.comp", by(Invert{})},
        {"kinds/stencil.comp", by(Sobel{})},
        {"kinds/window.comp", by(Bilateral{.sigma = 1})},
        {"local/walk.comp", by(Local{.measure = LocalMeasure::stddev})},
        {"morphology/small.comp", by(Morphology{.radius = 1})},
        {"morphology/difference.comp", by(Morphology{.step = MorphologyStep::gradient, .radius = 5})},
        {"equalize/map.comp", by(Equalize{})},
        {"levels/ends.comp", by(Levels{.clip = 0.1})},
    };
    int found = 0;
    for (const Case& one : cases) {
        INFO(one.kernel);
        const OwnStore store;
        const Outcome right = checked(one.work);
        REQUIRE(right.image.has_value());
        CHECK(right.warnings == std::vector<std::string>{});
        const OwnStore other_store;
        const ScopedVariable fault("GLPROC_FAULT", "kernel:" + one.kernel);
        const Outcome outcome = checked(one.work);
        REQUIRE(outcome.image.has_value());
        CHECK(largest_difference(*outcome.image, *right.image) <= 1);
        CHECK(outcome.warnings.size() <= 1); // none where this renderer takes another kernel
        for (const std::string& warning : outcome.warnings) {
            CHECK_THAT(warning, Contains("computes wrong values in") && Contains(one.kernel) && Contains("done by method"));
            ++found;
        }
    }
    CHECK(found >= 10);
}

TEST_CASE("proof: whichever kernel of sweeps is wrong, it is noticed, on whole images and in bands") {
    const Distance by_name{.threshold = 0.5, .method = DistanceMethod::gpu};
    const Distance by_sign{.threshold = 0.5, .is_signed = true, .method = DistanceMethod::gpu};
    const Work whole = by(by_name);
    const Work in_bands = [=](Context& own) {
        lower_limits(own.state().limits, "texture_size:70"); // room for probes
        ImageRows rows({picture().width(), picture().height(), 1, Depth::f32});
        by_sign(own, rows_of(picture()), rows);
        return std::move(rows.image());
    };
    for (const Work& work : {whole, in_bands}) {
        const OwnStore store;
        const Outcome right = checked(work);
        CHECK(right.image.has_value());
        CHECK(right.warnings == std::vector<std::string>{});
    }
    const auto check_fault = [](const std::string& kernel, const Work& work) {
        INFO(kernel);
        const OwnStore store;
        const ScopedVariable fault("GLPROC_FAULT", "kernel:" + kernel);
        const Outcome outcome = checked(work);
        REQUIRE(outcome.error.has_value());
        CHECK_THAT(outcome.error->what(), Contains(kernel));
    };
    for (const std::string kernel :
         {"mask/bits.comp", "distance/nearest.comp", "distance/near.comp", "distance/far.comp"}) {
        check_fault(kernel, whole);
    }
    check_fault("distance/roots.comp", in_bands);
}

TEST_CASE("proof: sums of floats that are larger than the picture are not taken for wrong") {
    const OwnStore store;
    const Image floats = random_image({331, 203, 3, Depth::f32}, 5);
    const Convolve convolve{.kernel = {.width = 4, .height = 3, .weights = {1, 2, 0, 1, 2, 4, 2, 0, 1, 2, 1, 3}}};
    const Outcome outcome = checked([&](Context& own) { return own.download(convolve(own, own.upload(floats))); });
    CHECK(outcome.image.has_value());
    CHECK(outcome.warnings == std::vector<std::string>{});
}

TEST_CASE("proof: weights that reach around a small picture are not taken for wrong on an even smaller one") {
    const Image small = random_image({211, 149, 1, Depth::u16}, 6);
    for (const BorderMode border : {BorderMode::mirror, BorderMode::symmetric, BorderMode::wrap, BorderMode::clamp}) {
        const OwnStore store;
        const Blur blur{.sigma = 100, .border = border};
        const Outcome outcome = checked([&](Context& own) { return own.download(blur(own, own.upload(small))); });
        CHECK(outcome.image.has_value());
        CHECK(outcome.warnings == std::vector<std::string>{});
    }
}

TEST_CASE("proof: reports and arrays come from a method that is right") {
    const Histogram histogram{.bins = 16, .variant = HistogramVariant::automatic};
    const auto right = histogram(gpu(), gpu().upload(picture())).front().counts; // by a context without the fault
    for (const std::string kernel : {"histogram/fused.comp", "histogram/pairs.comp", "histogram/chunks.comp"}) {
        INFO(kernel);
        const OwnStore store;
        const ScopedVariable fault("GLPROC_FAULT", "kernel:" + kernel);
        for (const HistogramVariant variant : {HistogramVariant::automatic, HistogramVariant::fused}) {
            std::vector<ChannelCounts> counts;
            const Outcome outcome = checked([&](Context& own) {
                counts = Histogram{.bins = 16, .variant = variant}(own, own.upload(picture()));
                return picture();
            });
            if (outcome.error) { // refused, as it was asked for by name
                CHECK(variant == HistogramVariant::fused);
                CHECK(outcome.error->code() == ErrorCode::no_context);
                continue;
            }
            CHECK(counts.front().counts == right);
        }
    }
    const OwnStore store;
    const ScopedVariable fault("GLPROC_FAULT", "kernel:integral/rows.comp");
    const Outcome outcome = checked([&](Context& own) {
        const Array sums = own.download(Integral{.variant = IntegralVariant::rows_columns}(own, own.upload(picture())));
        return picture();
    });
    REQUIRE(outcome.error.has_value());
    CHECK_THAT(outcome.error->what(), Contains("integral/rows.comp"));
}

TEST_CASE("proof: a method that was asked for by name is refused where its kernel is wrong") {
    const OwnStore store;
    const ScopedVariable fault("GLPROC_FAULT", "kernel:median/network.comp");
    const Outcome outcome = checked(by(Median{.radius = 1, .method = MedianMethod::network}));
    REQUIRE(outcome.error.has_value());
    CHECK(outcome.error->code() == ErrorCode::no_context);
    CHECK_THAT(outcome.error->what(), Contains("median/network.comp"));
    CHECK_THAT(outcome.error->hint(), Contains("leave out --method"));
    CHECK(outcome.warnings.empty());
}

TEST_CASE("proof: where a driver cannot link a kernel, another method makes the picture, and says so") {
    const OwnStore store;
    const Work median = by(Median{.radius = 1});
    const Work curve = by(Adjust{.exposure = 0.5, .saturation = 1.5});
    for (const auto& [kernel, work] : {std::pair{"median/network.comp", median}, std::pair{"kinds/point.comp", curve}}) {
        const Outcome right = checked(work);
        const OwnStore other_store;
        const ScopedVariable fault("GLPROC_FAULT", std::string("link:") + kernel);
        const Outcome outcome = checked(work);
        REQUIRE(outcome.image.has_value());
        CHECK(largest_difference(*outcome.image, *right.image) <= 1);
        REQUIRE(outcome.warnings.size() == 1);
        CHECK_THAT(outcome.warnings.front(), Contains(kernel) && Contains("does not link; done by method"));
    }
    const ScopedVariable fault("GLPROC_FAULT", "link:median/network.comp");
    const Outcome by_name = checked(by(Median{.radius = 1, .method = MedianMethod::network}));
    REQUIRE(by_name.error.has_value());
    CHECK(by_name.error->code() == ErrorCode::operation);
    CHECK(std::string(by_name.error->what()) == "median/network.comp does not link");
    CHECK_FALSE(by_name.error->hint().empty());
}

TEST_CASE("proof: counts and places that a kernel computes wrongly are noticed before they are used") {
    const Image image = photo_like_image({.width = 139, .height = 87, .channels = 1});
    const auto check_fault = [&](const std::string& kernel, const auto& op) {
        INFO(kernel);
        const auto right = op(gpu(), gpu().upload(image));
        CHECK_FALSE(right.empty());
        auto found = right;
        const OwnStore store;
        const ScopedVariable fault("GLPROC_FAULT", "kernel:" + kernel);
        const Outcome outcome = checked([&](Context& own) {
            found = op(own, own.upload(image));
            return picture();
        });
        if (outcome.error) { // every method takes this kernel, or the driver itself has noticed a place beyond a buffer
            CHECK((outcome.error->code() == ErrorCode::no_context || outcome.error->code() == ErrorCode::gpu));
            CHECK(kernel != "maxima/points.comp");
        } else {
            CHECK(outcome.warnings.size() == 1);
            CHECK(found == right);
        }
    };
    const Maxima maxima{.distance = 2, .threshold = Level{0.2}};
    check_fault("maxima/points.comp", maxima);
    check_fault("components/count.comp", maxima);
    check_fault("mask/bits.comp", Components{.threshold = MaskThreshold{}, .fill_holes = true});
}

TEST_CASE("proof: kernels before the step that shows what they do are noticed, too") {
    const Image seen = photo_like_image({.width = 139, .height = 87, .channels = 4});
    const auto check_fault = [&](const std::string& kernel, const auto& op) {
        INFO(kernel);
        const Work work = [&](Context& own) { return own.download(op(own, own.upload(seen))); };
        const OwnStore store;
        const Outcome right = checked(work);
        REQUIRE(right.image.has_value());
        CHECK(right.warnings == std::vector<std::string>{});
        const OwnStore other_store;
        const ScopedVariable fault("GLPROC_FAULT", "kernel:" + kernel);
        const Outcome outcome = checked(work);
        REQUIRE(outcome.image.has_value());
        CHECK(outcome.warnings.size() == 1);
        CHECK_THAT(*outcome.image, IsBitwise(*right.image));
    };
    check_fault("kinds/point.comp", Background{.radius = 20});
    check_fault("kinds/gather/move.comp", Chain{Rotate{.angle = 45}, Trim{.tolerance = 0.6}});
}

TEST_CASE("proof: programs that ran before one that does not link are not proved by the method that takes over") {
    const Work work = by(Background{.radius = 5});
    const OwnStore store;
    const std::string wrong = "kernel:background/envelope.comp";
    {
        const ScopedVariable fault("GLPROC_FAULT", wrong + ",link:background/subtract.comp");
        const Outcome outcome = checked(work);
        REQUIRE(outcome.warnings.size() == 1);
        CHECK_THAT(outcome.warnings.front(), Contains("background/subtract.comp"));
    }
    const ScopedVariable fault("GLPROC_FAULT", wrong);
    const Outcome outcome = checked(work);
    REQUIRE(outcome.warnings.size() == 1);
    CHECK_THAT(outcome.warnings.front(), Contains("computes wrong values in background/envelope.comp"));
}

TEST_CASE("proof: what Mesa 25 made of the median is noticed") {
    // It moved each row one further than the kernel said.
    const std::string text = default_glsl_reader()("median/network.comp").value();
    const std::string move = "MOVE_ROWS(texels, HEIGHT, AROUND, next[j])";
    const std::size_t at = text.find(move);
    REQUIRE(at != std::string::npos);
    std::string wrong = text;
    wrong.replace(at, move.size(), move + "\n    for (int i = 0; i < AROUND; ++i) { texels[i] = texels[i + AROUND]; }");
    const OwnStore store;
    const Outcome right = checked(by(Median{.radius = 1}));
    const TempDir kernels;
    std::filesystem::copy(std::filesystem::path(GLPROC_SOURCE_DIR) / "glsl", kernels.path(),
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    std::ofstream(kernels.path() / "median" / "network.comp") << wrong;
    const ScopedVariable variable("GLPROC_GLSL_DIR", kernels.path().string());
    const Outcome outcome = checked(by(Median{.radius = 1}));
    REQUIRE(outcome.image.has_value());
    REQUIRE(outcome.warnings.size() == 1);
    CHECK_THAT(outcome.warnings.front(), Contains("median/network.comp"));
    CHECK_THAT(*outcome.image, IsBitwise(*right.image));
}

TEST_CASE("proof: in a chain, only the step that is wrong is done otherwise") {
    const OwnStore store;
    const Work work = [](Context& own) {
        return own.download(Chain{Median{.radius = 1}, Equalize{}, Blur{.sigma = 2}}(own, own.upload(picture())));
    };
    const Outcome right = checked(work);
    const ScopedVariable fault("GLPROC_FAULT", "kernel:median/network.comp");
    const Outcome outcome = checked(work);
    REQUIRE(outcome.image.has_value());
    CHECK(outcome.warnings.size() == 1);
    CHECK_THAT(*outcome.image, IsBitwise(*right.image));
}

TEST_CASE("proof: a verdict is kept, so that the next context checks nothing") {
    const OwnStore store;
    CHECK(checked(by(Blur{.sigma = 2})).check_time > 0);
    CHECK(checked(by(Blur{.sigma = 2})).check_time == 0);
    CHECK(checked(by(Blur{.sigma = 2, .border = BorderMode::wrap})).check_time > 0); // another program
    // Of a large image most pixels are by a program that asks for no border.
    const Image large = photo_like_image({.width = 701, .height = 503, .channels = 3});
    const Work turned = [&](Context& own) { return own.download(Rotate{.angle = 10}(own, own.upload(large))); };
    CHECK(checked(turned).check_time > 0);
    CHECK(checked(turned).check_time == 0);
    const ScopedVariable off("GLPROC_CHECK", "off");
    ContextOptions options = second_context_options();
    options.debug = false;
    with_second_context(options, [&](Context& own) {
        static_cast<void>(own.download(Box{.radius = 3}(own, own.upload(picture()))));
        if (own.check_time() != 0) {
            throw Error(ErrorCode::operation, "GLPROC_CHECK=off still checks");
        }
    });
}
