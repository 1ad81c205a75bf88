// Operations on volumes: the images along an axis of a stack as one array, whose planes they are.
//
// A front end that has the images gives them in parts, which overlap by as many planes as a result depends
// on.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace glproc {

class Context;

/// A call beside its operation, whose fields have a number for each axis of an image at most.
struct VolumeCall {
    std::map<std::string, double> across = {}; ///< the number across planes, of fields that have three
    std::array<double, 3> spacing = {1, 1, 1}; ///< of planes, rows and columns
    std::string unit = {};                     ///< of these; empty: pixels
    std::string name = {};                     ///< of the file, for messages
    Context* gpu = nullptr;                    ///< null: by the processor alone
    std::function<void()> check = {};          ///< called now and then; may throw
};

/// Some planes of a volume, all of one form. Where they are not at an end of it, those that are `wanted` have
/// others around them.
struct VolumePart {
    std::vector<const Image*> planes;
    std::size_t first_wanted = 0;
    std::size_t wanted = 0;
};

/// Makes a plane of the result by its number among those that are wanted. Each is made once, in their order.
using MakePlane = std::function<Image(std::size_t plane)>;

/// How an operation of the registry works on volumes. Calls that it gets are operations made by its OpInfo.
struct InVolume {
    /// How many planes on either side a plane of the result depends on; nothing: on all. Throws Error(usage)
    /// for parameters that it does not take.
    std::function<std::optional<int>(const Operation& call, const VolumeCall& volume, const Form& plane)>
        around;
    /// In the form of the result for an image. The part is no longer needed when it returns.
    std::function<MakePlane(const Operation& call, const VolumeCall& volume, const VolumePart& part)> run;
    /// For an operation that makes reports: the report of a whole volume, after around(). `name` is the
    /// input's.
    std::function<Report(const Operation& call, const VolumeCall& volume, const VolumePart& part,
                         const std::string& name)>
        report = {};
    bool knows_spacing = false; ///< whether lengths follow VolumeCall::spacing
};

} // namespace glproc
