// libjpeg's decoder with what keeps it within bounds: errors, scans, and a source that is read by parts.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/jpeg/libjpeg.hpp"

#include <algorithm>
#include <array>
#include <cstdio> // jpeglib.h needs FILE
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>

namespace glproc::codecs {

/// Gives libjpeg a file by parts. Past its end libjpeg gets an end mark and a warning, as jpeg_mem_src() has it.
struct FileParts {
    jpeg_source_mgr base{}; ///< first, so that libjpeg's pointer to it is one to all of this
    const Source* source = nullptr;
    std::uint64_t offset = 0;
    std::array<std::byte, std::size_t{1} << 16U> part{};
    std::exception_ptr failure{}; ///< what may not pass through libjpeg

    jpeg_source_mgr* install(const Source& of) {
        source = &of;
        base.init_source = [](j_decompress_ptr) {};
        base.fill_input_buffer = fill;
        base.skip_input_data = skip;
        base.resync_to_restart = jpeg_resync_to_restart;
        base.term_source = [](j_decompress_ptr) {};
        return &base;
    }

  private:
    static FileParts& of(j_decompress_ptr jpeg) { return *reinterpret_cast<FileParts*>(jpeg->src); }

    std::size_t read() {
        try {
            const std::size_t got = source->read_at(offset, part);
            offset += got;
            return got;
        } catch (...) {
            failure = std::current_exception();
            return 0;
        }
    }

    static boolean fill(j_decompress_ptr jpeg) {
        FileParts& self = of(jpeg);
        std::size_t got = self.read();
        if (self.failure)
            ERREXIT(jpeg, JERR_FILE_READ);
        if (got == 0) {
            WARNMS(jpeg, JWRN_JPEG_EOF);
            self.part[0] = std::byte{0xff};
            self.part[1] = std::byte{JPEG_EOI};
            got = 2;
        }
        self.base.next_input_byte = reinterpret_cast<const JOCTET*>(self.part.data());
        self.base.bytes_in_buffer = got;
        return TRUE;
    }

    static void skip(j_decompress_ptr jpeg, long count) {
        FileParts& self = of(jpeg);
        const auto wanted = static_cast<std::size_t>(std::max(count, 0L));
        const std::size_t here = std::min(wanted, self.base.bytes_in_buffer);
        self.base.next_input_byte += here;
        self.base.bytes_in_buffer -= here;
        self.offset += wanted - here;
    }
};

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
    void start(const jpeg_decompress_struct& jpeg, std::uint64_t file_bytes) {
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
    const Source& source() const { return source_; }

    void read_header() {
        if (source_.file != nullptr)
            jpeg_.src = parts_.install(source_);
        attempt([&] {
            if (source_.file == nullptr) {
                jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(source_.bytes.data()), source_.bytes.size());
            }
            jpeg_read_header(&jpeg_, TRUE);
        });
    }

    /// With the header read.
    void limit_scans() { scans_.start(jpeg_, source_.size()); }

    template <class Step>
    void attempt(Step step) {
        if (errors_.attempt(step))
            return;
        if (parts_.failure)
            std::rethrow_exception(parts_.failure);
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
        const auto height = static_cast<int>(jpeg_.output_height);
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
    FileParts parts_;
    jpeg_decompress_struct jpeg_{};
};

} // namespace glproc::codecs
