// A 2-D texture of 16-byte texels (rgba32ui), the storage of every image on the GPU.
#pragma once

#include "glproc/gl/handle.hpp"
#include "glproc/gl/sync.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

struct TextureTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

/// Width and height in texels; rows are contiguous in transfers. Content is undefined until written.
class Texture {
  public:
    static constexpr std::size_t texel_bytes = 16;

    Texture(BarrierTracker& tracker, int width, int height, std::string_view label);

    int width() const { return width_; }
    int height() const { return height_; }
    std::size_t row_bytes() const { return static_cast<std::size_t>(width_) * texel_bytes; }
    unsigned id() const { return handle_.get(); }
    const std::string& label() const { return label_; }
    LastAccess& last_access() const { return last_; }

    /// Replaces whole rows from `first` on: as many as bytes.size() is a multiple of row_bytes().
    void write(std::span<const std::byte> bytes, int first = 0);
    /// The same rows, after all passes that write them.
    void read(std::span<std::byte> bytes, int first = 0) const;

    /// Takes all texels of a texture of the same size.
    void copy_from(const Texture& source);

  private:
    int rows_in(std::size_t bytes, int first) const;
    void prepare_transfer(bool writes) const;

    BarrierTracker* tracker_;
    int width_;
    int height_;
    std::string label_;
    Handle<TextureTraits> handle_;
    mutable LastAccess last_; // bookkeeping: which barrier the next use needs, not content
};

} // namespace glproc
