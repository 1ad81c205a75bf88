#include "glproc/gl/host_buffer.hpp"

#include "glproc/gl/context_state.hpp"

namespace glproc {

Buffer make_host_buffer(Context& gpu, std::size_t bytes, std::string_view label) {
    Context::State& state = gpu.state();
    state.tracker.check_thread();
    const BufferPlace place = gpu.device().has_mapped_memory ? BufferPlace::mapped : BufferPlace::stream;
    return Buffer(state.tracker, state.buffers, bytes, label, place);
}

} // namespace glproc
