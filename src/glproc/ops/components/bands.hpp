// The connected components of a picture that comes in bands.
#pragma once

#include "glproc/ops/components/finder.hpp"
#include "glproc/ops/components/join.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// By kernels. A picture of one band is labelled once, and its labels never leave the GPU.
class ComponentBands final : public ComponentFinder {
  public:
    ComponentBands(Context& gpu, const ComponentsWanted& wanted)
        : gpu_(gpu), wanted_(wanted), join_(wanted.labels) {}

    /// A band must have fewer rows than most_labelled_rows().
    void look(const GpuImage& band) override;
    std::vector<ComponentSums> end() override;
    void choose(std::span<const std::uint32_t> labels) override;
    Buffer paint(const GpuImage& band) override;

  private:
    MaskBits next_mask(const GpuImage& band);
    void join_last();
    Buffer map_of(std::span<const std::uint32_t> labels) const;
    std::vector<ComponentSums> sums_of_last();

    Context& gpu_;
    ComponentsWanted wanted_;
    ComponentJoin join_;
    std::optional<MaskBits> row_above_;
    std::optional<Labelling>
        last_; ///< of the band that came last, as long as it is the only one or not joined yet
    std::size_t bands_ = 0;
    std::size_t painted_ = 0;
    bool is_numbered_ = false;
    int rows_ = 0; ///< of the bands before the last
    std::vector<std::uint32_t> chosen_;
    bool is_joined_ = false; ///< whether there were several bands
    std::uint32_t count_ = 0;
};

} // namespace glproc
