// What a TIFF file says about its pixels.
#pragma once

#include "glproc/files/codecs/cmyk.hpp"
#include "glproc/files/codecs/tiff/tiff.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace glproc::codecs {

/// What the directory says about the pixels.
struct TiffLayout {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint16_t bits = 1;
    std::uint16_t samples = 1; ///< stored for each pixel
    std::uint16_t format = SAMPLEFORMAT_UINT;
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    std::uint16_t planar = PLANARCONFIG_CONTIG;
    std::uint16_t compression = COMPRESSION_NONE;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    int channels = 1;           ///< of the picture
    bool premultiplied = false; ///< colour times alpha is stored
    bool by_rgba = false;       ///< libtiff makes RGB of 8 bits of it
    std::array<std::uint16_t*, 3> palette{};
    unsigned palette_shift = 8; ///< of its values to 8 bits; some writers store these
    std::shared_ptr<const InkColours> inks = {}; ///< of CMYK with a profile

    /// Values that integers of 16 bits cannot hold, which floats of 32 bits have as they are.
    bool as_floats() const { return format != SAMPLEFORMAT_UINT || bits > 16; }
};

/// A file that is being read, and the words for what is wrong with it.
class TiffReader {
  public:
    explicit TiffReader(const Source& source) : source_(source), file_(source) {
        if (file_.get() == nullptr)
            fail_with("corrupt");
        if (!source.page)
            skip_thumbnails();
    }

    /// Whether the directory is that of a picture, rather than of a smaller one or of a mask.
    bool is_picture() const {
        return (field(TIFFTAG_SUBFILETYPE, std::uint32_t{0}) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
    }

    TIFF* tiff() const { return file_.get(); }

    template <class T>
    T field(std::uint32_t tag, T otherwise) const {
        T value{};
        return TIFFGetFieldDefaulted(file_.get(), tag, &value) == 1 ? value : otherwise;
    }

    [[noreturn]] void fail_with(std::string_view kind) const;
    [[noreturn]] void refuse(std::string_view what) const;

    /// Errors, and all that libtiff forgives although it may change pixels.
    void check_pixels(bool read) const {
        if (!read || file_.failed() || file_.truncated() || file_.warned())
            fail_with("corrupt");
    }
    /// Where libtiff makes up for lines of a fax that were garbled on their way: true where it had to.
    bool check_fax(bool read) {
        if (!read || file_.truncated())
            fail_with("corrupt");
        const bool garbled = file_.failed() || file_.warned();
        file_.forgive();
        return garbled;
    }
    /// Warnings about the directory are about tags, which are of all kinds. Tags that cannot be read are left
    /// out where no pixel depends on them.
    void begin_pixels();

    /// What libtiff has said of a directory that it could not read; empty where it has not.
    std::string damage() const {
        return file_.truncated() ? "truncated TIFF" : file_.failed() ? "corrupt TIFF: " + file_.message() : "";
    }

    /// Nothing that was said of the directory.
    void forget() { file_.forgive(); }

    /// Past libtiff.
    void read_at(std::uint64_t offset, std::span<std::byte> out) const {
        if (source_.read_at(offset, out) < out.size())
            fail(source_, "truncated TIFF");
    }

    std::vector<std::byte> block(std::uint32_t tag) const {
        std::uint32_t size = 0;
        const std::byte* data = nullptr;
        if (TIFFGetField(file_.get(), tag, &size, &data) != 1 || data == nullptr)
            return {};
        return {data, data + size};
    }

  private:
    /// To the first picture; where there is none, the first directory will do.
    void skip_thumbnails() {
        if (is_picture())
            return;
        while (TIFFReadDirectory(file_.get()) == 1) {
            if (is_picture())
                return;
        }
        TIFFSetDirectory(file_.get(), 0);
        forget();
    }

    const Source& source_;
    TiffFile file_;
};

bool is_fax(const TiffLayout& layout);

/// How many pixels a byte of the file can hold at most.
double max_pixels_per_byte(const TiffLayout& layout);

/// Throws Error(input) for what cannot be read.
TiffLayout read_layout(TiffReader& reader);

} // namespace glproc::codecs
