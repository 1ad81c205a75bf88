#include "cli/compile_all.hpp"

#include "cli/device.hpp"
#include "cli/probes.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
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

void run(Context& gpu, const Operation& operation, const OpInput& input) {
    try {
        operation.run(gpu, input);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::usage && error.code() != ErrorCode::input) { // takes no such picture
            throw;
        }
    }
}

void run_all(Context& gpu, const OpInfo& op) {
    const std::string name = "probe";
    const Int2 size = gpu.device().software ? small : photo;
    for (const ProbeSettings& settings : probe_settings(op, true)) {
        const std::unique_ptr<Operation> operation = operation_with(op, settings);
        if (operation && op.input == Input::vector) {
            for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
                run(gpu, *operation, ArrayInput{gpu.upload(probe_array(type), name)});
            }
        } else if (operation) {
            for (const Form& form : probe_forms(op, size[0], size[1])) {
                const Image picture = probe_picture(form);
                const GpuImage uploaded = gpu.upload(picture, name);
                run(gpu, *operation, ImageInput{name, picture, uploaded});
            }
        }
    }
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
        run_all(gpu, *op);
    }
    progress.hide();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    print_product(fmt::format("{}: {} programs of {} operations are in {} ({:.1f} s)\n", gpu.device().renderer,
                              store->count(), operations().size(), store->folder().string(), seconds.count()));
}

} // namespace glproc::cli
