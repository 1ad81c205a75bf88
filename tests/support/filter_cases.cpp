#include "support/filter_cases.hpp"

#include "glproc/kinds/separable/separable.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "support/fixture.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace glproc::test {

namespace {

template <class Filter>
std::string describe_common(const Filter& filter) {
    return fmt::format("border {} alpha {} method {}", FieldText<Border>::print(filter.border),
                       name_of(filter.alpha), name_of(filter.method));
}

PerAxis<int> reach_of(const Blur& blur) {
    const PerAxis<int> given = blur.radius.value_or(0);
    const auto reach = [&](double sigma, int radius) {
        return sigma == 0 ? 0 : blur.radius ? radius : gaussian_radius(sigma, blur.truncate);
    };
    return {reach(blur.sigma.x, given.x), reach(blur.sigma.y, given.y)};
}

PerAxis<int> reach_of(const Box& box) {
    return box.radius;
}

bool needs_whole_numbers(const Blur&, const Form&) {
    return false;
}

/// Whether sums of whole numbers fit 32 bits along an axis, but not the 24 bits of a float over both.
bool needs_whole_numbers(const Box& box, const Form& form) {
    if (form.depth == Depth::f32) {
        return false;
    }
    const double code = form.depth == Depth::u8 ? 255 : 65535;
    const bool weighs = form.has_alpha() && box.alpha == AlphaMode::premultiply;
    const double value = weighs ? code * code : code;
    const double width = 2.0 * box.radius.x + 1;
    const double height = 2.0 * box.radius.y + 1;
    return value * std::max(width, height) < 4294967296.0 && value * width * height >= 16777216.0;
}

void check_refusal(const Error& error, bool has_room) {
    CHECK(error.code() == ErrorCode::operation);
    CHECK_THAT(error.what(),
               Catch::Matchers::Contains(has_room ? "has sums that do not fit the 24 bits of a float"
                                                  : "bytes of shared memory of " + gpu().device().renderer));
    CHECK(error.hint() == "use --method auto");
}

/// The result, or nothing where the method refused, as it may.
template <class Filter>
std::optional<Image> run(const Filter& filter, const Image& image) {
    const GpuImage src = gpu().upload(image);
    const PerAxis<int> reach = reach_of(filter);
    const Limits& limits = gpu().limits();
    const bool has_tiles = plan_blocks(limits, src.form(), reach).has_value();
    const bool has_window = plan_window(limits, src.form(), reach).has_value();
    const bool is_window = filter.method == FilterMethod::window;
    const bool is_walk = filter.method == FilterMethod::walk;
    const bool has_room = (filter.method != FilterMethod::tiled || has_tiles) && (!is_window || has_window) &&
                          (!is_walk || can_walk(reach));
    const bool refuses = reach != PerAxis<int>(0) &&
                         (!has_room || ((is_window || is_walk) && needs_whole_numbers(filter, src.form())));
    try {
        Image result = gpu().download(filter(gpu(), src));
        CHECK_FALSE(refuses);
        return result;
    } catch (const Error& error) {
        if (!refuses) {
            throw;
        }
        check_refusal(error, has_room);
        return std::nullopt;
    }
}

/// Gaussians by samples are not cut off where the answer is.
Tolerance tolerance_of(const Blur& blur, const Image&) {
    const bool may_be_near = blur.method == FilterMethod::fast || blur.method == FilterMethod::automatic;
    const bool is_wide = std::max(blur.sigma.x, blur.sigma.y) >= least_fast_sigma;
    return may_be_near && is_wide ? near_enough : Tolerance{};
}

Tolerance tolerance_of(const Box&, const Image&) {
    return {};
}

template <class Filter>
Tally check_all(Filter filter, const Image& image) {
    const Reference answer = expected(filter, image);
    Tally tally;
    for (const auto& row : enum_rows<FilterMethod>) {
        filter.method = row.value;
        INFO(describe(filter) << " on " << describe(image));
        if (const std::optional<Image> result = run(filter, image)) {
            CHECK_THAT(*result, Matches(answer, tolerance_of(filter, image)));
            ++tally.ran;
        } else {
            ++tally.refused;
        }
    }
    return tally;
}

} // namespace

Reference expected(const Blur& blur, const Image& image) {
    const PerAxis<int> reach = reach_of(blur);
    if (reach == PerAxis<int>(0)) {
        return reference_of(image); // a copy, colour under alpha 0 included
    }
    return filter(image, gaussian_weights(blur.sigma.x, reach.x), gaussian_weights(blur.sigma.y, reach.y),
                  blur.border, blur.alpha);
}

Reference expected(const Box& box, const Image& image) {
    if (box.radius == PerAxis<int>(0)) {
        return reference_of(image);
    }
    return filter(image, box_weights(box.radius.x), box_weights(box.radius.y), box.border, box.alpha);
}

std::string describe(const Blur& blur) {
    return fmt::format("blur sigma {} truncate {} radius {} {}",
                       FieldText<PerAxis<double>>::print(blur.sigma), blur.truncate,
                       blur.radius ? FieldText<PerAxis<int>>::print(*blur.radius) : "derived",
                       describe_common(blur));
}

std::string describe(const Box& box) {
    return fmt::format("box radius {} {}", FieldText<PerAxis<int>>::print(box.radius), describe_common(box));
}

Tally check_methods(const Blur& blur, const Image& image) {
    return check_all(blur, image);
}

Tally check_methods(const Box& box, const Image& image) {
    return check_all(box, image);
}

std::vector<Border> all_borders() {
    std::vector<Border> borders;
    borders.reserve(enum_rows<BorderMode>.size());
    for (const auto& row : enum_rows<BorderMode>) {
        borders.emplace_back(row.value, row.value == BorderMode::constant ? 0.7 : 0.0);
    }
    return borders;
}

std::vector<AlphaMode> alpha_modes(int channels) {
    std::vector<AlphaMode> modes;
    for (const auto& row : enum_rows<AlphaMode>) {
        if (channels % 2 == 0 || row.value == AlphaMode::premultiply) {
            modes.push_back(row.value);
        }
    }
    return modes;
}

std::vector<std::pair<int, AlphaMode>> channels_and_alphas() {
    std::vector<std::pair<int, AlphaMode>> all;
    for (int channels = 1; channels <= 4; ++channels) {
        for (const AlphaMode alpha : alpha_modes(channels)) {
            all.emplace_back(channels, alpha);
        }
    }
    return all;
}

} // namespace glproc::test
