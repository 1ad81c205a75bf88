// Writes JPEG: grey and RGB; baseline, or progressive where asked for.
//
// A baseline picture is encoded in strips on all cores. A decoder forgets the pixels before a restart marker,
// so what strips are encoded to can stand one after another with such markers between them (ITU T.81, B.2.1
// and E.1.4). Where strips begin depends on the picture alone, so its file is the same for any number of
// cores.
#include "glproc/error.hpp"
#include "glproc/image/codecs/codecs.hpp"
#include "glproc/image/codecs/jpeg/libjpeg.hpp"
#include "glproc/image/codecs/jpeg/packing.hpp"
#include "glproc/image/parallel.hpp"

#include <algorithm>
#include <new>
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

/// Rows of the picture, as a file of their own.
Bytes encode_rows(const Job& job, int first, int rows) {
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

/// Rows of a strip: whole blocks of any packing, as many as keep a core busy, and no more blocks than a file
/// can count.
int strip_rows(const Image& image) {
    constexpr int pixels = 1 << 18;
    constexpr int most_blocks = 65535;
    constexpr int side = 2 * DCTSIZE; // of a block whose colour has half the resolution
    const int blocks = 2 * ((image.width() + DCTSIZE - 1) / DCTSIZE); // of `side` rows
    return std::clamp(pixels / image.width() / side, 1, most_blocks / blocks) * side;
}

/// Where a file's parts begin.
struct Marks {
    std::size_t frame = 0; ///< the segment that has the size
    std::size_t scan = 0;  ///< the last segment
    std::size_t data = 0;  ///< what follows it
};

unsigned value_at(const Bytes& file, std::size_t at) {
    return std::to_integer<unsigned>(file[at]);
}

void append_marker(Bytes& file, unsigned marker) {
    file.insert(file.end(), {std::byte{0xff}, static_cast<std::byte>(marker)});
}

void append_16(Bytes& file, unsigned value) {
    file.insert(file.end(), {static_cast<std::byte>(value >> 8U), static_cast<std::byte>(value)});
}

/// Of a file that libjpeg wrote.
Marks marks_of(const Bytes& file) {
    constexpr unsigned baseline = 0xc0;
    constexpr unsigned start_of_scan = 0xda;
    Marks marks;
    for (std::size_t at = 2; marks.data == 0;) {
        const unsigned marker = value_at(file, at + 1);
        const std::size_t next = at + 2 + (value_at(file, at + 2) << 8U | value_at(file, at + 3));
        if (marker == baseline) {
            marks.frame = at;
        } else if (marker == start_of_scan) {
            marks.scan = at;
            marks.data = next;
        }
        at = next;
    }
    return marks;
}

/// How many blocks of a scan a strip has.
unsigned blocks_of(const Image& image, int rows, const Bytes& file, const Marks& marks) {
    const unsigned factors = image.channels() == 1 ? 0x11 : value_at(file, marks.frame + 11);
    const auto width = static_cast<int>((factors >> 4U) * DCTSIZE);
    const auto height = static_cast<int>((factors & 15U) * DCTSIZE);
    return static_cast<unsigned>((image.width() + width - 1) / width * (rows / height));
}

/// Strips, which have the same tables, as one picture.
Bytes joined(const Image& image, std::vector<Bytes> strips, int rows) {
    if (strips.size() == 1) {
        return std::move(strips.front());
    }
    constexpr std::size_t end_mark = 2;
    Bytes& first = strips.front();
    const Marks marks = marks_of(first);
    const auto place = [](Bytes& bytes, std::size_t at) {
        return bytes.begin() + static_cast<std::ptrdiff_t>(at);
    };
    Bytes file(first.begin(), place(first, marks.scan));
    Bytes size;
    append_16(size, static_cast<unsigned>(image.height()));
    std::copy(size.begin(), size.end(), place(file, marks.frame + 5));
    append_marker(file, 0xdd); // the restart interval
    append_16(file, 4);
    append_16(file, blocks_of(image, rows, first, marks));
    file.insert(file.end(), place(first, marks.scan), place(first, marks.data));
    for (std::size_t i = 0; i < strips.size(); ++i) {
        if (i > 0) {
            append_marker(file, 0xd0 + static_cast<unsigned>((i - 1) % 8));
        }
        file.insert(file.end(), place(strips[i], marks.data), place(strips[i], strips[i].size() - end_mark));
    }
    append_marker(file, JPEG_EOI);
    return file;
}

} // namespace

std::vector<std::byte> encode_jpeg(const Job& job) {
    const Image& image = job.image;
    const bool is_whole =
        job.options.progressive || image.height() > JPEG_MAX_DIMENSION; // which libjpeg refuses
    const int rows = is_whole ? image.height() : strip_rows(image);
    std::vector<Bytes> strips(static_cast<std::size_t>((image.height() + rows - 1) / rows));
    parallel_for(strips.size(), [&](std::size_t i) {
        const int first = static_cast<int>(i) * rows;
        strips[i] = encode_rows(job, first, std::min(rows, image.height() - first));
    });
    Bytes file = joined(image, std::move(strips), rows);
    const Bytes metadata = jpeg_metadata(job);
    constexpr std::ptrdiff_t jfif_end = 20; // libjpeg begins with SOI and a JFIF segment of 18 bytes
    file.insert(file.begin() + jfif_end, metadata.begin(), metadata.end());
    return file;
}

} // namespace glproc::codecs
