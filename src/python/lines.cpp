#include "lines.hpp"

#include "buffers.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/proof.hpp"

#include <array>
#include <functional>
#include <new>
#include <utility>

namespace glproc::python {

namespace py = pybind11;

namespace {

/// Below so many multiplications an array is done before it would have reached the GPU.
constexpr double least_work_for_gpu = 4e6;
/// Below so many an array is done before Ctrl-C could be answered.
constexpr double least_work_for_signals = 4e7;

LineBorder border_of(const std::string& name) {
    return choice_of<LineBorder>(name, std::array{"reflect", "nearest", "mirror", "wrap", "constant"});
}

LinePass pass_of(const PassOfPython& given) {
    const auto& [what, axis, border, constant, origin, size, weights] = given;
    LinePass pass{.what = choice_of<LinePass::Do>(what, std::array{"sum", "minimum", "maximum", "mean"}),
                  .axis = axis,
                  .border = border_of(border),
                  .constant = constant,
                  .origin = origin,
                  .size = size,
                  .weights = {}};
    if (pass.what == LinePass::Do::sum) {
        pass.weights = values_of<double>(weights);
        pass.size = static_cast<std::int64_t>(pass.weights.size());
    }
    return pass;
}

/// Throws where a kernel would leave the array.
void check(const LineJob& job, std::size_t source, std::size_t result) {
    const auto count = static_cast<std::size_t>(job.source.count());
    bool right = !job.source.shape.empty() && count > 0 && !job.passes.empty() &&
                 source == count * bytes_of(job.source.type) && result == count * bytes_of(job.result);
    for (const LinePass& pass : job.passes) {
        constexpr std::int64_t most = std::int64_t{1} << 40; // values beyond the end of a line, which lie in memory
        if (pass.size > most) {
            throw std::bad_alloc();
        }
        const std::int64_t before = pass.size / 2 + pass.origin;
        right = right && pass.axis >= 0 && static_cast<std::size_t>(pass.axis) < job.source.shape.size() &&
                pass.size >= 1 && before >= 0 && before < pass.size;
    }
    if (!right) {
        throw py::value_error("lines that do not go with the array");
    }
}

double work_of(const LineJob& job) {
    double sizes = 0;
    for (const LinePass& pass : job.passes) {
        sizes += pass.what == LinePass::Do::sum ? static_cast<double>(pass.size) : 4;
    }
    return sizes * static_cast<double>(job.source.count());
}

/// False where the GPU cannot do it, or not rightly.
bool runs_on_gpu(Context& gpu, const auto& job, const std::function<void()>& run) {
    try {
        if (gpu.device().software || !fits(gpu, job)) {
            return false;
        }
        run();
        return true;
    } catch (const Error& error) {
        if (!is_of_kernels(error)) {
            throw;
        }
        return false;
    }
}

/// By the method, or by whichever should be faster: `work` says how much there is to do.
void run_anywhere(Worker& worker, const auto& job, double work, const std::string& method,
                  const std::function<void(Context& gpu)>& on_gpu,
                  const std::function<void(const std::function<void()>& check)>& by_threads) {
    const bool may_use_gpu = method == "auto" && work >= least_work_for_gpu && !worker.lacks_gpu();
    if (!may_use_gpu && method != "gpu") { // no other thread needs to wake up
        const py::gil_scoped_release free;
        return by_threads(work < least_work_for_signals ? std::function<void()>() : signals());
    }
    try {
        worker.run([&](Context& gpu, const std::atomic<bool>& cancelled) {
            if (method == "gpu") {
                return on_gpu(gpu);
            }
            if (!may_use_gpu || !runs_on_gpu(gpu, job, [&] { on_gpu(gpu); })) {
                by_threads([&] {
                    if (cancelled) {
                        throw Cancelled{};
                    }
                });
            }
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::no_context || method == "gpu") {
            throw;
        }
        const py::gil_scoped_release free;
        by_threads({});
    }
}

} // namespace

void run_lines(Worker& worker, const LinesOfPython& lines, const std::string& method) {
    LineJob job{{number_of(lines.type), lines.shape}, number_of(lines.result_type), {}};
    for (const PassOfPython& pass : lines.passes) {
        job.passes.push_back(pass_of(pass));
    }
    const Bytes source(lines.source, PyBUF_SIMPLE);
    const Bytes result(lines.result, PyBUF_WRITABLE);
    const std::span<const std::byte> from = source.bytes();
    const std::span<std::byte> to = result.bytes();
    check(job, from.size(), to.size());
    run_anywhere(
        worker, job, work_of(job), method, [&](Context& gpu) { glproc::run_lines(gpu, job, from, to); },
        [&](const std::function<void()>& stop) { run_lines_on_cpu(job, from, to, stop); });
}

void run_footprint(Worker& worker, const FootprintOfPython& given, const std::string& method) {
    const bool is_set = given.what == "all" || given.what == "any"; // of values that are 0 or 1
    const std::string what = given.what == "all" ? "minimum" : given.what == "any" ? "maximum" : given.what;
    FootprintJob job{.source = {number_of(given.type), given.shape},
                     .result = number_of(given.result_type),
                     .what =
                         choice_of<FootprintJob::Do>(what, std::array{"sum", "minimum", "maximum", "rank"}),
                     .border = border_of(given.border),
                     .constant = given.constant,
                     .offsets = values_of<std::int64_t>(given.offsets),
                     .weights = values_of<double>(given.weights),
                     .rank = given.rank};
    const Bytes source(given.source, PyBUF_SIMPLE);
    const Bytes result(given.result, PyBUF_WRITABLE);
    const auto count = static_cast<std::size_t>(job.source.count());
    const bool has_axes = !job.source.shape.empty();
    const std::size_t neighbours = has_axes ? job.neighbours() : 0;
    const bool is_sum = job.what == FootprintJob::Do::sum; // one of nothing is 0
    const bool are_bytes =
        job.source.type == Number::u8 && job.result == Number::u8 && job.border == LineBorder::constant;
    if (!has_axes || count == 0 || source.bytes().size() != count * bytes_of(job.source.type) ||
        result.bytes().size() != count * bytes_of(job.result) ||
        job.offsets.size() != neighbours * job.source.shape.size() ||
        (is_sum ? job.weights.size() != neighbours : job.rank >= neighbours) || (is_set && !are_bytes)) {
        throw py::value_error("a footprint that does not go with the array");
    }
    const std::span<const std::byte> from = source.bytes();
    const std::span<std::byte> to = result.bytes();
    run_anywhere(
        worker, job, static_cast<double>(count) * static_cast<double>(neighbours), method,
        [&](Context& gpu) {
            if (fits(gpu, job)) {
                return glproc::run_footprint(gpu, job, from, to);
            }
            run_footprint_on_cpu(job, from, to);
        },
        [&](const std::function<void()>& stop) {
            is_set ? run_set_on_cpu(job, from, to, stop) : run_footprint_on_cpu(job, from, to, stop);
        });
}

} // namespace glproc::python
