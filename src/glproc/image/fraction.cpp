#include "glproc/image/fraction.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

Extent shrunk_into(const Extent& box, const Extent& whole) {
    const auto ratio_of = [](int most, int side) { return most > 0 ? static_cast<double>(most) / side : 1.0; };
    const double ratio = std::min({ratio_of(box.width, whole.width), ratio_of(box.height, whole.height), 1.0});
    const auto side = [ratio](int old) { return std::max(static_cast<int>(std::llround(old * ratio)), 1); };
    return {side(whole.width), side(whole.height)};
}

bool is_enough(const Extent& part, const Extent& box, const Extent& whole) {
    const Extent made = shrunk_into(box, whole);
    return part.width / 2 >= made.width && part.height / 2 >= made.height;
}

int divisor_for(const Extent& box, const Extent& whole) {
    int divisor = 8;
    while (divisor > 1 && !is_enough({whole.width / divisor, whole.height / divisor}, box, whole))
        divisor /= 2;
    return divisor;
}

int divisor_for_stored(const Extent& box, const Extent& whole, int orientation) {
    const bool lies_on_its_side = orientation >= 5;
    return divisor_for(lies_on_its_side ? box.turned() : box, whole);
}

Fraction fraction_of(const Extent& whole, int divisor) {
    return {whole, static_cast<double>(whole.width) / divisor, static_cast<double>(whole.height) / divisor};
}

Extent extent_of(const Fraction& fraction) {
    return {static_cast<int>(std::ceil(fraction.columns)), static_cast<int>(std::ceil(fraction.rows))};
}

} // namespace glproc
