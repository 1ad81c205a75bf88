#include "glproc/files/series/allowance.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::codecs {

namespace {

constexpr double large_images = 64;     ///< of the limit of one image: what a file may hold at most ...
constexpr double plain_pixels = 8;      ///< ... unless its bytes are that many, as without compression
constexpr double free_share = 1.0 / 16; ///< of the limit of one image: what a file of no size may ask for

} // namespace

PixelAllowance::PixelAllowance(const Source& source) : source_(source) {
    const auto image = static_cast<double>(source.max_pixels);
    const auto bytes = static_cast<double>(source.size());
    most_ = std::max(plain_pixels * bytes,
                     std::min(large_images * image, std::max(free_share * image, paid_pixels * bytes)));
}

void PixelAllowance::take(std::uint64_t width, std::uint64_t height, int count) {
    pictures_ += count;
    taken_ += static_cast<double>(width) * static_cast<double>(height) * count;
    if (taken_ <= most_) {
        return;
    }
    const bool is_paid = taken_ <= paid_pixels * static_cast<double>(source_.size());
    const double wanted = taken_ / (is_paid ? large_images : free_share);
    throw Error(ErrorCode::input,
                fmt::format("{}: {} images of {}x{} pixels are too many for a file of {} bytes and a limit of {} pixels",
                            source_.name, pictures_, width, height, source_.size(), source_.max_pixels),
                fmt::format("if you trust the file: --max-pixels {:.0f}", wanted));
}

} // namespace glproc::codecs
