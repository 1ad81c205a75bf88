// The module _glproc: what the package glproc is built on. Nothing here names an operation.
#include "jobs.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"
#include "glproc/image/colour.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <tuple>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace py = pybind11;
using namespace glproc;
using namespace glproc::python;

namespace {

/// Exceptions are made in Python: errors.py.
void translate(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        const py::object make = py::module_::import("glproc.errors").attr("of_library");
        const py::object exception = make(static_cast<int>(error.code()), error.what(), error.hint());
        PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    }
}

using Pairs = std::vector<std::pair<std::string, py::object>>;
using PairsOfSteps = std::vector<std::pair<std::string, Pairs>>;
using Shape = std::tuple<int, int, int, int>;   ///< height, width, channels, bits
using Corners = std::tuple<int, int, int, int>; ///< x, y, width, height

Form form_of(const Shape& shape) {
    const auto [height, width, channels, bits] = shape;
    return {width, height, channels, static_cast<Depth>(bits)};
}

Rect rect_of(const Corners& corners) {
    const auto [x, y, width, height] = corners;
    return {x, y, width, height};
}

Settings settings_of(const Pairs& pairs) {
    Settings settings;
    for (const auto& [field, value] : pairs) {
        settings.push_back({field, value});
    }
    return settings;
}

/// What `read` reads without the GIL, as an array.
NumpyArray array_read(const std::function<Image()>& read) {
    Image image;
    {
        const py::gil_scoped_release free;
        image = read();
    }
    NumpyArray result = make_array(image.form(), true);
    RowsToPixels(pixels_of(result, "read")).write(image.bytes());
    return result;
}

/// `page` counts from 1; 0 is the first, as in DecodeOptions.
DecodeOptions options_for(std::uint64_t max_pixels, int page) {
    DecodeOptions options;
    options.max_pixels = max_pixels;
    options.page = page;
    return options;
}

NumpyArray read_picture(const std::filesystem::path& path, std::uint64_t max_pixels, int page) {
    const DecodeOptions options = options_for(max_pixels, page);
    return array_read([&] { return page == 0 ? load(path, options) : decode(read_file(path), path.native(), options); });
}

/// Of a copy, as another thread may change the bytes meanwhile.
NumpyArray decoded(const py::object& object, const std::string& name, std::uint64_t max_pixels, int page) {
    const std::vector<std::byte> bytes = values_of<std::byte>(object);
    return array_read([&] { return decode(bytes, name, options_for(max_pixels, page)); });
}

bool holds(const std::string& name, int channels, Depth depth) {
    try {
        check_encodable(name, channels, depth);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Formats of colours alone take grey without loss.
Image fitting(Image image, const std::string& name) {
    const int colours = colour_channels(image.channels());
    if (holds(name, image.channels(), image.depth()) || !holds(name, colours, image.depth())) {
        return image;
    }
    Image changed(image.width(), image.height(), colours, image.depth());
    to_colour(image.bytes(), image.form(), changed.bytes());
    return changed;
}

void write_picture(const std::filesystem::path& path, const NumpyArray& array, std::optional<int> quality) {
    check_encodable(path.string());
    const Image image = fitting(image_of(pixels_of(array, "write")), path.string());
    const py::gil_scoped_release free;
    save(image, path, {.quality = quality});
}

/// `name`: of a file, or of a format.
py::bytes encoded(const NumpyArray& array, const std::string& name, std::optional<int> quality) {
    const Image image = fitting(image_of(pixels_of(array, "write")), name);
    std::vector<std::byte> bytes;
    {
        const py::gil_scoped_release free;
        bytes = encode(image, name, {.quality = quality});
    }
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Steps steps_of(const PairsOfSteps& pairs) {
    Steps steps;
    for (const auto& [name, settings] : pairs) {
        steps.emplace_back(name, settings_of(settings));
    }
    return steps;
}

Shape form_of_steps(const PairsOfSteps& steps, const Shape& shape) {
    const Form form = form_after(steps_of(steps), form_of(shape));
    return {form.height, form.width, form.channels, static_cast<int>(form.depth)};
}

Backend backend_of(const std::string& name) {
    return name == "glfw" ? Backend::glfw : name == "egl" ? Backend::egl : Backend::automatic;
}

} // namespace

PYBIND11_MODULE(_glproc, m) {
    py::register_exception_translator(translate);
    m.attr("version") = GLPROC_VERSION;
    m.def("describe", &glproc::python::describe);
    m.def("read", &read_picture);
    m.def("write", &write_picture);
    m.def("decode", &decoded);
    m.def("encode", &encoded, py::arg("array"), py::arg("name"), py::arg("quality") = py::none());
    m.def("form_of_steps", &form_of_steps);
    m.def("check_steps", [](const PairsOfSteps& steps) { chained(steps_of(steps)); });
    py::class_<GpuPicture>(m, "GpuPicture")
        .def_property_readonly("session", [](const GpuPicture& picture) { return picture.session; })
        .def_property_readonly("form", [](const GpuPicture& picture) {
            const Form& form = picture.image->form();
            return std::tuple(form.height, form.width, form.channels, static_cast<int>(form.depth),
                              picture.flat);
        });

    SessionClass session(m, "Session");
    session
        .def(py::init([](const std::string& device, const std::string& backend, bool require_gpu,
                         std::uint64_t memory, bool timing) {
            return std::make_shared<Session>(ContextOptions{.backend = backend_of(backend),
                                                            .device = device,
                                                            .require_gpu = require_gpu,
                                                            .timing = timing,
                                                            .memory_bytes = memory});
        }))
        .def("run",
             [](Session& self, const std::string& name, const NumpyArray& source, const Pairs& settings,
                const py::object& out) { return self.run(name, source, settings_of(settings), out); })
        .def("run_on_gpu",
             [](Session& self, const std::string& name, const GpuPicture& source, const Pairs& settings) {
                 return self.run_on_gpu(name, source, settings_of(settings));
             })
        .def("run_steps", [](Session& self, const PairsOfSteps& steps, const NumpyArray& source,
                             const py::object& out) { return self.run_steps(steps_of(steps), source, out); })
        .def("run_steps_on_gpu",
             [](Session& self, const PairsOfSteps& steps, const GpuPicture& source) {
                 return self.run_steps_on_gpu(steps_of(steps), source);
             })
        .def("parts",
             [](Session& self, const std::string& name, const Shape& shape, const Pairs& settings) {
                 return self.parts(name, form_of(shape), settings_of(settings));
             })
        .def("source_of",
             [](Session& self, const std::string& name, const Shape& shape, const Pairs& settings,
                const Corners& tile) {
                 return self.source_of(name, form_of(shape), settings_of(settings), rect_of(tile));
             })
        .def("count_part",
             [](Session& self, const std::string& name, const NumpyArray& source, const Pairs& settings,
                const Shape& whole) {
                 return self.count_part(name, source, settings_of(settings), form_of(whole));
             })
        .def("run_part",
             [](Session& self, const std::string& name, const NumpyArray& source, const Pairs& settings,
                const Shape& whole, const Corners& from, const Corners& tile, const py::object& counts) {
                 return self.run_part(name, source, settings_of(settings),
                                      {form_of(whole), rect_of(from), rect_of(tile)}, counts);
             })
        .def("upload", &Session::upload)
        .def("download", &Session::download)
        .def("device", &Session::device)
        .def("pass_times", &Session::pass_times);
    add_lines(session);
    add_labels(m, session);
    add_distances(m, session);
    add_splines(m, session);
    add_fourier(m);
    add_measures(m);
}
