// How many parts hold a number of items.
#pragma once

#include <concepts>
#include <type_traits>

namespace glproc {

/// The number of parts of a size that hold all items: the quotient, rounded up. Either both are signed or
/// none is.
template <std::integral Items, std::integral Part>
requires(std::is_signed_v<Items> == std::is_signed_v<Part>) constexpr auto covering(Items items, Part part) {
    return (items + part - 1) / part;
}

} // namespace glproc
