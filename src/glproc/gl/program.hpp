// A linked compute program, and its declarations by name.
#pragma once

#include "glproc/gl/handle.hpp"
#include "glproc/gl/program_store.hpp"
#include "glproc/shader/loader.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace glproc {

struct ProgramTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

/// Something a kernel declares and a pass must supply.
struct Slot {
    enum class Kind { uniform, image, sampler, storage };
    Kind kind = Kind::uniform;
    int index = 0; ///< location of a uniform, unit of an image or sampler, binding point of a storage block
};

struct ShaderTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

/// glMaxShaderCompilerThreadsKHR, or null.
using AskForThreads = void (*)(unsigned most);

/// Compiled, linked and reflected. The constructor begins this, so that a driver with threads may make
/// several at a time; usable after complete(). The driver decides on its threads, but see ProgramCache::make_soon().
class Program {
  public:
    /// Taken from the store if it has the program, else compiled. There may be no store. `ask_for_threads` is called before
    /// the first program that is compiled, and set to null.
    Program(std::string_view kernel, const Defines& defines, const std::optional<ProgramStore>& store,
            const GlslReader& read = default_glsl_reader(), AskForThreads* ask_for_threads = nullptr);

    /// Waits for the compiler, and puts its output into the store. Throws Error(operation) with the driver's
    /// log, its lines named by file; if it does not link, as WrongKernel. Calling it once is enough.
    void complete(const std::optional<ProgramStore>& store);
    bool is_complete() const { return is_complete_; }

    unsigned id() const { return handle_.get(); }
    const std::string& kernel() const { return kernel_; }
    /// A hash of the whole source text.
    std::uint64_t identity() const { return identity_; }
    const std::array<int, 3>& group_size() const { return group_size_; }
    /// Only what the linker kept: a declaration that nothing uses is not here.
    const std::map<std::string, Slot, std::less<>>& slots() const { return slots_; }
    /// Whether the source mentions `name`, used or not.
    bool mentions(std::string_view name) const;

  private:
    void begin_link();
    void check_link() const;
    void reflect_uniforms();
    void reflect_storage();

    std::string kernel_;
    ShaderSource source_;
    std::uint64_t identity_ = 0;
    Handle<ShaderTraits> shader_; ///< while the compiler is at work
    bool is_complete_ = false;
    Handle<ProgramTraits> handle_;
    std::array<int, 3> group_size_{};
    std::map<std::string, Slot, std::less<>> slots_;
};

/// Every program of a context, compiled when first asked for.
class ProgramCache {
  public:
    const Program& get(std::string_view kernel, const Defines& defines);

    /// Whether it was made already.
    bool has(std::string_view kernel, const Defines& defines) const;

    /// The same, perhaps not complete yet: a later get() waits for the compiler.
    const Program& begin(std::string_view kernel, const Defines& defines);

    /// Takes programs that are not made yet from this store, if it has them.
    void use(std::optional<ProgramStore> store) { store_ = std::move(store); }

    /// Compiles programs on threads of the driver if it has any, and kernels that mention ONE_PICTURE (see glsl/lib/moved.glsl)
    /// with that define. Only for a process with one context: asking for threads by glMaxShaderCompilerThreadsKHR crashes
    /// NVIDIA's driver if two threads have one (580.159.04, 2026-11-22).
    void make_soon(AskForThreads ask_for_threads) {
        is_for_one_picture_ = true;
        ask_for_threads_ = ask_for_threads;
    }

    /// Makes kernels of these names fail to compile, fail to link, and compute wrong values; see Faults.
    void fail_at(std::string broken, std::string unlinkable, std::string wrong) {
        broken_kernel_ = std::move(broken);
        unlinkable_kernel_ = std::move(unlinkable);
        wrong_kernel_ = std::move(wrong);
    }

    /// Wall-clock time spent on making them so far.
    double milliseconds() const { return milliseconds_; }

  private:
    Program& program(std::string_view kernel, const Defines& defines);

    double milliseconds_ = 0;
    std::optional<ProgramStore> store_;
    bool is_for_one_picture_ = false;
    AskForThreads ask_for_threads_ = nullptr;
    std::string broken_kernel_;
    std::string unlinkable_kernel_;
    std::string wrong_kernel_;
    std::map<std::string, std::unique_ptr<Program>> programs_;
};

} // namespace glproc
