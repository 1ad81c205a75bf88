// Operations by name, on arrays and on pictures that stay on the GPU.
#pragma once

#include "arrays.hpp"
#include "worker.hpp"

#include "glproc/op/op.hpp"
#include "glproc/op/tiles.hpp"

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

namespace glproc::python {

/// An operation as Python names it: fields and their texts, and the arrays of fields that are pictures.
struct Setting {
    std::string field;
    pybind11::object value; ///< a text, or an array
};
using Settings = std::vector<Setting>;

/// An operation with its parameters. Throws Error(usage).
std::unique_ptr<Operation> configured(const OpInfo& op, const Settings& settings);

/// Operations one after another, each by its name.
using Steps = std::vector<std::pair<std::string, Settings>>;

/// One operation that does them all, through images of their depth. All make pictures of pictures. Throws
/// Error(usage).
std::shared_ptr<Operation> chained(const Steps& steps);

/// What they make of a picture: needs no context, and refuses what running them would.
Form form_after(const Steps& steps, const Form& form);

/// The name that settings give the arrays after the first one, of an operation that makes one picture of several.
inline constexpr std::string_view joined_setting = "joined";

/// Throws Error(usage) where there is no such operation.
const OpInfo& info_of(const std::string& name);

/// What `import glproc` knows of all operations, as lists and dictionaries.
pybind11::list describe();

class Session;

/// A picture on the GPU of a session, which lives as long.
struct GpuPicture {
    std::shared_ptr<Session> session;
    std::shared_ptr<const GpuImage> image;
    bool flat = true; ///< see Pixels
};

/// A context, on a thread of its own.
class Session : public std::enable_shared_from_this<Session> {
  public:
    explicit Session(ContextOptions options) : worker_(std::move(options)) {}

    /// An operation on an array; the result is an array or a report. `out`: an array for a picture, or None.
    pybind11::object run(const std::string& name, const NumpyArray& source, const Settings& settings,
                         const pybind11::object& out);

    /// The same on a picture on the GPU; the result is another one or a report.
    pybind11::object run_on_gpu(const std::string& name, const GpuPicture& source, const Settings& settings);

    /// Several operations on an array, as one plan; `out` as above.
    NumpyArray run_steps(const Steps& steps, const NumpyArray& source, const pybind11::object& out);

    /// The same on a picture on the GPU.
    GpuPicture run_steps_on_gpu(const Steps& steps, const GpuPicture& source);

    /// What cutting pictures of this form into parts takes: the form of the result, and how far parts
    /// overlap, and whether count_part() comes first.
    pybind11::dict parts(const std::string& name, const Form& form, const Settings& settings);

    /// For results at other places: the rectangle, as x, y, width and height, that a rectangle of the result
    /// is made of.
    std::tuple<int, int, int, int> source_of(const std::string& name, const Form& form,
                                             const Settings& settings, const Rect& tile);

    /// What an operation that looks at the whole picture counts in a part of it: numbers that add up, of
    /// uint64.
    NumpyArray count_part(const std::string& name, const NumpyArray& source, const Settings& settings,
                          const Form& whole);

    /// Where to cut, and what to make.
    struct PartOf {
        Form whole; ///< the picture
        Rect from;  ///< the part of it that there is
        Rect tile;  ///< of the result
    };
    /// A rectangle of the result for a picture. Where results lie at other places than what they are made of,
    /// see parts(), it is `tile`; else it is all of `from`. `counts`: of the whole picture, or None.
    NumpyArray run_part(const std::string& name, const NumpyArray& source, const Settings& settings,
                        const PartOf& part, const pybind11::object& counts);

    GpuPicture upload(const NumpyArray& source);
    NumpyArray download(const GpuPicture& picture, const pybind11::object& out);

    /// For what is done to arrays with any number of axes: see jobs.hpp.
    Worker& worker() { return worker_; }

    /// Of the device, as `glproc info --json` has it.
    pybind11::dict device();

    /// Names and milliseconds of the passes so far.
    std::vector<std::pair<std::string, double>> pass_times();

  private:
    NumpyArray make_picture(const std::string& name, const std::shared_ptr<Operation>& operation,
                            const NumpyArray& source, const pybind11::object& out);
    NumpyArray make_sized(const Plan& plan, const Pixels& from, const pybind11::object& out);
    pybind11::object make_report(const OpInfo& op, const std::shared_ptr<Operation>& operation,
                                 const NumpyArray& source);
    pybind11::object make_array_of(const OpInfo& op, const std::shared_ptr<Operation>& operation,
                                   const NumpyArray& source);

    Worker worker_;
};

} // namespace glproc::python
