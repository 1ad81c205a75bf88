// Connected parts of arrays with any number of axes, numbered and boxed as SciPy's label() and find_objects()
// do it.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/volume.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

struct LabelJob {
    VolumeForm source;
    /// Which neighbours belong together: 3 along each axis, symmetric about the middle, which counts for
    /// nothing.
    std::vector<std::uint8_t> structure;
};

/// Gives the values that are not 0 the number of their part, and others 0. Parts are numbered by their first
/// values. Returns how many there are. With labels of 32 bits an array has less than 2^31 values.
std::int64_t label_on_cpu(const LabelJob& job, std::span<const std::byte> source,
                          std::span<std::int32_t> labels, const std::function<void()>& check = {});
std::int64_t label_on_cpu(const LabelJob& job, std::span<const std::byte> source,
                          std::span<std::int64_t> labels, const std::function<void()>& check = {});

/// Whether the GPU has a program for it, and the memory: up to four axes.
bool fits(const Context& gpu, const LabelJob& job);

/// The same by the GPU. Throws Error(gpu), and WrongKernel where the driver computes wrongly, which is tried once.
std::int64_t run_label(Context& gpu, const LabelJob& job, std::span<const std::byte> source, std::span<std::int32_t> labels);

/// Where each of the labels from 1 to `count` lies: for each axis its first index and the one after its last.
/// Both are 0 where there is no such label.
std::vector<std::int64_t> boxes_on_cpu(const VolumeForm& form, std::span<const std::byte> labels,
                                       std::int64_t count);

} // namespace glproc
