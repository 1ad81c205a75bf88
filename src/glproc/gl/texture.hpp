// A 2-D texture of 16-byte texels (rgba32ui), the storage of every image on the GPU.
#pragma once

#include "glproc/gl/recycler.hpp"
#include "glproc/gl/sync.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

/// The properties of a texture, for Recycler. Sizes are in texels.
struct TextureKind {
    struct Size {
        int width = 0;
        int height = 0;
        bool operator==(const Size&) const = default;
    };
    /// Throws Error(gpu) if it does not fit.
    static unsigned make(const Size& size, std::string_view label);
    static void destroy(unsigned id);
    static std::size_t bytes(const Size& size);
};
using TextureRecycler = Recycler<TextureKind>;

/// Width and height in texels; rows are contiguous in transfers. Content is undefined until written.
class Texture {
  public:
    static constexpr std::size_t texel_bytes = 16;

    Texture(BarrierTracker& tracker, TextureRecycler& recycler, int width, int height,
            std::string_view label);

    int width() const { return width_; }
    int height() const { return height_; }
    std::size_t row_bytes() const { return static_cast<std::size_t>(width_) * texel_bytes; }
    unsigned id() const { return storage_.get()->id; }
    const std::string& label() const { return label_; }
    LastAccess& last_access() const { return storage_.get()->last; }

    /// Replaces whole rows, starting at `first`. Their number is bytes.size() / row_bytes().
    void write(std::span<const std::byte> bytes, int first = 0);
    /// The same rows, after all passes that write them.
    void read(std::span<std::byte> bytes, int first = 0) const;

  private:
    int rows_in(std::size_t bytes, int first) const;
    void prepare_transfer(bool writes) const;

    BarrierTracker* tracker_;
    int width_;
    int height_;
    std::string label_;
    TextureRecycler::Owner storage_;
};

} // namespace glproc
