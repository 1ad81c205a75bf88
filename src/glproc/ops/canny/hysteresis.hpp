// Which of the weak pixels of a mask are connected to a strong one, band by band.
#pragma once

#include "glproc/ops/components/join.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace glproc {

/// Two ways over the bands of a mask, from top to bottom: look() at each, then end(), then keep() for each. Of
/// a mask of one band the components need no labels, and nothing leaves the GPU.
class Hysteresis {
  public:
    explicit Hysteresis(Context& gpu) : gpu_(gpu) {}

    /// Takes the next band, with fewer rows than most_labelled_rows().
    void look(const MaskBits& weak, const MaskBits& strong);
    /// Takes the only band.
    void look_at_all(MaskBits weak, const MaskBits& strong);
    void end();

    /// Of the next band's weak pixels those that are kept.
    MaskBits keep(const MaskBits& weak);
    /// The same of the only band.
    MaskBits keep_all() const;

  private:
    Labelling labelled(const MaskBits& weak);
    Buffer marks_of(Labelling& band, const MaskBits& strong, int above) const;
    void join_last();
    MaskBits kept(const Labelling& band, const Buffer& marks, int above) const;
    int above() const { return row_above_ ? 1 : 0; }

    Context& gpu_;
    ComponentJoin join_{true};
    std::optional<MaskBits> row_above_;
    std::optional<Labelling> last_; ///< the band that came last
    int last_above_ = 0;            ///< rows of it that belong to the band before
    std::optional<Buffer> marks_;   ///< of that band
    bool is_joined_ = false;        ///< whether there were several bands
    std::size_t kept_ = 0;          ///< bands
};

} // namespace glproc
