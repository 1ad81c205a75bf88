// BMP writing: grey by a palette, RGB, and RGBA by masks.
#include "glproc/files/codecs/little.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace glproc::codecs {
namespace {

void put_density(std::vector<std::byte>& out, const std::optional<Density>& density) {
    const bool told = density && density->possible() && density->unit != Density::Unit::none;
    const Density metric = told ? density->in(Density::Unit::metre) : Density{0, 0};
    for (const double value : {metric.x, metric.y})
        put_little(out, static_cast<std::uint64_t>(std::clamp(std::round(value), 0.0, 2147483647.0)), 4);
}

void put_row(std::vector<std::byte>& out, const Image& image, int y) {
    const std::byte* from = image.row(y);
    const auto channels = static_cast<std::size_t>(image.channels());
    for (int x = 0; x < image.width(); ++x, from += channels) {
        const std::size_t colours = std::min<std::size_t>(channels, 3);
        for (std::size_t c = colours; c-- > 0;)
            out.push_back(from[c]);
        if (channels == 4)
            out.push_back(from[3]);
    }
}

} // namespace

std::vector<std::byte> encode_bmp(const Job& job) {
    const Image& image = job.image;
    const bool alpha = image.channels() == 4;
    const std::uint64_t info_size = alpha ? 108 : 40;
    constexpr std::uint64_t file_header = 14;
    const std::uint64_t offset = file_header + info_size + (image.channels() == 1 ? 4 * 256 : 0);
    const std::uint64_t stride = (image.row_bytes() + 3) / 4 * 4;
    const std::uint64_t size = stride * static_cast<std::uint64_t>(image.height());
    if (offset + size > std::numeric_limits<std::uint32_t>::max())
        fail(job, "the image is larger than the 4 GB that a BMP holds");
    std::vector<std::byte> out{std::byte{'B'}, std::byte{'M'}};
    out.reserve(offset + size);
    put_little(out, offset + size, 4);
    put_little(out, 0, 4);
    put_little(out, offset, 4);
    put_little(out, info_size, 4);
    put_little(out, static_cast<std::uint64_t>(image.width()), 4);
    put_little(out, static_cast<std::uint64_t>(image.height()), 4);
    put_little(out, 1, 2);
    put_little(out, 8 * static_cast<std::uint64_t>(image.channels()), 2);
    put_little(out, alpha ? 3 : 0, 4); // masks, or plain
    put_little(out, size, 4);
    put_density(out, image.metadata().density);
    put_little(out, 0, 8); // colours used and important: unspecified
    if (alpha) {
        for (const std::uint64_t mask : {0xff0000ULL, 0xff00ULL, 0xffULL, 0xff000000ULL})
            put_little(out, mask, 4);
        put_little(out, 0x73524742, 4); // sRGB
        put_little(out, 0, 48);
    }
    for (std::uint64_t grey = 0; grey < 256 && image.channels() == 1; ++grey)
        put_little(out, grey * 0x010101, 4);
    const std::size_t start = out.size();
    for (int y = image.height() - 1; y >= 0; --y) {
        const std::size_t end = start + stride * static_cast<std::size_t>(image.height() - y);
        put_row(out, image, y);
        out.resize(end);
    }
    return out;
}

} // namespace glproc::codecs
