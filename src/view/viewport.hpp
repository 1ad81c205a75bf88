// Which part of a picture is seen, and how large. No window, no OpenGL.
#pragma once

namespace glproc::view {

struct Point2 {
    double x = 0;
    double y = 0;
    bool operator==(const Point2&) const = default;
};

/// Where a picture lies in the frame.
struct ScreenPlace {
    Point2 corner;
    double width = 0;
    double height = 0;
    bool operator==(const ScreenPlace&) const = default;
};

/// A picture of this size, as large as fits into the place, in its middle. One that leaves next to nothing
/// free, as after a size was rounded to whole pixels, fills the place.
ScreenPlace fitted(double width, double height, const ScreenPlace& into);

/// A picture behind a frame. Coordinates of the frame are pixels of the screen from its top left corner.
class Viewport {
  public:
    void set_frame(double width, double height);
    /// Room around a picture that is fitted in, and beyond the edges of a larger one.
    void set_margin(double margin);
    /// A picture of another size is fitted in, unless a person has zoomed.
    void set_picture(double width, double height);

    /// Pixels of the screen for one of the picture.
    double zoom() const { return zoom_; }
    bool fits() const { return fits_; }
    void fit();
    /// About a point of the frame that stays where it is.
    void zoom_to(double zoom, Point2 about);
    void zoom_to(double zoom) { zoom_to(zoom, {width_ / 2, height_ / 2}); }
    /// The next larger or smaller of the usual steps, with 1:1 among them.
    void step(int direction, Point2 about);
    void step(int direction) { step(direction, {width_ / 2, height_ / 2}); }
    void pan(double x, double y);
    /// Shows this part of the picture, if it is out of sight, too small to be seen or larger than the frame.
    void look_at(const ScreenPlace& part);

    Point2 to_picture(Point2 at) const { return {(at.x - origin_.x) / zoom_, (at.y - origin_.y) / zoom_}; }
    Point2 to_frame(Point2 at) const { return {at.x * zoom_ + origin_.x, at.y * zoom_ + origin_.y}; }
    /// Where the picture's corner is in the frame; whole pixels.
    Point2 origin() const { return origin_; }
    /// All of the picture.
    ScreenPlace place() const { return {origin_, picture_width_ * zoom_, picture_height_ * zoom_}; }
    bool operator==(const Viewport&) const = default;

  private:
    void keep_in();

    double width_ = 1;
    double height_ = 1;
    double margin_ = 0;
    double picture_width_ = 0;
    double picture_height_ = 0;
    double zoom_ = 1;
    Point2 origin_;
    bool fits_ = true;
};

} // namespace glproc::view
