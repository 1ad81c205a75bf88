#include "glproc/kinds/fetched.hpp"

#include "glproc/gl/tuning.hpp"

namespace glproc {

namespace {

constexpr auto fetches_texels =
    tuning<bool>({{"llvmpipe", any_radius, false,
                   "2448x1505 RGB8: median of radius 1 60 ms with image loads, 111 with fetches; rotate 10 "
                   "degrees 400 and 533 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
                  {"", any_radius, true,
                   "8192x8192 RGBA8: sobel 0.349 ms with image loads, 0.304 with fetches; rotate 10 degrees "
                   "6.2 and 4.5 (NVIDIA H200, driver 580.159.04, 2026-11-22)"}});

} // namespace

std::string fetched(const DeviceInfo& device) {
    return tuned(fetches_texels, device) ? "1" : "0";
}

} // namespace glproc
