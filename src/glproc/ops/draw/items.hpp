// The items to draw: of the call, and of its list.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/ops/draw.hpp"

#include <string>
#include <vector>

namespace glproc {

inline constexpr Limit font_size_limit{1, 4000};
inline constexpr Limit stroke_limit{0, 1000};
inline constexpr Limit wrap_limit{0, 100000};
inline constexpr Limit point_limit{-1e6, 1e6};
inline constexpr Limit draw_margin_limit{0, 1e5};

/// With the values of variables instead of their names, and all places and lengths in pixels of such an image.
/// Throws Error(usage).
std::vector<DrawItem> items_of(const Draw& op, const Form& form);

/// What `f` gives. Its errors name the place of the item in its list.
template <class F>
auto at_its_place(const DrawItem& item, const F& f) {
    try {
        return f();
    } catch (const Error& error) {
        if (item.place.empty()) {
            throw;
        }
        throw Error(error.code(), item.place + ": " + error.what(), error.hint());
    }
}

/// Whether it or its list draws anything.
bool draws(const Draw& op);

/// Whether a text names a fact of the picture. A list counts as if it did.
bool wants_facts(const Draw& op);

} // namespace glproc
