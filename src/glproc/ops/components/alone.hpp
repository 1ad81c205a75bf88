// Components by the processor alone, with the bits of a run on a device.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/numbers.hpp"
#include "glproc/ops/components/runs.hpp"
#include "glproc/ops/components/table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// Looks at a picture's rows from top to bottom, then gives labels and pictures of any rows. It keeps the
/// mask of the picture, and the runs of its rows.
class ComponentsAlone {
  public:
    ComponentsAlone(const Components& op, const Form& picture);
    ComponentsAlone(ComponentsAlone&&) = default; // the numbers refer to its components

    /// The next rows. `threshold` is the plan of the call's threshold, which needs no look; null where there
    /// is none.
    void look(const Image& rows, const Plan* threshold);
    /// After the last row: the components, and which of them are left.
    void choose();
    /// After choose(): label i is replaced by labels[i - 1], which may be 0.
    void choose_again(std::span<const std::uint32_t> labels);
    /// Or only objects with their holes filled.
    void fill_holes();

    /// Those, in the order of their labels.
    const std::vector<ComponentSums>& kept() const { return kept_; }
    std::vector<std::uint32_t> labels(int first_row, int rows) const;

    /// All that were found, in white of this depth.
    Image objects(int first_row, int rows, Depth depth) const;
    /// The picture that the call asks for. `under`: the same rows of its overlay, else null.
    Image painted(int first_row, int rows, const Image* under) const;

  private:
    void number();
    bool is_outline(int x, int y) const;

    Components op_;
    Form picture_;
    HostMask objects_;
    std::optional<MaskRuns> runs_;
    std::vector<std::uint32_t> numbers_; ///< ChosenComponents::labels
    std::vector<ComponentSums> kept_;
    std::optional<ComponentNumbers> digits_; ///< of these, where they are drawn
};

/// The pixels of a whole picture that belong to objects, by the threshold of a call alone.
HostMask objects_of(const Components& op, const Image& picture);
/// The same of a picture that comes in parts, all of one form, which lie under one another.
HostMask objects_of(const Components& op, const std::vector<const Image*>& parts);

/// Of a whole picture, after choose().
ComponentsAlone components_alone(const Components& op, const Image& picture);

/// All labels of a picture, as u32.
Array labels_array(const ComponentsAlone& components, const Form& picture);

/// With the measures that need labels, and without components that a filter by these leaves out.
MeasuredComponents measured_alone(const Components& op, const Form& picture, ComponentsAlone& components);

} // namespace glproc
