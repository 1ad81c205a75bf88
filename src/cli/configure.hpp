// An operation as the command line asks for it, and what it works on.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/files/transfer.hpp"
#include "glproc/image/array.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glproc::cli {

using Source = std::variant<Image, Array>;
using Uploaded = std::variant<GpuImage, GpuArray>;

/// The operation with the parameters of the command line. Throws Error(usage) for values that it does not
/// take and for required ones that are missing.
std::unique_ptr<Operation> configure(const Arguments& arguments);

/// The same operation for pictures whose floats are known to be encoded or to be light. Null where that makes no difference,
/// or where the command line says what floats hold.
struct ForCurves {
    std::shared_ptr<Operation> srgb = nullptr;
    std::shared_ptr<Operation> linear = nullptr;

    std::vector<Operation*> all() const;
};

/// An operation by what the floats of its input are.
struct ByCurve {
    ByCurve(const Operation& any, ForCurves known = {}) : untagged(any), special(std::move(known)) {} // NOLINT: any is one, too

    const Operation& untagged;
    ForCurves special;

    const Operation& of(ColourCurve curve) const;
};

ForCurves configure_for_curves(const Arguments& arguments);

/// The field by which operations learn what floats hold.
inline constexpr std::string_view floats_field = "floats";

/// Sets it where the operation has it, and the curve is known.
void tell_floats(Operation& operation, const OpInfo& op, ColourCurve curve);

/// configure() for floats on a curve: one of those, or the operation itself.
std::unique_ptr<Operation> configure_for(ColourCurve curve, const Arguments& arguments);

/// `uploaded` must be what became of `source`; both must outlive the result, as `name` must.
OpInput op_input(const std::string& name, const Source& source, const Uploaded& uploaded);

} // namespace glproc::cli
