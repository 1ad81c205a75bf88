// What the flags of `glproc video` say of the file that it writes.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/field.hpp"
#include "video/read/selection.hpp"
#include "video/read/video_file.hpp"
#include "video/read/video_info.hpp"
#include "video/write/encoder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// The value of a flag that is one of an enum or, within a limit, a number; nothing where it is not given.
/// Throws Error(usage).
template <class T>
std::optional<T> given(const cli::Arguments& arguments, const std::string& flag, const Limit& limit = {}) {
    return arguments.has(flag) ? std::optional(FieldText<T>::parse({flag, "", limit}, arguments.value(flag)))
                               : std::nullopt;
}

/// Throws Error(input) where GLPROC_POLICY says that files are not to be trusted.
void refuse_untrusted(const cli::Arguments& arguments);

/// What --matrix and --range say.
CodeOverride code_override(const cli::Arguments& arguments);

/// How IN is read. Throws Error(usage), and as refuse_untrusted().
VideoOptions video_options(const cli::Arguments& arguments);

/// What --to-sdr does to the frames of this video: sdr_look_of(), with the peak that --hdr-peak says. Nothing
/// without it. Throws Error(usage).
std::optional<ToSdr> sdr_conversion(const cli::Arguments& arguments, const VideoInfo& info,
                                    const HdrMetadata& hdr);

/// What --fps says, "30000/1001" too. Throws Error(usage).
std::optional<double> frames_per_second(const cli::Arguments& arguments);
inline constexpr double usual_fps = 25; ///< of numbered images

/// Throws Error(usage).
EncodeSettings encode_settings(const cli::Arguments& arguments);

/// What --append names. Throws Error(usage) beside what needs one video.
std::vector<std::string> appended_videos(const cli::Arguments& arguments, const Selection& selection);

/// The end of names of the container that is written: --format, or what OUT ends in, or on stdout the one of
/// `from`, which may be null. Throws Error(usage).
std::string container_of(const std::string& out, const cli::Arguments& arguments, const VideoInfo* from);

/// Throws Error(usage) where no format of videos is known by this end of names.
void check_container(const std::string& end, const std::string& path);

/// Whether the video OUT has a place for alpha.
bool video_holds_alpha(const std::string& out, const cli::Arguments& arguments,
                       const EncodeSettings& settings);

} // namespace glproc::video
