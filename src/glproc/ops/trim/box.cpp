#include "glproc/ops/trim/box.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/kinds/samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace glproc {

namespace {

/// A part of 1 as a channel stores it.
std::uint32_t border_lane_of(double value, Depth depth) {
    return depth == Depth::f32
               ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
               : static_cast<std::uint32_t>(std::nearbyint(std::clamp(value, 0.0, 1.0) * max_code(depth)));
}

std::uint32_t border_tolerance_of(double tolerance, Depth depth) {
    constexpr double last_bits = 1e-6; // 10/255 are 10 codes
    return depth == Depth::f32
               ? std::bit_cast<std::uint32_t>(static_cast<float>(tolerance))
               : static_cast<std::uint32_t>(std::clamp(tolerance, 0.0, 1.0) * max_code(depth) + last_bits);
}

std::uint32_t border_lane_in(const std::byte* pixel, int channel, Depth depth) {
    switch (depth) {
    case Depth::u8:
        return reinterpret_cast<const std::uint8_t*>(pixel)[channel];
    case Depth::u16:
        return reinterpret_cast<const std::uint16_t*>(pixel)[channel];
    case Depth::f32:
        return std::bit_cast<std::uint32_t>(reinterpret_cast<const float*>(pixel)[channel]);
    }
    return 0;
}

/// The comparisons of a depth.
template <class T>
struct BorderValues {
    using Value = std::uint32_t;
    Value tolerance;
    explicit BorderValues(std::uint32_t lane) : tolerance(lane) {}

    static Value of_lane(std::uint32_t lane) { return lane; }
    static Value of(T value) { return value; }
    static Value on_black(Value value, Value alpha) { return value * alpha; }
    bool is_near(Value a, Value b, Value scale) const { return std::max(a, b) - std::min(a, b) <= tolerance * scale; }
    static constexpr Value full = static_cast<Value>(max_code(sizeof(T) == 1 ? Depth::u8 : Depth::u16));
};

template <>
struct BorderValues<float> {
    using Value = float;
    Value tolerance;
    explicit BorderValues(std::uint32_t lane) : tolerance(std::bit_cast<float>(lane)) {}

    static Value of_lane(std::uint32_t lane) { return without_tiny(std::bit_cast<float>(lane)); }
    static Value of(float value) { return without_tiny(value); }
    static Value on_black(Value value, Value alpha) { return alpha == 0 ? 0 : without_tiny(value * alpha); }
    bool is_near(Value a, Value b, Value) const { return a == b || std::abs(a - b) <= tolerance; } // NaN is near nothing
    static constexpr Value full = 1;
};

/// Whether a pixel belongs to the border.
template <class T>
class IsBorder {
    using V = BorderValues<T>;
    using Value = typename V::Value;

  public:
    IsBorder(const BorderPixel& border, const Form& form)
        : values_(border.tolerance), colours_(opaque_channels(form.channels)), has_alpha_(form.has_alpha()) {
        if (has_alpha_) {
            alpha_ = V::of_lane(border.lanes[static_cast<std::size_t>(colours_)]);
        }
        for (std::size_t c = 0; c < static_cast<std::size_t>(colours_); ++c) {
            const Value value = V::of_lane(border.lanes[c]);
            border_[c] = has_alpha_ ? V::on_black(value, alpha_) : value;
        }
    }

    bool operator()(const T* pixel) const {
        const Value alpha = has_alpha_ ? V::of(pixel[colours_]) : Value{1};
        bool near = !has_alpha_ || values_.is_near(alpha, alpha_, 1);
        for (int c = 0; c < colours_; ++c) {
            const Value value = V::of(pixel[c]);
            const Value seen = has_alpha_ ? V::on_black(value, alpha) : value;
            near = near && values_.is_near(seen, border_[static_cast<std::size_t>(c)], has_alpha_ ? V::full : 1);
        }
        return near;
    }

  private:
    V values_;
    int colours_;
    bool has_alpha_;
    Value alpha_ = 0;
    std::array<Value, 3> border_{};
};

struct UnlikeSpan {
    int first = 0;
    int end = 0; ///< 0: all of it is border
};

template <class T>
UnlikeSpan unlike_in(const T* row, const Form& form, const IsBorder<T>& is_border) {
    const auto at = [&](int x) { return row + static_cast<std::ptrdiff_t>(x) * form.channels; };
    int first = 0;
    while (first < form.width && is_border(at(first))) {
        ++first;
    }
    int end = first == form.width ? 0 : form.width;
    while (end > first && is_border(at(end - 1))) {
        --end;
    }
    return {first, end};
}

/// Grows with the rows that are added.
class GrowingBox {
  public:
    template <class T>
    void add(const Image& rows, int first_row, const BorderPixel& border) {
        const IsBorder<T> is_border(border, rows.form());
        std::vector<UnlikeSpan> spans(static_cast<std::size_t>(rows.height()));
        parallel_for(spans.size(), [&](std::size_t y) {
            spans[y] = unlike_in(reinterpret_cast<const T*>(rows.row(static_cast<int>(y))), rows.form(), is_border);
        });
        for (std::size_t y = 0; y < spans.size(); ++y) {
            if (spans[y].end > 0) {
                put(spans[y], first_row + static_cast<int>(y));
            }
        }
    }

    Rect rect() const { return {left_, top_, right_ - left_, bottom_ - top_}; }

  private:
    void put(const UnlikeSpan& span, int y) {
        const bool is_first = bottom_ == 0;
        left_ = is_first ? span.first : std::min(left_, span.first);
        top_ = is_first ? y : top_;
        right_ = std::max(right_, span.end);
        bottom_ = y + 1;
    }

    int left_ = 0;
    int top_ = 0;
    int right_ = 0;
    int bottom_ = 0;
};

void add_rows(GrowingBox& box, const Image& rows, int first_row, const BorderPixel& border) {
    switch (rows.depth()) {
    case Depth::u8:
        return box.add<std::uint8_t>(rows, first_row, border);
    case Depth::u16:
        return box.add<std::uint16_t>(rows, first_row, border);
    case Depth::f32:
        return box.add<float>(rows, first_row, border);
    }
}

} // namespace

bool TrimBorder::is_possible(const Form& form) const {
    return !colour || ((form.channels >= 3 || colour->is_grey()) && (form.has_alpha() || colour->alpha == 1));
}

BorderPixel TrimBorder::in(const Form& form, const std::byte* first) const {
    BorderPixel border{.tolerance = border_tolerance_of(tolerance, form.depth)};
    for (int c = 0; c < form.channels; ++c) {
        const bool is_alpha = form.has_alpha() && c == form.channels - 1;
        std::uint32_t& lane = border.lanes[static_cast<std::size_t>(c)];
        lane = !colour    ? border_lane_in(first, c, form.depth)
               : is_alpha ? border_lane_of(colour->alpha, form.depth)
               : c == 0   ? border_lane_of(colour->red, form.depth)
               : c == 1   ? border_lane_of(colour->green, form.depth)
                          : border_lane_of(colour->blue, form.depth);
    }
    return border;
}

struct BoxFinder::Found {
    GrowingBox box = {};
    std::optional<BorderPixel> pixel = {};
    int rows = 0;
};

BoxFinder::BoxFinder(const Form& form, const TrimBorder& border)
    : form_(form), border_(border), found_(std::make_unique<Found>()) {}

BoxFinder::~BoxFinder() = default;

void BoxFinder::add(const Image& rows) {
    if (!border_.is_possible(form_)) {
        return;
    }
    if (!found_->pixel) {
        found_->pixel = border_.in(form_, rows.row(0));
    }
    add_rows(found_->box, rows, found_->rows, *found_->pixel);
    found_->rows += rows.height();
}

Rect BoxFinder::rect() const {
    return border_.is_possible(form_) ? found_->box.rect() : whole_of(form_);
}

Rect box_of(const RowSource& source, const TrimBorder& border, const TileProgress& progress) {
    BoxFinder finder(source.form, border);
    if (border.is_possible(source.form)) {
        visit_bands(source, rows_at_once(source.form), [&](const Image& rows) { finder.add(rows); }, progress);
    }
    return finder.rect();
}

Rect box_of(Context& gpu, const GpuImage& image, const TrimBorder& border) {
    const Form& form = image.form();
    if (!border.is_possible(form)) {
        return whole_of(form);
    }
    constexpr int strip_rows = 32;
    const std::int64_t columns = texels_per_row(form);
    const std::array<std::byte, 16> none{};
    const BorderPixel pixel = border.in(form, none.data());
    Buffer found = gpu.make_buffer(4 * sizeof(std::uint32_t), "trim.box");
    found.fill(~0U);
    gpu.pass("trim.box", "trim.comp",
             {{"CHANNELS", std::to_string(image.stored_channels())},
              {"SRC_DEPTH", std::to_string(static_cast<int>(form.depth))},
              {"ALPHA", form.has_alpha() ? "1" : "0"}})
        .reads("i_src", image)
        .updates("b_box", found)
        .set("u_size", Int2{form.width, form.height})
        .set("u_columns", static_cast<std::uint32_t>(columns))
        .set("u_strip_rows", strip_rows)
        .set("u_from_first", border.colour ? 0 : 1)
        .set("u_border", Uint4(pixel.lanes))
        .set("u_tolerance", pixel.tolerance)
        .over_1d(columns * covering(form.height, strip_rows));
    const std::vector<std::uint32_t> box = found.read<std::uint32_t>(4);
    if (box[0] == ~0U) {
        return {0, 0, 0, 0};
    }
    const auto left = static_cast<int>(box[0]);
    const auto top = static_cast<int>(box[1]);
    return {left, top, static_cast<int>(~box[2]) + 1 - left, static_cast<int>(~box[3]) + 1 - top};
}

} // namespace glproc
