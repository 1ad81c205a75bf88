#include "glproc/gl/buffer.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/debug.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

void BufferTraits::destroy(unsigned id) {
    glDeleteBuffers(1, &id);
}

Buffer::Buffer(BarrierTracker& tracker, std::size_t bytes, std::string_view label)
    : tracker_(&tracker), bytes_(bytes), label_(label) {
    unsigned id = 0;
    glGenBuffers(1, &id);
    handle_ = Handle<BufferTraits>(id);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    label_object(GL_BUFFER, id, label_);
    const auto padded = static_cast<GLsizeiptr>((bytes + 15) / 16 * 16);
    glBufferData(GL_SHADER_STORAGE_BUFFER, padded, nullptr, GL_DYNAMIC_COPY);
    check_gl(fmt::format("allocating {} bytes for buffer {}", bytes, label_));
}

void Buffer::wait_for_shaders(bool writes) const {
    tracker_->next_command();
    if (tracker_->needs(Use::buffer_transfer, writes, last_)) {
        glMemoryBarrier(BarrierTracker::bit(Use::buffer_transfer));
        tracker_->issued(Use::buffer_transfer);
    }
}

void Buffer::write(std::span<const std::byte> bytes, std::size_t offset) {
    if (offset > bytes_ || bytes.size() > bytes_ - offset) {
        throw Error(ErrorCode::operation,
                    fmt::format("buffer {} holds {} bytes, not {}", label_, bytes_, offset + bytes.size()));
    }
    wait_for_shaders(true);
    if (cleared_) {
        glFinish(); // see the workaround write_overtakes_clear
        cleared_ = false;
    }
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset),
                    static_cast<GLsizeiptr>(bytes.size()), bytes.data());
}

void Buffer::fill(unsigned value) {
    wait_for_shaders(true);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
    cleared_ = true;
    check_gl(fmt::format("filling buffer {}", label_));
}

void Buffer::read(std::span<std::byte> out) const {
    if (out.size() > bytes_) {
        throw Error(ErrorCode::operation,
                    fmt::format("buffer {} holds {} bytes, not {}", label_, bytes_, out.size()));
    }
    wait_for_shaders(false);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(out.size()), out.data());
    check_gl(fmt::format("reading buffer {}", label_));
}

} // namespace glproc
