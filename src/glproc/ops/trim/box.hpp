// Where an image is unlike its border.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/tiles.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace glproc {

/// The channels of a pixel of the border, as the image stores them: codes, or the bits of floats.
struct BorderPixel {
    std::array<std::uint32_t, 4> lanes{};
    std::uint32_t tolerance = 0; ///< a code, or the bits of a float
};

/// How far a pixel may be from the border and still belong to it. `tolerance`: 1 is from black to white. Without a colour
/// the border looks like the first pixel.
struct TrimBorder {
    std::optional<Colour> colour = std::nullopt;
    double tolerance = 0;

    /// Whether an image of this form can hold that colour.
    bool is_possible(const Form& form) const;
    /// `first` is the image's first pixel.
    BorderPixel in(const Form& form, const std::byte* first) const;
};

/// The box of an image whose rows come one after another, from the top.
class BoxFinder {
  public:
    BoxFinder(const Form& form, const TrimBorder& border);
    ~BoxFinder();
    BoxFinder(const BoxFinder&) = delete;
    BoxFinder& operator=(const BoxFinder&) = delete;

    void add(const Image& rows);
    Rect rect() const;

  private:
    struct Found;
    Form form_;
    TrimBorder border_;
    std::unique_ptr<Found> found_;
};

/// The smallest rectangle that holds every pixel unlike the border; without width where there is none.
Rect box_of(Context& gpu, const GpuImage& image, const TrimBorder& border);
/// The same by the processor, row by row.
Rect box_of(const RowSource& source, const TrimBorder& border, const TileProgress& progress = {});

} // namespace glproc
