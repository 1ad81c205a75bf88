#include "glproc/files/transfer_curve.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace glproc {

namespace {

bool is_same(ColourCurve from, ColourCurve to) {
    return from == to || from == ColourCurve::unknown || to == ColourCurve::unknown;
}

std::span<float> floats_of(std::span<std::byte> bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// What is done to so many channels of floats.
using Edit = std::function<void(std::span<float> values, int channels)>;

class EditedReader final : public RowReader {
  public:
    EditedReader(std::unique_ptr<RowReader> rows, Edit edit)
        : rows_(std::move(rows)), edit_(std::move(edit)) {}

    const Form& form() const override { return rows_->form(); }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        rows_->read(rows);
        edit_(floats_of(rows), form().channels);
    }

  private:
    std::unique_ptr<RowReader> rows_;
    Edit edit_;
};

class EditedWriter final : public RowWriter {
  public:
    EditedWriter(std::unique_ptr<RowWriter> rows, int channels, Edit edit)
        : rows_(std::move(rows)), channels_(channels), edit_(std::move(edit)) {}

    void write(std::span<const std::byte> rows) override {
        edited_.assign(rows.begin(), rows.end());
        edit_(floats_of(edited_), channels_);
        rows_->write(edited_);
    }
    void finish() override { rows_->finish(); }

  private:
    std::unique_ptr<RowWriter> rows_;
    int channels_;
    Edit edit_;
    std::vector<std::byte> edited_;
};

RowSource edited(RowSource source, Edit edit) {
    source.open = [open = std::move(source.open), edit = std::move(edit)] {
        return std::make_unique<EditedReader>(open(), edit);
    };
    return source;
}

} // namespace

Colour light_of(const Colour& colour) {
    return colour.has_values ? colour
                             : Colour{linear_of_srgb(colour.red), linear_of_srgb(colour.green),
                                      linear_of_srgb(colour.blue), colour.alpha};
}

ColourCurve transfer_of(Format format, Depth depth, bool has_profile) {
    const bool means_light = format == Format::exr || format == Format::hdr || format == Format::pfm ||
                             (format == Format::jxl && !has_profile);
    if (depth == Depth::f32 && format == Format::tiff && !has_profile) {
        return ColourCurve::unknown;
    }
    return means_light && depth == Depth::f32 ? ColourCurve::linear : ColourCurve::srgb;
}

ColourCurve curve_of(const Form& form, const Metadata& metadata) {
    return metadata.format ? transfer_of(*metadata.format, form.depth, !metadata.icc.empty())
                           : ColourCurve::unknown;
}

void convert_transfer(std::span<float> values, int channels, ColourCurve from, ColourCurve to) {
    if (is_same(from, to)) {
        return;
    }
    const auto curve = to == ColourCurve::linear ? linear_of_srgb : srgb_of_linear;
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    constexpr std::size_t part = 16384; // pixels
    parallel_for(covering(values.size() / pixel, part), [&](std::size_t i) {
        const auto own =
            values.subspan(i * part * pixel, std::min(part * pixel, values.size() - i * part * pixel));
        for (std::size_t at = 0; at < own.size(); ++at) {
            own[at] = at % pixel < colours ? static_cast<float>(curve(double{own[at]})) : own[at];
        }
    });
}

Image with_transfer(Image image, ColourCurve from, ColourCurve to) {
    convert_transfer(image.values<float>(), image.channels(), from, to);
    return image;
}

RowSource with_transfer(RowSource source, ColourCurve from, ColourCurve to) {
    return is_same(from, to) ? std::move(source)
                             : edited(std::move(source), [from, to](std::span<float> values, int channels) {
                                   convert_transfer(values, channels, from, to);
                               });
}

std::unique_ptr<RowWriter> with_transfer(std::unique_ptr<RowWriter> writer, const Form& form,
                                         ColourCurve from, ColourCurve to) {
    return is_same(from, to)
               ? std::move(writer)
               : std::make_unique<EditedWriter>(std::move(writer), form.channels,
                                                [from, to](std::span<float> values, int channels) {
                                                    convert_transfer(values, channels, from, to);
                                                });
}

void OwnRange::add(std::span<const float> values, int channels) {
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    for (std::size_t at = 0; at < values.size(); at += pixel) {
        const bool is_hidden = colours < pixel && values[at + colours] == 0;
        for (std::size_t c = 0; c < colours && !is_hidden; ++c) {
            const double value = values[at + c];
            low_ = std::isfinite(value) ? std::min(low_, value) : low_;
            high_ = std::isfinite(value) ? std::max(high_, value) : high_;
        }
    }
}

Interval OwnRange::range() const {
    constexpr double least = 1e-28; // which the bins of floats can still divide
    const bool is_nothing = std::max(-low_, high_) < least;
    const bool is_within = is_nothing || (low_ >= 0 && high_ <= 1);
    const bool is_narrow = high_ - low_ >= least && high_ - low_ < narrow_range;
    return low_ > high_ || (is_within && !is_narrow) ? Interval{} : Interval{low_, high_};
}

Interval own_range(const Image& image) {
    OwnRange own;
    own.add(image.values<float>(), image.channels());
    return own.range();
}

Interval own_range(const RowSource& source) {
    constexpr int rows_at_once = 64;
    OwnRange own;
    const std::unique_ptr<RowReader> reader = source.open();
    std::vector<float> rows;
    for (int y = 0; y < source.form.height; y += rows_at_once) {
        const auto count = static_cast<std::size_t>(std::min(rows_at_once, source.form.height - y));
        rows.resize(count * source.form.row_bytes() / sizeof(float));
        reader->read(std::as_writable_bytes(std::span(rows)));
        own.add(rows, source.form.channels);
    }
    return own.range();
}

namespace {

void scale_from_range(std::span<float> values, int channels, const Interval& range) {
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    const double length = range.high > range.low ? range.high - range.low : 1;
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (at % pixel < colours)
            values[at] = static_cast<float>((values[at] - range.low) / length);
    }
}

} // namespace

Image from_range(Image image, const Interval& range) {
    scale_from_range(image.values<float>(), image.channels(), range);
    return image;
}

RowSource from_range(RowSource source, const Interval& range) {
    return edited(std::move(source), [range](std::span<float> values, int channels) {
        scale_from_range(values, channels, range);
    });
}

namespace {

/// The values that codes of 8 bits would not have.
bool is_cut(std::span<const float> values, int channels) {
    constexpr float half_code = 0.5F / 255;
    const auto is_outside = [](float value) { return value < -half_code || value > 1 + half_code; };
    if (std::count_if(values.begin(), values.end(), is_outside) == 0) { // soon known of most
        return false;
    }
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    for (std::size_t at = 0; at < values.size(); at += pixel) {
        const auto seen = values.subspan(at, colours);
        if ((colours == pixel || values[at + colours] != 0) &&
            std::any_of(seen.begin(), seen.end(), is_outside)) {
            return true;
        }
    }
    return false;
}

Edit watching(std::function<void()> tell) {
    return [tell = std::move(tell), told = std::make_shared<bool>()](std::span<const float> values,
                                                                     int channels) {
        if (!*told && is_cut(values, channels)) {
            *told = true;
            tell();
        }
    };
}

} // namespace

Image watched(Image image, const std::function<void()>& tell) {
    watching(tell)(image.values<float>(), image.channels());
    return image;
}

RowSource watched(RowSource source, std::function<void()> tell) {
    return edited(std::move(source), watching(std::move(tell)));
}

std::unique_ptr<RowWriter> watched(std::unique_ptr<RowWriter> writer, const Form& form,
                                   std::function<void()> tell) {
    return std::make_unique<EditedWriter>(std::move(writer), form.channels, watching(std::move(tell)));
}

namespace {

template <class Picture>
Picture with_curve(ColourCurve first, Picture picture, Depth depth, ColourCurve own) {
    if (is_same(own, first)) {
        return picture;
    }
    // Codes are encoded values: light needs floats.
    return with_transfer(
        depth == Depth::f32 ? std::move(picture) : with_depth(std::move(picture), Depth::f32), own, first);
}

} // namespace

Image with_curve_of(ColourCurve first, Image image, ColourCurve own) {
    const Depth depth = image.depth();
    return with_curve(first, std::move(image), depth, own);
}

RowSource with_curve_of(ColourCurve first, RowSource source, ColourCurve own) {
    const Depth depth = source.form.depth;
    return with_curve(first, std::move(source), depth, own);
}

} // namespace glproc
