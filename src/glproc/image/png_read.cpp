// PNG reading, through libpng. The writer is in png_write.cpp.
#include "glproc/image/cursor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>
#include <png.h>

namespace glproc::codecs {
namespace {

/// libpng's read state and what its callbacks need. libpng reports errors by longjmp, which may not pass over
/// objects with destructors: all calls that can fail go through attempt().
class PngReader {
  public:
    explicit PngReader(const Source& source) : source_(source), cursor_(source) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
    }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

    png_structp png() const { return png_; }
    png_infop info() const { return info_; }

    /// Runs `step`, which must own nothing that has a destructor; an error of libpng ends in Error(input).
    template <class Step>
    void attempt(Step step) {
        if (run(step))
            return;
        if (thrown_ != nullptr)
            std::rethrow_exception(thrown_);
        fail(source_, truncated_ ? "truncated PNG" : fmt::format("corrupt PNG: {}", message_.data()));
    }

    static void on_read(png_structp png, png_bytep out, std::size_t count) {
        auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
        if (!self.fetch({reinterpret_cast<std::byte*>(out), count}))
            png_error(png, "truncated");
    }

  private:
    template <class Step>
    bool run(Step& step) {
        if (setjmp(png_jmpbuf(png_)) != 0) // NOLINT(cert-err52-cpp,modernize-avoid-setjmp-longjmp)
            return false;
        step();
        return true;
    }

    /// Exceptions may not pass through libpng.
    bool fetch(std::span<std::byte> out) noexcept {
        try {
            truncated_ = cursor_.read(out) < out.size();
        } catch (...) {
            thrown_ = std::current_exception();
        }
        return !truncated_ && thrown_ == nullptr;
    }

    [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
        auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
        const std::size_t length = std::min(std::strlen(message), self.message_.size() - 1);
        std::copy_n(message, length, self.message_.begin());
        self.message_.at(length) = '\0';
        png_longjmp(png, 1);
    }
    static void on_warning(png_structp, png_const_charp) {} // what matters is an error, see prepare()

    const Source& source_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    Cursor cursor_;
    bool truncated_ = false;
    std::exception_ptr thrown_;
    std::array<char, 200> message_{};
};

/// Strict where the picture is concerned: every checksum counts, and what libpng would forgive is an error.
/// Chunks that do not change the pixels are passed over, so that an odd colour profile does not refuse a good
/// picture; png_metadata.cpp looks at them.
void prepare(PngReader& reader) {
    png_structp png = reader.png();
    png_set_read_fn(png, &reader, PngReader::on_read);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_chunk_malloc_max(png, 0);                           // all that are kept have a fixed size
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // allocate() checks the size
}

/// Asks for whole channel values in the machine's byte order: palettes and tRNS expanded, 1-4 bit grey as 8
/// bit.
void expand(PngReader& reader) {
    png_structp png = reader.png();
    png_set_expand(png);
    if (std::endian::native == std::endian::little)
        png_set_swap(png);
}

/// Deflate shrinks to 1/1032 at most, so a file this small cannot hold more pixels of so many bits.
double max_pixels_per_byte(int bits_per_pixel) {
    return 1032.0 * 8 / bits_per_pixel;
}

/// Rows as libpng gives them; of an interlaced picture only all at once.
class PngRows final : public RowReader {
  public:
    explicit PngRows(const Source& source) : reader_(source) {
        png_structp png = reader_.png();
        png_infop info = reader_.info();
        int stored_bits = 0;
        reader_.attempt([&] {
            prepare(reader_);
            png_read_info(png, info);
            stored_bits = png_get_bit_depth(png, info) * png_get_channels(png, info);
            expand(reader_);
            passes_ = png_set_interlace_handling(png);
            png_read_update_info(png, info);
        });
        const std::uint64_t width = png_get_image_width(png, info);
        const std::uint64_t height = png_get_image_height(png, info);
        check_size(source, width, height, max_pixels_per_byte(stored_bits));
        form_ = {static_cast<int>(width), static_cast<int>(height), png_get_channels(png, info),
                 png_get_bit_depth(png, info) == 16 ? Depth::u16 : Depth::u8};
        metadata_ = read_png_metadata(source);
    }

    bool interlaced() const { return passes_ > 1; }
    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        const std::size_t row_bytes = form_.row_bytes();
        const auto count = static_cast<int>(rows.size() / row_bytes);
        y_ += count;
        reader_.attempt([&] {
            for (int pass = 0; pass < passes_; ++pass) {
                auto* row = reinterpret_cast<png_bytep>(rows.data());
                for (int y = 0; y < count; ++y, row += row_bytes)
                    png_read_row(reader_.png(), row, nullptr);
            }
            if (y_ == form_.height)
                png_read_end(reader_.png(), nullptr);
        });
    }

  private:
    PngReader reader_;
    Form form_;
    Metadata metadata_;
    int passes_ = 1;
    int y_ = 0;
};

} // namespace

std::unique_ptr<RowReader> png_rows(const Source& source) {
    auto rows = std::make_unique<PngRows>(source);
    if (rows->interlaced())
        return nullptr;
    return rows;
}

Summary inspect_png(const Source& source) {
    return summary_of(PngRows(source));
}

Image decode_png(const Source& source) {
    PngRows rows(source);
    return read_all(rows);
}

} // namespace glproc::codecs
