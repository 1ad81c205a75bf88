// The memory of an image's pixels.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace glproc {

/// Zero-filled bytes that may be large. The system gives out zeros anyway, so nothing is written to them; and
/// large blocks ask for huge pages, since the first touch of each page costs more than a copy of its bytes
/// (14.7 MB: 6.4 ms with pages of 4 KiB, 1 ms with pages of 2 MiB where there are some; two cores, 2026-11-20).
class PixelMemory {
  public:
    PixelMemory() = default;
    /// Throws std::bad_alloc.
    explicit PixelMemory(std::size_t bytes);
    PixelMemory(const PixelMemory& other);
    PixelMemory& operator=(const PixelMemory& other);
    PixelMemory(PixelMemory&&) = default;
    PixelMemory& operator=(PixelMemory&&) = default;
    ~PixelMemory() = default;

    std::byte* data() { return block_.get(); }
    const std::byte* data() const { return block_.get(); }
    /// 0 once moved from.
    std::size_t size() const { return block_ ? block_.get_deleter().bytes : 0; }

  private:
    struct Release {
        std::size_t bytes;
        void operator()(std::byte* block) const;
    };
    static std::byte* take(std::size_t bytes);

    std::unique_ptr<std::byte[], Release> block_{nullptr, Release{0}};
};

} // namespace glproc
