// Writes JPEG: grey and RGB; baseline, row by row, or progressive where asked for.
//
// libjpeg makes Huffman tables for a picture by keeping all its coefficients. Strips are coded by the
// standard's tables first instead; then their symbols are read, counted and coded again, on all cores.
//
// A baseline picture is encoded in strips on all cores. A decoder forgets the pixels before a restart marker,
// so what strips are encoded to can stand one after another with such markers between them (ITU T.81, B.2.1
// and E.1.4). Where strips begin depends on the picture alone, so its file is the same for any number of
// cores.
#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/jpeg/frame.hpp"
#include "glproc/files/codecs/jpeg/huffman.hpp"
#include "glproc/files/codecs/jpeg/libjpeg.hpp"
#include "glproc/files/codecs/jpeg/packing.hpp"
#include "glproc/files/output.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string_view>
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
    explicit Encoder(std::string_view name) : name_(name) {
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
            fail_output(name_, fmt::format("JPEG: {}", errors_.message.data()));
    }

  private:
    std::string_view name_;
    Errors errors_;
    Destination destination_;
    jpeg_compress_struct jpeg_{};
};

using Bytes = std::vector<std::byte>;

/// What is to be encoded of a picture.
struct Rows {
    const Form& form;
    const Metadata& metadata;
    const EncodeOptions& options;
    std::string_view name; ///< for messages
    std::span<const std::byte> bytes;
};

Bytes encode(const Rows& rows) {
    const Form& form = rows.form;
    Encoder encoder(rows.name);
    jpeg_compress_struct& jpeg = encoder.jpeg();
    encoder.attempt([&] {
        jpeg.image_width = static_cast<JDIMENSION>(form.width);
        jpeg.image_height = static_cast<JDIMENSION>(rows.bytes.size() / form.row_bytes());
        jpeg.input_components = form.channels;
        jpeg.in_color_space = form.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&jpeg);
        set_packing(jpeg, rows.options, rows.metadata);
        jpeg_start_compress(&jpeg, TRUE);
        while (jpeg.next_scanline < jpeg.image_height) {
            auto some = rows_from(rows.bytes.subspan(jpeg.next_scanline * form.row_bytes()), form.row_bytes());
            jpeg_write_scanlines(&jpeg, some.data(), std::min<JDIMENSION>(batch, jpeg.image_height - jpeg.next_scanline));
        }
        jpeg_finish_compress(&jpeg);
    });
    return encoder.take_bytes();
}

} // namespace

Bytes encode_jpeg_rows(const Job& job, int first, int rows) {
    const Form& form = job.image.form();
    const auto bytes = job.image.bytes().subspan(static_cast<std::size_t>(first) * form.row_bytes(),
                                                 static_cast<std::size_t>(rows) * form.row_bytes());
    return encode({form, job.image.metadata(), job.options, job.name, bytes});
}

Bytes encode_jpeg_rows(const RowJob& job, std::span<const std::byte> rows) {
    return encode({job.form, job.metadata, job.options, job.name, rows});
}

namespace {

/// The data of strips, which have the same tables.
struct Coded {
    ScanTables tables;
    std::vector<Bytes> data;
};

Coded with_best_tables(const std::vector<Bytes>& strips, const JpegFrame& frame) {
    const ScanReader reader(frame.huffman());
    const auto symbols_of = [&](std::size_t i) { return reader.symbols(frame.data_of(strips[i]), frame.layout_of_strip(i)); };
    // Symbols take eight times the memory of what they were read from: those of large files are read twice.
    constexpr std::size_t most_kept = std::size_t{8} << 20U;
    const std::size_t bytes = std::transform_reduce(strips.begin(), strips.end(), std::size_t{0}, std::plus<>(),
                                                    [](const Bytes& strip) { return strip.size(); });
    std::vector<ScanSymbols> kept(bytes <= most_kept ? strips.size() : 0);
    std::vector<ScanCounts> counts(strips.size());
    parallel_for(strips.size(), [&](std::size_t i) {
        ScanSymbols symbols = symbols_of(i);
        counts[i] = count(symbols);
        if (!kept.empty())
            kept[i] = std::move(symbols);
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
        coded.data[i] = code(kept.empty() ? symbols_of(i) : std::exchange(kept[i], {}), coded.tables);
    });
    return coded;
}

/// Strips as one picture.
Bytes joined(const RowJob& job, const std::vector<Bytes>& strips, ByteView metadata) {
    const JpegFrame frame(strips.front(), job.form.width, job.form.height);
    Coded best;
    if (job.options.optimize)
        best = with_best_tables(strips, frame);
    Bytes file = frame.begin(job.options.optimize ? best.tables : frame.huffman(), metadata);
    for (std::size_t i = 0; i < strips.size(); ++i) {
        if (i > 0)
            JpegFrame::append_restart(file, i - 1);
        put(file, job.options.optimize ? ByteView(best.data[i]) : frame.data_of(strips[i]));
    }
    JpegFrame::append_end(file);
    return file;
}

/// Encodes strips as their rows come, so that the file alone lies in memory. A progressive picture is one strip.
class JpegWriter final : public RowWriter {
  public:
    JpegWriter(RowJob job, Output& output)
        : job_(std::move(job)), output_(output),
          is_whole_(job_.options.progressive || job_.form.height > JPEG_MAX_DIMENSION), // which libjpeg refuses
          strip_bytes_(static_cast<std::size_t>(is_whole_ ? job_.form.height : jpeg_strip_rows(job_.form.width)) *
                       job_.form.row_bytes()) {}

    void write(std::span<const std::byte> rows) override {
        // Strips that are here as a whole need not be copied.
        if (!pending_.empty()) {
            const auto part = rows.first(std::min(rows.size(), strip_bytes_ - pending_.size()));
            put(pending_, part);
            rows = rows.subspan(part.size());
            if (pending_.size() < strip_bytes_)
                return;
            encode_strips(std::exchange(pending_, {}));
        }
        const std::size_t here = rows.size() / strip_bytes_ * strip_bytes_;
        encode_strips(rows.first(here));
        put(pending_, rows.subspan(here));
    }

    void finish() override {
        encode_strips(std::exchange(pending_, {}));
        Image described; // without pixels
        described.set_metadata(job_.metadata);
        const Bytes metadata = jpeg_metadata({described, job_.name, job_.extension, job_.options});
        Bytes file;
        if (is_whole_) {
            file = std::move(strips_.front());
            file.insert(file.begin() + jfif_end, metadata.begin(), metadata.end());
        } else {
            file = joined(job_, strips_, metadata);
        }
        output_.append(file);
        output_.finish();
    }

  private:
    void encode_strips(std::span<const std::byte> rows) {
        const std::size_t begun = strips_.size();
        const std::size_t count = covering(rows.size(), strip_bytes_);
        strips_.resize(begun + count);
        parallel_for(count, [&](std::size_t i) {
            const auto rest = rows.subspan(i * strip_bytes_);
            strips_[begun + i] = encode_jpeg_rows(job_, rest.first(std::min(rest.size(), strip_bytes_)));
        });
    }

    RowJob job_;
    Output& output_;
    bool is_whole_; ///< libjpeg makes the tables of progressive files itself
    std::size_t strip_bytes_;
    Bytes pending_;
    std::vector<Bytes> strips_;
};

} // namespace

std::unique_ptr<RowWriter> jpeg_writer(RowJob job, Output& output) {
    return std::make_unique<JpegWriter>(std::move(job), output);
}

std::vector<std::byte> encode_jpeg(const Job& job) {
    return encode_rows(job, jpeg_writer);
}

} // namespace glproc::codecs
