// The state of a context; for the gl layer's own files.
#pragma once

#include "glproc/gl/backend.hpp"
#include "glproc/gl/buffer.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/debug.hpp"
#include "glproc/gl/fault.hpp"
#include "glproc/gl/program.hpp"
#include "glproc/gl/proofs.hpp"
#include "glproc/gl/sync.hpp"
#include "glproc/gl/texture.hpp"
#include "glproc/gl/timer.hpp"
#include "glproc/gl/transfer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <typeindex>

namespace glproc {

struct Context::State {
    // The window or EGL context comes first, so that it is destroyed last.
    std::unique_ptr<GlSurface> surface;
    std::shared_ptr<void> claim; ///< to the thread, see Context::Context
    DeviceInfo device;
    Limits limits;
    std::uint64_t memory_bytes = 0;
    DebugLog debug_log;
    Faults faults = Faults::from_environment();
    BarrierTracker tracker;
    TextureRecycler textures;
    BufferRecycler buffers;
    ProgramCache programs;
    Proofs proofs;
    std::optional<Transfer> transfer; ///< after the buffers, for the same reason
    std::unique_ptr<Timer> timer;
    /// See Context::kept. Declared last, as its buffers need everything above.
    std::map<std::type_index, std::shared_ptr<void>> kept;
    bool fills_canary = false; ///< new images and buffers hold a pattern, so that forgotten values show
};

} // namespace glproc
