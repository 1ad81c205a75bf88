// A storage buffer.
#pragma once

#include "glproc/gl/recycler.hpp"
#include "glproc/gl/sync.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// What buffers are made of, for Recycler. A size is in bytes.
struct BufferKind {
    using Size = std::size_t;
    /// Throws Error(gpu) where it does not fit.
    static unsigned make(Size bytes, std::string_view label);
    static void destroy(unsigned id);
    static std::size_t bytes(Size bytes) { return bytes; }
};
using BufferRecycler = Recycler<BufferKind>;

/// Made by Context::make_buffer; content is undefined until written. Its memory ends at a multiple of 16
/// bytes, so that kernels may load the last values four at a time, whatever bytes() is.
class Buffer {
  public:
    Buffer(BarrierTracker& tracker, BufferRecycler& recycler, std::size_t bytes, std::string_view label);

    std::size_t bytes() const { return bytes_; }
    unsigned id() const { return storage_.get()->id; }
    const std::string& label() const { return label_; }
    LastAccess& last_access() const { return storage_.get()->last; }

    /// Replaces bytes from `offset` on. Throws Error(operation) where they do not fit.
    void write(std::span<const std::byte> bytes, std::size_t offset = 0);
    template <class T>
    void write(const std::vector<T>& values) {
        write(std::as_bytes(std::span(values)));
    }

    /// Every byte of the buffer becomes those of `value`.
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

  private:
    void wait_for_shaders(bool writes) const;

    BarrierTracker* tracker_;
    std::size_t bytes_;
    std::string label_;
    BufferRecycler::Owner storage_;
};

} // namespace glproc
