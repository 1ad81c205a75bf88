// A storage buffer.
#pragma once

#include "glproc/gl/handle.hpp"
#include "glproc/gl/recycler.hpp"
#include "glproc/gl/sync.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// Whose memory a buffer lies in, and how the other side reaches it.
enum class BufferPlace {
    device, ///< the device's: filled and read by commands
    mapped, ///< the CPU's, at one address for as long as it lives (GL_ARB_buffer_storage); read over the bus
    stream, ///< the driver's choice, mapped now and then
};

/// The properties of a buffer, for Recycler.
struct BufferKind {
    struct Size {
        std::size_t bytes = 0;
        BufferPlace place = BufferPlace::device;
        bool operator==(const Size&) const = default;
    };
    /// Throws Error(gpu) if it does not fit.
    static unsigned make(const Size& size, std::string_view label);
    static void destroy(unsigned id);
    static std::size_t bytes(const Size& size) { return size.bytes; }
};
using BufferRecycler = Recycler<BufferKind>;

/// Ends the mapping of a buffer.
struct MappingTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

/// The bytes of a buffer as the CPU sees them, for as long as this lives.
struct HostView {
    HostView(std::span<std::byte> view, unsigned unmapped_at_end) : bytes(view), mapping_(unmapped_at_end) {}
    std::span<std::byte> bytes;

  private:
    Handle<MappingTraits> mapping_;
};

/// Made by Context::make_buffer; content is undefined until written. Its memory ends at a multiple of 16
/// bytes, so that kernels may load the last values four at a time, whatever bytes() is.
class Buffer {
  public:
    Buffer(BarrierTracker& tracker, BufferRecycler& recycler, std::size_t bytes, std::string_view label,
           BufferPlace place = BufferPlace::device);

    std::size_t bytes() const { return bytes_; }
    unsigned id() const { return storage_.get()->id; }
    const std::string& label() const { return label_; }
    LastAccess& last_access() const { return storage_.get()->last; }

    /// Replaces bytes, starting at `offset`. Throws Error(operation) if they do not fit.
    void write(std::span<const std::byte> bytes, std::size_t offset = 0);
    template <class T>
    void write(const std::vector<T>& values) {
        write(std::as_bytes(std::span(values)));
    }

    /// Fills the buffer with `value`.
    void fill(unsigned value);

    /// The first `out.size()` bytes, after all passes that write them.
    void read(std::span<std::byte> out) const;
    /// The first `count` values.
    template <class T>
    std::vector<T> read(std::size_t count) const {
        std::vector<T> values(count);
        read(std::as_writable_bytes(std::span(values)));
        return values;
    }

    BufferPlace place() const { return storage_.get()->size.place; }

    /// The bytes of a buffer that is not the device's own, to be read, or to be replaced as a whole. The
    /// caller has waited for the commands that use the buffer.
    HostView map(bool writes) const;

    /// Like write() and read(), but from and into another buffer, without waiting for anything.
    void copy_from(const Buffer& from, std::size_t from_offset, std::size_t offset, std::size_t bytes);

  private:
    void wait_for_shaders(bool writes) const;

    BarrierTracker* tracker_;
    std::size_t bytes_;
    std::string label_;
    BufferRecycler::Owner storage_;
};

} // namespace glproc
