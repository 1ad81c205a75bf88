// Writes JPEG: grey and RGB; baseline, or progressive where asked for.
//
// libjpeg makes Huffman tables for a picture by keeping all its coefficients. Strips are coded by the standard's tables
// first instead; then their symbols are counted and coded again, on all cores, and only the file lies in memory.
//
// A baseline picture is encoded in strips on all cores. A decoder forgets the pixels before a restart marker,
// so what strips are encoded to can stand one after another with such markers between them (ITU T.81, B.2.1
// and E.1.4). Where strips begin depends on the picture alone, so its file is the same for any number of
// cores.
#include "glproc/error.hpp"
#include "glproc/image/codecs/codecs.hpp"
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

/// What a baseline file that libjpeg wrote consists of.
struct Parts {
    std::size_t frame = 0;  ///< where the segment begins that has the size
    std::size_t tables = 0; ///< the first of the Huffman tables, which end where the last segment begins
    std::size_t scan = 0;   ///< the last segment
    std::size_t data = 0;   ///< what follows it
    ScanTables huffman{};
};

constexpr std::size_t end_mark = 2; ///< bytes at the end of a file

unsigned value_at(const Bytes& file, std::size_t at) {
    return std::to_integer<unsigned>(file[at]);
}

void append_marker(Bytes& file, unsigned marker) {
    put_big(file, 0xff00 + marker, 2);
}

/// The table in a segment; libjpeg writes one into each.
void read_table(const Bytes& file, std::size_t at, ScanTables& tables) {
    const unsigned which = value_at(file, at + 4);
    HuffmanTable& table = tables.at(scan_table(which >> 4U, which & 15U));
    std::size_t count = 0;
    for (std::size_t i = 1; i < table.lengths.size(); ++i) {
        table.lengths.at(i) = static_cast<std::uint8_t>(value_at(file, at + 4 + i));
        count += table.lengths.at(i);
    }
    for (std::size_t i = 0; i < count; ++i)
        table.symbols.push_back(static_cast<std::uint8_t>(value_at(file, at + 21 + i)));
}

Parts parts_of(const Bytes& file) {
    constexpr unsigned baseline = 0xc0;
    constexpr unsigned table = 0xc4;
    constexpr unsigned start_of_scan = 0xda;
    Parts parts;
    for (std::size_t at = 2; parts.data == 0;) {
        const unsigned marker = value_at(file, at + 1);
        const std::size_t next = at + 2 + (value_at(file, at + 2) << 8U | value_at(file, at + 3));
        if (marker == baseline) {
            parts.frame = at;
        } else if (marker == table) {
            parts.tables = parts.tables == 0 ? at : parts.tables;
            read_table(file, at, parts.huffman);
        } else if (marker == start_of_scan) {
            parts.scan = at;
            parts.data = next;
        }
        at = next;
    }
    return parts;
}

/// The units of a scan that rows of the picture make, and their blocks.
ScanLayout layout_of(const Image& image, int rows, const Bytes& file, const Parts& parts) {
    const unsigned factors = image.channels() == 1 ? 0x11 : value_at(file, parts.frame + 11);
    const auto width = static_cast<int>((factors >> 4U) * DCTSIZE);
    const auto height = static_cast<int>((factors & 15U) * DCTSIZE);
    ScanLayout layout;
    layout.units = static_cast<std::size_t>((image.width() + width - 1) / width) *
                   static_cast<std::size_t>((rows + height - 1) / height);
    layout.numbers.assign(std::size_t{factors >> 4U} * (factors & 15U), 0);
    if (image.channels() > 1)
        layout.numbers.insert(layout.numbers.end(), 2, 1);
    return layout;
}

ByteView data_of(const Bytes& strip, const Parts& parts) {
    return ByteView(strip).subspan(parts.data, strip.size() - parts.data - end_mark);
}

void append_tables(Bytes& file, const ScanTables& tables) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const HuffmanTable& table = tables.at(i);
        if (table.symbols.empty())
            continue;
        append_marker(file, 0xc4);
        put_big(file, 19 + table.symbols.size(), 2);
        put_big(file, (i % 2) << 4U | i / 2, 1); // its class and number
        put(file, ByteView(std::as_bytes(std::span(table.lengths))).subspan(1));
        put(file, ByteView(std::as_bytes(std::span(table.symbols))));
    }
}

/// The data of strips, which have the same tables.
struct Coded {
    ScanTables tables;
    std::vector<Bytes> data;
};

/// `layout_of_strip(i)` is that of the i-th.
template <class Layout>
Coded with_best_tables(const std::vector<Bytes>& strips, const Parts& parts, Layout layout_of_strip) {
    const ScanCoder coder(parts.huffman);
    std::vector<ScanCounts> counts(strips.size());
    parallel_for(strips.size(), [&](std::size_t i) {
        counts[i] = coder.count(data_of(strips[i], parts), layout_of_strip(i));
    });
    Coded coded{.tables = {}, .data = std::vector<Bytes>(strips.size())};
    for (std::size_t table = 0; table < coded.tables.size(); ++table) {
        SymbolCounts sum{};
        for (const ScanCounts& one : counts)
            std::transform(sum.begin(), sum.end(), one.at(table).begin(), sum.begin(), std::plus<>());
        if (!parts.huffman.at(table).symbols.empty())
            coded.tables.at(table) = best_table(sum);
    }
    parallel_for(strips.size(), [&](std::size_t i) {
        coded.data[i] = coder.recode(data_of(strips[i], parts), layout_of_strip(i), coded.tables);
    });
    return coded;
}

/// Strips as one picture.
Bytes joined(const Job& job, const std::vector<Bytes>& strips, int rows) {
    const Image& image = job.image;
    const Bytes& first = strips.front();
    const Parts parts = parts_of(first);
    const auto layout_of_strip = [&](std::size_t i) {
        return layout_of(image, std::min(rows, image.height() - static_cast<int>(i) * rows), first, parts);
    };
    Coded best;
    if (job.options.optimize)
        best = with_best_tables(strips, parts, layout_of_strip);
    Bytes file;
    put(file, ByteView(first).first(parts.tables));
    put_big(file.data() + parts.frame + 5, static_cast<std::uint64_t>(image.height()), 2);
    append_tables(file, job.options.optimize ? best.tables : parts.huffman);
    if (strips.size() > 1) {
        append_marker(file, 0xdd); // the restart interval
        put_big(file, 4, 2);
        put_big(file, layout_of_strip(0).units, 2);
    }
    put(file, ByteView(first).subspan(parts.scan, parts.data - parts.scan));
    for (std::size_t i = 0; i < strips.size(); ++i) {
        if (i > 0)
            append_marker(file, 0xd0 + static_cast<unsigned>((i - 1) % 8));
        put(file, job.options.optimize ? ByteView(best.data[i]) : data_of(strips[i], parts));
    }
    append_marker(file, JPEG_EOI);
    return file;
}

} // namespace

std::vector<std::byte> encode_jpeg(const Job& job) {
    const Image& image = job.image;
    const bool is_whole = // libjpeg makes the tables of progressive files itself
        job.options.progressive || image.height() > JPEG_MAX_DIMENSION; // which libjpeg refuses
    const int rows = is_whole ? image.height() : strip_rows(image);
    std::vector<Bytes> strips(static_cast<std::size_t>((image.height() + rows - 1) / rows));
    parallel_for(strips.size(), [&](std::size_t i) {
        const int first = static_cast<int>(i) * rows;
        strips[i] = encode_rows(job, first, std::min(rows, image.height() - first));
    });
    Bytes file = is_whole ? std::move(strips.front()) : joined(job, strips, rows);
    const Bytes metadata = jpeg_metadata(job);
    constexpr std::ptrdiff_t jfif_end = 20; // libjpeg begins with SOI and a JFIF segment of 18 bytes
    file.insert(file.begin() + jfif_end, metadata.begin(), metadata.end());
    return file;
}

} // namespace glproc::codecs
