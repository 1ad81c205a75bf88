// What the module that draws and the program know of each other. The module says how much of each pixel
// letters and figures cover; colours are the program's. It links nothing of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace glproc::modules {

/// A box in pixels; it may be empty.
struct Area {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// Part of the plane, and the shares of its pixels that are covered: 0 to 255. Drawing adds to them.
struct Cover {
    Area part;
    int stride = 0; ///< bytes a row: a multiple of 4
    std::uint8_t* shares = nullptr;
};

enum class Sides { left, middle, right };

struct Letters {
    std::string text; ///< UTF-8
    std::string font;
    double size = 0; ///< of the font, in pixels
    int wrap = 0;    ///< the width that lines are broken to; 0: as they are
    Sides lines = Sides::left;
};

/// Letters that were laid out, their upper left corner at 0,0.
class Lettering {
  public:
    Lettering() = default;
    Lettering(const Lettering&) = delete;
    Lettering& operator=(const Lettering&) = delete;
    virtual ~Lettering() = default;

    virtual Area box() const = 0; ///< with the space that lines take
    virtual Area ink() const = 0; ///< what is covered, outlines aside
    /// The family in place of the one asked for, if that is not there.
    virtual std::string other_font() const = 0;
    virtual int unknown_letters() const = 0; ///< that no font on the machine has
    /// The letters, or a line of this width along their edges.
    virtual void draw(Cover& cover, double outline) const = 0;
};

/// Lines from point to point, a closed figure of them, or a circle.
struct Outline {
    std::vector<double> points; ///< x and y in turn; of a circle its centre
    double radius = 0;          ///< above 0: a circle
    bool closed = false;
    double stroke = 0; ///< the width of its line; 0: its inside is filled
};

struct Draughtsman {
    std::unique_ptr<Lettering> (*lay_out)(const Letters& letters);
    void (*draw)(const Outline& figure, Cover& cover);
};

} // namespace glproc::modules
