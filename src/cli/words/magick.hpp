// ImageMagick's way to write a call: -resize 50% between the files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// Whether a word is a flag of ImageMagick, "-resize" or "+append", and no file.
bool is_magick_flag(const std::string& word);

/// The call of glproc that does what `words` ask of ImageMagick, the command first; nothing where they hold a
/// flag that is not known here, or a value that nothing here equals.
std::optional<std::string> magick_call(const std::vector<std::string>& words);

/// The arguments of an operation for a value as ImageMagick writes it: "--sigma 1 --amount 1.5" for unsharp
/// and "0x1+1.5". Nothing where that is not how it writes it.
std::optional<std::string> magick_arguments(const std::string& operation, const std::string& value);

} // namespace glproc::cli
