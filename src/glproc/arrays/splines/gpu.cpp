#include "glproc/arrays/splines/splines.hpp"
#include "glproc/base/covering.hpp"

#include "glproc/arrays/slabs.hpp"
#include "glproc/arrays/volume_pass.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace glproc {

namespace {

constexpr std::size_t most_gpu_axes = 3;

bool is_integer(Number type) {
    return type != Number::f32 && type != Number::f64;
}

Uint4 bounds_of(Number type) {
    const auto bits = static_cast<unsigned>(8 * bytes_of(type));
    const bool is_signed = type == Number::i8 || type == Number::i16 || type == Number::i32;
    const auto half = static_cast<double>(std::uint64_t{1} << (bits - 1));
    return is_signed ? bits_of(-half, half - 1) : bits_of(0, 2 * half - 1);
}

const char* places_of(const SplineJob& job) {
    return !job.along.empty() ? "ALONG" : !job.matrix.empty() ? "MATRIX" : "COORDINATES";
}

std::vector<double> tables_of(const SplineJob& job) {
    std::vector<double> tables = job.matrix;
    for (const std::vector<double>& places : job.along) {
        tables.insert(tables.end(), places.begin(), places.end());
    }
    return tables;
}

std::size_t bytes_of_places(const SplineJob& job) {
    std::size_t count = job.coordinates.size() + job.matrix.size();
    for (const std::vector<double>& places : job.along) {
        count += places.size();
    }
    return count * sizeof(double);
}

/// Filters the lines along one axis by a pole. Constants are those that the CPU has.
void filter_axis(Context& gpu, const SplineJob& job, std::size_t axis, double pole, double gain, Buffer& values) {
    constexpr std::int64_t lines_of_group = 8;
    const std::int64_t length = job.source.shape[axis];
    if (length < 2) {
        return;
    }
    std::int64_t step = 1;
    for (std::size_t i = axis + 1; i < job.source.shape.size(); ++i) {
        step *= job.source.shape[i];
    }
    const bool is_reflected = job.border == SplineBorder::reflect || job.border == SplineBorder::nearest;
    const bool is_wrapped = job.border == SplineBorder::grid_wrap;
    const double far = std::pow(pole, static_cast<double>(is_reflected ? length : length - 1));
    const std::int64_t lines = job.source.count() / length;
    Pass pass = gpu.pass("spline.filter", "arrays/splines/filter.comp",
                         {{"BORDER", is_reflected ? "REFLECT" : is_wrapped ? "GRID_WRAP" : "MIRROR"}});
    pass.updates("b_values", values)
        .set("u_length", static_cast<int>(length))
        .set("u_step", static_cast<int>(step))
        .set("u_lines", static_cast<int>(lines))
        .set("u_pole", bits_of(pole, gain));
    if (is_reflected) {
        pass.set("u_far", bits_of(far, 0)).set("u_ends", bits_of(pole / (1 - far * far), pole / (pole - 1)));
    } else if (!is_wrapped) {
        pass.set("u_far", bits_of(far, 1 - far * far)).set("u_ends", bits_of(0, pole * pole - 1));
    }
    pass.groups_1d(covering(lines, lines_of_group));
}

/// The source on the GPU, as it is or as coefficients.
Buffer coefficients_of(Context& gpu, const SplineJob& job, std::span<const std::byte> source) {
    Buffer from = uploaded(gpu, source, "array");
    if (!job.filters) {
        return from;
    }
    if (job.source.type != Number::f64) {
        Buffer doubles = gpu.make_buffer(padded_bytes({Number::f64, job.source.shape}), "doubles");
        gpu.pass("spline.doubles", "arrays/splines/doubles.comp", {{"SRC", glsl_name(job.source.type)}, {"DST", "F64"}})
            .reads("b_src", from)
            .writes("b_dst", doubles)
            .set("u_count", static_cast<int>(job.source.count()))
            .over_1d(job.source.count());
        from = std::move(doubles);
    }
    double gain_of_all = 1.0;
    for (const double pole : spline_poles(job.order)) {
        gain_of_all *= (1.0 - pole) * (1.0 - 1.0 / pole);
    }
    for (std::size_t axis = 0; axis < job.source.shape.size(); ++axis) {
        double gain = gain_of_all;
        for (const double pole : spline_poles(job.order)) {
            filter_axis(gpu, job, axis, pole, std::exchange(gain, 1.0), from);
        }
    }
    return from;
}

/// Some rows of the results, along their first axis. `coordinates` is memory for their places.
SplineJob rows_of(const SplineJob& job, std::int64_t first, std::int64_t rows, std::vector<double>& coordinates) {
    SplineJob part = job;
    part.result.shape[0] = rows;
    if (rows == job.result.shape[0]) {
        return part;
    }
    if (!part.along.empty()) {
        const auto begin = job.along[0].begin() + first;
        part.along[0].assign(begin, begin + rows);
    }
    if (!job.coordinates.empty()) {
        const auto all = static_cast<std::size_t>(job.result.count());
        const auto count = static_cast<std::size_t>(part.result.count());
        const std::size_t before = all / static_cast<std::size_t>(job.result.shape[0]) * static_cast<std::size_t>(first);
        coordinates.clear();
        for (std::size_t axis = 0; axis < job.source.shape.size(); ++axis) {
            const std::span<const double> places = job.coordinates.subspan(axis * all + before, count);
            coordinates.insert(coordinates.end(), places.begin(), places.end());
        }
        part.coordinates = coordinates;
    }
    return part;
}

/// Whether memory has room for so many rows of the results.
bool has_room_for(const Context& gpu, const SplineJob& job, std::int64_t rows) {
    constexpr std::int64_t most = std::int64_t{1} << 30U;
    const auto block = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    VolumeForm result = job.result;
    result.shape[0] = rows;
    const auto axes = static_cast<std::int64_t>(job.source.shape.size());
    const std::size_t coordinates = job.coordinates.empty() ? 0 : static_cast<std::size_t>(result.count() * axes) * sizeof(double);
    const std::size_t tables = job.coordinates.empty() ? bytes_of_places(job) : 0;
    const std::size_t coefficients = job.filters ? padded_bytes({Number::f64, job.source.shape}) : 0;
    const std::size_t bytes[] = {padded_bytes(job.source), padded_bytes(result), coordinates + tables, coefficients};
    const bool in_blocks = std::ranges::all_of(bytes, [&](std::size_t one) { return one <= block; });
    return in_blocks && bytes[0] + bytes[1] + bytes[2] + bytes[3] <= gpu.memory_bytes() && job.source.count() < most &&
           result.count() < most / 4 && coordinates / sizeof(double) < static_cast<std::size_t>(most);
}

/// Of a slab. A matrix makes places of the indices of the whole result, which a part does not know.
std::int64_t rows_at_once(const Context& gpu, const SplineJob& job) {
    const std::int64_t all = job.result.shape[0];
    if (!job.matrix.empty()) {
        return has_room_for(gpu, job, all) ? all : 0;
    }
    return slab_rows(all, 0, [&](std::int64_t rows) { return has_room_for(gpu, job, rows); });
}

/// The results of a job from the source on the GPU. False where a place is too far away.
bool make_values(Context& gpu, const SplineJob& job, const Buffer& from, std::span<std::byte> result) {
    const std::vector<double> tables = tables_of(job);
    const std::span<const double> numbers =
        job.coordinates.empty() ? std::span<const double>(tables) : job.coordinates;
    const Buffer places = uploaded(gpu, std::as_bytes(numbers), "places");
    Buffer far = gpu.make_buffer(sizeof(std::uint32_t), "far");
    far.fill(0);
    Buffer to = gpu.make_buffer(padded_bytes(job.result), "array");

    const std::string kind = places_of(job);
    const std::int64_t results = job.result.count();
    Pass pass = gpu.pass("spline.values", "arrays/splines/values.comp",
                         {{"SRC", glsl_name(job.filters ? Number::f64 : job.source.type)},
                          {"DST", glsl_name(job.result.type)},
                          {"ORDER", std::to_string(job.order)},
                          {"RANK", std::to_string(job.source.shape.size())},
                          {"PLACES", kind}});
    pass.reads("b_src", from).reads("b_places", places).writes("b_dst", to).updates("b_far", far);
    pass.set("u_length", sizes_of(job.source))
        .set("u_constant", bits_of(job.constant, 0))
        .set("u_border", static_cast<int>(job.border))
        .set("u_results", static_cast<int>(results));
    if (kind != "COORDINATES" && job.source.shape.size() > 1) {
        pass.set("u_shape", sizes_of(job.result));
    }
    if (kind != "ALONG") {
        pass.set("u_padding", bits_of(job.padding, 0));
    }
    if (is_integer(job.result.type)) {
        pass.set("u_rounds", job.rounds ? 1 : 0).set("u_bounds", bounds_of(job.result.type));
    }
    const bool four = bytes_of(job.result.type) < 4;
    pass.over_1d(four ? (results + 3) / 4 : results);
    if (far.read<std::uint32_t>(1).front() != 0) {
        return false;
    }
    gpu.state().transfer->download(to, result);
    return true;
}

/// A job by the same program on a few hundred values, with places on both sides of the array.
Probe<SplineJob> probe_of(const SplineJob& job, SplineBorder border) {
    const std::size_t axes = job.source.shape.size();
    const std::vector<std::int64_t> shapes[] = {{301}, {23, 131}, {5, 6, 7}}; // some lines of several parts, see filter.comp
    const std::vector<std::int64_t> results[] = {{173}, {19, 23}, {9, 7, 11}};
    Probe<SplineJob> probe{.job = {.source = {job.source.type, shapes[axes - 1]},
                                   .result = {job.result.type, results[axes - 1]},
                                   .filters = job.filters,
                                   .rounds = job.rounds,
                                   .order = job.order,
                                   .border = border,
                                   .constant = -7.25,
                                   .padding = job.along.empty() ? 0.375 : 0},
                           .source = {},
                           .numbers = {}};
    probe.source = probe_values(probe.job.source);
    const auto place = [&](std::size_t axis, std::int64_t i) {
        const auto length = static_cast<double>(probe.job.source.shape[axis]);
        return static_cast<double>(i * 7919 % 1009) / 1009 * 5 * length - 2 * length;
    };
    for (std::size_t axis = 0; axis < axes; ++axis) {
        if (!job.along.empty()) {
            std::vector<double>& places = probe.job.along.emplace_back();
            for (std::int64_t i = 0; i < probe.job.result.shape[axis]; ++i) {
                places.push_back(i % 5 == 0 ? static_cast<double>(i) : place(axis, i));
            }
        } else if (!job.matrix.empty()) {
            for (std::size_t k = 0; k <= axes; ++k) {
                probe.job.matrix.push_back(k == axis ? 1.31 : k == axes ? -8.7 : 0.173);
            }
        } else {
            for (std::int64_t i = 0; i < probe.job.result.count(); ++i) {
                probe.numbers.push_back(i % 5 == 0 ? static_cast<double>(i % 9) : place(axis, i + 31));
            }
        }
    }
    probe.job.coordinates = probe.numbers;
    return probe;
}

} // namespace

std::vector<Probe<SplineJob>> SplineJob::probes() const {
    std::vector<Probe<SplineJob>> probes;
    for (int one = 0; one <= static_cast<int>(SplineBorder::grid_constant); ++one) {
        probes.push_back(probe_of(*this, static_cast<SplineBorder>(one)));
    }
    return probes;
}

double SplineJob::work() const {
    double work = static_cast<double>(result.count());
    for (std::size_t i = 0; i < source.shape.size(); ++i) {
        work *= order + 1;
    }
    return work;
}

bool SplineJob::fits_at_once(const Context& gpu) const {
    const std::size_t axes = source.shape.size();
    const bool is_wide = is_integer(result.type) && bytes_of(result.type) == 8;
    const bool same_axes = !coordinates.empty() || axes == result.shape.size();
    // Mesa's software renderers leave a loop after 65535 rounds.
    const bool is_long =
        filters && std::ranges::any_of(source.shape, [](std::int64_t n) { return n > 65535; });
    if (is_long || axes > most_gpu_axes || is_wide || !same_axes || !steps.empty()) {
        return false;
    }
    return rows_at_once(gpu, *this) > 0;
}

Found SplineJob::run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const {
    const Buffer values = coefficients_of(gpu, *this, from);
    const std::int64_t all = result.shape[0];
    const std::int64_t rows = rows_at_once(gpu, *this);
    const std::size_t row_bytes = to.size() / static_cast<std::size_t>(all);
    std::vector<double> places;
    for (std::int64_t first = 0; first < all; first += rows) {
        const std::int64_t count = std::min(rows, all - first);
        const auto some = to.subspan(static_cast<std::size_t>(first) * row_bytes,
                                     static_cast<std::size_t>(count) * row_bytes);
        if (!make_values(gpu, rows_of(*this, first, count, places), values, some)) {
            return {};
        }
    }
    return 0;
}

} // namespace glproc
