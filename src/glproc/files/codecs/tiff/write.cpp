// TIFF writing: strips, packed on all cores: deflate without a predictor, unless another compression is asked for.
// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/tiff/metadata.hpp"
#include "glproc/files/series/writers.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::size_t strip_bytes = std::size_t{1} << 18U;

int rows_per_strip(const Form& form, TiffCompression compression) {
    const std::size_t bytes = compression == TiffCompression::g4 ? 8 * strip_bytes : strip_bytes; // 1 bit a pixel
    return std::clamp(static_cast<int>(bytes / form.row_bytes()), 1, form.height);
}

int number_of(TiffCompression compression) {
    switch (compression) {
    case TiffCompression::none:
        return COMPRESSION_NONE;
    case TiffCompression::lzw:
        return COMPRESSION_LZW;
    case TiffCompression::packbits:
        return COMPRESSION_PACKBITS;
    case TiffCompression::g4:
        return COMPRESSION_CCITTFAX4;
    case TiffCompression::deflate:
        break;
    }
    return COMPRESSION_ADOBE_DEFLATE;
}

void set_compression(TIFF* tiff, const Form& form, TiffCompression compression) {
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, number_of(compression));
    const bool floats = form.depth == Depth::f32;
    if (compression == TiffCompression::lzw) // of deflate not all programs expect one
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    if (compression == TiffCompression::deflate)
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1); // more than twice as fast, for a twentieth more bytes
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows_per_strip(form, compression)));
}

void set_tags(TIFF* tiff, const Form& form, TiffCompression compression) {
    const bool colour = form.channels >= 3;
    const bool floats = form.depth == Depth::f32;
    const bool is_fax = compression == TiffCompression::g4;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(form.width));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(form.height));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, is_fax ? 1 : static_cast<int>(form.depth));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, form.channels);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 colour   ? PHOTOMETRIC_RGB
                 : is_fax ? PHOTOMETRIC_MINISWHITE
                          : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set_compression(tiff, form, compression);
    if (form.has_alpha()) {
        std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
}

void check_black_and_white(const std::string& name, const Form& form) {
    if (form.channels != 1 || form.depth != Depth::u8)
        throw Error(ErrorCode::usage, fmt::format("{}: Group 4 holds black and white, from grey of 8 bits", name));
}

/// Pixels of 8 bits to pixels of 1 bit, which is set where they are black.
std::vector<std::byte> fax_rows(const std::string& name, int width, std::span<const std::byte> rows) {
    const auto across = static_cast<std::size_t>(width);
    const std::size_t row_bytes = (across + 7) / 8;
    std::vector<std::byte> bits(rows.size() / across * row_bytes);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto value = std::to_integer<unsigned>(rows[i]);
        const std::size_t x = i % across;
        if (value == 0) {
            bits[i / across * row_bytes + x / 8] |= static_cast<std::byte>(0x80U >> x % 8);
        } else if (value != 255) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: Group 4 holds black and white only, but a pixel has the value {}",
                                    name, value),
                        "make it black and white first: glproc threshold IN OUT --rule otsu");
        }
    }
    return bits;
}

/// Rows as they are to lie in a file's strip: what libtiff makes of them in a file of their own, in memory.
/// It changes `rows` on its way.
std::vector<std::byte> packed_strip(const std::string& name, const Form& form, TiffCompression compression,
                                    std::span<std::byte> rows) {
    std::vector<std::byte> bytes;
    const std::unique_ptr<Output> memory = memory_output(bytes);
    TiffFile file(*memory, false);
    if (file.get() == nullptr)
        fail_output(name, fmt::format("TIFF: {}", file.message()));
    set_tags(file.get(),
             {form.width, static_cast<int>(rows.size() / form.row_bytes()), form.channels, form.depth}, compression);
    std::vector<std::byte> bits;
    if (compression == TiffCompression::g4)
        rows = bits = fax_rows(name, form.width, rows);
    const auto size = static_cast<tmsize_t>(rows.size());
    if (TIFFWriteEncodedStrip(file.get(), 0, rows.data(), size) != size)
        fail_output(name, fmt::format("TIFF: {}", file.message()));
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(TIFFGetStrileOffset(file.get(), 0));
    return {begin, begin + static_cast<std::ptrdiff_t>(TIFFGetStrileByteCount(file.get(), 0))};
}

constexpr std::size_t classic_limit = std::size_t{4'000'000'000};

/// Enough that no core waits long for the last strip of a batch.
std::size_t strips_at_once() {
    return thread_limit() == 1 ? 1 : 4 * thread_limit();
}

/// One picture of a file.
class TiffPage {
  public:
    TiffPage(std::string name, const Form& form, const Metadata& metadata, TiffCompression compression, TiffFile& file)
        : name_(std::move(name)), form_(form), compression_(compression),
          strip_size_(static_cast<std::size_t>(rows_per_strip(form, compression)) * form.row_bytes()),
          batch_size_(strips_at_once() * strip_size_), file_(file) {
        if (file_.get() == nullptr)
            fail_now();
        if (compression == TiffCompression::g4)
            check_black_and_white(name_, form);
        set_tags(file_.get(), form, compression);
        set_tiff_metadata(file_, metadata);
    }

    void write(std::span<const std::byte> rows) {
        while (!rows.empty()) {
            const std::size_t count = std::min(rows.size(), batch_size_ - batch_.size());
            batch_.insert(batch_.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
            rows = rows.subspan(count);
            if (batch_.size() == batch_size_)
                flush();
        }
    }

    void flush() {
        std::vector<std::vector<std::byte>> packed(covering(batch_.size(), strip_size_));
        parallel_for(packed.size(), [&](std::size_t i) {
            const auto strip = std::span(batch_).subspan(i * strip_size_);
            packed[i] = packed_strip(name_, form_, compression_, strip.first(std::min(strip.size(), strip_size_)));
        });
        for (std::vector<std::byte>& strip : packed) {
            TIFFWriteRawStrip(file_.get(), index_++, strip.data(), static_cast<tmsize_t>(strip.size()));
            check();
        }
        batch_.clear();
    }

    void check() const {
        if (file_.failed())
            fail_now();
    }

  private:
    [[noreturn]] void fail_now() const {
        file_.check_thrown();
        fail_output(name_, fmt::format("TIFF: {}", file_.message()));
    }

    std::string name_;
    Form form_;
    TiffCompression compression_;
    std::size_t strip_size_;
    std::size_t batch_size_;
    std::vector<std::byte> batch_;
    std::uint32_t index_ = 0;
    TiffFile& file_;
};

class TiffWriter final : public RowWriter {
  public:
    TiffWriter(const RowJob& job, Output& output)
        : output_(output), file_(output, job.form.bytes() > classic_limit),
          page_(job.name, job.form, job.metadata, job.options.compression, file_) {}

    void write(std::span<const std::byte> rows) override { page_.write(rows); }

    void finish() override {
        page_.flush();
        file_.close();
        page_.check();
        output_.finish();
    }

  private:
    Output& output_;
    TiffFile file_;
    TiffPage page_;
};

class TiffSeries final : public SeriesWriter {
  public:
    /// A directory is linked to the one before it, which is read back for that.
    explicit TiffSeries(SeriesJob job) : job_(std::move(job)), scratch_(scratch_output(*job_.output, job_.name)) {}

    void write(const Image& image, FrameDelay /*delay*/) override {
        const auto expected = static_cast<std::size_t>(std::max(job_.count, 1));
        if (!file_)
            file_.emplace(*scratch_, image.form().bytes() > classic_limit / expected);
        TiffPage page(job_.name, image.form(), image.metadata(), job_.options.compression, *file_);
        TIFFSetField(file_->get(), TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        page.write(image.bytes());
        page.flush();
        TIFFWriteDirectory(file_->get());
        page.check();
    }

    void finish() override {
        file_->close();
        file_->check_thrown();
        if (file_->failed())
            fail_output(job_.name, fmt::format("TIFF: {}", file_->message()));
        scratch_->finish();
    }

  private:
    SeriesJob job_;
    std::unique_ptr<Output> scratch_;
    std::optional<TiffFile> file_;
};

} // namespace

std::unique_ptr<RowWriter> tiff_writer(RowJob job, Output& output) {
    return std::make_unique<TiffWriter>(job, output);
}

std::unique_ptr<SeriesWriter> tiff_series(SeriesJob job) {
    return std::make_unique<TiffSeries>(std::move(job));
}

std::vector<std::byte> encode_tiff(const Job& job) {
    return encode_rows(job, tiff_writer);
}

} // namespace glproc::codecs
