// A drawing as areas of one colour each.
#pragma once

#include "glproc/files/modules/drawing.hpp"
#include "glproc/kinds/second.hpp"
#include "glproc/ops/draw.hpp"

#include <functional>
#include <string>
#include <vector>

namespace glproc {

/// An area of one colour, on those before it.
struct DrawnLayer {
    Colour colour;
    modules::Area reach; ///< nothing beyond it is covered
    std::function<void(modules::Cover&)> draw;
};

/// Throws Error(usage), Error(operation).
std::vector<DrawnLayer> layers_of(const DrawItem& item, const Form& form);

/// The layers on each other, within `part`, as colours with alpha.
Image cover_of(const std::vector<DrawnLayer>& layers, const modules::Area& part, Depth depth);

/// The items as the second image of blend. Throws Error(usage), Error(operation).
SecondImage drawn_on(const std::vector<DrawItem>& items, const Form& form);

/// A line of text in the letters of `item` that is no wider: letters in its middle give way to three dots.
std::string shortened(const DrawItem& item, const std::string& line, int width);

/// The part of an image that the layers reach.
modules::Area reach_of(const std::vector<DrawnLayer>& layers, const Form& form);

} // namespace glproc
