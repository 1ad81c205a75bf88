// How many frames a GIF has; its pixels are read in stb.cpp. https://www.w3.org/Graphics/GIF/spec-gif89a.txt
#include "glproc/image/codecs.hpp"

namespace glproc::codecs {
namespace {

/// Walks through a file; behind its end there are zeros.
class Walk {
  public:
    explicit Walk(std::span<const std::byte> bytes) : bytes_(bytes) {}

    unsigned byte() {
        const unsigned value = at_ < bytes_.size() ? std::to_integer<unsigned>(bytes_[at_]) : 0;
        ++at_;
        return value;
    }
    void skip(std::size_t count) { at_ += count; }

    /// What a byte of flags says about the table of colours behind it.
    void skip_colours(unsigned flags) {
        if ((flags & 0x80U) != 0)
            skip(std::size_t{3} << ((flags & 7U) + 1));
    }
    /// Blocks that begin with their length, up to one of length 0.
    void skip_blocks() {
        while (const unsigned size = byte())
            skip(size);
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

} // namespace

int count_gif_frames(std::span<const std::byte> file) {
    Walk walk(file);
    walk.skip(10);
    const unsigned screen = walk.byte();
    walk.skip(2);
    walk.skip_colours(screen);
    for (int frames = 0;;) {
        const unsigned kind = walk.byte();
        if (kind == 0x21) { // an extension
            walk.skip(1);
        } else if (kind == 0x2c) { // a frame
            ++frames;
            walk.skip(8);
            walk.skip_colours(walk.byte());
            walk.skip(1);
        } else {
            return frames;
        }
        walk.skip_blocks();
    }
}

} // namespace glproc::codecs
