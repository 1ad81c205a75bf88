// Which pixels of a line make a pixel of a shorter or longer one, and with which weights.
#pragma once

#include "glproc/kinds/gather/move.hpp"
#include "glproc/op/field.hpp"

#include <vector>

namespace glproc {

/// How the pixels of a resized picture are made.
enum class ResampleFilter { lanczos3, cubic, mitchell, linear, box, nearest };

template <>
inline constexpr std::array<EnumRow<ResampleFilter>, 6> enum_rows<ResampleFilter>{
    EnumRow{ResampleFilter::lanczos3, "lanczos3", "a windowed sinc: sharp, with slight ringing at edges"},
    EnumRow{ResampleFilter::cubic, "cubic", "Keys' cubic with a = -0.5 (Catmull-Rom): nearly as sharp"},
    EnumRow{ResampleFilter::mitchell, "mitchell",
            "the cubic of Mitchell and Netravali: softer, almost no ringing"},
    EnumRow{ResampleFilter::linear, "linear", "linear interpolation: soft, no ringing"},
    EnumRow{ResampleFilter::box, "box", "the mean of the covered pixels: for whole-number ratios"},
    EnumRow{ResampleFilter::nearest, "nearest", "the nearest pixel, unchanged: for pixel art and labels"},
};

/// The filter's weight at a distance in pixels. The box is open on the left and closed on the right.
double weight_at(ResampleFilter filter, double distance);

/// How far it reaches to either side, in pixels.
double reach_of(ResampleFilter filter);

/// A stretch of a line of `from` pixels, shown in `to`.
struct Stretch {
    int from = 1;
    int to = 1;
    double begin = 0;  ///< in pixels of the source: where the stretch begins
    double length = 1; ///< and how long it is
    ResampleFilter filter = ResampleFilter::lanczos3;
    bool operator==(const Stretch&) const = default;

    double scale() const { return length / to; }
    bool shrinks() const { return length >= to; }
    /// Whether nothing changes.
    bool is_whole() const { return from == to && begin == 0 && length == from; }
};

/// The pixels of the source that pixel `o` of the result depends on. If the picture shrinks, the filter is
/// widened as much; it ends at the edge of the source.
Span window_of(const Stretch& stretch, int o);

/// Their weights, which add up to 1.
std::vector<double> weights_of(const Stretch& stretch, int o, const Span& window);

/// The same as floats of 16 bits, whose products with 8 bits are exact. They add up to 1 exactly.
std::vector<double> short_weights(const std::vector<double>& weights);

/// If the picture shrinks: the most windows that a pixel of the source belongs to. If it grows: the most
/// pixels that a window has.
int slots_of(ResampleFilter filter);

/// The facts about a stretch that glsl/kinds/gather/resample.comp needs: results `first` to `first` + `count`
/// − 1, made from `length` pixels of the source, which begin at `begin`.
struct TableKey {
    Stretch stretch;
    int first = 0;
    int count = 0;
    int begin = 0;
    int length = 0;
    bool is_short = false; ///< with short_weights()
    bool operator==(const TableKey&) const = default;
};

/// Its b_windows and b_weights.
struct WindowTables {
    std::vector<Int2> windows;
    Floats weights;
};
WindowTables make_tables(const TableKey& key);

/// b_first and b_taps of glsl/kinds/gather/resample_strip.comp and resample_across.comp. For every two
/// results they hold the first pixel of the source that they depend on, and the weights of that pixel and the
/// following ones in both results. The weights of the first pixel come first, for every two results.
struct PairTaps {
    std::vector<int> first; ///< multiples of the grain
    Floats weights;
    int taps = 0; ///< pixels for any two, a multiple of the grain
};
PairTaps make_pairs(const TableKey& key, int grain);

} // namespace glproc
