// Pictures at a fraction of their size, as decoders make them in less time and memory than the whole picture takes.
#pragma once

namespace glproc {

/// Pixels across and down.
struct Extent {
    int width = 0;
    int height = 0;

    Extent turned() const { return {height, width}; }
    bool operator==(const Extent&) const = default;
};

/// What a decoder gave in place of a whole picture.
struct Fraction {
    Extent whole;       ///< the size of the picture
    double columns = 0; ///< how many columns and rows show all of it: the last ones may lie partly beyond its edge
    double rows = 0;

    Fraction turned() const { return {whole.turned(), rows, columns}; }
    bool operator==(const Fraction&) const = default;
};

/// The size of a picture that is shrunk into `box` with its aspect kept; a side of 0 sets no limit. Never larger than the
/// picture, and 1 at least either way.
Extent shrunk_into(const Extent& box, const Extent& whole);

/// Whether a picture of size `part` is enough to make that of `box` from: twice its size both ways.
bool is_enough(const Extent& part, const Extent& box, const Extent& whole);

/// By how much, of 8, 4, 2 and 1, a decoder may divide the size of the picture, so that it still is enough.
int divisor_for(const Extent& box, const Extent& whole);

/// The same for a picture that is stored turned, as EXIF counts: `whole` is as it is stored, `box` upright.
int divisor_for_stored(const Extent& box, const Extent& whole, int orientation);

/// The picture with its size divided, rounded up.
Fraction fraction_of(const Extent& whole, int divisor);
Extent extent_of(const Fraction& fraction);

} // namespace glproc
