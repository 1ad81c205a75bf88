#include "glproc/kinds/window_mean.hpp"

#include <utility>

namespace glproc {

Plan window_mean_plan(const Form& form, Window window, const WindowMean& mean) {
    // The sum of a row and the sum of all rows are rounded at each step, as are weights, products and the
    // quotient. The error counts twice, for moves and for weights, and twice because halves are decided.
    const double side = 2.0 * mean.radius + 1;
    const double roundings = 2 * side + 24;
    window.params = {float(4 * roundings * 0x1p-24), float(mean.radius * mean.radius)};
    window.params.insert(window.params.end(), mean.params.begin(), mean.params.end());
    // A driver's exponential function may miss 2^-e by (3 + 2 e) units in the last place, and its argument by a few. Up to
    // e = 24 that is 174 roundings. Smaller weights change a result by less than 1e-4 of a code for each pixel.
    window.params.resize(5);
    window.params.push_back(float(side * side * max_code(form.depth) * 1e-4 / (roundings + 180)));
    window.params.push_back(float(4 * (roundings + 180) * 0x1p-24));
    window.has_columns = true;
    window.reach = mean.radius;
    window.turns = static_cast<std::int64_t>(2 * side * side); // what decides may go over all of them again
    return window_plan(form, std::move(window));
}

} // namespace glproc
