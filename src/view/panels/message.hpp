// What went wrong, or what was done, at the lower edge of the picture.
#pragma once

#include "view/viewport.hpp"

#include <optional>
#include <string>

namespace glproc::view {

class Message {
  public:
    void tell(const std::string& text, bool is_fault = false);
    /// In the picture's part of the window. `fault`: of the result, which stays until a person has closed it.
    void show(const std::string& fault, Point2 corner, Point2 size);
    /// Until there is another one.
    void close();
    /// Seconds until it goes; nothing where there is none.
    std::optional<double> left() const;
    /// Where it is closed.
    Point2 cross() const { return cross_; }

  private:
    std::string text_;
    bool is_fault_ = false;
    double since_ = 0;
    std::string fault_;  ///< of the result
    std::string closed_; ///< the one that a person has read
    Point2 cross_;
};

} // namespace glproc::view
