// The operations of a video's frames. Some look at the frames before and after, which then wait on the GPU.
#pragma once

#include "cli/arguments.hpp"
#include "cli/pipe/video_step.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/pixel_shape.hpp"
#include "video/chain/machine.hpp"
#include "video/read/source.hpp"
#include "video/read/video_reader.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace glproc::video {

/// A video as the second picture of an operation: with each frame of the first one it goes on by a frame.
class SecondVideo {
  public:
    /// `input` then has a picture of the right form. Throws Error(input).
    SecondVideo(PictureInput& input, const VideoOptions& options);

    /// Gives the operation the next frame, upright; after the end it keeps the last one.
    void advance(const Machine& machine);

  private:
    PictureInput* input_;
    VideoReader reader_;
};

class VideoChain {
  public:
    /// For frames of these colours. Throws Error as configure_video(), and as read_second_pictures().
    VideoChain(const cli::Arguments& arguments, const FrameColours& frames);

    /// What is said of second pictures.
    const Notes& notes() const { return notes_; }

    /// Of the floats that come out of frames which are files.
    ColourCurve curve() const { return curve_; }

    /// How many frames after its own a frame needs.
    int reach() const;

    /// Whether values change while the video plays, and whether that depends on when its last frame begins.
    bool changes() const;
    bool needs_length() const;
    /// Whether an operation has a second picture of colour.
    bool has_colours();
    /// Seconds from the first frame to the last.
    void set_length(double seconds) { length_ = seconds; }

    /// Of the results for frames of this form; for_all() throws Error(usage) where it depends on the pixels
    /// or the time. The shape is that of their pixels.
    Form result_form(const Form& form) const;
    Form form_for_all(const Form& form) const;
    PixelShape pixel_shape(const Form& form) const;
    /// Whether the results are black and white.
    bool makes_mask(const Form& form) const;
    /// What is done to frames of this form, where each is looked at alone; values that change are those of
    /// the first.
    std::optional<Plan> plan(const Form& form) const;

    /// Frame `number`, once, before it is needed, and when it begins: seconds after the first. The frames of
    /// a run have numbers from 0 on.
    void give(std::int64_t number, Picture frame, double seconds);

    /// What becomes of frame `number`: they are asked for in order. It and the frames that it needs were
    /// given, as far as the one of number `last`. Each image is made once, and dropped when no later frame
    /// needs it.
    Picture made(const Machine& machine, std::int64_t number, std::int64_t last);

  private:
    /// A value that changes, and whose it is.
    struct Moving {
        Operation* operation;
        cli::Change change;
    };
    /// Operations on each frame alone as one, or one that looks at a window.
    struct Link {
        std::unique_ptr<Operation> operation;
        const OverTime* over_time = nullptr;
        int frames = 1;
        std::vector<Moving> moving = {};
        std::vector<SecondVideo> videos = {};        ///< its second pictures that are videos
        std::map<std::int64_t, Picture> window = {}; ///< what it looks at

        int reach() const { return frames / 2; }
        void set_moment(const Machine& machine, const cli::VideoMoment& at);
        Form result_form(const Form& form) const;
    };

    cli::VideoMoment moment_of(std::int64_t number) const { return {number, seconds_.at(number), length_}; }
    Picture after(const Machine& machine, std::size_t links, std::int64_t number, std::int64_t last);
    Picture look_around(const Machine& machine, std::size_t link, std::int64_t number, std::int64_t last);

    std::vector<Link> links_;
    ColourCurve curve_ = ColourCurve::unknown;
    Notes notes_;
    std::map<std::int64_t, Picture> given_;
    std::map<std::int64_t, double> seconds_; ///< of frames that are not done
    double length_ = 0;
};

} // namespace glproc::video
