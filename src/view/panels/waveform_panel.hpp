// The waveform of the result, below its histogram.
#pragma once

#include "view/panels/canvas.hpp"
#include "view/engine/waveform.hpp"

#include <memory>

namespace glproc::view {

class WaveformPanel {
  public:
    void show(const std::shared_ptr<const Waveform>& waveform, float height);

  private:
    std::shared_ptr<const Waveform> drawn_; ///< that the texture is of
    Handle<TextureName> texture_;
};

} // namespace glproc::view
