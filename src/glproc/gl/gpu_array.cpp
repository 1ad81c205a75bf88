#include "glproc/gl/gpu_array.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/blocks.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/context_state.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace glproc {

namespace {

std::size_t count_of(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t bytes_of(const GpuArray& array) {
    return array.count() * sizeof(std::uint32_t);
}

void check_in_buffer(const GpuArray& array) {
    if (array.in_blocks()) {
        throw Error(ErrorCode::operation,
                    fmt::format("an array of {} elements lies in texture {}, not in a buffer", array.count(),
                                array.blocks().texture().label()),
                    "Context::in_words() copies it to a buffer");
    }
}

} // namespace

std::size_t GpuArray::count() const {
    return count_of(shape);
}

const Buffer& GpuArray::words() const {
    check_in_buffer(*this);
    return std::get<Buffer>(place);
}

Buffer& GpuArray::words() {
    check_in_buffer(*this);
    return std::get<Buffer>(place);
}

GpuArray Context::make_array(const ArrayForm& form, std::string_view label) {
    const std::size_t bytes = count_of(form.shape) * sizeof(std::uint32_t);
    if (goes_in_blocks(bytes, limits())) {
        return {form.type, form.shape, make_image(form_of_blocks(bytes), label)};
    }
    return {form.type, form.shape, make_buffer(bytes, label)};
}

GpuArray Context::in_words(const GpuArray& array, std::string_view label) {
    GpuArray result{array.type, array.shape, make_buffer(bytes_of(array), label)};
    constexpr std::size_t alignment = 256; // the most that a device may ask for
    const auto block = static_cast<std::size_t>(limits().storage_block_bytes);
    const std::size_t part = std::max(block / alignment, std::size_t{1}) * alignment;
    for (std::size_t first = 0; first < bytes_of(array); first += part) {
        empty_blocks(*this, array.blocks(), first, result.words(),
                     {first, std::min(part, bytes_of(array) - first)});
    }
    return result;
}

GpuArray Context::upload(const Array& array, std::string_view label) {
    GpuArray result = make_array({array.type, array.shape}, label);
    if (result.in_blocks()) {
        state_->transfer->upload(array.bytes, result.blocks());
    } else {
        state_->transfer->upload(array.bytes, result.words());
    }
    return result;
}

Array Context::download(const GpuArray& array) {
    Array result{array.type, array.shape, std::vector<std::byte>(bytes_of(array))};
    if (array.in_blocks()) {
        state_->transfer->download(array.blocks(), result.bytes);
    } else {
        state_->transfer->download(array.words(), result.bytes);
    }
    check("downloading");
    return result;
}

} // namespace glproc
