// What can go wrong on a device, caused on request: full memory, kernels that do not compile, a reset.
#include "glproc/base/error.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/equalize.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <optional>
#include <string>
#include <utility>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

const Image& picture() {
    static const Image image = photo_like_image({.width = 61, .height = 37, .channels = 3});
    return image;
}

Image blurred(Context& context) {
    return context.download(
        Blur{.sigma = 2, .method = FilterMethod::direct}(context, context.upload(picture())));
}

struct Outcome {
    std::optional<Error> error; ///< of the first try
    Image second;               ///< what the same context makes of a second try
};

/// Blurs twice in one context that meets `fault`.
Outcome blur_with(const std::string& fault) {
    const ScopedVariable variable("GLPROC_FAULT", fault);
    Outcome outcome;
    with_second_context(second_context_options(), [&](Context& own) {
        try {
            outcome.second = blurred(own);
        } catch (const Error& error) {
            outcome.error = error;
            outcome.second = blurred(own);
        }
    });
    return outcome;
}

} // namespace

TEST_CASE("fault: whichever allocation finds the memory full, it says so, and the context goes on") {
    const Image expected = blurred(gpu());
    int failures = 0;
    for (int n = 1;; ++n) {
        INFO("allocation " << n);
        const Outcome outcome = blur_with("alloc:" + std::to_string(n));
        CHECK_THAT(outcome.second, IsBitwise(expected));
        if (!outcome.error) {
            break;
        }
        ++failures;
        CHECK(outcome.error->code() == ErrorCode::gpu);
        CHECK_THAT(outcome.error->what(), Contains("out of GPU memory: allocating"));
        CHECK(outcome.error->hint() == "use a smaller image");
    }
    CHECK(failures >= 3); // the input, what lies between the passes, the output
}

TEST_CASE("fault: whichever pass the device is reset in, it says so") {
    const Image expected = blurred(gpu());
    for (const auto& [fault, pass] :
         {std::pair{"context_lost", "pass blur.rows"}, {"context_lost:2", "pass blur.columns"}}) {
        const Outcome outcome = blur_with(fault);
        REQUIRE(outcome.error.has_value());
        CHECK(outcome.error->code() == ErrorCode::gpu);
        CHECK(std::string(outcome.error->what()) == std::string("the GPU was reset: ") + pass);
        CHECK_FALSE(outcome.error->hint().empty());
    }
    CHECK_FALSE(blur_with("context_lost:1000").error.has_value());
    CHECK_THAT(blur_with("context_lost:1000").second, IsBitwise(expected));
}

TEST_CASE("fault: a kernel that does not compile is named, with what the compiler says") {
    const ScopedVariable variable("GLPROC_FAULT", "compile:equalize/map.comp");
    for (const bool debug : {true, false}) { // without: programs may come from the store
        ContextOptions options = second_context_options();
        options.debug = debug;
        std::optional<Error> failure;
        Image other;
        with_second_context(options, [&](Context& own) {
            const GpuImage image = own.upload(picture());
            try {
                Equalize{.variant = EqualizeVariant::gpu}(own, image);
            } catch (const Error& error) {
                failure = error;
            }
            other = blurred(own);
        });
        REQUIRE(failure.has_value());
        CHECK(failure->code() == ErrorCode::operation);
        CHECK(std::string(failure->what()) == "equalize/map.comp does not compile");
        CHECK_THAT(failure->hint(), Contains("equalize/map.comp:") && Contains("GLPROC_FAULT"));
        CHECK_THAT(other, IsBitwise(blurred(gpu())));
    }
}

TEST_CASE("fault: several at once, each when its time has come") {
    const Outcome outcome = blur_with("context_lost:1000,alloc:1");
    REQUIRE(outcome.error.has_value());
    CHECK_THAT(outcome.error->what(), Contains("out of GPU memory"));
}

TEST_CASE("fault: what names no fault is refused") {
    for (const char* fault : {"alloc", "alloc:", "alloc:0", "alloc:-1", "alloc:2x", "compile",
                              "compile:", "fire", "context_lost:x", "alloc:1,,"}) {
        INFO(fault);
        const ScopedVariable variable("GLPROC_FAULT", fault);
        try {
            with_second_context(second_context_options(), [](Context&) {});
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::usage);
            CHECK_THAT(error.what(), Contains("GLPROC_FAULT names no fault"));
        }
    }
}
