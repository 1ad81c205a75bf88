#include "glproc/ops/volumes/sums.hpp"

#include "glproc/arrays/lines/lines.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/stencil.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/laplacian.hpp"
#include "glproc/ops/sobel.hpp"
#include "glproc/ops/unsharp.hpp"
#include "glproc/ops/volumes/volume.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

using Doubles = std::vector<double>;
using Weights = PerVolumeAxis<std::vector<double>>;

/// Both sides of weights that count from the middle.
std::vector<double> unfolded(const std::vector<double>& half) {
    std::vector<double> weights(half.rbegin(), half.rend());
    weights.insert(weights.end(), half.begin() + 1, half.end());
    return weights;
}

/// A pass along each axis that has more weights than one, in the order of axes. Each pass adds up the
/// constant beyond a border, too, for those that follow.
Doubles correlated(const VolumeCall& volume, const VolumePart& part, const Weights& weights,
                   const Border& border) {
    LineJob job{form_of(part), Number::f64, {}};
    double constant = constant_of(border, part.planes.front()->form());
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<double>& along = weights[static_cast<std::size_t>(axis)];
        if (along.size() > 1) {
            job.passes.push_back({.what = LinePass::Do::sum,
                                  .axis = axis,
                                  .border = border.mode,
                                  .constant = constant,
                                  .size = static_cast<std::int64_t>(along.size()),
                                  .weights = along});
            constant *= std::accumulate(along.begin(), along.end(), 0.0);
        }
    }
    if (job.passes.empty()) {
        return doubles_of(part);
    }
    Doubles made(static_cast<std::size_t>(job.source.count()));
    run_array_job(volume, job, values_of(part), std::as_writable_bytes(std::span(made)));
    return made;
}

/// Calls work(begin, end) for parts of `count` values, several at once.
template <class Work>
void in_parts(std::size_t count, const Work& work) {
    constexpr std::size_t step = std::size_t{1} << 18U;
    parallel_for((count + step - 1) / step,
                 [&](std::size_t i) { work(i * step, std::min(count, (i + 1) * step)); });
}

void refuse_light(bool linear) {
    if (linear) {
        throw Error(ErrorCode::usage, "--volume takes values as they are", "leave --linear out");
    }
}

/// Standard deviations of a Gaussian along each axis, and where it is cut off.
struct Gaussian3 {
    PerVolumeAxis<double> sigma;
    PerVolumeAxis<int> radius;

    Weights weights() const {
        Weights all;
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = unfolded(gaussian_taps(sigma[i], radius[i]));
        }
        return all;
    }
};

Gaussian3 gaussian_of(const Blur& op, const VolumeCall& volume) {
    Gaussian3 made{per_axis(volume, "sigma", op.sigma), {}};
    const PerVolumeAxis<int> given = per_axis(volume, "radius", op.radius.value_or(0));
    for (std::size_t i = 0; i < made.sigma.size(); ++i) {
        made.sigma[i] /= volume.spacing[i];
        check_limit("sigma", made.sigma[i], sigma_limit);
        made.radius[i] = made.sigma[i] == 0 ? 0
                         : op.radius        ? given[i]
                                            : static_cast<int>(std::floor(op.truncate * made.sigma[i] + 0.5));
        check_limit("radius", made.radius[i], radius_limit);
    }
    return made;
}

Blur blur_of(const Unsharp& op) {
    return {.sigma = op.sigma, .border = op.border, .alpha = op.alpha, .linear = op.linear};
}

MakePlane sharpened(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Unsharp>(call);
    const Depth depth = part.planes.front()->depth();
    const Doubles blurred = correlated(volume, part, gaussian_of(blur_of(op), volume).weights(), op.border);
    Doubles values = doubles_of(part);
    const double least = op.threshold * (depth == Depth::f32 ? 1 : max_code(depth));
    in_parts(values.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double difference = values[i] - blurred[i];
            values[i] += std::abs(difference) <= least ? 0 : op.amount * difference;
        }
    });
    return rounded_planes(std::move(values), part, depth);
}

Weights box_weights(const Box& op, const VolumeCall& volume) {
    Weights weights;
    const PerVolumeAxis<int> radius = per_axis(volume, "radius", op.radius);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        check_limit("radius", radius[i], flat_radius_limit);
        weights[i].assign(2 * static_cast<std::size_t>(radius[i]) + 1, 1);
    }
    return weights;
}

MakePlane box_mean(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Box>(call);
    if (op.nan == NanMode::skip) {
        refuse_infinite(volume, part);
    }
    const Weights weights = box_weights(op, volume);
    Doubles sums = correlated(volume, part, weights, op.border);
    double count = 1;
    for (const std::vector<double>& along : weights) {
        count *= static_cast<double>(along.size());
    }
    in_parts(sums.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            sums[i] /= count;
        }
    });
    return rounded_planes(std::move(sums), part, part.planes.front()->depth());
}

/// The slope along one axis, smoothed along the others.
Doubles slope(const VolumeCall& volume, const VolumePart& part, const Sobel& op, std::size_t along) {
    const auto smooth = op.kernel == GradientOperator::sobel    ? std::vector<double>{1, 2, 1}
                        : op.kernel == GradientOperator::scharr ? std::vector<double>{3, 10, 3}
                                                                : std::vector<double>{1, 1, 1};
    Weights weights{smooth, smooth, smooth};
    weights[along] = {-1, 0, 1};
    return correlated(volume, part, weights, op.border);
}

MakePlane gradient(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Sobel>(call);
    const Form& form = part.planes.front()->form();
    const bool is_length = op.output == GradientOutput::magnitude;
    const Depth depth = is_length ? form.depth : Depth::f32;
    const double scale = op.scale * code_ratio(form, is_length ? std::nullopt : std::optional(depth));
    Doubles made = slope(volume, part, op, op.output == GradientOutput::x ? 2 : 1);
    const auto combine = [&](const auto& with) {
        in_parts(made.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                made[i] = with(i);
            }
        });
    };
    if (is_length) {
        combine([&](std::size_t i) { return made[i] * made[i]; });
        for (const std::size_t along : {std::size_t{0}, std::size_t{2}}) {
            const Doubles other = slope(volume, part, op, along);
            combine([&](std::size_t i) { return made[i] + other[i] * other[i]; });
        }
        combine([&](std::size_t i) { return std::sqrt(made[i]) * scale; });
    } else {
        combine([&](std::size_t i) { return made[i] * scale; });
    }
    return rounded_planes(std::move(made), part, depth);
}

/// The second derivative of a Gaussian along one axis; without a sigma the difference of neighbours.
std::vector<double> curvature_weights(double sigma, const std::vector<double>& gaussian) {
    if (sigma == 0) {
        return {1, -2, 1};
    }
    std::vector<double> weights = gaussian;
    const auto middle = static_cast<double>(weights.size() / 2);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double x = (static_cast<double>(i) - middle) / sigma;
        weights[i] *= (x * x - 1) / (sigma * sigma);
    }
    return weights;
}

int laplacian_radius(const Laplacian& op) {
    return op.sigma == 0 ? 1 : static_cast<int>(std::floor(4 * op.sigma + 0.5));
}

MakePlane curvature(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Laplacian>(call);
    const Form& form = part.planes.front()->form();
    const bool is_signed = op.output == LaplacianOutput::with_sign;
    const Depth depth = is_signed ? Depth::f32 : form.depth;
    const double scale = op.scale * code_ratio(form, is_signed ? std::optional(depth) : std::nullopt);
    const std::vector<double> blur =
        op.sigma == 0 ? std::vector<double>{1} : unfolded(gaussian_taps(op.sigma, laplacian_radius(op)));
    Doubles sum(static_cast<std::size_t>(form_of(part).count()));
    for (std::size_t along = 0; along < 3; ++along) {
        Weights weights{blur, blur, blur};
        weights[along] = curvature_weights(op.sigma, blur);
        const Doubles part_of_sum = correlated(volume, part, weights, op.border);
        in_parts(sum.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                sum[i] += part_of_sum[i];
            }
        });
    }
    in_parts(sum.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            sum[i] = (is_signed ? sum[i] : std::abs(sum[i])) * scale;
        }
    });
    return rounded_planes(std::move(sum), part, depth);
}

} // namespace

const InVolume& blur_in_volume() {
    static const InVolume made{
        .around =
            [](const Operation& call, const VolumeCall& volume, const Form& plane) {
                const auto& op = parameters_of<Blur>(call);
                check_volume(plane, op.border);
                refuse_light(op.linear);
                return planes_around(op.border, gaussian_of(op, volume).radius[0]);
            },
        .run =
            [](const Operation& call, const VolumeCall& volume, const VolumePart& part) {
                const auto& op = parameters_of<Blur>(call);
                if (op.nan == NanMode::skip) {
                    refuse_infinite(volume, part);
                }
                return rounded_planes(correlated(volume, part, gaussian_of(op, volume).weights(), op.border),
                                      part, part.planes.front()->depth());
            },
        .knows_spacing = true};
    return made;
}

const InVolume& box_in_volume() {
    static const InVolume made{.around =
                                   [](const Operation& call, const VolumeCall& volume, const Form& plane) {
                                       const auto& op = parameters_of<Box>(call);
                                       check_volume(plane, op.border);
                                       refuse_light(op.linear);
                                       return planes_around(
                                           op.border,
                                           static_cast<std::int64_t>(box_weights(op, volume)[0].size() / 2));
                                   },
                               .run = &box_mean};
    return made;
}

const InVolume& unsharp_in_volume() {
    static const InVolume made{.around =
                                   [](const Operation& call, const VolumeCall& volume, const Form& plane) {
                                       const auto& op = parameters_of<Unsharp>(call);
                                       check_volume(plane, op.border);
                                       refuse_light(op.linear);
                                       return planes_around(op.border,
                                                            gaussian_of(blur_of(op), volume).radius[0]);
                                   },
                               .run = &sharpened,
                               .knows_spacing = true};
    return made;
}

const InVolume& sobel_in_volume() {
    static const InVolume made{.around =
                                   [](const Operation& call, const VolumeCall&, const Form& plane) {
                                       const auto& op = parameters_of<Sobel>(call);
                                       check_volume(plane, op.border);
                                       if (op.output == GradientOutput::angle) {
                                           throw Error(ErrorCode::usage,
                                                       "a direction in space is more than an angle",
                                                       "--output magnitude, x or y");
                                       }
                                       return planes_around(op.border, 1);
                                   },
                               .run = &gradient};
    return made;
}

const InVolume& laplacian_in_volume() {
    static const InVolume made{.around =
                                   [](const Operation& call, const VolumeCall&, const Form& plane) {
                                       const auto& op = parameters_of<Laplacian>(call);
                                       check_volume(plane, op.border);
                                       return planes_around(op.border, laplacian_radius(op));
                                   },
                               .run = &curvature};
    return made;
}

} // namespace glproc
