#include "session.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/table.hpp"

#include <cstring>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

py::object object_of(const Value& value);

struct Objects {
    py::object operator()(std::int64_t number) const { return py::int_(number); }
    py::object operator()(double number) const { return py::float_(number); }
    py::object operator()(FloatMeasure measure) const { return py::float_(measure.value); }
    py::object operator()(const std::string& text) const { return py::str(text); }
    py::object operator()(const Value::List& values) const {
        py::list list;
        for (const Value& value : values) {
            list.append(object_of(value));
        }
        return list;
    }
    py::object operator()(const Value::Object& members) const {
        py::dict dict;
        for (const Value::Member& member : members) {
            dict[py::str(member.key)] = object_of(member.value);
        }
        return dict;
    }
};

py::object object_of(const Value& value) {
    return std::visit(Objects{}, value.data);
}

/// Called between tiles.
std::function<void(double)> ends_when(const std::atomic<bool>& cancelled) {
    return [&cancelled](double) {
        if (cancelled) {
            throw Cancelled{};
        }
    };
}

void check_depth(const std::string& name, bool takes_floats, const Form& form) {
    if (form.depth == Depth::f32 && !takes_floats) {
        throw py::type_error(name + " takes arrays of uint8 or uint16; this one holds float32");
    }
}

/// The picture that `form` becomes in an array: `out`, or a new one.
NumpyArray result_array(const Form& form, bool flat, const py::object& out) {
    if (out.is_none()) {
        return make_array(form, flat);
    }
    auto array = py::reinterpret_borrow<NumpyArray>(out);
    check_out(array, form);
    return array;
}

/// For pictures that come in parts.
Plan plan_of_parts(const OpInfo& op, const Operation& operation, const Form& form) {
    Plan plan = operation.plan(form);
    if ((plan.look.at && !plan.look.counting) || !plan.work.needs || !plan.has_tiles()) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} needs the whole image first, so it cannot run part by part", op.name));
    }
    return plan;
}

/// For errors.
std::string name_of(const Steps& steps) {
    return steps.size() == 1 ? info_of(steps.front().first).name : "Chain";
}

/// NumPy's.
std::string name_of(Depth depth) {
    return depth == Depth::u8 ? "uint8" : depth == Depth::u16 ? "uint16" : "float32";
}

/// What a report says. Throws Error(operation) where a bound was exceeded.
py::object tree_of(const Report& report) {
    if (!report.failure.empty()) {
        throw Error(ErrorCode::operation, report.failure);
    }
    return object_of(tree_with_rows(report));
}

/// What reports call the picture.
const std::string source_name = "array"; // NOLINT(cert-err58-cpp)

} // namespace

Form form_after(const Steps& steps, const Form& form) {
    const std::shared_ptr<Operation> operation = chained(steps);
    check_depth(name_of(steps), operation->takes_floats(), form);
    return operation->result_form(form);
}

py::object Session::run(const std::string& name, const NumpyArray& source, const Settings& settings,
                        const py::object& out) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    switch (op.product) {
    case Product::image:
        return make_picture(op.name, operation, source, out);
    case Product::report:
        return make_report(op, operation, source);
    case Product::array:
        return make_array_of(op, operation, source);
    }
    return py::none();
}

/// Where only the pixels tell how large the result is.
NumpyArray Session::make_sized(const Plan& plan, const Pixels& from, const py::object& out) {
    Image made;
    worker_.run([&](Context& gpu, const std::atomic<bool>& cancelled) {
        const RowSource rows = python::rows_of(from);
        if (takes_whole(gpu, plan)) {
            made = gpu.download(run_whole(gpu, plan, gpu.upload(*rows.open(), "input")));
            return;
        }
        const Plan sized = settled(gpu, plan, &rows, ends_when(cancelled));
        ImageRows whole(sized.shape.result);
        run_rows(gpu, sized, rows, whole, ends_when(cancelled));
        whole.finish();
        made = std::move(whole.image());
    });
    NumpyArray result = result_array(made.form(), from.flat, out);
    RowsToPixels writer(pixels_of(result, "out"));
    writer.write(made.bytes());
    writer.finish();
    return result;
}

NumpyArray Session::make_picture(const std::string& name, const std::shared_ptr<Operation>& operation,
                                 const NumpyArray& source, const py::object& out) {
    const Pixels from = pixels_of(source, name);
    check_depth(name, operation->takes_floats(), from.form);
    if (const Plan plan = operation->plan(from.form); plan.look.sets_size) {
        return make_sized(plan, from, out);
    }
    const Form form = operation->result_form(from.form);
    NumpyArray result = result_array(form, from.flat, out);
    const Pixels to = pixels_of(result, "out");
    const bool overlaps = may_overlap(from, to); // tiles are read after others were written
    worker_.run([&](Context& gpu, const std::atomic<bool>& cancelled) {
        RowsToPixels writer(to);
        if (operation->takes_whole(gpu, from.form)) {
            const GpuImage image = gpu.upload(*python::rows_of(from).open(), "input");
            const Image no_pixels;
            const Products product = operation->run(gpu, ImageInput{source_name, no_pixels, image});
            return gpu.download(product.picture.value(), writer);
        }
        const Image copy = overlaps ? image_of(from) : Image();
        const RowSource rows = overlaps ? glproc::rows_of(copy) : python::rows_of(from);
        operation->run_rows(gpu, RowsInput{source_name, rows, ends_when(cancelled)}, &writer);
    });
    return result;
}

py::object Session::make_report(const OpInfo& op, const std::shared_ptr<Operation>& operation,
                                const NumpyArray& source) {
    const Pixels from = pixels_of(source, op.name);
    check_depth(op.name, op.takes_floats, from.form);
    std::optional<Report> report;
    if (!op.files.empty() &&
        operation->by_processor(from.form, false)) { // its report is no measure of a device
        const Image pixels = image_of(from);
        {
            const py::gil_scoped_release others;
            report = operation->make_alone(source_name, pixels).report;
        }
        return tree_of(report.value());
    }
    worker_.run([&](Context& gpu, const std::atomic<bool>& cancelled) {
        if (!operation->takes_whole(gpu, from.form)) {
            report = operation->run_rows(
                gpu, RowsInput{source_name, python::rows_of(from), ends_when(cancelled)}, nullptr);
            return;
        }
        const Image pixels = image_of(from);
        const GpuImage image = gpu.upload(pixels, "input");
        report = operation->run(gpu, ImageInput{source_name, pixels, image}).report;
    });
    return tree_of(report.value());
}

py::object Session::make_array_of(const OpInfo& op, const std::shared_ptr<Operation>& operation,
                                  const NumpyArray& source) {
    Array result;
    if (op.input == Input::vector) {
        const Array values = vector_of(source, op.name);
        worker_.run([&](Context& gpu, const std::atomic<bool>&) {
            const GpuArray on_gpu = gpu.upload(values, "input");
            result = gpu.download(operation->run(gpu, ArrayInput{on_gpu}).array.value());
        });
        return array_of(result);
    }
    const Pixels from = pixels_of(source, op.name);
    check_depth(op.name, op.takes_floats, from.form);
    worker_.run([&](Context& gpu, const std::atomic<bool>& cancelled) {
        if (operation->takes_whole(gpu, from.form)) {
            const Image pixels = image_of(from);
            const GpuImage image = gpu.upload(pixels, "input");
            result = gpu.download(operation->run(gpu, ImageInput{source_name, pixels, image}).array.value());
            return;
        }
        ArrayRows rows(operation->array_form(from.form));
        operation->run_rows(gpu, RowsInput{source_name, python::rows_of(from), ends_when(cancelled)}, &rows);
        rows.finish();
        result = std::move(rows.array());
    });
    return array_of(result);
}

py::object Session::run_on_gpu(const std::string& name, const GpuPicture& source, const Settings& settings) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    const Form& form = source.image->form();
    check_depth(op.name, op.takes_floats, form);
    Products made;
    Array values;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        // Only what measures looks at pixels in CPU memory.
        const Image pixels = op.product == Product::image ? Image() : gpu.download(*source.image);
        made = operation->run(gpu, ImageInput{source_name, pixels, *source.image});
        if (made.array) {
            values = gpu.download(*made.array);
        }
    });
    if (made.picture) {
        return py::cast(GpuPicture{shared_from_this(),
                                   std::make_shared<const GpuImage>(std::move(*made.picture)), source.flat});
    }
    return made.report ? tree_of(*made.report) : array_of(values);
}

NumpyArray Session::run_steps(const Steps& steps, const NumpyArray& source, const py::object& out) {
    return make_picture(name_of(steps), chained(steps), source, out);
}

GpuPicture Session::run_steps_on_gpu(const Steps& steps, const GpuPicture& source) {
    const std::shared_ptr<Operation> operation = chained(steps);
    check_depth(name_of(steps), operation->takes_floats(), source.image->form());
    std::shared_ptr<const GpuImage> result;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        const Image no_pixels;
        Products made = operation->run(gpu, ImageInput{source_name, no_pixels, *source.image});
        result = std::make_shared<const GpuImage>(std::move(made.picture.value()));
    });
    return {shared_from_this(), result, source.flat};
}

py::dict Session::parts(const std::string& name, const Form& form, const Settings& settings) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    check_depth(op.name, op.takes_floats, form);
    const Plan plan = plan_of_parts(op, *operation, form);
    TileNeeds needs;
    bool fits = false;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        needs = plan.work.needs(gpu);
        fits = takes_whole(gpu, plan);
    });
    py::dict dict;
    dict["shape"] =
        py::make_tuple(plan.shape.result.height, plan.shape.result.width, plan.shape.result.channels);
    dict["dtype"] = name_of(plan.shape.result.depth);
    dict["halo"] = py::make_tuple(needs.halo.y, needs.halo.x);
    dict["grain"] = py::make_tuple(needs.grain.y, needs.grain.x);
    dict["repeats"] = needs.repeats;
    dict["fits"] = fits; // on the GPU, without being cut
    dict["counts"] = plan.look.counting != nullptr;
    dict["moves"] = plan.moves();
    return dict;
}

std::tuple<int, int, int, int> Session::source_of(const std::string& name, const Form& form,
                                                  const Settings& settings, const Rect& tile) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    const Rect from = plan_of_parts(op, *operation, form).gathered()->source_of(tile);
    return {from.x, from.y, from.width, from.height};
}

NumpyArray Session::count_part(const std::string& name, const NumpyArray& source, const Settings& settings,
                               const Form& whole) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    const Pixels pixels = pixels_of(source, op.name);
    const Plan plan = plan_of_parts(op, *operation, whole);
    Counts counts;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        counts = plan.look.counting->count(gpu, gpu.upload(*python::rows_of(pixels).open(), "tile"));
    });
    NumpyArray result = new_array({static_cast<py::ssize_t>(counts.size())}, "uint64");
    std::memcpy(ArrayMemory(result).data, counts.data(), counts.size() * sizeof(counts[0]));
    return result;
}

NumpyArray Session::run_part(const std::string& name, const NumpyArray& source, const Settings& settings,
                             const PartOf& wanted, const py::object& counts) {
    const OpInfo& op = info_of(name);
    const std::shared_ptr<Operation> operation = configured(op, settings);
    const Pixels pixels = pixels_of(source, op.name);
    const Plan plan = plan_of_parts(op, *operation, wanted.whole);
    const Counts counted = counts.is_none() ? Counts() : py::cast<Counts>(counts);
    const Rect& covered = plan.moves() ? wanted.tile : wanted.from;
    const Form form{covered.width, covered.height, plan.shape.result.channels, plan.shape.result.depth};
    NumpyArray result = make_array(form, pixels.flat);
    const Pixels to = pixels_of(result, "out");
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        const GpuImage part = gpu.upload(*python::rows_of(pixels).open(), "tile");
        RowsToPixels writer(to);
        const auto run = plan.look.counting ? plan.look.counting->plan(gpu, counted).work.run : plan.work.run;
        gpu.download(run(gpu, {part, wanted.from}, wanted.tile), writer);
    });
    return result;
}

GpuPicture Session::upload(const NumpyArray& source) {
    const Pixels from = pixels_of(source, "Image");
    std::shared_ptr<const GpuImage> image;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        image = std::make_shared<const GpuImage>(gpu.upload(*python::rows_of(from).open(), "input"));
    });
    return {shared_from_this(), image, from.flat};
}

NumpyArray Session::download(const GpuPicture& picture, const py::object& out) {
    NumpyArray result = result_array(picture.image->form(), picture.flat, out);
    const Pixels to = pixels_of(result, "out");
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        RowsToPixels writer(to);
        gpu.download(*picture.image, writer);
    });
    return result;
}

std::vector<std::pair<std::string, double>> Session::pass_times() {
    std::vector<std::pair<std::string, double>> times;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) {
        for (const PassTime& pass : gpu.pass_times()) {
            times.emplace_back(pass.label, pass.milliseconds);
        }
    });
    return times;
}

py::dict Session::device() {
    DeviceInfo info;
    worker_.run([&](Context& gpu, const std::atomic<bool>&) { info = gpu.device(); });
    py::dict dict;
    dict["renderer"] = info.renderer;
    dict["vendor"] = info.vendor;
    dict["version"] = info.version;
    dict["backend"] = info.backend;
    dict["software"] = info.software;
    return dict;
}

} // namespace glproc::python
