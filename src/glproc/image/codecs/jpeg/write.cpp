// Writes JPEG: grey and RGB; baseline, or progressive where asked for.
//
// libjpeg makes Huffman tables for a picture by keeping all its coefficients. Strips are coded by the
// standard's tables first instead; then their symbols are counted and coded again, on all cores, and only the
// file lies in memory.
//
// A baseline picture is encoded in strips on all cores. A decoder forgets the pixels before a restart marker,
// so what strips are encoded to can stand one after another with such markers between them (ITU T.81, B.2.1
// and E.1.4). Where strips begin depends on the picture alone, so its file is the same for any number of
// cores.
#include "glproc/error.hpp"
#include "glproc/image/codecs/codecs.hpp"
#include "glproc/image/codecs/jpeg/frame.hpp"
#include "glproc/image/codecs/jpeg/huffman.hpp"
#include "glproc/image/codecs/jpeg/libjpeg.hpp"
#include "glproc/image/codecs/jpeg/packing.hpp"
#include "glproc/image/parallel.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// Where libjpeg writes to: a vector that doubles whenever it is full.
struct Destination {
    jpeg_destination_mgr base{}; ///< first, so that libjpeg's pointer to it is one to all of this
    std::vector<std::byte> bytes;

    jpeg_destination_mgr* install() {
        base.init_destination = [](j_compress_ptr jpeg) { grow(jpeg, std::size_t{1} << 16U); };
        base.empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
            grow(jpeg, of(jpeg).bytes.size()); // libjpeg says "full" only when all of it is
            return TRUE;
        };
        base.term_destination = [](j_compress_ptr jpeg) {
            of(jpeg).bytes.resize(of(jpeg).bytes.size() - of(jpeg).base.free_in_buffer);
        };
        return &base;
    }

  private:
    static Destination& of(j_compress_ptr jpeg) { return *reinterpret_cast<Destination*>(jpeg->dest); }

    /// Adds `more` bytes to write to. An exception may not pass through libjpeg, so it becomes an error of
    /// libjpeg's.
    static void grow(j_compress_ptr jpeg, std::size_t more) {
        Destination& self = of(jpeg);
        const std::size_t used = self.bytes.size();
        bool grown = false;
        try {
            self.bytes.resize(used + more);
            grown = true;
        } catch (const std::bad_alloc&) {
            grown = false;
        }
        if (!grown)
            ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
        self.base.next_output_byte = reinterpret_cast<JOCTET*>(self.bytes.data()) + used;
        self.base.free_in_buffer = more;
    }
};

class Encoder {
  public:
    explicit Encoder(const Job& job) : job_(job) {
        jpeg_.err = errors_.install();
        attempt([&] { jpeg_create_compress(&jpeg_); });
        jpeg_.dest = destination_.install();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() { jpeg_destroy_compress(&jpeg_); }

    jpeg_compress_struct& jpeg() { return jpeg_; }
    std::vector<std::byte> take_bytes() { return std::move(destination_.bytes); }

    template <class Step>
    void attempt(Step step) {
        if (!errors_.attempt(step))
            fail(job_, fmt::format("JPEG: {}", errors_.message.data()));
    }

  private:
    const Job& job_;
    Errors errors_;
    Destination destination_;
    jpeg_compress_struct jpeg_{};
};

using Bytes = std::vector<std::byte>;

} // namespace

Bytes encode_jpeg_rows(const Job& job, int first, int rows) {
    const Image& image = job.image;
    Encoder encoder(job);
    jpeg_compress_struct& jpeg = encoder.jpeg();
    encoder.attempt([&] {
        jpeg.image_width = static_cast<JDIMENSION>(image.width());
        jpeg.image_height = static_cast<JDIMENSION>(rows);
        jpeg.input_components = image.channels();
        jpeg.in_color_space = image.channels() == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&jpeg);
        set_packing(jpeg, job.options, image.metadata());
        jpeg_start_compress(&jpeg, TRUE);
        while (jpeg.next_scanline < jpeg.image_height) {
            auto some = rows_from(image, first + static_cast<int>(jpeg.next_scanline));
            jpeg_write_scanlines(&jpeg, some.data(),
                                 std::min<JDIMENSION>(batch, jpeg.image_height - jpeg.next_scanline));
        }
        jpeg_finish_compress(&jpeg);
    });
    return encoder.take_bytes();
}

namespace {

/// The data of strips, which have the same tables.
struct Coded {
    ScanTables tables;
    std::vector<Bytes> data;
};

Coded with_best_tables(const std::vector<Bytes>& strips, const JpegFrame& frame) {
    const ScanCoder coder(frame.huffman());
    std::vector<ScanCounts> counts(strips.size());
    parallel_for(strips.size(), [&](std::size_t i) {
        counts[i] = coder.count(frame.data_of(strips[i]), frame.layout_of_strip(i));
    });
    Coded coded{.tables = {}, .data = std::vector<Bytes>(strips.size())};
    for (std::size_t table = 0; table < coded.tables.size(); ++table) {
        SymbolCounts sum{};
        for (const ScanCounts& one : counts)
            std::transform(sum.begin(), sum.end(), one.at(table).begin(), sum.begin(), std::plus<>());
        if (!frame.huffman().at(table).symbols.empty())
            coded.tables.at(table) = best_table(sum);
    }
    parallel_for(strips.size(), [&](std::size_t i) {
        coded.data[i] = coder.recode(frame.data_of(strips[i]), frame.layout_of_strip(i), coded.tables);
    });
    return coded;
}

/// Strips as one picture.
Bytes joined(const Job& job, const std::vector<Bytes>& strips) {
    const JpegFrame frame(strips.front(), job.image.width(), job.image.height());
    Coded best;
    if (job.options.optimize)
        best = with_best_tables(strips, frame);
    Bytes file = frame.begin(job.options.optimize ? best.tables : frame.huffman(), jpeg_metadata(job));
    for (std::size_t i = 0; i < strips.size(); ++i) {
        if (i > 0)
            JpegFrame::append_restart(file, i - 1);
        put(file, job.options.optimize ? ByteView(best.data[i]) : frame.data_of(strips[i]));
    }
    JpegFrame::append_end(file);
    return file;
}

} // namespace

std::vector<std::byte> encode_jpeg(const Job& job) {
    const Image& image = job.image;
    const bool is_whole = // libjpeg makes the tables of progressive files itself
        job.options.progressive || image.height() > JPEG_MAX_DIMENSION; // which libjpeg refuses
    if (is_whole) {
        Bytes file = encode_jpeg_rows(job, 0, image.height());
        const Bytes metadata = jpeg_metadata(job);
        file.insert(file.begin() + jfif_end, metadata.begin(), metadata.end());
        return file;
    }
    const int rows = jpeg_strip_rows(image.width());
    std::vector<Bytes> strips(static_cast<std::size_t>((image.height() + rows - 1) / rows));
    parallel_for(strips.size(), [&](std::size_t i) {
        const int first = static_cast<int>(i) * rows;
        strips[i] = encode_jpeg_rows(job, first, std::min(rows, image.height() - first));
    });
    return joined(job, strips);
}

} // namespace glproc::codecs
