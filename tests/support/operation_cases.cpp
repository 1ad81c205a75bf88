#include "support/operation_cases.hpp"

#include "support/reference.hpp"

#include <algorithm>
#include <cmath>

namespace glproc::test {

namespace {

Reference empty_reference(const Image& image, int channels, Depth depth) {
    Reference answer{.width = image.width(), .height = image.height(), .channels = channels, .depth = depth,
                     .full_scale = max_code(depth), .values = {}};
    answer.values.resize(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()) *
                         static_cast<std::size_t>(channels));
    return answer;
}

/// Errors of floats are measured against the largest value.
void set_full_scale(Reference& answer) {
    for (const double value : answer.depth == Depth::f32 ? answer.values : std::vector<double>{}) {
        answer.full_scale = std::max(answer.full_scale, std::isfinite(value) ? std::abs(value) : 0);
    }
}

} // namespace

std::vector<Shape> all_kinds(const Size& size) {
    std::vector<Shape> shapes;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            shapes.push_back({size.width, size.height, channels, depth});
        }
    }
    return shapes;
}

Reference point_reference(const Image& image, int channels, Depth depth,
                          const std::function<std::array<double, 4>(const std::array<double, 4>&)>& at) {
    Reference answer = empty_reference(image, channels, depth);
    const double full = max_code(image.depth());
    const bool grey = image.channels() < 3;
    const bool has_alpha = channels == 2 || channels == 4;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto value = [&](int c) { return image.at(x, y, c) / full; };
            const std::array<double, 4> result =
                at({value(0), value(grey ? 0 : 1), value(grey ? 0 : 2),
                    image.has_alpha() ? value(image.channels() - 1) : 1.0});
            for (int c = 0; c < channels; ++c) {
                const bool alpha = has_alpha && c == channels - 1;
                answer.at(x, y, c) = result[alpha ? 3 : static_cast<std::size_t>(c)] * max_code(depth);
            }
        }
    }
    set_full_scale(answer);
    return answer;
}

Reference stencil_reference(const Image& image, const Border& border, Depth depth,
                            const std::function<double(const std::function<double(int, int)>&)>& at, bool hides) {
    Reference answer = empty_reference(image, image.channels(), depth);
    const double ratio = max_code(depth) / max_code(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                const bool alpha = image.has_alpha() && c == image.channels() - 1;
                const auto near = [&](int dx, int dy) {
                    const int column = border_index(border.mode, x + dx, image.width());
                    const int row = border_index(border.mode, y + dy, image.height());
                    const bool is_beyond = column < 0 || row < 0;
                    const double beyond = border.value * max_code(image.depth());
                    if (hides && image.has_alpha() && (is_beyond ? border.alpha() : image.at(column, row, image.channels() - 1)) == 0) {
                        return image.at(x, y, c); // what cannot be seen changes nothing
                    }
                    return is_beyond ? round_to_depth(beyond, image.depth()) : image.at(column, row, c);
                };
                answer.at(x, y, c) = alpha ? image.at(x, y, c) * ratio : at(near);
            }
        }
    }
    set_full_scale(answer);
    return answer;
}

} // namespace glproc::test
