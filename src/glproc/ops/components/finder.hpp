// The components of a picture that comes in bands, by any method.
#pragma once

#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// The facts about components that are wanted.
struct ComponentsWanted {
    Connectivity connectivity = Connectivity::eight;
    MaskedPixels pixels = MaskedPixels::nonzero;
    bool sums = true;     ///< a table, or components chosen by their size
    bool moments = false; ///< its second moments as well
    bool labels = false;  ///< paint() will be called
    bool on_cpu = false;  ///< the processor joins the runs of pixels
};

/// Two sweeps over full-width bands of a mask, from top to bottom: look() at each and end(), which gives the
/// table; then paint() each again, which gives the labels. The result does not depend on the bands.
class ComponentFinder {
  public:
    ComponentFinder() = default;
    ComponentFinder(const ComponentFinder&) = delete;
    ComponentFinder& operator=(const ComponentFinder&) = delete;
    virtual ~ComponentFinder() = default;

    /// Takes the next band, with at least one row.
    virtual void look(const GpuImage& band) = 0;

    /// After the last band: the components in the order of their labels, which are 1, 2, …; without sums,
    /// only their number has a meaning.
    virtual std::vector<ComponentSums> end() = 0;

    /// After end(): component i gets labels[i] instead, which may be 0. Without, paint() gives 1, 2, …
    virtual void choose(std::span<const std::uint32_t> labels) = 0;

    /// After end(): the labels of the bands that look() saw, in the same order: `width` words a row. After
    /// the last one it begins again with the first.
    virtual Buffer paint(const GpuImage& band) = 0;
};

} // namespace glproc
