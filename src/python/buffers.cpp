#include "buffers.hpp"

#include "glproc/base/error.hpp"

namespace glproc::python {

namespace py = pybind11;

Number number_of(const std::string& name) {
    constexpr std::array names = {"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (name == names[i]) {
            return static_cast<Number>(i);
        }
    }
    throw py::type_error(fmt::format("no arrays of {}", name));
}

void on_cpu(Worker& worker, const std::function<void(const std::function<void()>& check)>& work) {
    try {
        worker.run([&](Context&, const std::atomic<bool>& cancelled) {
            work([&] {
                if (cancelled) {
                    throw Cancelled{};
                }
            });
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::no_context) {
            throw;
        }
        const py::gil_scoped_release free;
        work({});
    }
}

} // namespace glproc::python
