// Outliers: pixels that the median replaces, while all others stay as they are.
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/median/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace glproc {

namespace {

int sides_of(const Median& median) {
    return *median.outliers == Outliers::bright ? 1 : *median.outliers == Outliers::dark ? 2 : 3;
}

/// A difference of codes is whole.
int threshold_code(const Median& median, Depth depth) {
    return static_cast<int>(std::floor(*median.threshold * max_code(depth)));
}

/// is_outlier() of median/outliers.comp, for values of each type.
template <class T>
class OutlierRule {
    using Difference = std::conditional_t<std::is_same_v<T, float>, float, int>;

  public:
    OutlierRule(const Median& median, Depth depth) : sides_(sides_of(median)) {
        if constexpr (std::is_same_v<T, float>) {
            threshold_ = static_cast<float>(*median.threshold);
        } else {
            threshold_ = threshold_code(median, depth);
        }
    }

    bool replaces(T own, T median) const {
        if constexpr (std::is_same_v<T, float>) {
            const bool is_same = std::bit_cast<std::uint32_t>(own) == std::bit_cast<std::uint32_t>(median);
            return !is_same && !std::isnan(own) &&
                   std::abs(without_denormal(counted(without_denormal(own) - without_denormal(median)))) >
                       threshold_;
        } else {
            return std::abs(counted(int{own} - int{median})) > threshold_;
        }
    }

  private:
    /// 0 on the side that does not count.
    Difference counted(Difference above) const {
        return (sides_ & 1) == 0   ? std::min(above, Difference{0})
               : (sides_ & 2) == 0 ? std::max(above, Difference{0})
                                   : above;
    }

    int sides_;
    Difference threshold_ = 0;
};

/// The image itself where the rule and hidden pixels leave it.
template <class T>
void keep_others(const Image& image, const Median& median, Image& medians) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const OutlierRule<T> rule(median, image.depth());
    const auto own = image.values<T>();
    const auto to = medians.values<T>();
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t alpha = i / channels * channels + channels - 1;
        const bool is_hidden = image.has_alpha() && i != alpha && hides(own[alpha]);
        to[i] = is_hidden || rule.replaces(own[i], to[i]) ? to[i] : own[i];
    }
}

} // namespace

GpuImage without_outliers(Context& gpu, const GpuImage& image, const GpuImage& medians,
                          const Median& median) {
    GpuImage dst = gpu.make_image(image.form(), "result");
    Pass pass = gpu.pass("median.outliers", "median/outliers.comp",
                         {{"CHANNELS", text(image.stored_channels())},
                          {"SRC_DEPTH", text(static_cast<int>(image.depth()))},
                          {"ALPHA", image.has_alpha() ? "1" : "0"}});
    pass.reads("i_src", image)
        .reads("i_medians", medians)
        .writes("i_dst", dst)
        .set("u_sides", sides_of(median));
    if (image.depth() == Depth::f32) {
        pass.set("u_threshold", static_cast<float>(*median.threshold));
    } else {
        pass.set("u_threshold", threshold_code(median, image.depth()));
    }
    pass.over(dst.texture().width(), dst.height());
    return dst;
}

Image without_outliers(const Image& image, Image medians, const Median& median) {
    switch (image.depth()) {
    case Depth::u8:
        keep_others<std::uint8_t>(image, median, medians);
        break;
    case Depth::u16:
        keep_others<std::uint16_t>(image, median, medians);
        break;
    case Depth::f32:
        keep_others<float>(image, median, medians);
        break;
    }
    return medians;
}

} // namespace glproc
