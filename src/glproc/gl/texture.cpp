#include "glproc/gl/texture.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/debug.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

struct FramebufferTraits {
    using Type = unsigned;
    static void destroy(unsigned id) { glDeleteFramebuffers(1, &id); }
};

/// Reads some rows of a texture: before OpenGL 4.5 that takes a framebuffer.
void read_pixels(unsigned texture, int first, int width, int rows, void* out) {
    unsigned id = 0;
    glGenFramebuffers(1, &id);
    const Handle<FramebufferTraits> framebuffer(id);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, id);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glReadPixels(0, first, width, rows, GL_RGBA_INTEGER, GL_UNSIGNED_INT, out);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

} // namespace

unsigned TextureKind::make(const Size& size, std::string_view label) {
    unsigned id = 0;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, size.width, size.height);
    // An integer texture is incomplete with any other filter, and texelFetch then reads 0.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    try {
        check_gl(fmt::format("allocating texture {} of {}x{} texels", label, size.width, size.height));
    } catch (const Error&) {
        destroy(id);
        throw;
    }
    return id;
}

void TextureKind::destroy(unsigned id) {
    glDeleteTextures(1, &id);
}

std::size_t TextureKind::bytes(const Size& size) {
    return Texture::texel_bytes * static_cast<std::size_t>(size.width) *
           static_cast<std::size_t>(size.height);
}

Texture::Texture(BarrierTracker& tracker, TextureRecycler& recycler, int width, int height,
                 std::string_view label)
    : tracker_(&tracker), width_(width), height_(height), label_(label),
      storage_(recycler.take({width, height}, label)) {
    glBindTexture(GL_TEXTURE_2D, id());
    label_object(GL_TEXTURE, id(), label_);
}

/// The number of rows in so many bytes. Throws Error(operation) if they do not fit, beginning at row `first`.
int Texture::rows_in(std::size_t bytes, int first) const {
    const std::size_t rows = bytes / row_bytes();
    if (bytes % row_bytes() != 0 || first < 0 ||
        rows + static_cast<std::size_t>(first) > static_cast<std::size_t>(height_)) {
        throw Error(ErrorCode::operation,
                    fmt::format("texture {} has {} rows of {} bytes, and no {} bytes from row {} on", label_,
                                height_, row_bytes(), bytes, first));
    }
    return static_cast<int>(rows);
}

void Texture::prepare_transfer(bool writes) const {
    tracker_->next_command();
    if (tracker_->needs(Use::texture_transfer, writes, last_access())) {
        glMemoryBarrier(BarrierTracker::bit(Use::texture_transfer));
        tracker_->issued(Use::texture_transfer);
    }
    glBindTexture(GL_TEXTURE_2D, id());
}

void Texture::write(std::span<const std::byte> bytes, int first) {
    const int rows = rows_in(bytes.size(), first);
    prepare_transfer(true);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first, width_, rows, GL_RGBA_INTEGER, GL_UNSIGNED_INT, bytes.data());
    check_gl(fmt::format("uploading texture {}", label_));
}

void Texture::read(std::span<std::byte> bytes, int first) const {
    const int rows = rows_in(bytes.size(), first);
    prepare_transfer(false);
    if (rows == height_) {
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, bytes.data());
    } else {
        read_pixels(id(), first, width_, rows, bytes.data());
    }
    check_gl(fmt::format("downloading texture {}", label_));
}

} // namespace glproc
