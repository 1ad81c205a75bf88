// The images of a file as a stack: slices (z), channels (c) and times (t), and how large their pixels are in
// the world.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glproc {

struct StackAxis {
    char name = 'z'; ///< z, c or t
    int size = 1;

    bool operator==(const StackAxis&) const = default;
};

struct StackAxes {
    std::vector<StackAxis> axes{}; ///< slowest first; an axis of one image is not among them
    double pixel_width = 0;        ///< in `unit`; 0: not told
    double pixel_height = 0;
    double spacing = 0;                  ///< between slices, in `unit`; 0: not told
    double interval = 0;                 ///< between times, in seconds; 0: not told
    std::string unit{};                  ///< "µm", "mm"
    std::vector<std::string> channels{}; ///< their names: none, or one for each
    int told = 1;                        ///< images that are counted where this is told; 0: others than these

    int images() const;
    /// Of an axis; 1 where there is no such.
    int size(char axis) const;
    bool operator==(const StackAxes&) const = default;
};

/// Which slice, channel or time an image is, all counted from 0.
int place_along(const StackAxes& stack, char axis, int image);

/// The stack that is left where the images along an axis become one.
StackAxes without_axis(StackAxes stack, char axis);

/// For each image of without_axis(), in its order, the numbers of the images that become it, counted from 1.
std::vector<std::vector<int>> images_over(const StackAxes& stack, char axis);

/// The stack of some of its images, which are counted from 1. Nothing where they are not all combinations of
/// some slices, channels and times.
std::optional<StackAxes> part_of(const StackAxes& stack, const std::vector<int>& numbers);

/// "t 3, c 2, z 4"
std::string text_of(const std::vector<StackAxis>& axes);

} // namespace glproc
