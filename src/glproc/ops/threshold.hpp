// Black and white by a threshold.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/point_luma.hpp"
#include "glproc/op/level.hpp"
#include "glproc/ops/threshold/range.hpp"
#include "glproc/ops/threshold/rule.hpp"

namespace glproc {

struct Counted;
struct Measure;

/// How a threshold follows the neighbourhood of each pixel.
enum class LocalRule { mean, gauss, sauvola };

template <>
inline constexpr std::array<EnumRow<LocalRule>, 3> enum_rows<LocalRule>{
    EnumRow{LocalRule::mean, "mean", "the mean over a square, minus k"},
    EnumRow{LocalRule::gauss, "gauss", "the mean weighted by a Gaussian, minus k"},
    EnumRow{LocalRule::sauvola, "sauvola",
            "mean x (1 + k (2 x standard deviation - 1)) over a square: text on paper"},
};

/// Sums over more pixels have too few bits.
inline constexpr Limit local_radius_limit{1, 1000};

/// 1 where the luma of a pixel is above the threshold, else 0, in every colour; alpha is kept. With integers
/// the comparison is exact.
///
/// With `range`, 1 where every colour is in it, as OpenCV's inRange() does.
///
/// With `local`, mean and gauss equal OpenCV's adaptiveThreshold(), whose C is k in codes: luma is rounded to
/// a code, and so is its mean. With sauvola it equals scikit-image's threshold_sauvola(), except within 1e-5
/// of the threshold. Source: Sauvola, Pietikainen, Adaptive document image binarization, Pattern Recognition
/// 33, 2000.
struct Threshold {
    Level at = 0.5;
    /// Instead of `at`: the histogram of luma decides. It has a bin for each code of integers. For floats it
    /// has 65536 from 0 to 1, or from the least to the largest value of images whose values lie elsewhere.
    /// With more than two classes, class i of n becomes i / (n - 1), counted from the darkest one.
    std::optional<ThresholdRule> rule = std::nullopt;
    /// Of `rule`, for 16 bits and floats: 2 to 65536, which is the default. 8 bits have a bin for each code.
    std::optional<int> bins = std::nullopt;
    /// Of `rule`, as large as the image: only pixels where it is not black are counted. All get their level.
    PictureInput mask = {};
    bool stack = false; ///< of `rule`: all images of a file are counted, and have one threshold
    std::shared_ptr<const Counted> counted = {}; ///< by whoever has the file; else an image is counted alone
    std::optional<LevelRange> range = std::nullopt; ///< instead of both: which values become white
    std::optional<LocalRule> local = std::nullopt;  ///< instead of all of these
    int radius = 7;                                ///< of `local`, pixels: 1 to 1000
    std::optional<Level> k = std::nullopt;         ///< of `local`; 0, or 0.2 for sauvola
    Border border = {};                            ///< of `local`
    LumaWeights luma = LumaWeights::rec709;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Threshold& op, const Form& form);

/// How `rule` looks at images of a form.
Measure measure_of(const Threshold& op, const Form& form);

} // namespace glproc
