// Regions and lines that are measured in the result.
#pragma once

#include "glproc/image/image.hpp"
#include "view/workspace.hpp"

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace glproc::view {

/// Of one channel, in code units or floats. Values that are not numbers do not count.
struct ChannelFigures {
    double mean = 0;
    double deviation = 0; ///< of all pixels, not of a sample
    double least = 0;
    double most = 0;
};

std::vector<ChannelFigures> figures_of(const Image& image);

/// The values along a line, one for each pixel of its longer side: rows of channels.
std::vector<std::vector<double>> values_along(const Image& image, Point2 from, Point2 to);

class Measure final : public Tool {
  public:
    using Tool::Tool;
    void draw() override;
    bool drag(const Pointer& pointer) override;
    /// Nothing is measured.
    void clear() { is_there_ = false; }

    /// Figures of the region that was measured, of each channel, and values along the line.
    const std::vector<ChannelFigures>& region() const { return region_; }
    const std::vector<std::vector<double>>& line() const { return line_; }

  private:
    std::optional<Image> part(Point2& from, Point2& to);
    void update();
    std::string region_text() const;
    void draw_profile() const;

    bool is_dragged_ = false;
    bool is_there_ = false;
    Point2 from_; ///< in pixels of the result
    Point2 to_;
    /// What these figures are of.
    std::tuple<ToolKind, Point2, Point2, std::shared_ptr<const GpuImage>> measured_;
    std::vector<ChannelFigures> region_;
    std::vector<std::vector<double>> line_;
};

} // namespace glproc::view
