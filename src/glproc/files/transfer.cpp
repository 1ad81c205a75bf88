#include "glproc/files/transfer.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace glproc {

namespace {

constexpr std::size_t part_pixels = 16384;

/// Changes the colours of floats in pictures with so many channels.
using Change = std::function<void(std::span<float> values, int channels)>;

std::span<float> floats_of(std::span<std::byte> bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

class ChangingReader final : public RowReader {
  public:
    ChangingReader(std::unique_ptr<RowReader> rows, const Form& form, Change change)
        : rows_(std::move(rows)), form_(form), change_(std::move(change)) {}

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        rows_->read(rows);
        change_(floats_of(rows), form_.channels);
    }

  private:
    std::unique_ptr<RowReader> rows_;
    Form form_;
    Change change_;
};

class ChangingWriter final : public RowWriter {
  public:
    ChangingWriter(std::unique_ptr<RowWriter> rows, int channels, Change change)
        : rows_(std::move(rows)), channels_(channels), change_(std::move(change)) {}

    void write(std::span<const std::byte> rows) override {
        changed_.assign(rows.begin(), rows.end());
        change_(floats_of(changed_), channels_);
        rows_->write(changed_);
    }
    void finish() override { rows_->finish(); }

  private:
    std::unique_ptr<RowWriter> rows_;
    int channels_;
    Change change_;
    std::vector<std::byte> changed_;
};

/// Rows of this form, which is the source's but for the meaning of its values.
RowSource changed(RowSource source, const Form& form, Change change) {
    source.form = form;
    source.open = [open = std::move(source.open), form, change = std::move(change)] {
        return std::make_unique<ChangingReader>(open(), form, change);
    };
    return source;
}

/// Each colour by `value`, a function of one value; alpha stays.
template <class Value>
void change_colours(std::span<float> values, int channels, const Value& value) {
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    const std::size_t part = part_pixels * pixel;
    parallel_for((values.size() + part - 1) / part, [&](std::size_t i) {
        const auto own = values.subspan(i * part, std::min(part, values.size() - i * part));
        for (std::size_t at = 0; at < own.size(); ++at) {
            own[at] = at % pixel < colours ? static_cast<float>(value(double{own[at]})) : own[at];
        }
    });
}

bool is_same(Light from, Light to) {
    return from == to || from == Light::unknown || to == Light::unknown;
}

Change light_change(Light from, Light to) {
    return [from, to](std::span<float> values, int channels) { convert_light(values, channels, from, to); };
}

Change range_change(const Interval& range) {
    return [range](std::span<float> values, int channels) {
        const double length = range.high > range.low ? range.high - range.low : 1;
        change_colours(values, channels, [&](double value) { return (value - range.low) / length; });
    };
}

} // namespace

void OwnRange::add(std::span<const float> values, int channels) {
    const auto pixel = static_cast<std::size_t>(channels);
    const bool has_alpha = channels % 2 == 0;
    const std::size_t colours = pixel - (has_alpha ? 1 : 0);
    const std::size_t part = part_pixels * pixel;
    std::mutex mutex;
    parallel_for((values.size() + part - 1) / part, [&](std::size_t i) {
        const auto own = values.subspan(i * part, std::min(part, values.size() - i * part));
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Interval found{infinity, -infinity};
        for (std::size_t at = 0; at < own.size(); at += pixel) {
            for (std::size_t c = 0; c < colours && !(has_alpha && own[at + colours] == 0); ++c) {
                const double value = own[at + c];
                found.low = std::isfinite(value) ? std::min(found.low, value) : found.low;
                found.high = std::isfinite(value) ? std::max(found.high, value) : found.high;
            }
        }
        const std::lock_guard lock(mutex);
        low_ = std::min(low_, found.low);
        high_ = std::max(high_, found.high);
    });
}

Interval OwnRange::range() const {
    return low_ > high_ || (low_ >= 0 && high_ <= 1) ? Interval{} : Interval{low_, high_};
}

Light light_in(Format format, const Form& form, bool has_profile) {
    if (form.depth != Depth::f32) {
        return Light::encoded;
    }
    switch (format) {
    case Format::exr:
    case Format::hdr:
    case Format::pfm:
        return Light::linear;
    case Format::jxl:
        return has_profile ? Light::encoded : Light::linear;
    case Format::tiff:
        return has_profile && !form.range ? Light::encoded : Light::unknown;
    default:
        return Light::encoded;
    }
}

void convert_light(std::span<float> values, int channels, Light from, Light to) {
    if (!is_same(from, to)) {
        change_colours(values, channels, to == Light::linear ? linear_of_srgb : srgb_of_linear);
    }
}

Image with_light(Image image, Light to) {
    if (image.depth() == Depth::f32) {
        convert_light(image.values<float>(), image.channels(), image.form().light, to);
        image.set_light(to);
    }
    return image;
}

RowSource with_light(RowSource source, Light to) {
    if (source.form.depth != Depth::f32) {
        return source;
    }
    const Light from = source.form.light;
    Form form = source.form;
    form.light = to;
    return changed(std::move(source), form, light_change(from, to));
}

std::unique_ptr<RowWriter> with_light(std::unique_ptr<RowWriter> writer, const Form& form, Light to) {
    return is_same(form.light, to)
               ? std::move(writer)
               : std::make_unique<ChangingWriter>(std::move(writer), form.channels, light_change(form.light, to));
}

namespace {

/// The codes of a depth are encoded values, and become the light of floats when they are floats.
template <class Picture>
Picture like_first_one(Picture picture, const Form& form, const Form& first) {
    if (form.depth == Depth::f32 && first.depth != Depth::f32 && form.light == Light::unknown) {
        const Interval range = form.range ? *form.range : own_range(picture);
        picture = range == Interval{} ? std::move(picture) : from_range(std::move(picture), range);
    }
    if (form.depth == Depth::f32) {
        picture = with_light(std::move(picture), first.is_encoded() ? Light::encoded : first.light);
        return with_depth(std::move(picture), first.depth);
    }
    picture = with_depth(std::move(picture), first.depth);
    return first.depth == Depth::f32 ? with_light(std::move(picture), first.light) : std::move(picture);
}

} // namespace

Image like_first(Image image, const Form& first) {
    const Form form = image.form();
    return like_first_one(std::move(image), form, first);
}

RowSource like_first(RowSource source, const Form& first) {
    const Form form = source.form;
    return like_first_one(std::move(source), form, first);
}

Image from_range(Image image, const Interval& range) {
    range_change(range)(image.values<float>(), image.channels());
    image.set_range({});
    return image;
}

RowSource from_range(RowSource source, const Interval& range) {
    Form form = source.form;
    form.range.reset();
    return changed(std::move(source), form, range_change(range));
}

std::unique_ptr<RowWriter> from_range(std::unique_ptr<RowWriter> writer, const Form& form,
                                      const Interval& range) {
    return std::make_unique<ChangingWriter>(std::move(writer), form.channels, range_change(range));
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

} // namespace glproc
