// Reads JPEG: grey, RGB and CMYK; baseline and progressive.
#include "glproc/error.hpp"
#include "glproc/image/codecs/codecs.hpp"
#include "glproc/image/codecs/jpeg/libjpeg.hpp"
#include "glproc/image/codecs/jpeg/packing.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio> // jpeglib.h needs FILE
#include <cstring>
#include <new>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>

namespace glproc::codecs {
namespace {

/// A file may ask for the whole picture to be gone over again and again, for a few bytes each time. Honest
/// ones have about ten scans, which pass over each block six times.
struct ScanLimit {
    jpeg_progress_mgr base{}; ///< first, so that libjpeg's pointer to it is one to all of this
    double blocks_left = 0;
    int scan = 0;

    static double blocks_of(const jpeg_component_info& part) {
        return static_cast<double>(part.width_in_blocks) * part.height_in_blocks;
    }

    /// What a picture of this size in a file of so many bytes may cost.
    void start(const jpeg_decompress_struct& jpeg, std::size_t file_bytes) {
        constexpr double small = 1 << 22;
        constexpr double passes = 20;
        blocks_left = small + 16.0 * static_cast<double>(file_bytes);
        for (int i = 0; i < jpeg.num_components; ++i)
            blocks_left += passes * blocks_of(jpeg.comp_info[i]);
    }

    /// libjpeg calls this before each row of blocks that it reads.
    static void check(j_common_ptr common) {
        const auto* jpeg = reinterpret_cast<j_decompress_ptr>(common);
        auto& self = *reinterpret_cast<ScanLimit*>(common->progress);
        constexpr int max_scans = 500;
        if (jpeg->input_scan_number != self.scan) {
            self.scan = jpeg->input_scan_number;
            for (int i = 0; i < jpeg->comps_in_scan; ++i)
                self.blocks_left -= blocks_of(*jpeg->cur_comp_info[i]);
        }
        if (self.blocks_left < 0 || self.scan > max_scans)
            reinterpret_cast<Errors*>(common->err)->stop("too many scans");
    }
};

class Decoder {
  public:
    explicit Decoder(const Source& source) : source_(source) {
        jpeg_.err = errors_.install();
        attempt([&] { jpeg_create_decompress(&jpeg_); });
        scans_.base.progress_monitor = ScanLimit::check;
        jpeg_.progress = &scans_.base;
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { jpeg_destroy_decompress(&jpeg_); }

    jpeg_decompress_struct& jpeg() { return jpeg_; }

    /// With the header read.
    void limit_scans() { scans_.start(jpeg_, source_.bytes.size()); }

    template <class Step>
    void attempt(Step step) {
        if (errors_.attempt(step))
            return;
        if (errors_.truncated)
            fail(source_, "truncated JPEG");
        std::string_view reason = errors_.message.data();
        constexpr std::string_view prefix = "Corrupt JPEG data: ";
        if (reason.starts_with(prefix))
            reason.remove_prefix(prefix.size());
        fail(source_, fmt::format("corrupt JPEG: {}", reason));
    }

    /// Runs `step`, which reads all rows, past what is missing or damaged. How many rows came before that, and
    /// whether the rest of them lacks passes alone.
    template <class Step>
    std::pair<int, bool> attempt_most(Step step) {
        errors_.goes_on = true;
        const bool ended = errors_.attempt(step);
        const auto height = static_cast<int>(jpeg_.image_height);
        const int read = ended ? height : static_cast<int>(jpeg_.output_scanline);
        if (!errors_.loss)
            return {read, false};
        if (ended && errors_.loss->scan > 1)
            return {height, true};
        // Colour at half resolution is mixed with the row below.
        const int mixed = jpeg_.max_v_samp_factor > 1 ? 1 : 0;
        return {std::clamp(static_cast<int>(errors_.loss->rows) - mixed, 0, read), false};
    }

    /// After the last row, and after all has been read: refuses what is not whole, and notes what is odd.
    void finish() {
        const bool all_bits = has_all_bits(); // known until libjpeg has finished
        attempt([&] { jpeg_finish_decompress(&jpeg_); });
        if (errors_.truncated && !all_bits)
            fail(source_, "truncated JPEG");
        if (errors_.truncated)
            note(source_, "the end of the file is missing");
        if (errors_.odd_scan)
            note(source_, "a scan has the parameters of another kind of JPEG; they are ignored");
    }

  private:
    /// Of a picture in one scan libjpeg tells what is missing. Of one in several this tells whether all bits
    /// of all coefficients have come; not unless they are counted.
    bool has_all_bits() const {
        if (jpeg_.arith_code != 0)
            return false;
        if (jpeg_.progressive_mode == 0)
            return jpeg_.comps_in_scan == jpeg_.num_components;
        for (int i = 0; i < jpeg_.num_components; ++i) {
            const int* bits = jpeg_.coef_bits[i];
            if (std::any_of(bits, bits + DCTSIZE2, [](int missing) { return missing != 0; }))
                return false;
        }
        return true;
    }

    const Source& source_;
    Errors errors_;
    ScanLimit scans_;
    jpeg_decompress_struct jpeg_{};
};

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
/// Adobe's programs store 1 − C … 1 − K, and say that the file is theirs.
void cmyk_to_rgb(std::span<const JSAMPLE> cmyk, std::byte* rgb, bool inverted) {
    for (std::size_t i = 0; i < cmyk.size(); ++i) {
        if (i % 4 == 3)
            continue;
        const int ink = cmyk[i];
        const int black = cmyk[i / 4 * 4 + 3];
        const int product = inverted ? ink * black : (255 - ink) * (255 - black);
        *rgb++ = static_cast<std::byte>((product + 127) / 255);
    }
}

void read_cmyk_rows(jpeg_decompress_struct& jpeg, std::span<JSAMPLE> row, Image& image) {
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW pointer = row.data();
        std::byte* to = image.row(static_cast<int>(jpeg.output_scanline));
        if (jpeg_read_scanlines(&jpeg, &pointer, 1) == 1)
            cmyk_to_rgb(row, to, jpeg.saw_Adobe_marker != 0);
    }
}

void read_rows(jpeg_decompress_struct& jpeg, Image& image) {
    while (jpeg.output_scanline < jpeg.output_height) {
        auto rows = rows_from(image, static_cast<int>(jpeg.output_scanline));
        jpeg_read_scanlines(&jpeg, rows.data(),
                            std::min<JDIMENSION>(batch, jpeg.output_height - jpeg.output_scanline));
    }
}

/// The profile of a CMYK picture says nothing about its RGB.
Metadata metadata_of(const Source& source, const jpeg_decompress_struct& jpeg) {
    Metadata metadata = read_jpeg_metadata(source);
    const auto density = density_of(jpeg);
    if (density && (density->unit != Density::Unit::none || !metadata.density))
        metadata.density = density;
    metadata.jpeg = packing_of(jpeg);
    if (jpeg.out_color_space == JCS_CMYK) {
        metadata.icc.clear();
        note(source, "CMYK becomes RGB by a plain formula; its ICC profile, if any, is left out");
    }
    return metadata;
}

/// Everything before the first scan, checked.
Form read_header(const Source& source, Decoder& decoder) {
    jpeg_decompress_struct& jpeg = decoder.jpeg();
    decoder.attempt([&] {
        jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(source.bytes.data()), source.bytes.size());
        jpeg_read_header(&jpeg, TRUE);
    });
    refuse_unsupported(source, jpeg);
    jpeg.out_color_space = decoded_space(jpeg);
    check_size(source, jpeg.image_width, jpeg.image_height, max_pixels_per_byte(jpeg));
    return {static_cast<int>(jpeg.image_width), static_cast<int>(jpeg.image_height),
            std::min(jpeg.num_components, 3), Depth::u8};
}

} // namespace

Summary inspect_jpeg(const Source& source) {
    Decoder decoder(source);
    const Form form = read_header(source, decoder);
    return {.form = form, .metadata = metadata_of(source, decoder.jpeg())};
}

namespace {

/// The picture as far as its header tells; `read` gets what is left to do for its pixels.
template <class Read>
Image read_picture(const Source& source, Decoder& decoder, Read read) {
    jpeg_decompress_struct& jpeg = decoder.jpeg();
    Image image(read_header(source, decoder));
    image.set_metadata(metadata_of(source, jpeg)); // before its tables are freed
    const bool cmyk = jpeg.out_color_space == JCS_CMYK;
    std::vector<JSAMPLE> row(cmyk ? std::size_t{4} * jpeg.image_width : 0);
    decoder.limit_scans();
    read([&] {
        jpeg_start_decompress(&jpeg);
        if (cmyk) {
            read_cmyk_rows(jpeg, row, image);
        } else {
            read_rows(jpeg, image);
        }
    });
    return image;
}

} // namespace

Image decode_jpeg(const Source& source) {
    Decoder decoder(source);
    Image image = read_picture(source, decoder, [&](auto pixels) { decoder.attempt(pixels); });
    decoder.finish();
    return image;
}

Salvage salvage_jpeg(const Source& source) {
    Decoder decoder(source);
    Salvage part;
    part.image = read_picture(source, decoder, [&](auto pixels) {
        std::tie(part.rows, part.is_rough) = decoder.attempt_most(pixels);
    });
    return part;
}

} // namespace glproc::codecs
