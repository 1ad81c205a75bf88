// Catch2, version 3 or 2, with version 2's names for what both have.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

#include <concepts>
#include <string>

using Catch::Approx;

namespace Catch::Matchers {

/// A text that contains this one. Catch2 3 itself has the name for ranges alone.
template <class Text>
requires std::convertible_to<Text, std::string> StringContainsMatcher Contains(Text&& text) {
    return ContainsSubstring(std::string(text));
}

} // namespace Catch::Matchers
#else
#include <catch2/catch.hpp>
#endif
