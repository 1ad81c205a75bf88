// Faults on request that drivers and devices produce too rarely for a test to wait for.
#pragma once

#include <string>

namespace glproc {

/// Errors as glGetError() returns them. In OpenGL 4.3 the second exists only with KHR_robustness.
constexpr unsigned out_of_memory = 0x0505;
constexpr unsigned context_lost = 0x0507;

/// The faults that the environment variable GLPROC_FAULT requests, separated by commas:
///
///     alloc:N          the GPU's memory is full at the Nth allocation of the context (and at that one only)
///     compile:KERNEL   this kernel, such as kinds/separable/direct.comp, does not compile
///     link:KERNEL      this kernel compiles, but does not link
///     kernel:KERNEL    this kernel computes wrong values: its first work group does nothing
///     context_lost:N   the device is reset during the Nth pass; without :N during the first
///
/// Full memory and a reset are reported as by glGetError(), a compile error by the compiler itself. So real
/// and injected faults run the same code.
class Faults {
  public:
    /// Throws Error(usage) for anything else: with a typo, a program would seem to have survived a fault that
    /// never came.
    static Faults from_environment();

    /// Call these before an allocation and before a pass: take_gl_error() may then have an error.
    void allocating() { strike(allocations_, full_at_, out_of_memory); }
    void dispatching() { strike(passes_, lost_at_, context_lost); }

    /// Empty if all compile.
    const std::string& broken_kernel() const { return broken_kernel_; }
    /// Empty if all link.
    const std::string& unlinkable_kernel() const { return unlinkable_kernel_; }
    /// Empty if all are right.
    const std::string& wrong_kernel() const { return wrong_kernel_; }

  private:
    void add(const std::string& fault);
    static void strike(int& count, int at, unsigned error);

    int allocations_ = 0;
    int passes_ = 0;
    int full_at_ = 0; ///< 0: never
    int lost_at_ = 0;
    std::string broken_kernel_;
    std::string unlinkable_kernel_;
    std::string wrong_kernel_;
};

/// The error that a fault has left on this thread, else the result of glGetError().
unsigned take_gl_error();

} // namespace glproc
