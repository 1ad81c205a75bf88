#include "video/film_times.hpp"

#include "cli/files/film_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "video/fields.hpp"
#include "video/film_format.hpp"
#include "video/film_rate.hpp"
#include "video/film_settings.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

std::unique_ptr<FrameSource> deinterlaced(cli::FilmFields fields, const Selection& selection, std::unique_ptr<FrameSource> source) {
    if (selection.one || selection.every > 1) {
        throw Error(ErrorCode::usage,
                    fmt::format("--deinterlace looks at the frames before and after, which --{} leaves out",
                                selection.one ? cli::one_frame_flag : "every"),
                    "write several: glproc video in.mp4 'still-%04d.png' --frames 9..11 --deinterlace frame");
    }
    return without_fields(std::move(source), fields == cli::FilmFields::field);
}

} // namespace

std::unique_ptr<FrameSource> with_other_times(const cli::Arguments& arguments, const Selection& selection,
                                              std::unique_ptr<FrameSource> source) {
    if (const auto fields = given<cli::FilmFields>(arguments, "deinterlace")) {
        source = deinterlaced(*fields, selection, std::move(source));
    }
    const std::optional<double> fps = frames_per_second(arguments);
    const bool blend = arguments.has("blend");
    if (!fps && blend) {
        throw Error(ErrorCode::usage, "--blend has no effect without --fps", "glproc video in.mp4 out.mp4 --fps 50 --blend");
    }
    if (fps && selection.one) {
        throw Error(ErrorCode::usage, "--frame writes one frame, which has no rate: --fps has no effect");
    }
    if (!fps) {
        return source;
    }
    return with_rate(std::move(source), rate_of(*fps), blend,
                     {cli::max_frames(arguments), arguments.has("max-frames")});
}

} // namespace glproc::video
