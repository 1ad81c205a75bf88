// One OpenGL 4.3 context without a visible window, and all that belongs to it.
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
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace glproc {

class RowDrain;
class RowFeed;
class RowReader;
class RowWriter;

/// How a context is made. `automatic`: a hidden GLFW window where there is a display, else EGL.
enum class Backend { automatic, glfw, egl };

struct ContextOptions {
    Backend backend = Backend::automatic;
    /// "auto", an EGL device number, or part of a renderer's name (any case).
    std::string device = "auto";
    /// Refuse software renderers.
    bool require_gpu = false;
    /// Time every pass (see Context::pass_times).
    bool timing = false;
    /// A debug context, whose messages of medium severity or worse become errors, and whose new images and
    /// buffers are filled with 0xCD bytes, so that values which no pass wrote show.
    bool debug = GLPROC_DEBUG_CONTEXT;
    /// GPU memory that work on pictures of any size (see ops/tiles.hpp) may take; 0: see
    /// Context::memory_bytes().
    std::uint64_t memory_bytes = 0;
    /// Limits to be lowered, as lower_limits() has them; empty: what GLPROC_LIMITS says.
    std::string lower_limits = {};
};

/// One way of getting a context that was tried.
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
    bool has_mapped_memory = false;       ///< GL_ARB_buffer_storage
    bool has_subgroup = false;            ///< GL_KHR_shader_subgroup, unless disabled through GLPROC_DISABLE
    std::vector<std::string> extensions;  ///< the optional ones that glproc makes use of and found
    std::vector<std::string> workarounds; ///< the known driver bugs that apply here
    std::vector<Attempt> attempts;

    /// Whether renderer or vendor contains `part`, in any case.
    bool is(std::string_view part) const;

    bool has_workaround(std::string_view name) const {
        return std::find(workarounds.begin(), workarounds.end(), name) != workarounds.end();
    }
};

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

/// A context belongs to the thread that made it, which has one at a time: use on another thread and a second
/// context on the same are Error(operation). Any number may live in as many threads. Everything made by a
/// context must be gone before it.
class Context {
  public:
    /// Throws Error(no_context) listing every attempt, or when a software renderer is refused;
    /// Error(usage) for an unknown device; Error(operation) where this thread has a context already.
    explicit Context(const ContextOptions& options = {});
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    const DeviceInfo& device() const;
    const Limits& limits() const;

    /// GPU memory that work on pictures of any size may take: ContextOptions::memory_bytes, else 512 MiB of a
    /// software renderer, half of what a GPU has free where its driver tells (GL_NVX_gpu_memory_info,
    /// GL_ATI_meminfo), and 2 GiB of any other.
    std::uint64_t memory_bytes() const;

    /// Copies an image to the GPU. Throws Error(gpu) where it does not fit the memory, Error(operation) where
    /// it does not fit a texture: operations take a RowSource in its place, and cut it (see ops/tiles.hpp).
    GpuImage upload(const Image& image, std::string_view label = "image");
    /// Copies an image back; waits for the passes that write it. `memory` is used again where it has the same
    /// form, as fresh memory costs more than the copy.
    Image download(const GpuImage& image, Image memory = {});

    /// The same of all rows that a reader has left, which must be those of a whole picture, and to a writer,
    /// which gets no finish(): a picture in CPU memory is not needed in between. Throws what they throw.
    GpuImage upload(RowReader& rows, std::string_view label = "image");
    void download(const GpuImage& image, RowWriter& rows);

    /// The same for arrays, of any length from 0.
    GpuArray upload(const Array& array, std::string_view label = "array");
    Array download(const GpuArray& array);

    /// The same pixels again, bit for bit, without leaving the GPU.
    GpuImage copy(const GpuImage& image, std::string_view label = "copy");

    /// An image with undefined content.
    GpuImage make_image(const Form& form, std::string_view label);
    /// A storage buffer with undefined content, which may be larger than limits().storage_block_bytes: passes
    /// then bind ranges of it. Throws Error(gpu) beyond the memory.
    Buffer make_buffer(std::size_t bytes, std::string_view label);

    /// Starts the description of a dispatch of glsl/`kernel` with these defines.
    Pass pass(std::string_view label, std::string_view kernel, const Defines& defines = {});

    /// Waits until the device is idle and throws what it found to be wrong.
    void finish();

    /// The passes run so far, in order; empty unless ContextOptions::timing.
    std::vector<PassTime> pass_times();
    /// Milliseconds that went into making programs so far, none of which is in pass_times(); with
    /// ContextOptions::timing also into what a driver leaves to the first dispatch of each.
    double compile_time() const;
    /// What transfers of images took so far, by the wall clock.
    TransferTimes transfer_times() const;
    /// "GL_TIME_ELAPSED" or "wall clock around glFinish": how pass_times() were taken.
    std::string timer_method() const;

    /// Runs `work` so many times and says what each run took on the device, all its passes, copies and clears
    /// together, and the pauses between them. Needs no ContextOptions::timing, whose queries would get in
    /// between. See time_runs().
    RunTimes time(int runs, const std::function<void()>& work);

    /// What an operation keeps between its calls: the T of this context, empty at the first. It goes with the
    /// context.
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
