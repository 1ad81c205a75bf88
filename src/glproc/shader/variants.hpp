// The variants of a kernel, as its header comment declares them. No OpenGL.
//
//     // @define AXIS 0|1          0 filters along x, 1 along y
//     // @define BORDER 0|1|2      see lib/border.glsl
//     // @skip AXIS=1 BORDER=2
//     // @twin FADED=1 MODE        for the processor: see TwinRules
//
// A value is made of letters, digits and `_ . + -`; values are separated by | without blanks. A skip is a
// combination that never occurs: it names one define or more and removes every variant that agrees with all.
#pragma once

#include "glproc/shader/loader.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// A kernel may declare this many variants: beyond it, checking them all is no longer a matter of seconds.
inline constexpr std::size_t max_variants = 5000;

/// One `@define` line.
struct DefineRange {
    std::string name;
    std::vector<std::string> values; ///< in the order declared, at least one
};

/// The `@define` lines of a kernel, in order. `file` is the kernel's name for error texts.
/// @throws Error (operation), starting with file:line, for a malformed line, an unknown @word, a name
/// declared twice or a value listed twice.
std::vector<DefineRange> declared_defines(std::string_view source, std::string_view file = "kernel");

/// Every combination of the declared values except the skipped ones, the last define varying fastest. One
/// empty set for a kernel that declares nothing.
/// @throws Error (operation) as declared_defines does, for a malformed `@skip`, one with a name or value that
/// is not declared, and for a kernel with no variant left or with more than max_variants.
std::vector<Defines> all_variants(std::string_view source, std::string_view file = "kernel");

/// How the twin of a file, compiled for the processor, has its defines: one variant serves for several of the kernel's.
struct TwinRules {
    Defines fixed;                    ///< `@twin NAME=VALUE`: always this value, with the same results
    std::vector<std::string> numbers; ///< `@twin NAME`: known when it runs, so it occurs in no `#if`
};

/// @throws Error (operation) as declared_defines does.
TwinRules twin_rules(std::string_view source, std::string_view file = "kernel");

/// Some of these variants: enough that any two values of different defines that occur together in one variant
/// also occur together in a selected one.
std::vector<Defines> covering_pairs(const std::vector<Defines>& variants);

} // namespace glproc
