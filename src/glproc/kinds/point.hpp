// Point operations: every pixel of the result is a function of the same pixel of the source.
#pragma once

#include "glproc/kinds/second.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/shader/loader.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace glproc {

/// How a point operation is computed.
enum class PointMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<PointMethod>, 3> enum_rows<PointMethod>{
    EnumRow{PointMethod::automatic, "auto", "same as gpu"},
    EnumRow{PointMethod::gpu, "gpu", "one pass over the image"},
    EnumRow{PointMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// Red, green, blue and alpha, 0 to 1 or floats as they are. Grey comes as three equal values, and images
/// without alpha are opaque.
using Colour4 = std::array<double, 4>;

/// A point operation with its parameters.
struct Point {
    std::string name; ///< for labels
    /// A file of glsl/ or one of register_glsl(), with `vec4 point(vec4 v)`, which reads params by param(i).
    std::string glsl;
    std::vector<float> params = {};
    /// Instead of params: parameters computed on the GPU.
    std::shared_ptr<const Buffer> computed = {};
    Defines defines = {}; ///< by which the file chooses among its ways, as its header declares
    /// An image of the source's depth that lies on it, for GLSL that calls `vec4 second()`.
    std::shared_ptr<const SecondImage> second = {};
    int channels = 0;                          ///< of the result; 0: as the source
    std::optional<Depth> depth = std::nullopt; ///< of the result; without it as the source
    /// Whether each channel of the result depends only on the same channel of the source. With 8 bits it is
    /// then computed once for every code, and looked up for every pixel.
    bool channelwise = false;
    bool searches = false; ///< reads params at places that differ from pixel to pixel
    bool quick = false;    ///< so little work that a table gains nothing
    /// Its GLSL has `vec3 entered(vec3 v)`, through which colours come in, each alone. Of 8 bits it is computed once a code.
    bool enters = false;
    bool finite = false;   ///< never turns values from 0 to 1 into infinities or NaN
    bool placed = false;   ///< its GLSL calls `ivec2 place()`
    PointMethod method = PointMethod::automatic;
    /// For a run: the operations it consists of. It has no parameters of its own.
    std::vector<Point> steps = {};
    /// For a run: files with the channelwise parts of it. `glsl` looks up their results for the codes of 8
    /// bits. If `glsl` is empty, one of them is all of the run.
    std::vector<std::string> tables = {};
};

Plan point_plan(const Form& form, Point point);

/// The form of the result.
Form point_result(const Form& form, const Point& point);

/// Whether a plan can be one kernel with the plans before it. They can be joined with each other.
bool can_join(const std::vector<Plan>& before, const Plan& next);

/// Plans that can each be joined with the next, as one kernel with the same bits: between operations values
/// are rounded to their depth. The same operations with other parameters are the same program.
Plan joined_plan(const std::vector<Plan>& plans);

/// The unit for in_units() of glsl/lib/value.glsl: the largest code of integer images, 0 for floats.
float code_unit(const Form& form);

/// Appends two floats that add up to a number, for difference_of().
void add_two_floats(std::vector<float>& params, double value);

/// A point operation that must analyse the whole picture: `look` returns its parameters.
Plan point_plan(const Form& form, Point point,
                std::function<Point(Context&, const Look&, const TileProgress&)> look);

} // namespace glproc
