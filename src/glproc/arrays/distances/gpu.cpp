#include "glproc/arrays/distances/distances.hpp"

#include "glproc/arrays/lines/probe.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/gl/context_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

constexpr std::size_t square_bytes = sizeof(std::uint32_t);
constexpr std::int64_t first_lines = 32; // of a group of glsl/arrays/distances/first.comp

/// The squared distances, a word each.
Buffer squares_of(Context& gpu, const DistanceJob& job) {
    const std::size_t count = job.is_value.size();
    Buffer values = gpu.make_buffer((count + 3) / 4 * 4, "values");
    gpu.state().transfer->upload(std::as_bytes(job.is_value), values);
    Buffer squares = gpu.make_buffer(count * square_bytes, "squares");
    const auto length = static_cast<std::uint32_t>(job.shape[0]);
    const auto lines = static_cast<std::uint32_t>(count / length);
    gpu.pass("distance.first", "arrays/distances/first.comp")
        .reads("b_is_value", values)
        .updates("b_squares", squares)
        .set("u_length", length)
        .set("u_lines", lines)
        .groups_1d((std::int64_t{lines} + first_lines - 1) / first_lines);
    if (job.shape.size() == 1) {
        return squares;
    }
    Buffer other = gpu.make_buffer(count * square_bytes, "squares");
    std::uint32_t step = lines;
    for (std::size_t axis = 1; axis < job.shape.size(); ++axis) {
        step /= static_cast<std::uint32_t>(job.shape[axis]);
        gpu.pass("distance.further", "arrays/distances/further.comp")
            .reads("b_src", squares)
            .writes("b_dst", other)
            .set("u_length", static_cast<std::uint32_t>(job.shape[axis]))
            .set("u_step", step)
            .set("u_count", static_cast<std::uint32_t>(count))
            .over_1d(static_cast<std::int64_t>(count));
        std::swap(squares, other);
    }
    return squares;
}

/// The roots of integers are the processor's: its roots are rounded rightly, and half as much is to be copied.
void run_unproved(Context& gpu, const DistanceJob& job, std::span<double> distances) {
    const Buffer squares = squares_of(gpu, job);
    double* const roots = distances.data();
    const std::size_t count = distances.size();
    std::vector<std::uint32_t> found(count);
    gpu.state().transfer->download(squares, std::as_writable_bytes(std::span(found)));
    constexpr std::size_t at_once = std::size_t{1} << 16U;
    parallel_for((count + at_once - 1) / at_once, [&](std::size_t part) {
        const std::size_t end = std::min(count, (part + 1) * at_once);
        for (std::size_t i = part * at_once; i < end; ++i) {
            roots[i] = std::sqrt(static_cast<double>(found[i]));
        }
    });
}

bool is_right(Context& gpu, std::size_t axes) {
    const std::vector<std::vector<std::int64_t>> shapes{{97}, {23, 31}, {7, 11, 13}, {3, 5, 7, 9}};
    const std::vector<std::int64_t>& shape = shapes[std::min(axes, shapes.size()) - 1];
    const auto count = static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
    std::vector<std::uint8_t> values(count, 1);
    for (std::size_t i = 3; i < count; i += 61) {
        values[i * i % count] = 0;
    }
    const DistanceJob probe{shape, std::vector<double>(shape.size(), 1.0), values};
    std::vector<double> expected(count);
    std::vector<double> got(count);
    std::vector<std::int32_t> features(count * shape.size());
    euclidean_on_cpu(probe, features, expected, false);
    run_unproved(gpu, probe, got);
    return std::memcmp(expected.data(), got.data(), count * sizeof(double)) == 0;
}

} // namespace

bool fits(const Context& gpu, const DistanceJob& job) {
    constexpr std::int64_t most_length = 32768; // Mesa's software renderers leave a loop after 65535 rounds
    std::int64_t square = 0;
    for (const std::int64_t length : job.shape) {
        if (length > most_length) {
            return false;
        }
        square += length * length;
    }
    const bool is_even = std::ranges::all_of(job.sampling, [](double one) { return one == 1.0; });
    const std::size_t words = job.is_value.size() * square_bytes;
    return is_even && square < (std::int64_t{1} << 32U) - 1 && words <= static_cast<std::size_t>(gpu.limits().storage_block_bytes) &&
           job.is_value.size() < std::size_t{1} << 30U && 2 * words + job.is_value.size() <= gpu.memory_bytes();
}

void run_euclidean(Context& gpu, const DistanceJob& job, std::span<double> distances) {
    run_unproved(gpu, job, distances);
    prove_doubles(gpu, [&] { return is_right(gpu, job.shape.size()); });
}

} // namespace glproc
