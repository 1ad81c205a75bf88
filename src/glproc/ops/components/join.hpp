// Joins components of bands to components of the picture.
#pragma once

#include "glproc/ops/components/sums.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// Replaces each number but 0 by its label; number 1 has the first. Without numbers, these are the labels.
void renumber(std::vector<std::uint32_t>& numbers, std::span<const std::uint32_t> labels);

/// Gets the components of one band after the other, from top to bottom, and joins those that meet where two
/// bands touch. It keeps the components of the last row and, if labels are wanted, 4 bytes for each component
/// of a band. Components that end above the last row are finished.
///
/// Each component of each band has a number: bands one after the other, and in a band in the order of its
/// labels. The smallest number of a component of the picture belongs to its first pixel, so sorting by it
/// gives the order of labels.
class ComponentJoin {
  public:
    /// `keeps_numbers`: whether number_bands() will be asked for.
    explicit ComponentJoin(bool keeps_numbers) : keeps_numbers_(keeps_numbers) {}

    /// Takes the next band: the sums of its components in the picture's coordinates, without the row above.
    /// Also the labels that this band gives to the row above it (none for the first band), and the labels of
    /// its last row. Throws Error(operation) beyond 2^32 - 1 components of bands if numbers are kept.
    void add(std::vector<ComponentSums> components, std::span<const std::uint32_t> above,
             std::span<const std::uint32_t> last);

    /// After the last band: the components in the order of their first pixels.
    std::vector<ComponentSums> end();

    /// After end(): labels[i] becomes the label of component i wherever labels_of_band() gives it.
    void number_bands(std::span<const std::uint32_t> labels);

    /// After number_bands(): labels[i] takes the place of label i + 1.
    void renumber_bands(std::span<const std::uint32_t> labels) { renumber(parents_, labels); }

    /// After number_bands(): for each label of a band, the label in the picture. Label 1 comes first.
    std::span<const std::uint32_t> labels_of_band(std::size_t band) const;

  private:
    struct Component {
        std::uint64_t number; ///< the smallest
        ComponentSums sums;
    };

    void pass_on(std::vector<Component> found, std::span<const std::uint32_t> roots,
                 std::span<const std::uint32_t> last);

    bool keeps_numbers_;
    std::vector<Component> live_; ///< the components of the last row
    std::vector<std::uint32_t>
        last_; ///< of each pixel of the last row, 1 + its component's place in live_, or 0
    std::vector<Component> finished_;
    std::vector<std::size_t> firsts_{0}; ///< the first number of each band, and of the next
    std::vector<std::uint32_t>
        parents_; ///< of each number one of the same component, no larger; then the labels
};

} // namespace glproc
