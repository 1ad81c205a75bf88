// Reads JPEG: grey, RGB and CMYK; baseline and progressive; row by row, and at a fraction of its size where that is enough.
#include "glproc/files/codecs/cmyk.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/jpeg/decoder.hpp"
#include "glproc/files/codecs/jpeg/packing.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <jpeglib.h>

namespace glproc::codecs {
namespace {

/// Huffman coding spends at least one bit on each block of 64 pixels; arithmetic coding has no such bound.
double max_pixels_per_byte(const jpeg_decompress_struct& jpeg) {
    return jpeg.arith_code != 0 ? 1e18 : 512;
}

void refuse_unsupported(const Source& source, const jpeg_decompress_struct& jpeg) {
    if (jpeg.num_components != 1 && jpeg.num_components != 3 && jpeg.num_components != 4)
        fail(source, fmt::format("a JPEG of {} components is not supported", jpeg.num_components));
}

J_COLOR_SPACE decoded_space(const jpeg_decompress_struct& jpeg) {
    return jpeg.num_components == 1 ? JCS_GRAYSCALE : jpeg.num_components == 3 ? JCS_RGB : JCS_CMYK;
}

/// One row of CMYK, or of YCCK that libjpeg has made CMYK, as RGB: R = (1 − C)(1 − K), likewise G and B.
/// All programs store 1 − C … 1 − K, as Adobe's do; not all of them say that the file is Adobe's.
void cmyk_to_rgb(std::span<const JSAMPLE> cmyk, std::byte* rgb) {
    for (std::size_t i = 0; i < cmyk.size(); ++i) {
        if (i % 4 == 3)
            continue;
        const int paper = cmyk[i];
        const int no_black = cmyk[i / 4 * 4 + 3];
        *rgb++ = static_cast<std::byte>((paper * no_black + 127) / 255);
    }
}

/// Inks on their way to RGB.
struct InkRows {
    std::vector<JSAMPLE> samples = {};              ///< room for rows of CMYK, where that is what libjpeg gives
    std::shared_ptr<const InkColours> colours = {}; ///< without them by a plain formula

    /// Of a damaged file each row counts, and is to be converted before the next is read.
    void begin(const jpeg_decompress_struct& jpeg, bool is_damaged = false) {
        constexpr std::size_t pixels_at_once = std::size_t{1} << 18U; // for all cores
        const std::size_t width = jpeg.output_width;
        const std::size_t rows = is_damaged ? 1 : std::max<std::size_t>(pixels_at_once / width, 1);
        samples.resize(jpeg.out_color_space == JCS_CMYK ? 4 * width * rows : 0);
    }

    void to_rgb(std::span<JSAMPLE> inks, std::byte* rgb) const {
        if (!colours)
            return cmyk_to_rgb(inks, rgb);
        std::transform(inks.begin(), inks.end(), inks.begin(), [](JSAMPLE v) { return static_cast<JSAMPLE>(255 - v); });
        colours->convert(inks, reinterpret_cast<std::uint8_t*>(rgb));
    }
};

/// The next rows of inks, as many as there is room for here and there.
std::size_t read_ink_rows(jpeg_decompress_struct& jpeg, std::span<std::byte> rows, InkRows& ink) {
    const std::size_t width = jpeg.output_width;
    const std::size_t most = std::min(ink.samples.size() / (4 * width), rows.size() / (3 * width));
    std::size_t read = 0;
    while (read < most) {
        JSAMPROW pointer = &ink.samples[read * 4 * width];
        read += jpeg_read_scanlines(&jpeg, &pointer, 1);
    }
    ink.to_rgb(std::span(ink.samples).first(read * 4 * width), rows.data());
    return read * 3 * width;
}

/// The next rows, as many as there is room for.
void read_rows(jpeg_decompress_struct& jpeg, std::span<std::byte> rows, InkRows& ink) {
    const std::size_t row_bytes = std::size_t{jpeg.output_width} * static_cast<std::size_t>(std::min(jpeg.out_color_components, 3));
    while (!rows.empty()) {
        if (!ink.samples.empty()) {
            rows = rows.subspan(read_ink_rows(jpeg, rows, ink));
            continue;
        }
        std::array<JSAMPROW, batch> pointers{};
        const std::size_t count = std::min(pointers.size(), rows.size() / row_bytes);
        for (std::size_t i = 0; i < count; ++i)
            pointers.at(i) = reinterpret_cast<JSAMPROW>(rows.data() + i * row_bytes);
        rows = rows.subspan(row_bytes * jpeg_read_scanlines(&jpeg, pointers.data(), static_cast<JDIMENSION>(count)));
    }
}

Metadata metadata_of(const Source& source, const jpeg_decompress_struct& jpeg) {
    Metadata metadata = read_jpeg_metadata(source);
    const auto density = density_of(jpeg);
    if (density && (density->unit != Density::Unit::none || !metadata.density))
        metadata.density = density;
    metadata.jpeg = packing_of(jpeg);
    return metadata;
}

/// Everything before the first scan, checked; and what CMYK looks like.
Summary read_header(Decoder& decoder, InkRows& ink) {
    decoder.read_header();
    const Source& source = decoder.source();
    jpeg_decompress_struct& jpeg = decoder.jpeg();
    refuse_unsupported(source, jpeg);
    jpeg.out_color_space = decoded_space(jpeg);
    check_size(source, jpeg.image_width, jpeg.image_height, max_pixels_per_byte(jpeg));
    Summary summary{.form = {static_cast<int>(jpeg.image_width), static_cast<int>(jpeg.image_height),
                             std::min(jpeg.num_components, 3), Depth::u8},
                    .metadata = metadata_of(source, jpeg)};
    if (jpeg.out_color_space == JCS_CMYK)
        ink.colours = InkColours::of(source, summary.metadata);
    return summary;
}

/// libjpeg leaves out the finest parts of each block, and so makes a half, a quarter or an eighth of the picture.
void take_fraction(Decoder& decoder, Summary& summary) {
    const std::optional<Extent>& box = decoder.source().box;
    if (!box)
        return;
    const Extent whole{summary.form.width, summary.form.height};
    const int divisor = divisor_for_stored(*box, whole, orientation_of(summary.metadata.exif));
    if (divisor == 1)
        return;
    decoder.jpeg().scale_num = 1;
    decoder.jpeg().scale_denom = static_cast<unsigned>(divisor);
    summary.metadata.fraction = fraction_of(whole, divisor);
    const Extent made = extent_of(*summary.metadata.fraction);
    summary.form.width = made.width;
    summary.form.height = made.height;
}

/// The header is read at once, the pixels as they are asked for.
class JpegRows final : public RowReader {
  public:
    explicit JpegRows(const Source& source) : decoder_(source), summary_(read_header(decoder_, ink_)) {
        take_fraction(decoder_, summary_);
    }

    const Form& form() const override { return summary_.form; }
    const Metadata& metadata() const override { return summary_.metadata; }

    void read(std::span<std::byte> rows) override {
        jpeg_decompress_struct& jpeg = decoder_.jpeg();
        if (!std::exchange(begun_, true)) {
            decoder_.limit_scans();
            decoder_.attempt([&] { jpeg_start_decompress(&jpeg); });
            ink_.begin(jpeg);
        }
        decoder_.attempt([&] { read_rows(jpeg, rows, ink_); });
        if (jpeg.output_scanline == jpeg.output_height)
            decoder_.finish();
    }

  private:
    Decoder decoder_;
    InkRows ink_;
    Summary summary_;
    bool begun_ = false;
};

} // namespace

Summary inspect_jpeg(const Source& source) {
    Decoder decoder(source);
    InkRows ink;
    return read_header(decoder, ink);
}

std::unique_ptr<RowReader> jpeg_rows(const Source& source) {
    return std::make_unique<JpegRows>(source);
}

Image decode_jpeg(const Source& source) {
    JpegRows rows(source);
    return read_all(rows);
}

Salvage salvage_jpeg(const Source& source) {
    Decoder decoder(source);
    InkRows ink;
    Summary summary = read_header(decoder, ink);
    jpeg_decompress_struct& jpeg = decoder.jpeg();
    Salvage part{.image = Image(summary.form)};
    part.image.set_metadata(std::move(summary.metadata));
    decoder.limit_scans();
    std::tie(part.rows, part.is_rough) = decoder.attempt_most([&] {
        jpeg_start_decompress(&jpeg);
        ink.begin(jpeg, true);
        read_rows(jpeg, part.image.bytes(), ink);
    });
    return part;
}

} // namespace glproc::codecs
