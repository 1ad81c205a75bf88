#include "glproc/base/error.hpp"
#include "glproc/gl/workarounds.hpp"
#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

/// The Error that making a context with these options throws; fails the test where there is none.
std::optional<Error> refusal(const ContextOptions& options) {
    try {
        with_second_context(options, [](Context&) {});
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// What using the shared context on another thread throws.
std::string error_on_other_thread(const std::function<void()>& use) {
    std::string text = "no error";
    std::thread([&] {
        try {
            use();
        } catch (const Error& error) {
            text = error.what();
        }
    }).join();
    return text;
}

/// A blur, for comparison.
Image blurred(Context& context, const Image& image, FilterMethod method) {
    return context.download(Blur{.sigma = 1.5, .method = method}(context, context.upload(image)));
}

} // namespace

TEST_CASE("a context knows its device, and how it came to it") {
    const DeviceInfo& device = gpu().device();
    CHECK_FALSE(device.renderer.empty());
    CHECK_FALSE(device.vendor.empty());
    CHECK_THAT(device.version, Contains("4."));
    CHECK_THAT(device.glsl, Contains("4."));
    REQUIRE_FALSE(device.attempts.empty());
    CHECK(device.attempts.back().outcome == "used");
    CHECK(device.attempts.back().what == device.backend);
    for (std::size_t i = 0; i + 1 < device.attempts.size(); ++i) {
        INFO(device.attempts[i].what);
        CHECK_FALSE(device.attempts[i].outcome.empty());
        CHECK(device.attempts[i].outcome != "used");
    }
}

TEST_CASE("llvmpipe counts as software, and with its workaround") {
    const DeviceInfo& device = gpu().device();
    const bool is_llvmpipe = device.renderer.starts_with("llvmpipe");
    CHECK((!is_llvmpipe || device.software));
    CHECK(device.is("llvmpipe") == is_llvmpipe);
    const auto& names = device.workarounds;
    CHECK((std::find(names.begin(), names.end(), "timer_query_is_zero") != names.end()) == is_llvmpipe);
}

TEST_CASE("zink is a driver of its own, whatever it runs on") {
    DeviceInfo zink;
    zink.renderer = "zink (llvmpipe (LLVM 15.0.6, 256 bits))";
    zink.vendor = "Collabora Ltd";
    CHECK(zink.is("zink"));
    CHECK_FALSE(zink.is("llvmpipe"));
    CHECK(zink.is(""));
    DeviceInfo later;
    later.renderer = "zink Vulkan 1.4(llvmpipe (LLVM 19.1.7, 256 bits) (MESA_LLVMPIPE))";
    CHECK(later.is("zink"));
    CHECK_FALSE(later.is("llvmpipe"));
    DeviceInfo plain;
    plain.renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
    CHECK(plain.is("llvmpipe"));
    CHECK_FALSE(plain.is("zink"));
}

TEST_CASE("loops end early up to Mesa 24 alone, which llvmpipe shows when asked") {
    const auto ends_early = [](const char* renderer, const char* version) {
        DeviceInfo device;
        device.renderer = renderer;
        device.version = version;
        const std::vector<std::string> names = workarounds_of(device);
        return std::find(names.begin(), names.end(), "loops_end_early") != names.end();
    };
    CHECK(ends_early("llvmpipe (LLVM 15.0.6, 256 bits)", "4.5 (Core Profile) Mesa 22.3.6"));
    CHECK(ends_early("zink (llvmpipe (LLVM 15.0.6, 256 bits))", "4.6 (Core Profile) Mesa 22.3.6"));
    CHECK_FALSE(ends_early("llvmpipe (LLVM 19.1.7, 256 bits)", "4.5 (Core Profile) Mesa 25.0.7-2+deb13u1"));
    CHECK_FALSE(ends_early("zink Vulkan 1.4(llvmpipe (LLVM 19.1.7, 256 bits) (MESA_LLVMPIPE))",
                           "4.6 (Core Profile) Mesa 25.0.7-2+deb13u1"));
    CHECK_FALSE(ends_early("NVIDIA H200/PCIe/SSE2", "4.6.0 NVIDIA 580.159.04"));

    const std::map<std::string, std::string> kernel{{"turns.comp", R"(#version 430 core
layout(local_size_x = 1) in;
layout(std430) buffer b_turns { uint wanted; uint made; };
void main() {
    for (uint left = wanted; left != 0u; --left) made += 1u;
}
)"}};
    const ScopedKernels kernels(kernel);
    constexpr std::uint32_t wanted = 100000;
    Buffer turns = gpu().make_buffer(2 * sizeof(std::uint32_t), "turns");
    turns.write(std::vector<std::uint32_t>{wanted, 0});
    gpu().pass("turns", "turns.comp").updates("b_turns", turns).over(1);
    const std::uint32_t made = turns.read<std::uint32_t>(2)[1];
    CHECK((made == wanted || gpu().device().has_workaround("loops_end_early")));
}

TEST_CASE("llvmpipe of Mesa before 22 is refused, as it corrupts memory") {
    DeviceInfo old;
    old.renderer = "llvmpipe (LLVM 11.0.1, 256 bits)";
    old.version = "4.5 (Core Profile) Mesa 20.3.5";
    try {
        check_driver(old);
        FAIL("not refused");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::no_context);
        CHECK_THAT(error.what(), Contains("Mesa before 22") && Contains("Mesa 20.3.5"));
    }
    old.version = "4.5 (Core Profile) Mesa 22.0.1";
    CHECK_NOTHROW(check_driver(old));
    old.renderer = "AMD Radeon RX 580";
    old.version = "4.6 (Core Profile) Mesa 20.3.5";
    CHECK_NOTHROW(check_driver(old));
}

TEST_CASE("zink with inlined uniforms is refused, as it computes wrong values") {
    DeviceInfo zink;
    zink.renderer = "zink (llvmpipe (LLVM 15.0.6, 256 bits))";
    zink.version = "4.6 (Core Profile) Mesa 22.3.6";
    {
        const ScopedVariable off("ZINK_INLINE_UNIFORMS", "0");
        CHECK_NOTHROW(check_driver(zink));
    }
    const ScopedVariable on("ZINK_INLINE_UNIFORMS", "1");
    try {
        check_driver(zink);
        FAIL("not refused");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::no_context);
        CHECK(error.hint() == "set the environment variable ZINK_INLINE_UNIFORMS=0");
    }
    DeviceInfo later = zink;
    later.version = "4.6 (Core Profile) Mesa 24.0.1";
    CHECK_NOTHROW(check_driver(later));
}

TEST_CASE("a software renderer is refused where a GPU is required, and named") {
    ContextOptions options = second_context_options();
    options.require_gpu = true;
    const auto error = refusal(options);
    if (gpu().device().software) {
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::no_context);
        CHECK_THAT(error->hint(), Contains("is a software renderer, but a GPU is required"));
    } else {
        CHECK_FALSE(error.has_value());
    }
}

TEST_CASE("a device that does not exist is refused, with everything that was tried") {
    ContextOptions options = second_context_options();
    options.device = "Voodoo2";
    const auto by_name = refusal(options);
    REQUIRE(by_name.has_value());
    CHECK(by_name->code() == ErrorCode::no_context);
    CHECK(std::string(by_name->what()) == "no usable OpenGL 4.3 context");
    CHECK_THAT(by_name->hint(), Contains("tried:\n  EGL") && Contains("is not 'Voodoo2'"));
    options.device = "77";
    const auto by_number = refusal(options);
    REQUIRE(by_number.has_value());
    CHECK(by_number->code() == ErrorCode::no_context);
    CHECK(std::string(by_number->what()) == "there is no EGL device 77");
    CHECK_THAT(by_number->hint(), Contains("known: EGL"));
    options.backend = Backend::glfw;
    REQUIRE(refusal(options).has_value());
    CHECK(refusal(options)->code() == ErrorCode::usage); // numbers are EGL's
}

TEST_CASE("a device is found by a part of its name, in any case") {
    ContextOptions options = second_context_options();
    options.device = gpu().device().renderer.substr(0, 4);
    std::transform(options.device.begin(), options.device.end(), options.device.begin(), [](unsigned char c) {
        return static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
    });
    std::string found;
    with_second_context(options, [&](Context& own) { found = own.device().renderer; });
    CHECK(found == gpu().device().renderer);
}

TEST_CASE("a context that another thread uses says so, whatever is asked of it") {
    const Image image = constant_image({4, 4, 1, Depth::u8}, 1);
    GpuImage on_gpu = gpu().upload(image);
    const std::string answer = "a Context was used on a thread that did not make it";
    CHECK(error_on_other_thread([&] { gpu().upload(image); }) == answer);
    CHECK(error_on_other_thread([&] { gpu().download(on_gpu); }) == answer);
    CHECK(error_on_other_thread([&] { gpu().copy(on_gpu); }) == answer);
    CHECK(error_on_other_thread([&] { gpu().make_buffer(4, "b"); }) == answer);
    CHECK(error_on_other_thread([&] { gpu().finish(); }) == answer);
    const Buffer buffer = gpu().make_buffer(4, "b");
    CHECK(error_on_other_thread([&] { static_cast<void>(buffer.read<int>(1)); }) == answer);
    CHECK(error_on_other_thread([&] { static_cast<void>(gpu().time(1, [] {})); }) == answer);
    CHECK(error_on_other_thread([&] { Blur{.sigma = 1}(gpu(), on_gpu); }) == answer);
    CHECK_THAT(gpu().download(on_gpu), IsBitwise(image)); // and is unharmed
}

TEST_CASE("a second context on a thread that has one is refused, and the first is none the worse for it") {
    const Image image = constant_image({4, 4, 1, Depth::u8}, 1);
    const GpuImage on_gpu = gpu().upload(image);
    try {
        const Context second(second_context_options());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        CHECK(std::string(error.what()) == "this thread has a Context already");
        CHECK_THAT(error.hint(), Contains("a thread of its own"));
    }
    CHECK_THAT(gpu().download(on_gpu), IsBitwise(image));
}

TEST_CASE("a thread may make contexts one after another, also where one could not be had") {
    const Image image = constant_image({4, 4, 1, Depth::u8}, 1);
    Image back;
    std::thread([&] {
        for (int i = 0; i < 2; ++i) {
            ContextOptions options = second_context_options();
            options.device = "Voodoo2";
            CHECK_THROWS_AS(Context(options), Error);
            Context own(second_context_options());
            back = own.download(own.upload(image));
        }
    }).join();
    CHECK_THAT(back, IsBitwise(image));
}

TEST_CASE("contexts of two threads work at the same time and agree with the shared one") {
    const Image image = photo_like_image({120, 90, 3, Depth::u8});
    const auto work = [&](Image& result, FilterMethod method) {
        with_second_context(second_context_options(), [&](Context& own) {
            for (int i = 0; i < 5; ++i) {
                result = blurred(own, image, method);
            }
        });
    };
    Image direct;
    Image tiled;
    std::thread first([&] { work(direct, FilterMethod::direct); });
    std::thread second([&] { work(tiled, FilterMethod::tiled); });
    first.join();
    second.join();
    CHECK_THAT(direct, IsBitwise(blurred(gpu(), image, FilterMethod::direct)));
    CHECK_THAT(tiled, IsBitwise(blurred(gpu(), image, FilterMethod::tiled)));
}

TEST_CASE("what is kept for an operation is its context's, of each type one, and goes with it") {
    struct Kept {
        std::optional<Buffer> buffer;
    };
    struct Other {
        int value = 5;
    };
    const auto use = [](Context& context) {
        const bool was_empty = !context.kept<Kept>().buffer;
        context.kept<Kept>().buffer = context.make_buffer(16, "kept");
        return was_empty && context.kept<Kept>().buffer && ++context.kept<Other>().value == 6;
    };
    for (int i = 0; i < 2; ++i) {
        bool is_right = false;
        with_second_context(second_context_options(), [&](Context& own) { is_right = use(own); });
        CHECK(is_right);
    }
}

TEST_CASE("contexts come and go without taking others along") {
    const Image image = constant_image({4, 4, 1, Depth::u8}, 1);
    const GpuImage kept = gpu().upload(image);
    for (int i = 0; i < 3; ++i) {
        with_second_context(second_context_options(), [&](Context& own) { own.upload(image); });
    }
    CHECK_THAT(gpu().download(kept), IsBitwise(image));
}

TEST_CASE("GLPROC_DISABLE hides an extension, so that its fallback is used") {
    const auto has_subgroup = [] {
        bool found = false;
        std::int64_t size = -1;
        with_second_context(second_context_options(), [&](Context& own) {
            found = own.device().has_subgroup;
            size = own.limits().subgroup_size;
        });
        CHECK((size > 0) == found);
        return found;
    };
    const bool available = has_subgroup();
    {
        const ScopedVariable other("GLPROC_DISABLE", "KHR_other,KHR_shader");
        CHECK(has_subgroup() == available);
    }
    for (const char* value :
         {"KHR_shader_subgroup", "other,KHR_shader_subgroup", "KHR_shader_subgroup,other"}) {
        const ScopedVariable disabled("GLPROC_DISABLE", value);
        CHECK_FALSE(has_subgroup());
    }
}
