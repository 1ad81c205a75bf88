#include "job/stream/series_source.hpp"

#include "glproc/files/inspect.hpp"
#include "glproc/files/page_reader.hpp"
#include "glproc/files/rows.hpp"
#include "job/confined/decoder_process.hpp"

namespace glproc::job {

namespace {

using Bytes = std::vector<std::byte>;
using File = std::shared_ptr<const OpenFile>;

} // namespace

std::optional<SeriesInfo> SeriesSource::inspect(const Budget& budget, const std::string& name) const {
    const auto* file = std::get_if<File>(&source_);
    return file != nullptr ? inspect_series(**file, name)
                           : inspect_series_within(budget, std::get<Bytes>(source_), name);
}

std::unique_ptr<PictureSeries> SeriesSource::open(const Budget& budget, const std::string& name,
                                                  const DecodeOptions& options) const {
    const auto* file = std::get_if<File>(&source_);
    return file != nullptr ? open_series(*file, name, options)
                           : open_series_within(budget, std::get<Bytes>(source_), name, options);
}

Image SeriesSource::first(const Budget& budget, const std::string& name, DecodeOptions options) const {
    if (const auto* file = std::get_if<File>(&source_)) {
        return PageReader(*file, options).read(1, name, options.notes);
    }
    options.page = 1;
    return decode_within(budget, std::get<Bytes>(source_), name, options);
}

Form SeriesSource::form(const std::string& name) const {
    if (const auto* file = std::get_if<File>(&source_)) {
        const auto rows = open_pages(*file, name, {1}).front();
        return rows ? rows->form : Form{};
    }
    return glproc::inspect(std::get<Bytes>(source_), name).form;
}

std::vector<std::byte> SeriesSource::take_bytes() {
    return std::move(std::get<Bytes>(source_));
}

} // namespace glproc::job
