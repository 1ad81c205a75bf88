// The pages of a TIFF, one after another.
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/little.hpp"
#include "glproc/files/codecs/tiff/layout.hpp"
#include "glproc/files/series/allowance.hpp"
#include "glproc/files/series/parts.hpp"
#include "glproc/image/descriptions.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

SeriesInfo info_of(const TiffDirectories& pages) {
    return {.kind = SeriesKind::pages,
            .format = Format::tiff,
            .count = static_cast<int>(pages.places.size()),
            .damage = pages.damage};
}

/// Of a broken one nobody knows how many there were.
bool is_series(const TiffDirectories& pages) {
    return pages.places.size() > 1 || !pages.damage.empty();
}

class TiffPages final : public PictureSeries {
  public:
    TiffPages(const Source& source, TiffDirectories pages, std::shared_ptr<const OpenFile> file = nullptr)
        : name_(source.name), file_(std::move(file)), source_(source), info_(info_of(pages)), pages_(std::move(pages.places)),
          allowance_(source_) {
        source_.name = name_;
    }

    const SeriesInfo& info() const override { return info_; }

    std::optional<SeriesPicture> next() override {
        if (at_ == pages_.size()) {
            if (!info_.damage.empty())
                fail(source_, info_.damage);
            return std::nullopt;
        }
        Source source = source_;
        source.page = pages_[at_++];
        const std::string page = fmt::format("{}#{}", name_, at_);
        source.name = source.keep_partial ? std::string_view(page) : source.name; // rows of which page
        Image image = decode_still(Format::tiff, source);
        allowance_.take(static_cast<std::uint64_t>(image.width()), static_cast<std::uint64_t>(image.height()), 1);
        return SeriesPicture{std::move(image), {}};
    }

    Image at(int number, std::string_view name, Notes* notes) override {
        Source source = source_;
        source.name = name;
        source.notes = notes;
        source.page = pages_[static_cast<std::size_t>(number) - 1];
        return decode_still(Format::tiff, source);
    }

  private:
    std::string name_;
    std::shared_ptr<const OpenFile> file_; ///< null where the bytes are in memory
    Source source_;
    SeriesInfo info_;
    std::vector<TiffPlace> pages_;
    PixelAllowance allowance_; ///< pages can share their pixels
    std::size_t at_ = 0;
};

std::uint64_t number_at(const Source& source, std::uint64_t place, std::size_t count, bool big) {
    std::array<std::byte, 8> bytes{};
    const auto read = std::span(bytes).first(count);
    if (source.read_at(place, read) < count)
        return 0;
    return big ? big_number(read, count) : little_number(read);
}

/// The entries of a directory, without the library.
struct Entries {
    std::uint64_t begin;
    std::uint64_t count;
    std::uint64_t bytes; ///< of each
    std::size_t offset_bytes;
    bool big;
};

/// Whether its description is by a program that writes many images behind one directory.
bool tells_of_pages(const Source& source, const Entries& entries) {
    for (std::uint64_t i = 0; i < entries.count; ++i) {
        const std::uint64_t entry = entries.begin + i * entries.bytes;
        if (number_at(source, entry, 2, entries.big) == TIFFTAG_IMAGEDESCRIPTION) {
            const std::uint64_t text =
                number_at(source, entry + 4 + entries.offset_bytes, entries.offset_bytes, entries.big);
            std::array<char, 7> start{};
            const std::size_t got = source.read_at(text, std::as_writable_bytes(std::span(start)));
            const std::string_view said(start.data(), got);
            return said.starts_with("ImageJ=") || said.starts_with('{');
        }
    }
    return false;
}

/// Of a stack by ImageJ or tifffile whose images lie one behind the other after a single directory. None
/// where it is no such stack, or where the file ends before: a text that tells of more images may be a copy
/// from another file.
TiffDirectories pages_behind_one(const Source& source, TiffReader& reader) {
    const std::uint16_t bits = reader.field(TIFFTAG_BITSPERSAMPLE, std::uint16_t{1});
    const std::uint16_t photometric = reader.field(TIFFTAG_PHOTOMETRIC, std::uint16_t{PHOTOMETRIC_YCBCR});
    const Form form{static_cast<int>(reader.field(TIFFTAG_IMAGEWIDTH, std::uint32_t{0})),
                    static_cast<int>(reader.field(TIFFTAG_IMAGELENGTH, std::uint32_t{0})),
                    reader.field(TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1}), Depth::u8};
    const bool is_plain = reader.field(TIFFTAG_COMPRESSION, std::uint16_t{0}) == COMPRESSION_NONE &&
                          TIFFIsTiled(reader.tiff()) == 0 && TIFFNumberOfStrips(reader.tiff()) == 1 &&
                          bits % 8 == 0 && photometric <= PHOTOMETRIC_RGB &&
                          reader.field(TIFFTAG_PLANARCONFIG, std::uint16_t{0}) == PLANARCONFIG_CONTIG &&
                          reader.field(TIFFTAG_FILLORDER, std::uint16_t{0}) == FILLORDER_MSB2LSB;
    const char* text = nullptr;
    if (!is_plain || TIFFGetField(reader.tiff(), TIFFTAG_IMAGEDESCRIPTION, &text) != 1)
        return {};
    const std::uint64_t begin = TIFFGetStrileOffset(reader.tiff(), 0);
    const std::uint64_t bytes = TIFFStripSize64(reader.tiff());
    const std::uint64_t told = images_told(text, form);
    if (told < 2 || bytes == 0 || begin >= source.size() || TIFFGetStrileByteCount(reader.tiff(), 0) < bytes)
        return {};
    const std::uint64_t directory = TIFFCurrentDirOffset(reader.tiff());
    const std::uint64_t end = directory > begin ? std::min(directory, source.size()) : source.size();
    constexpr std::uint64_t of_a_directory = 18; // that as many pages of other files have at least
    const std::uint64_t there = (end - begin) / std::max(bytes, of_a_directory);
    TiffDirectories pages;
    for (std::uint64_t i = 0; there >= told && i < told; ++i)
        pages.places.push_back({directory, i * bytes});
    return pages;
}

} // namespace

// TIFF 6.0, section 2; BigTIFF of libtiff. Without the library, which may not be let near the file.
bool begins_as_tiff_pages(const Source& source) {
    const bool big = number_at(source, 0, 2, true) == 0x4d4d;
    const bool wide = number_at(source, 2, 2, big) == 43;
    const std::size_t offset_bytes = wide ? 8 : 4;
    const std::uint64_t first = number_at(source, offset_bytes, offset_bytes, big);
    const std::uint64_t entries = number_at(source, first, wide ? 8 : 2, big);
    constexpr std::uint64_t most = 65535;
    const std::uint64_t entry = wide ? 20 : 12;
    const std::uint64_t begin = first + (wide ? 8 : 2);
    return entries <= most && (number_at(source, begin + entry * entries, offset_bytes, big) != 0 ||
                               tells_of_pages(source, {begin, entries, entry, offset_bytes, big}));
}

TiffDirectories tiff_directories(const Source& source) {
    Source first = source;
    first.page.reset();
    TiffReader reader(first);
    TiffDirectories pages;
    const TiffDirectories behind_one = pages_behind_one(first, reader);
    do {
        if (pages.places.empty() || reader.is_picture())
            pages.places.push_back({TIFFCurrentDirOffset(reader.tiff())});
        reader.forget();
    } while (TIFFReadDirectory(reader.tiff()) == 1); // libtiff ends where directories go round in circles
    pages.damage = reader.damage();
    return pages.places.size() == 1 && pages.damage.empty() && !behind_one.places.empty() ? behind_one
                                                                                          : pages;
}

std::unique_ptr<PictureSeries> tiff_pages(const Source& source) {
    TiffDirectories pages = tiff_directories(source);
    return is_series(pages) ? std::make_unique<TiffPages>(source, std::move(pages)) : nullptr;
}

std::unique_ptr<PictureSeries> tiff_pages(const Source& source, std::shared_ptr<const OpenFile> file) {
    return std::make_unique<TiffPages>(source, tiff_directories(source), std::move(file));
}

std::optional<SeriesInfo> inspect_tiff_pages(const Source& source) {
    const TiffDirectories pages = tiff_directories(source);
    return is_series(pages) ? std::optional(info_of(pages)) : std::nullopt;
}

} // namespace glproc::codecs
