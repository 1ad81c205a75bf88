// Faults on request: what drivers and devices do too rarely for a test to wait for.
#pragma once

#include <string>

namespace glproc {

/// Errors as glGetError() returns them. In OpenGL 4.3 the second exists only with KHR_robustness.
constexpr unsigned out_of_memory = 0x0505;
constexpr unsigned context_lost = 0x0507;

/// What the environment variable GLPROC_FAULT asks for, by commas where it is several:
///
///     alloc:N          the GPU's memory is full at the Nth allocation of the context (and at that one only)
///     compile:KERNEL   this kernel, such as separable_direct.comp, does not compile
///     context_lost:N   the device is reset during the Nth pass; without :N during the first
///
/// Memory and reset come as glGetError() would tell of them, a compile error from the compiler itself, so
/// that all that copes is what copes with the real ones.
class Faults {
  public:
    /// Throws Error(usage) for what is none of these: a typo must not pass for a fault that was survived.
    static Faults from_environment();

    /// Before an allocation and before a pass: from now on there may be an error to take.
    void allocating() { strike(allocations_, full_at_, out_of_memory); }
    void dispatching() { strike(passes_, lost_at_, context_lost); }

    /// Empty where all compile.
    const std::string& broken_kernel() const { return broken_kernel_; }

  private:
    void add(const std::string& fault);
    static void strike(int& count, int at, unsigned error);

    int allocations_ = 0;
    int passes_ = 0;
    int full_at_ = 0; ///< 0: never
    int lost_at_ = 0;
    std::string broken_kernel_;
};

/// glGetError(), but first the error that a fault of this thread has left.
unsigned take_gl_error();

} // namespace glproc
