// Black, white and gamma as handles below the histogram of what the step gets.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "view/document.hpp"

#include <optional>
#include <vector>

namespace glproc::view {

struct Workspace;

struct LevelEnds {
    double black = 0;
    double white = 1;
    double gamma = 1;
    bool operator==(const LevelEnds&) const = default;
};

/// Whether the operation has a black, a white and a gamma.
bool has_levels(const OpInfo& op);

/// Whether levels of what the operation gets are shown: behind black and white, or behind a curve.
bool wants_counts(const OpInfo& op);

/// Those of a step. Nothing where they are not numbers from 0 to 1, as in 50%, or chosen by the picture.
std::optional<LevelEnds> levels_of(const Step& step);

/// Sets those that differ.
void set_levels(Document& document, std::size_t at, const LevelEnds& levels);

/// The value that becomes a middle grey, and the same levels with the gamma by which another one does.
double middle_of(const LevelEnds& levels);
LevelEnds with_middle(LevelEnds levels, double value);
/// With another black or white, that stay apart.
LevelEnds with_black(LevelEnds levels, double value);
LevelEnds with_white(LevelEnds levels, double value);

/// `counts` of the luma of what the step gets; may be null. With pickers, as tools.
void edit_levels(Workspace& all, std::size_t at, const std::vector<ChannelCounts>* counts);

} // namespace glproc::view
