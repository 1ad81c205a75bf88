// Operations that analyse all images of a file before they work on the first one.
//
// Whoever has the file shows them the images one by one, and calls them again in the order of the file.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/op/describe.hpp"

#include <functional>
#include <memory>

namespace glproc {

/// Shows each image of a file, in the order of the file, until `goes_on` returns false. May be called again.
using EachImage = std::function<void(const std::function<bool(const Image&)>& goes_on)>;

/// Gives a call the findings of all images. The result must not outlive the call.
using GiveFound = std::function<std::unique_ptr<Operation>(const Operation& call)>;

/// How an operation of the registry analyses files. Calls that it gets are operations made by its OpInfo.
struct OverStack {
    /// Whether this call asks for it.
    std::function<bool(const Operation& call)> wants;
    std::function<GiveFound(const Operation& call, const EachImage& images)> look;
};

/// The same call, whose parameters `change` has changed. Throws Error(operation) for one of another type.
std::unique_ptr<Operation> changed_call(const Operation& call, const OpType& type,
                                        const std::function<void(void* op)>& change);

} // namespace glproc
