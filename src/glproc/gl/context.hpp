// One OpenGL 4.3 context without a visible window, and everything that belongs to it.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/gpu_array.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/gl/limits.hpp"
#include "glproc/gl/pass.hpp"
#include "glproc/gl/timer.hpp"
#include "glproc/image/image.hpp"
#include "glproc/shader/loader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace glproc {

class RowDrain;
class RowFeed;
class RowReader;
class RowWriter;

/// How a context is made. `automatic`: a hidden GLFW window if there is a display, else EGL.
enum class Backend { automatic, glfw, egl };

/// Whether the library was built to make debug contexts (the CMake option GLPROC_DEBUG_CONTEXT).
bool debug_by_default();

/// Finds an entry point of OpenGL by its name.
using GetProc = void (*(*)(const char* name))();

struct ContextOptions {
    Backend backend = Backend::automatic;
    /// "auto", "gpu", "cpu" (a software renderer: through EGL, and no GPU's driver is asked to start), an EGL device
    /// number, or part of a renderer's name (any case).
    std::string device = "auto";
    /// Refuse software renderers.
    bool require_gpu = false;
    /// Time every pass (see Context::pass_times).
    bool timing = false;
    /// A debug context: its messages of medium severity or worse become errors. New images and buffers are
    /// filled with 0xCD bytes, so that values that no pass wrote stand out.
    bool debug = debug_by_default();
    /// GPU memory, in bytes, that an operation on a picture of any size (see op/tiles.hpp) may use; 0: see
    /// Context::memory_bytes().
    std::uint64_t memory_bytes = 0;
    /// The most of them where they are this machine's own memory, as with a software renderer; 0: the default alone holds.
    std::uint64_t host_bytes = 0;
    /// Compare each program that is new to the driver with its reference before a result of it is used (op/proof.hpp).
    /// Unset: unless this is a debug context, or GLPROC_CHECK is "off".
    std::optional<bool> self_check = {};
    /// Called with messages that a person should read, for example that the driver computes a kernel wrongly.
    std::function<void(const std::string&)> warn = {};
    /// Limits to lower, in the syntax of lower_limits(). If empty, GLPROC_LIMITS is used.
    std::string lower_limits = {};
    /// If set, no context is made, and the one that is current on this thread is used, of OpenGL 4.3 core or
    /// later. This function finds its entry points, as glfwGetProcAddress and eglGetProcAddress do. The
    /// caller keeps it current and alive for longer than the Context, and leaves its state alone. A program
    /// that draws gives glproc a context of its own, on another thread, that shares objects with the
    /// window's. Images are then textures in both, once finish() has returned. `backend` and `device` are
    /// ignored.
    GetProc adopt = nullptr;
};

/// One attempt at getting a context.
struct Attempt {
    std::string what;    ///< "GLFW hidden window", "EGL device 0 (/dev/dri/card0)", "EGL surfaceless (Mesa)"
    std::string outcome; ///< "used", or why it failed
};

struct DeviceInfo {
    std::string renderer;
    std::string vendor;
    std::string version; ///< GL_VERSION, which names the driver
    std::string glsl;
    std::string backend; ///< the Attempt that was used
    bool software = false;
    bool tells_of_resets = false;         ///< GL_KHR_robustness
    bool has_mapped_memory = false;       ///< GL_ARB_buffer_storage
    bool has_subgroup = false;            ///< GL_KHR_shader_subgroup, unless disabled through GLPROC_DISABLE
    std::vector<std::string> extensions;  ///< the optional extensions that glproc found and uses
    std::vector<std::string> workarounds; ///< the known driver bugs that apply here
    std::vector<Attempt> attempts;

    /// Whether renderer or vendor contains `part`, in any case.
    bool is(std::string_view part) const;

    bool has_workaround(std::string_view name) const {
        return std::find(workarounds.begin(), workarounds.end(), name) != workarounds.end();
    }
};

/// The devices that ContextOptions::device may name by number: the GPUs among them, or all devices if there
/// is no GPU.
std::vector<std::string> every_device();

/// Device time of one pass.
struct PassTime {
    std::string label;
    double milliseconds = 0;
};

/// Milliseconds that images took between CPU memory and the GPU, from the first row to the last.
struct TransferTimes {
    double up = 0;
    double down = 0;
};

/// A context belongs to the thread that made it: use on another thread, or a second context on the same
/// thread, is an Error(operation). Each thread may have a context of its own. Images and buffers may be
/// destroyed on any thread and after their context; anything else done with them belongs to its thread and
/// lifetime.
class Context {
  public:
    /// Throws Error(no_context), listing every attempt, if there is no context or a software renderer is
    /// refused; Error(usage) for an unknown device; Error(operation) if this thread already has a context.
    explicit Context(const ContextOptions& options = {});
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    const DeviceInfo& device() const;
    const Limits& limits() const;

    /// GPU memory that an operation on a picture of any size may use: ContextOptions::memory_bytes, if set.
    /// Otherwise 512 MiB on a software renderer, and half of the free memory if the driver reports it
    /// (GL_NVX_gpu_memory_info, GL_ATI_meminfo). In all other cases, 2 GiB.
    std::uint64_t memory_bytes() const;

    /// Copies an image to the GPU. Throws Error(gpu) if it does not fit into memory, Error(operation) if it
    /// is larger than a texture: for such images, give the operation a RowSource (see op/tiles.hpp).
    GpuImage upload(const Image& image, std::string_view label = "image");
    /// Copies an image back, after all passes that write it. `memory` is reused if it has the same form,
    /// because allocating costs more than the copy.
    Image download(const GpuImage& image, Image memory = {});

    /// Uploads from a reader that has not been read, or downloads to a writer, on which the caller then calls
    /// finish(). The image is never copied as a whole to CPU memory. Passes on the exceptions of reader and
    /// writer.
    GpuImage upload(RowReader& rows, std::string_view label = "image");
    void download(const GpuImage& image, RowWriter& rows);

    /// The same for arrays, of any length including 0.
    GpuArray upload(const Array& array, std::string_view label = "array");
    Array download(const GpuArray& array);
    /// A copy in a buffer of an array in blocks, made on the GPU.
    GpuArray in_words(const GpuArray& array, std::string_view label = "words");

    /// A copy, bit for bit, made on the GPU.
    GpuImage copy(const GpuImage& image, std::string_view label = "copy");

    /// An image with undefined content.
    GpuImage make_image(const Form& form, std::string_view label);
    /// A table that kernels look up: rows of `width` texels, four values each. It is not a picture, so
    /// limits().texture_size does not count: every device has room for 16384 x 16384.
    Texture make_table(std::span<const float> values, int width, std::string_view label);
    /// An array with undefined elements, in a buffer or in blocks, as limits() say.
    GpuArray make_array(const ArrayForm& form, std::string_view label);
    /// A storage buffer with undefined content. It may be larger than limits().storage_block_bytes; passes
    /// then bind ranges of it. Throws Error(gpu) if it does not fit into memory.
    Buffer make_buffer(std::size_t bytes, std::string_view label);

    /// Describes a dispatch of glsl/`kernel` with these defines; see Pass.
    Pass pass(std::string_view label, std::string_view kernel, const Defines& defines = {});

    /// Prepares for `work` on images of this form, while they are still being read. Programs are begun,
    /// several at a time if the driver can, and memory is allocated and kept for the real work. `work` gets
    /// an image without content. Its passes do nothing, and it ends when it tries to read something back.
    void rehearse(const Form& form, const std::function<void(const GpuImage&)>& work);

    /// Waits until the device is idle. Throws if anything on it failed.
    void finish();

    /// The passes run so far, in order; empty unless ContextOptions::timing.
    std::vector<PassTime> pass_times();
    /// Milliseconds spent on building programs so far. pass_times() does not include them. With
    /// ContextOptions::timing they include work that the driver postpones to each program's first dispatch.
    double compile_time() const;
    /// Milliseconds spent on comparing programs with their references so far, without building them.
    double check_time() const;
    /// The time spent on transfers of images so far, by the wall clock.
    TransferTimes transfer_times() const;
    /// How pass_times() were measured: "GL_TIME_ELAPSED" or "wall clock around glFinish".
    std::string timer_method() const;

    /// Runs `work` the given number of times and measures the device time of each run: all its passes, copies
    /// and clears, and the pauses between them. Leave ContextOptions::timing off: its queries would count,
    /// too. See time_runs().
    RunTimes time(int runs, const std::function<void()>& work);

    /// Data that an operation keeps between calls: this context's object of type T, default-constructed on
    /// first use and destroyed with the context.
    template <class T>
    T& kept() {
        std::shared_ptr<void>& slot = kept_slot(typeid(T));
        if (!slot) {
            slot = std::make_shared<T>();
        }
        return *static_cast<T*>(slot.get());
    }

    struct State;
    State& state() { return *state_; }

  private:
    GpuImage upload(RowFeed& feed, std::string_view label);
    void download(const GpuImage& image, RowDrain& drain);
    void check(std::string_view doing);
    std::shared_ptr<void>& kept_slot(std::type_index type);

    std::unique_ptr<State> state_;
};

} // namespace glproc
