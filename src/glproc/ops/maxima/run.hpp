// One run of `maxima`: a sweep that looks at all rows, and one that draws the points.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/maxima.hpp"
#include "glproc/ops/maxima/candidates.hpp"
#include "glproc/ops/maxima/plateaus.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// The values that options stand for, in code units.
MaximaSearch search_of(const Maxima& op, Depth depth);

/// From the first pixels of plateaus to the maxima: `grey` are all values, and needed for prominence only.
std::vector<Maximum> chosen_maxima(const Maxima& op, const Form& form,
                                   const std::vector<Plateaus::Beginning>& firsts, float least,
                                   std::span<const float> grey);

/// Sees all rows; at the end has the maxima.
class MaximaLook final : public SweepState {
  public:
    MaximaLook(const Maxima& op, const BandCut& cut)
        : op_(op), cut_(cut), search_(search_of(op, cut.picture.depth)) {}

    RowsMade next(Context& gpu, Band& band) override;
    void end(Context& gpu) override;

    /// The highest first.
    const std::vector<Maximum>& maxima() const { return maxima_; }

    /// Rows of the picture of points, which are asked for from top to bottom.
    std::vector<std::byte> points(const Band& band) const;

  private:
    template <class Grey>
    void look(Context& gpu, const Grey& grey, const SearchedRows& rows);
    void look_at_window(Context& gpu, bool is_last);

    Maxima op_;
    BandCut cut_;
    MaximaSearch search_;
    Plateaus plateaus_;
    float least_ = std::numeric_limits<float>::infinity();
    std::vector<float> values_;   ///< of the whole picture, for prominence
    std::optional<Image> window_; ///< of a picture in bands: the rows whose neighbours have not all been seen
    int top_ = 0;                 ///< the row that it begins with
    int searched_ = 0;            ///< rows
    std::vector<Maximum> maxima_;
    std::vector<Maximum> shown_; ///< the same, row by row
};

class MaximaShow final : public SweepState {
  public:
    explicit MaximaShow(const MaximaLook& look) : look_(look) {}
    RowsMade next(Context&, Band& band) override { return look_.points(band); }
    const std::vector<Maximum>& maxima() const { return look_.maxima(); }

  private:
    const MaximaLook& look_;
};

} // namespace glproc
