// The pages of a TIFF, one after another.
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/series/parts.hpp"

#include <string>
#include <utility>
#include <vector>

namespace glproc::codecs {
namespace {

SeriesInfo info_of(const std::vector<std::uint64_t>& pages) {
    return {.kind = SeriesKind::pages, .format = Format::tiff, .count = static_cast<int>(pages.size())};
}

class TiffPages final : public PictureSeries {
  public:
    TiffPages(const Source& source, std::vector<std::uint64_t> pages)
        : name_(source.name), source_(source), pages_(std::move(pages)), info_(info_of(pages_)) {
        source_.name = name_;
    }

    const SeriesInfo& info() const override { return info_; }

    std::optional<SeriesPicture> next() override {
        if (at_ == pages_.size())
            return std::nullopt;
        return SeriesPicture{page(at_++), {}};
    }

    Image at(int number) override { return page(static_cast<std::size_t>(number) - 1); }

  private:
    Image page(std::size_t number) const {
        Source source = source_;
        source.directory = pages_[number];
        return decode_tiff(source);
    }

    std::string name_;
    Source source_;
    std::vector<std::uint64_t> pages_;
    SeriesInfo info_;
    std::size_t at_ = 0;
};

} // namespace

std::unique_ptr<PictureSeries> tiff_pages(const Source& source) {
    std::vector<std::uint64_t> pages = tiff_directories(source);
    return pages.size() < 2 ? nullptr : std::make_unique<TiffPages>(source, std::move(pages));
}

std::optional<SeriesInfo> inspect_tiff_pages(const Source& source) {
    const std::vector<std::uint64_t> pages = tiff_directories(source);
    return pages.size() < 2 ? std::nullopt : std::optional(info_of(pages));
}

} // namespace glproc::codecs
