#include "glproc/kinds/second.hpp"

#include "glproc/gl/context_state.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace glproc {

namespace {

/// No unit has more pixels: with one channel of 8 bits it has these, else half of them or a quarter.
constexpr int widest_unit = 16;

/// i mod n, never negative.
int wrapped(int i, int n) {
    const int rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/// The part of `part` that the image covers.
Rect covered_by(const SecondImage& second, const Rect& part) {
    if (second.repeats) {
        return part;
    }
    // A place far beyond the edges must not overflow.
    const auto clip = [](std::int64_t value, int low, int high) {
        return static_cast<int>(std::clamp<std::int64_t>(value, low, high));
    };
    const auto [at_x, at_y] = second.at;
    const int x = clip(at_x, part.x, part.right());
    const int y = clip(at_y, part.y, part.bottom());
    const int right = clip(std::int64_t{at_x} + second.image->width(), part.x, part.right());
    const int bottom = clip(std::int64_t{at_y} + second.image->height(), part.y, part.bottom());
    return {x, y, std::max(right - x, 0), std::max(bottom - y, 0)};
}

/// `count` pixels of a row, beginning with pixel `x`; after its end the row repeats.
void copy_row(const std::byte* row, const Form& form, int x, std::byte* to, int count) {
    while (count > 0) {
        const int run = std::min(count, form.width - x);
        std::memcpy(to, row + static_cast<std::size_t>(x) * form.pixel_bytes(),
                    static_cast<std::size_t>(run) * form.pixel_bytes());
        to += static_cast<std::size_t>(run) * form.pixel_bytes();
        count -= run;
        x = 0;
    }
}

/// The pixels that cover `covered`, after `before` pixels of any value in each row.
Image laid_out(const SecondImage& second, const Rect& covered, int before) {
    const Image& image = *second.image;
    Image made(before + covered.width, covered.height, image.channels(), image.depth());
    for (int y = 0; y < covered.height; ++y) {
        copy_row(image.row(wrapped(covered.y + y - second.at[1], image.height())), image.form(),
                 wrapped(covered.x - second.at[0], image.width()),
                 made.row(y) + static_cast<std::size_t>(before) * image.pixel_bytes(), covered.width);
    }
    return made;
}

/// The upload that was made last: for the next image of a folder it is often the same.
struct LastUpload {
    std::weak_ptr<const Image> of;
    Int2 at{0, 0};
    bool repeats = false;
    Rect part;
    std::optional<GpuImage> image;

    bool is_of(const SecondImage& second, const Rect& wanted) const {
        return image && of.lock() == second.image && at == second.at && repeats == second.repeats &&
               part == wanted;
    }
};

} // namespace

SecondPart second_part(Context& gpu, const SecondImage& second, const Rect& part) {
    const Rect covered = covered_by(second, part);
    const int before = (covered.x - part.x) % widest_unit;
    auto& last = gpu.kept<LastUpload>();
    if (!last.is_of(second, part)) {
        last.image.reset(); // its memory is free for the next one
        const bool is_empty = covered.width == 0 || covered.height == 0;
        const bool is_whole = before == 0 && covered == Rect{second.at[0], second.at[1],
                                                             second.image->width(), second.image->height()};
        last.image.emplace(
            is_empty   ? gpu.upload(Image(1, 1, second.image->channels(), second.image->depth()), "second")
            : is_whole ? gpu.upload(*second.image, "second")
                       : gpu.upload(laid_out(second, covered, before), "second"));
        // While work is only being prepared, nothing is copied.
        last.of = gpu.state().tracker.rehearsing ? std::weak_ptr<const Image>() : second.image;
        last.at = second.at;
        last.repeats = second.repeats;
        last.part = part;
    }
    return {*last.image, {covered.x - before, covered.y}, covered};
}

} // namespace glproc
