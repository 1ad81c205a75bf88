#include "cli/compile_all.hpp"

#include "cli/device.hpp"
#include "cli/probes.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/gl/program_store.hpp"
#include "glproc/op/proof.hpp"

#include <chrono>
#include <memory>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Large enough that methods for photos are taken.
constexpr Int2 photo{1500, 1000};
/// A software renderer would need hours for those.
constexpr Int2 small{150, 100};

/// Nothing if an example names a file that is not there.
std::unique_ptr<Operation> operation_with(const OpInfo& op, const ProbeSettings& settings) {
    std::unique_ptr<Operation> operation = op.make();
    try {
        for (const auto& [field, text] : settings) {
            operation->set(field, text);
        }
    } catch (const Error&) {
        return nullptr;
    }
    return operation;
}

/// Why an operation cannot run, such as a library that is not installed; empty if it can, or takes no such
/// picture.
std::string problem_of(Context& gpu, const Operation& operation, const OpInput& input) {
    try {
        operation.run(gpu, input);
    } catch (const Error& error) {
        return error.code() == ErrorCode::usage || error.code() == ErrorCode::input ? "" : error.what();
    }
    return "";
}

/// Returns what was in the way, if anything.
std::string run_all(Context& gpu, const OpInfo& op) {
    const std::string name = "probe";
    std::string problem;
    const auto run = [&](const Operation& operation, const OpInput& input) {
        if (problem.empty()) {
            problem = problem_of(gpu, operation, input);
        }
    };
    const Int2 size = gpu.device().software ? small : photo;
    for (const ProbeSettings& settings : probe_settings(op, true)) {
        const std::unique_ptr<Operation> operation = operation_with(op, settings);
        if (operation && op.input == Input::vector) {
            for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
                run(*operation, ArrayInput{gpu.upload(probe_array(type), name)});
            }
        } else if (operation) {
            for (const Form& form : probe_forms(op, size[0], size[1])) {
                const Image picture = probe_picture(form);
                const GpuImage uploaded = gpu.upload(picture, name);
                run(*operation, ImageInput{name, picture, uploaded});
            }
        }
    }
    return problem;
}

} // namespace

void compile_all(const Settings& settings) {
    const auto begin = std::chrono::steady_clock::now();
    Context gpu(settings.context);
    report_device(gpu.device(), settings);
    const auto store = user_program_store(gpu.device());
    if (!store) {
        print_product(fmt::format("{}: programs are not stored, so there is nothing to do\n", gpu.device().renderer));
        return;
    }
    Progress progress(wants_progress(settings));
    int done = 0;
    for (const OpInfo* op : operations()) {
        progress.show(op->name, done++, static_cast<int>(operations().size()));
        if (const std::string problem = run_all(gpu, *op); !problem.empty()) {
            print_warning(fmt::format("{} is left out: {}", op->name, problem));
        }
    }
    progress.hide();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    print_product(fmt::format("{}: {} of {} operations are in {} ({:.1f} s)\n", gpu.device().renderer,
                              counted(store->count(), "program"), operations().size(),
                              store->folder().string(), seconds.count()));
}

} // namespace glproc::cli
