// The self-check: before a result of programs that are new to a driver is used, they are compared with the processor's.
//
// Untested drivers may miscompile kernels silently. So a program first runs on a small image of noise, hard edges and extreme
// values, and its result is compared with what the processor makes, bit for bit. If it is wrong, `automatic` takes
// the next method, and `cpu` in the end. A method requested by name is refused.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gl/wrong_kernel.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace glproc {

/// Runs PlanWork::run, and proves the result if programs of it are new to the driver. Throws WrongKernel if
/// that result is wrong, and the results of all other methods too.
GpuImage run_proved(Context& gpu, const Plan& plan, const Part& source, const Rect& result);

/// Calls `run` with the plan. If that throws WrongKernel: with the plans of its other methods, until one does
/// not.
void run_by_right_plan(Context& gpu, const Plan& plan, const std::function<void(const Plan&)>& run);

/// Whether programs have run that are not proved yet, outside a probe.
bool has_open_programs(Context& gpu);

/// Throws WrongKernel, which names the programs that are open. Also for counts and places that no picture has, before they are
/// used.
[[noreturn]] void refuse_result(Context& gpu, const std::string& fault);

/// A picture of this form, with values of this type that reveal faults: noise, hard edges, extremes.
Image probe_picture(const Form& form);
Array probe_array(ArrayType type);

/// Proves the programs that have run by a workload on a probe picture of such a form, or on `count` values. Throws
/// WrongKernel.
void prove_on_picture(Context& gpu, const Form& form, const std::function<Workload(const ImageInput&)>& make);
void prove_on_array(Context& gpu, ArrayType type, const std::function<Workload(const ArrayInput&)>& make);

/// If an exception ends its life, outside a probe, programs that have run are forgotten: what proves the next method proves
/// nothing of them.
class OpenPrograms {
  public:
    explicit OpenPrograms(Context& gpu);
    OpenPrograms(const OpenPrograms&) = delete;
    OpenPrograms& operator=(const OpenPrograms&) = delete;
    ~OpenPrograms();

  private:
    Context& gpu_;
    int thrown_; ///< exceptions that were under way before
};

/// Says which method is used instead of one that was wrong.
void warn_of(Context& gpu, const WrongKernel& wrong, std::string_view method);

/// `run(op)` by a method whose programs are right. `prove(op)` proves the programs that `run` used.
template <class Op, class E, class Owner, class Run, class Prove>
auto run_by_proved_method(Context& gpu, const Op& op, E Owner::*method, const Run& run, const Prove& prove) {
    const auto attempt = [&](const Op& chosen) {
        const OpenPrograms open(gpu);
        auto result = run(chosen);
        if (has_open_programs(gpu)) {
            prove(chosen);
        }
        return result;
    };
    std::optional<WrongKernel> first;
    try {
        return attempt(op);
    } catch (const WrongKernel& wrong) {
        if (op.*method != E::automatic) {
            throw;
        }
        first = wrong;
    }
    Op other = op;
    for (const EnumRow<E>& row : enum_rows<E>) {
        if (row.value == E::automatic || row.value == E::cpu) {
            continue;
        }
        other.*method = row.value;
        try {
            auto result = attempt(other);
            warn_of(gpu, *first, row.name);
            return result;
        } catch (const Error&) { // wrong as well, or not available here
        }
    }
    other.*method = E::cpu;
    warn_of(gpu, *first, "cpu");
    return run(other);
}

/// The same for a `run` that proves its programs itself, as run_sweeps() does.
template <class Op, class E, class Owner, class Run>
auto run_by_proved_method(Context& gpu, const Op& op, E Owner::*method, const Run& run) {
    return run_by_proved_method(gpu, op, method, run, [](const Op&) {});
}

} // namespace glproc
