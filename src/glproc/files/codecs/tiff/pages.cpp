// The pages of a TIFF, one after another.
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/little.hpp"
#include "glproc/files/codecs/tiff/layout.hpp"
#include "glproc/files/series/allowance.hpp"
#include "glproc/files/series/parts.hpp"

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
        source.directory = pages_[at_++];
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
        source.directory = pages_[static_cast<std::size_t>(number) - 1];
        return decode_still(Format::tiff, source);
    }

  private:
    std::string name_;
    std::shared_ptr<const OpenFile> file_; ///< null where the bytes are in memory
    Source source_;
    SeriesInfo info_;
    std::vector<std::uint64_t> pages_;
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

} // namespace

// TIFF 6.0, section 2; BigTIFF of libtiff. Without the library, which may not be let near the file.
bool begins_as_tiff_pages(const Source& source) {
    const bool big = number_at(source, 0, 2, true) == 0x4d4d;
    const bool wide = number_at(source, 2, 2, big) == 43;
    const std::size_t offset_bytes = wide ? 8 : 4;
    const std::uint64_t first = number_at(source, offset_bytes, offset_bytes, big);
    const std::uint64_t entries = number_at(source, first, wide ? 8 : 2, big);
    constexpr std::uint64_t most = 65535;
    return entries <= most &&
           number_at(source, first + (wide ? 8 + 20 * entries : 2 + 12 * entries), offset_bytes, big) != 0;
}

TiffDirectories tiff_directories(const Source& source) {
    Source first = source;
    first.directory.reset();
    TiffReader reader(first);
    TiffDirectories pages;
    do {
        if (pages.places.empty() || reader.is_picture())
            pages.places.push_back(TIFFCurrentDirOffset(reader.tiff()));
        reader.forget();
    } while (TIFFReadDirectory(reader.tiff()) == 1); // libtiff ends where directories go round in circles
    pages.damage = reader.damage();
    return pages;
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
