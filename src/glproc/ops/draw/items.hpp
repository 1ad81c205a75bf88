// The items to draw: of the call, and of its list.
#pragma once

#include "glproc/ops/draw.hpp"

#include <vector>

namespace glproc {

inline constexpr Limit font_size_limit{1, 4000};
inline constexpr Limit stroke_limit{0, 1000};
inline constexpr Limit wrap_limit{0, 100000};
inline constexpr Limit point_limit{-1e6, 1e6};
inline constexpr Limit draw_margin_limit{0, 1e5};

/// With the values of variables instead of their names. Throws Error(usage).
std::vector<DrawItem> items_of(const Draw& op);

/// Whether it or its list draws anything.
bool draws(const Draw& op);

/// Whether a text names a fact of the picture. A list counts as if it did.
bool wants_facts(const Draw& op);

} // namespace glproc
