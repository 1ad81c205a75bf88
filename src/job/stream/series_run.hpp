// An operation on every picture of a file: frames of an animation, pages of a TIFF.
#pragma once

#include "glproc/files/series.hpp"
#include "glproc/image/stack_axes.hpp"
#include "glproc/op/over_stack.hpp"
#include "job/first_profile.hpp"
#include "job/output/picture_output.hpp"
#include "job/pages.hpp"
#include "job/stream/series_source.hpp"
#include "job/stream/stream_frame.hpp"
#include "job/stream/volume_frames.hpp"

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace glproc::job {

/// The pictures of a file on their way through an operation to another file, one after another.
class SeriesRun {
  public:
    /// `name` is the input's, which may name some of the pictures.
    SeriesRun(const Call& call, std::string name, SeriesSource file, PictureOutput& output);
    SeriesRun(const SeriesRun&) = delete;
    SeriesRun& operator=(const SeriesRun&) = delete;
    ~SeriesRun();

    /// Whether the file has several pictures that go to this output. Throws Error(usage) where they cannot.
    bool begin();
    /// The bytes of the file, where it has not.
    std::vector<std::byte> take_bytes() { return file_.take_bytes(); }

    std::size_t count() const { return static_cast<std::size_t>(pages_.count()); }
    /// How many pictures may wait between two steps: few large ones.
    std::size_t waiting() const;

    /// Decodes; null at the end. Each step of a frame may run on a thread of its own.
    std::unique_ptr<StreamFrame> next();
    /// Decodes the first one, which next() then gives.
    void look();
    /// Null without look(), and where there is none.
    const StreamFrame* first() const { return first_frame_.get(); }
    /// After the last frame.
    void finish();

    /// What the operation found in all pictures, where the call wants that.
    const Notes& findings() const { return findings_; }
    const Notes& input_notes() const { return input_notes_; }
    const Notes& output_notes() const { return output_notes_; }
    /// "480x270, 12 frames"
    std::string size_text() const;

  private:
    class Frame;
    std::optional<StackAxes> part_of_stack(const SeriesInfo& info, int all);
    std::string place() const;
    const Operation& operation() const { return operation_ ? *operation_ : call_.operation; }
    void look_at_all();
    void wait_for_room();
    /// Throws Error(input) where not even one picture of this form at a time fits into the limit.
    void check_room(const Form& form);
    std::optional<SeriesPicture> decode_next();
    void end_early(const Error& error);
    void write(PictureOutput& output, Image image, FrameDelay delay);
    std::unique_ptr<SeriesFrame> make_next();
    void begin_volumes(const SeriesInfo& info, int all);
    std::uint64_t window_bytes() const;
    std::unique_ptr<Operation> with_second_pictures_for(const Image& image);

    const Call& call_;
    std::string name_;
    NamedPages pages_; ///< all of the file, where none are named
    int read_ = 0;     ///< of the pictures in the file
    int ends_behind_ =
        std::numeric_limits<int>::max(); ///< where pages are named, so that a broken end is seen otherwise
    SeriesSource file_;
    std::string description_; ///< of a stack, for the first image of a part of it
    PictureOutput& output_;
    Notes input_notes_;
    Notes output_notes_;
    std::unique_ptr<PictureSeries> series_;
    std::unique_ptr<SeriesWriter> writer_;
    std::optional<FirstProfile> first_; ///< where there are second pictures
    bool has_looked_ = false;           ///< at all pictures, where the operation asks for that
    GiveFound found_;                   ///< what it found
    std::unique_ptr<Operation> operation_; ///< which has that
    Notes findings_;
    Form form_;
    std::size_t given_ = 0; ///< by next()
    std::size_t written_ = 0;
    std::uint64_t last_held_ = 0; ///< for the picture that was decoded last, before or after the work on it
    /// Pictures between decoding and the file.
    struct UnderWay {
        std::mutex mutex;
        std::condition_variable fewer;
        std::size_t count = 0;
    } under_way_;
    std::optional<VolumeFrames> volumes_; ///< where its images are planes
    std::unique_ptr<StreamFrame> first_frame_;
};

/// Null where the file of that name has no several pictures that all go through the operation to this output.
/// Throws Error, also for several that are named where one is taken.
std::unique_ptr<SeriesRun> begin_series(const Call& call, const std::string& name, InputFile& file,
                                        PictureOutput& output);

} // namespace glproc::job
