#include "glproc/gl/tuning.hpp"

#include "support/catch.hpp"

#include <string>

using namespace glproc;

namespace {

enum class Pace { walk, run, fly };

constexpr auto paces = tuning<Pace>({{"llvmpipe", 12, Pace::walk, "far below"},
                                     {"llvmpipe", any_radius, Pace::run, "above 12"},
                                     {"nvidia", 0, Pace::fly, "only what has no radius"},
                                     {"", any_radius, Pace::run, "any"}});

DeviceInfo device(const std::string& renderer, const std::string& vendor = "") {
    DeviceInfo info;
    info.renderer = renderer;
    info.vendor = vendor;
    return info;
}

} // namespace

TEST_CASE("the first row counts whose renderer and radius match") {
    const DeviceInfo llvmpipe = device("llvmpipe (LLVM 15.0.6, 256 bits)", "Mesa/X.org");
    CHECK(tuned(paces, llvmpipe) == Pace::walk);
    CHECK(tuned(paces, llvmpipe, 12) == Pace::walk);
    CHECK(tuned(paces, llvmpipe, 13) == Pace::run);
    CHECK(tuned(paces, llvmpipe, 1 << 30) == Pace::run);
}

TEST_CASE("a row names renderer or vendor, in any case") {
    const DeviceInfo nvidia = device("H200/PCIe/SSE2", "NVIDIA Corporation");
    CHECK(tuned(paces, nvidia) == Pace::fly);
    CHECK(tuned(paces, nvidia, 1) == Pace::run);
    CHECK(tuned(paces, device("zink Vulkan 1.3(NVIDIA H200)", "Mesa")) == Pace::run);
    CHECK(tuned(paces, device("another")) == Pace::run);
    CHECK(tuned(paces, device("")) == Pace::run);
}

TEST_CASE("rows may have numbers") {
    constexpr auto rows = tuning<int>({{"llvmpipe", any_radius, 4, ""}, {"", any_radius, 1, ""}});
    CHECK(tuned(rows, device("LLVMPIPE")) == 4);
    CHECK(tuned(rows, device("AMD")) == 1);
}
