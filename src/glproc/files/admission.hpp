// Which files this process may parse, and how far. Every reader of foreign bytes asks here before it looks at
// them.
#pragma once

#include "glproc/files/codec.hpp"

#include <string_view>

namespace glproc {

enum class Admission {
    everything,
    robust, ///< only the formats of is_robust(): in a process that is confined
    headers ///< the headers of those alone: in a process that is not
};

/// What is done with the bytes.
enum class Parsing { header, pixels };

/// For all of the process from now on. To be called before any thread runs.
void admit_only(Admission admission);

/// The formats whose readers are fuzzed without findings and were written with hostile files in mind.
bool is_robust(Format format);

/// The formats whose libraries are so large, and take so long themselves, that a process of their own is worth it.
bool is_fragile(Format format);

/// Throws Error(input) unless it is robust.
void check_robust(Format format, std::string_view name);

/// Throws Error(input) if a file of this format is not to be parsed in this process.
void check_admitted(Format format, Parsing parsing, std::string_view name);

/// The same for ICC profiles, which a library parses. Throws Error(input).
void check_profiles_admitted();

} // namespace glproc
