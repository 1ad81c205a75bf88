#include "glproc/arrays/distances/distances.hpp"
#include "glproc/base/covering.hpp"

#include "glproc/arrays/volume_pass.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glproc {

namespace {

constexpr std::size_t square_bytes = sizeof(std::uint32_t);
constexpr std::int64_t first_lines = 32; // of a group of glsl/arrays/distances/first.comp

/// The squared distances, a word each.
Buffer squares_of(Context& gpu, const std::vector<std::int64_t>& shape, std::span<const std::byte> is_value) {
    const std::size_t count = is_value.size();
    const Buffer values = uploaded(gpu, is_value, "values");
    Buffer squares = gpu.make_buffer(count * square_bytes, "squares");
    const auto length = static_cast<std::uint32_t>(shape[0]);
    const auto lines = static_cast<std::uint32_t>(count / length);
    gpu.pass("distance.first", "arrays/distances/first.comp")
        .reads("b_is_value", values)
        .updates("b_squares", squares)
        .set("u_length", length)
        .set("u_lines", lines)
        .groups_1d(covering(std::int64_t{lines}, first_lines));
    if (shape.size() == 1) {
        return squares;
    }
    Buffer other = gpu.make_buffer(count * square_bytes, "squares");
    std::uint32_t step = lines;
    for (std::size_t axis = 1; axis < shape.size(); ++axis) {
        step /= static_cast<std::uint32_t>(shape[axis]);
        gpu.pass("distance.further", "arrays/distances/further.comp")
            .reads("b_src", squares)
            .writes("b_dst", other)
            .set("u_length", static_cast<std::uint32_t>(shape[axis]))
            .set("u_step", step)
            .set("u_count", static_cast<std::uint32_t>(count))
            .over_1d(static_cast<std::int64_t>(count));
        std::swap(squares, other);
    }
    return squares;
}

} // namespace

bool EuclideanJob::fits_at_once(const Context& gpu) const {
    constexpr std::int64_t most_length = 32768; // Mesa's software renderers leave a loop after 65535 rounds
    std::int64_t square = 0;
    for (const std::int64_t length : source.shape) {
        if (length > most_length) {
            return false;
        }
        square += length * length;
    }
    const bool is_even = std::ranges::all_of(sampling, [](double one) { return one == 1.0; });
    const std::size_t words = source.bytes() * square_bytes;
    return is_even && square < (std::int64_t{1} << 32U) - 1 &&
           words <= static_cast<std::size_t>(gpu.limits().storage_block_bytes) &&
           source.bytes() < std::size_t{1} << 30U && 2 * words + source.bytes() <= gpu.memory_bytes();
}

std::vector<Probe<EuclideanJob>> EuclideanJob::probes() const {
    const std::vector<std::vector<std::int64_t>> shapes{{97}, {23, 31}, {7, 11, 13}, {3, 5, 7, 9}};
    const VolumeForm form{Number::u8, shapes[std::min(source.shape.size(), shapes.size()) - 1]};
    std::vector<std::byte> values(form.bytes(), std::byte{1});
    for (std::size_t i = 3; i < values.size(); i += 61) {
        values[i * i % values.size()] = std::byte{0};
    }
    return {{{form, std::vector<double>(form.shape.size(), 1.0)}, values, {}}};
}

/// The roots of integers are the processor's: its roots are rounded rightly, and half as much is to be
/// copied.
Found EuclideanJob::run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const {
    const Buffer squares = squares_of(gpu, source.shape, from);
    double* const roots = reinterpret_cast<double*>(to.data());
    const std::size_t count = from.size();
    std::vector<std::uint32_t> found(count);
    gpu.state().transfer->download(squares, std::as_writable_bytes(std::span(found)));
    constexpr std::size_t at_once = std::size_t{1} << 16U;
    parallel_for(covering(count, at_once), [&](std::size_t part) {
        const std::size_t end = std::min(count, (part + 1) * at_once);
        for (std::size_t i = part * at_once; i < end; ++i) {
            roots[i] = std::sqrt(static_cast<double>(found[i]));
        }
    });
    return 0;
}

} // namespace glproc
