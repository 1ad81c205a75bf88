#include "glproc/op/workload.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

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
    const double row_work = std::max(plan.twin.row_cost, least_pixel_work * source.width);
    const int rows = static_cast<int>(std::min(most_work / row_work, double(source.height)));
    const bool is_local = !plan.moves() && !plan.look.at && !plan.look.alone && plan.has_tiles();
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

Workload image_workload(Context& gpu, const ImageInput& input, std::function<GpuImage()> compute, Judge judge) {
    const auto result = std::make_shared<std::optional<GpuImage>>();
    return {.run = [result, compute = std::move(compute)] { result->emplace(compute()); },
            .check = [=, &gpu] { return judge(gpu.download(result->value())); },
            .least_bytes = two_images(input.pixels)};
}

Workload plan_workload(Context& gpu, const ImageInput& input, const Plan& plan) {
    const Judge judge = [plan, &gpu, &pixels = input.pixels](const Image& got) {
        return difference_of_twin(pixels, got, plan, plan.work.needs(gpu), check_work);
    };
    Workload work = image_workload(
        gpu, input, [=, &gpu, &image = input.image] { return run_whole(gpu, plan, image); }, judge);
    if (plan.work.on_cpu) {
        const auto result = std::make_shared<Image>();
        work.run = [=, &pixels = input.pixels] { *result = image_by_processor(plan, pixels); };
        work.check = [=] { return judge(*result); };
        work.on_cpu = true;
    }
    work.least_bytes =
        static_cast<double>(plan.shape.source.bytes()) + static_cast<double>(plan.shape.result.bytes());
    return work;
}

std::optional<std::string> why_not_measured(Context& gpu, const ImageInput&, const Plan& plan) {
    constexpr double most_multiplications = 2e10;
    if (plan.work.on_cpu && plan.twin.row_cost * plan.shape.result.height > most_multiplications) {
        return "a loop on the CPU would take too long at this size and radius";
    }
    return plan.work.why_unavailable ? plan.work.why_unavailable(gpu) : std::nullopt;
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
