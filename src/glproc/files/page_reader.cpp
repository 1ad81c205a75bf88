#include "glproc/files/page_reader.hpp"

#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Said of another image of the file.
Error said_of(std::string_view name, const Error& error, const std::string& before) {
    const std::string_view what = error.what();
    return what.starts_with(before + ": ")
               ? Error(error.code(), std::string(name) + std::string(what.substr(before.size())),
                       error.hint())
               : error;
}

} // namespace

std::string no_such_image(std::string_view name, int number, const SeriesInfo& images) {
    const std::string broken = images.damage.empty() ? "" : fmt::format(" ({} behind them)", images.damage);
    return fmt::format("{}: there is no image {}: the file has {}{}", name, number, images.count, broken);
}

PageReader::PageReader(std::span<const std::byte> file, const DecodeOptions& options)
    : file_(file), options_(options) {
    options_.page = 0;
    options_.notes = nullptr;
}

PageReader::PageReader(std::shared_ptr<const OpenFile> file, const DecodeOptions& options)
    : PageReader(std::span<const std::byte>(), options) {
    opened_ = std::move(file);
}

Image PageReader::read(int number, std::string_view name, Notes* notes) {
    if (damage_ && number >= damage_->from)
        throw said_of(name, damage_->error, damage_->name);
    try {
        return read_anew(number, name, notes);
    } catch (const Error& error) {
        const bool is_frame = series_ != nullptr && series_->info().kind == SeriesKind::frames &&
                              number <= series_->info().count;
        if ((is_frame || !is_open_) && error.code() == ErrorCode::input)
            damage_ = Damage{is_open_ ? number : 0, std::string(name), error};
        is_open_ = is_open_ && !is_frame; // the canvas is between two frames
        throw;
    }
}

Image PageReader::read_anew(int number, std::string_view name, Notes* notes) {
    const bool goes_back = series_ != nullptr && series_->info().kind == SeriesKind::frames && number < last_;
    if (!is_open_ || goes_back) {
        is_open_ = false;
        DecodeOptions options = options_;
        options.notes = notes;
        series_ = opened_ ? open_series(opened_, name, options) : open_series(file_, name, options);
        is_open_ = true;
        last_ = 0;
    }
    const SeriesInfo info = series_ == nullptr ? SeriesInfo{.count = 1} : series_->info();
    if (number < 1 || number > info.count)
        throw Error(ErrorCode::input, no_such_image(name, number, info));
    if (series_ == nullptr) {
        DecodeOptions options = options_;
        options.notes = notes;
        return decode(file_, name, options);
    }
    last_ = number;
    return series_->at(number, name, notes);
}

} // namespace glproc
