#include "glproc/gl/buffer.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/gl/debug.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

/// Sizes are rounded up, so that more buffers have the same size, and are multiples of 16 bytes.
std::size_t padded(std::size_t bytes) {
    constexpr std::size_t step = 256;
    return covering(std::max<std::size_t>(bytes, 1), step) * step;
}

constexpr GLbitfield mapping =
    GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

} // namespace

unsigned BufferKind::make(const Size& size, std::string_view label) {
    const auto [bytes, place] = size;
    unsigned id = 0;
    glGenBuffers(1, &id);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    if (place == BufferPlace::mapped) {
        glBufferStorage(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr,
                        mapping | GL_CLIENT_STORAGE_BIT);
    } else {
        glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr,
                     place == BufferPlace::stream ? GL_STREAM_READ : GL_DYNAMIC_COPY);
    }
    try {
        check_gl(fmt::format("allocating {} bytes for buffer {}", bytes, label));
    } catch (const Error&) {
        destroy(id);
        throw;
    }
    return id;
}

void BufferKind::destroy(unsigned id) {
    glDeleteBuffers(1, &id);
}

Buffer::Buffer(BarrierTracker& tracker, BufferRecycler& recycler, std::size_t bytes, std::string_view label,
               BufferPlace place)
    : tracker_(&tracker), bytes_(bytes), label_(label),
      storage_(recycler.take({padded(bytes), place}, label)) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    label_object(GL_BUFFER, id(), label_);
}

void Buffer::wait_for_shaders(bool writes) const {
    tracker_->next_command();
    if (tracker_->needs(Use::buffer_transfer, writes, last_access())) {
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
    // See the workaround write_overtakes_clear: the write overtakes dispatches as well, even the dispatches
    // of an earlier user.
    const LastAccess& last = last_access();
    if (storage_.get()->is_filled || last.read != 0 || last.written != 0) {
        constexpr std::size_t quickly_made = std::size_t{64} << 10U;
        if (bytes.size() == bytes_ && bytes_ < quickly_made) {
            storage_ = storage_.get()->door->recycler->take_new(storage_.get()->size, label_);
            label_object(GL_BUFFER, id(), label_);
        } else {
            glFinish();
            storage_.get()->is_filled = false;
        }
    }
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset),
                    static_cast<GLsizeiptr>(bytes.size()), bytes.data());
}

HostView Buffer::map(bool writes) const {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    const auto size = static_cast<GLsizeiptr>(storage_.get()->size.bytes);
    const bool stays = storage_.get()->size.place == BufferPlace::mapped;
    const GLbitfield once =
        writes ? GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT : GL_MAP_READ_BIT;
    void* address = nullptr;
    if (stays) {
        glGetBufferPointerv(GL_SHADER_STORAGE_BUFFER, GL_BUFFER_MAP_POINTER, &address);
    }
    if (address == nullptr) {
        address = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, size, stays ? mapping : once);
        check_gl(fmt::format("mapping buffer {}", label_));
    }
    return HostView({static_cast<std::byte*>(address), bytes_}, stays ? 0 : id());
}

void Buffer::copy_from(const Buffer& from, std::size_t from_offset, std::size_t offset, std::size_t bytes) {
    from.wait_for_shaders(false);
    wait_for_shaders(true);
    storage_.get()->is_filled = true;
    glBindBuffer(GL_COPY_READ_BUFFER, from.id());
    glBindBuffer(GL_COPY_WRITE_BUFFER, id());
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(from_offset),
                        static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes));
    check_gl(fmt::format("copying into buffer {}", label_));
}

void MappingTraits::destroy(unsigned id) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}

void Buffer::fill(unsigned value) {
    constexpr std::size_t quickly_copied = std::size_t{64} << 10U;
    const LastAccess& last = last_access();
    if (bytes_ <= quickly_copied && !storage_.get()->is_filled && last.read == 0 && last.written == 0) {
        // The first glClearBufferData of a process takes 2.3 ms longer (NVIDIA H100, driver 580.159.04, 2026-11-25).
        const std::vector<unsigned> values(padded(bytes_) / sizeof value, value);
        return write(std::as_bytes(std::span(values)).first(bytes_));
    }
    wait_for_shaders(true);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id());
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
    storage_.get()->is_filled = true;
    check_gl(fmt::format("filling buffer {}", label_));
}

void Buffer::read(std::span<std::byte> out) const {
    tracker_->check_performing();
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
