#include "glproc/op/workload.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

double nearest_code(double value, Depth depth) {
    return depth == Depth::f32 ? value : std::nearbyint(std::clamp(value, 0.0, max_code(depth)));
}

/// The error that the answer itself may have, in parts of full scale. An integer lies half a step plus that
/// away at most: beside a tie either neighbour is right.
constexpr double answer_error = 1e-6;

/// How far values lie from the answer.
struct Misses {
    std::size_t values = 0;
    std::size_t off = 0;      ///< values that are not the rounded answer, nor beside a tie
    double squares = 0;       ///< to the unrounded answer
    double least_squares = 0; ///< the rounded answer to the unrounded one

    void add(double got, double answer, Depth depth) {
        const double rounded = nearest_code(answer, depth);
        const double clamped = depth == Depth::f32 ? answer : std::clamp(answer, 0.0, max_code(depth));
        ++values;
        off += got == rounded || std::abs(got - clamped) <= 0.5 + answer_error * max_code(depth) ? 0 : 1;
        squares += (got - clamped) * (got - clamped);
        least_squares += (rounded - clamped) * (rounded - clamped);
    }
    double rms(double sum) const {
        return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(values, 1)));
    }
};

Verdict compare(const Image& source, const Image& got, const RowReference& reference) {
    if (reference.bits) {
        return reference.bits(got);
    }
    const std::vector<int> rows = rows_to_compare(got.height(), reference.row_cost);
    return {.wrong = difference(got, rows, reference.rows(rows), full_scale_of(source), reference.near),
            .rows = static_cast<std::int64_t>(rows.size())};
}

/// Multiplications that take about a second.
constexpr double check_work = 2e9;

Image rows_between(const Image& image, int first, int end) {
    Image part(Form{image.width(), end - first, image.channels(), image.depth()});
    const auto bytes =
        image.bytes().subspan(static_cast<std::size_t>(first) * image.row_bytes(), part.bytes().size());
    std::ranges::copy(bytes, part.bytes().begin());
    return part;
}

double two_images(const Image& image) {
    return 2.0 * static_cast<double>(image.bytes().size());
}

} // namespace

std::vector<int> rows_to_compare(int height, double row_cost) {
    const int count = static_cast<int>(std::clamp(check_work / std::max(row_cost, 1.0), 2.0, double(height)));
    if (height == 1 || count >= height) {
        std::vector<int> all(static_cast<std::size_t>(height));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    std::vector<int> rows;
    for (int i = 0; i < count; ++i) {
        rows.push_back(static_cast<int>(std::int64_t{i} * (height - 1) / (count - 1)));
    }
    return rows;
}

std::string difference(const Image& got, std::span<const int> rows, std::span<const double> expected,
                       double full_scale, bool near, double most_off) {
    const Depth depth = got.depth();
    if (depth == Depth::f32) { // sums may be larger than the values they add up
        full_scale =
            std::accumulate(expected.begin(), expected.end(), full_scale, [](double most, double value) {
                return std::isfinite(value) ? std::max(most, std::abs(value)) : most;
            });
    }
    const double allowed = depth == Depth::u8    ? 1.0
                           : near                ? 0.003 * full_scale * max_code(depth)
                           : depth == Depth::u16 ? 1.0
                                                 : answer_error * full_scale;
    const int colours = got.channels() - (got.form().has_alpha() ? 1 : 0);
    Misses misses;
    std::size_t i = 0;
    for (const int y : rows) {
        for (int x = 0; x < got.width(); ++x) {
            for (int c = 0; c < got.channels(); ++c, ++i) {
                const double value = got.at(x, y, c);
                const double answer = expected[i];
                misses.add(value, answer, depth);
                // Quotients by alpha have that much more of an error.
                const bool is_quotient = depth == Depth::f32 && colours < got.channels() && c < colours;
                const double alpha =
                    is_quotient ? std::clamp(expected[i + static_cast<std::size_t>(colours - c)], 1e-3, 1.0)
                                : 1.0;
                const double code = nearest_code(answer, depth);
                if (value != code &&
                    !(std::abs(value - code) <= allowed / alpha)) { // infinity is equal to itself
                    return fmt::format("channel {} of pixel {},{} is {}, not {:.6g}", c, x, y, value, answer);
                }
            }
        }
    }
    if (depth != Depth::u8) {
        return {};
    }
    if (!near && double(misses.off) > std::max(1.0, most_off * double(misses.values))) {
        return fmt::format("{} of {} values are one step off", misses.off, misses.values);
    }
    const double rms = misses.rms(misses.squares);
    if (rms > std::max(0.30, misses.rms(misses.least_squares) + 0.009 + most_off)) {
        return fmt::format("the root mean square of errors is {:.3f} steps", rms);
    }
    return {};
}

std::string difference_of_bits(const Image& got, const Image& wanted, int first_row) {
    if (got.form() != wanted.form()) {
        return "it has another form";
    }
    if (std::ranges::equal(got.bytes(), wanted.bytes())) {
        return {};
    }
    const auto is_same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (int y = 0; y < got.height(); ++y) {
        for (int x = 0; x < got.width(); ++x) {
            for (int c = 0; c < got.channels(); ++c) {
                if (!is_same(got.at(x, y, c), wanted.at(x, y, c))) {
                    return fmt::format("channel {} of pixel {},{} is {:.9g}, not {:.9g}", c, x, first_row + y,
                                       got.at(x, y, c), wanted.at(x, y, c));
                }
            }
        }
    }
    return {};
}

int rows_of_twin(const Plan& plan, const TileNeeds& needs, const Rect& source, double most_work) {
    constexpr double least_pixel_work = 7;
    const double row_work = std::max(plan.reference.row_cost, least_pixel_work * source.width);
    const int rows = static_cast<int>(std::min(most_work / row_work, double(source.height)));
    const bool is_local = !plan.source_of && !plan.look && !plan.look_by_processor && plan.has_tiles();
    const bool is_within = !needs.repeats || rows + 2 * needs.halo.y <= source.height;
    return rows == source.height || (is_local && is_within) ? rows : 0;
}

Verdict difference_of_twin(const Image& source, const Image& got, const Plan& plan, const TileNeeds& needs,
                           double most_work) {
    const int rows = rows_of_twin(plan, needs, whole_of(source.form()), most_work);
    if (rows == source.height()) {
        return {.wrong = difference_of_bits(got, image_by_processor(plan, source)), .rows = got.height()};
    }
    if (rows == 0) { // no part of it would take so little
        return {};
    }
    const int first =
        needs.halo.y > 0 ? (source.height() - rows) / 2 : 0; // operations on one pixel may know its place
    const int begin = std::max(first - needs.halo.y, 0) / needs.grain.y * needs.grain.y; // where tiles may begin
    const int end = std::min(first + rows + needs.halo.y, source.height());
    const Image made = image_by_processor(plan, rows_between(source, begin, end));
    const Image wanted = rows_between(made, first - begin, first - begin + rows);
    return {.wrong = difference_of_bits(rows_between(got, first, first + rows), wanted, first), .rows = rows};
}

double full_scale_of(const Image& image) {
    double scale = 1;
    if (image.depth() == Depth::f32) {
        for (const float value : image.values<float>()) {
            scale = std::max(scale, std::abs(static_cast<double>(value)));
        }
    }
    return scale;
}

Workload image_workload(Context& gpu, const ImageInput& input, std::function<GpuImage()> compute,
                        RowReference reference) {
    const auto result = std::make_shared<std::optional<GpuImage>>();
    return image_workload(
        gpu, input, [result, compute = std::move(compute)] { result->emplace(compute()); },
        [result]() -> const GpuImage& { return result->value(); }, std::move(reference));
}

Workload image_workload(Context& gpu, const ImageInput& input, std::function<void()> run,
                        std::function<const GpuImage&()> result, RowReference reference) {
    return {.run = std::move(run),
            .check = [=, &gpu] { return compare(input.pixels, gpu.download(result()), reference); },
            .least_bytes = two_images(input.pixels)};
}

Workload image_workload_on_cpu(const ImageInput& input, std::function<Image()> compute,
                               RowReference reference) {
    const auto result = std::make_shared<Image>();
    return {.run = [result, compute = std::move(compute)] { *result = compute(); },
            .check = [=] { return compare(input.pixels, *result, reference); },
            .least_bytes = two_images(input.pixels),
            .on_cpu = true};
}

Workload plan_workload(Context& gpu, const ImageInput& input, const Plan& plan) {
    RowReference reference{[&pixels = input.pixels, rows = plan.reference.rows](std::span<const int> chosen) {
                               return rows(pixels, chosen);
                           },
                           plan.reference.row_cost, plan.reference.near};
    if (!plan.reference.rows && (plan.by_processor || plan.look_by_processor)) {
        reference.bits = [plan, &gpu, &pixels = input.pixels](const Image& got) {
            return difference_of_twin(pixels, got, plan, plan.needs(gpu), check_work);
        };
    }
    Workload work =
        plan.on_cpu
            ? image_workload_on_cpu(
                  input, [=, &pixels = input.pixels] { return image_by_processor(plan, pixels); }, reference)
            : image_workload(
                  gpu, input, [=, &gpu, &image = input.image] { return run_whole(gpu, plan, image); },
                  reference);
    work.least_bytes = static_cast<double>(plan.source.bytes()) + static_cast<double>(plan.result.bytes());
    return work;
}

std::optional<std::string> why_not_measured(Context& gpu, const ImageInput&, const Plan& plan) {
    constexpr double most_multiplications = 2e10;
    if (plan.on_cpu && plan.reference.row_cost * plan.result.height > most_multiplications) {
        return "a loop on the CPU would take too long at this size and radius";
    }
    return plan.why_unavailable ? plan.why_unavailable(gpu) : std::nullopt;
}

/// The same as difference(), but floats may differ by rounding, because their order of addition does.
static std::string difference_of_sums(const Array& got, const Array& expected) {
    if (expected.type != ArrayType::f32 || got.type != expected.type || got.shape != expected.shape) {
        return difference(got, expected);
    }
    double largest = 0;
    for (std::size_t i = 0; i < expected.count(); ++i) {
        largest = std::max(largest, std::abs(double{value_at<float>(expected, i)}));
    }
    for (std::size_t i = 0; i < expected.count(); ++i) {
        const float answer = value_at<float>(expected, i);
        const float value = value_at<float>(got, i);
        if (!(std::abs(double{value} - double{answer}) <= 1e-5 * largest)) {
            return fmt::format("element {} is {}, not {}", i, value, answer);
        }
    }
    return {};
}

Workload array_workload(Context& gpu, std::size_t input_bytes, std::function<GpuArray()> compute,
                        std::function<Array()> reference) {
    const auto result = std::make_shared<std::optional<GpuArray>>();
    const auto answer = std::make_shared<const Array>(reference());
    return {
        .run = [result, compute = std::move(compute)] { result->emplace(compute()); },
        .check = [=, &gpu] { return Verdict{difference_of_sums(gpu.download(result->value()), *answer)}; },
        .least_bytes = static_cast<double>(input_bytes + answer->bytes.size())};
}

std::string difference(const Array& got, const Array& expected) {
    if (got.shape != expected.shape || got.type != expected.type) {
        return "it has another shape or type";
    }
    for (std::size_t i = 0; i < expected.count(); ++i) {
        const auto bits = value_at<std::uint32_t>(got, i);
        const auto answer = value_at<std::uint32_t>(expected, i);
        if (bits == answer) {
            continue;
        }
        switch (expected.type) {
        case ArrayType::u32:
            return fmt::format("element {} is {}, not {}", i, bits, answer);
        case ArrayType::i32:
            return fmt::format("element {} is {}, not {}", i, value_at<std::int32_t>(got, i),
                               value_at<std::int32_t>(expected, i));
        case ArrayType::f32:
            return fmt::format("element {} is {}, not {}", i, value_at<float>(got, i),
                               value_at<float>(expected, i));
        }
    }
    return {};
}

} // namespace glproc
