// Where a picture goes, and in which format: decided and checked before any work is done for it.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/image/image.hpp"
#include "glproc/image/stack_axes.hpp"
#include "glproc/op/meaning.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/op/pixel_shape.hpp"
#include "glproc/op/plan.hpp"
#include "job/channel_change.hpp"
#include "job/output/encoding.hpp"
#include "job/output/output_place.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace glproc::job {

/// Whether flags of another format are a mistake, or meant for other pictures of the call.
enum class FormatFlags { must_apply, apply_where_they_can };

class PictureOutput {
  public:
    /// The place is checked by whoever names it. Throws Error(usage) for a format that is unknown, or that
    /// `told` does not suit.
    PictureOutput(Encoding told, OutputPlace place, FormatFlags flags = FormatFlags::must_apply);

    /// From now on write() appends to this: a stream takes one picture after another.
    void share(RowWriter& stream) { place_.share(stream); }
    /// From now on write() gives the image, as a file would hold it, to this.
    void share(std::function<void(const Image& image)> pages) { pages_ = std::move(pages); }

    /// The operation for what plan_for() has found out about IN.
    const Operation& operation_for(const Operation& any) const {
        return planned_ && planned_->special ? *planned_->special : any;
    }

    /// What the operation makes of IN, which has this name. It is planned once, and said by plan() from then
    /// on. Throws what Operation::plan() throws, and where stdout cannot get the format of IN.
    const Plan& plan_for(const std::string& name, const Form& form, const Metadata& metadata,
                         const Operation& operation);
    /// Null before that.
    const Plan* plan() const { return planned_ ? &planned_->plan : nullptr; }

    /// Stdout gets the format of IN. Throws Error(usage) where it cannot.
    void follow_format(Format format);

    /// Throws Error(usage) where the format cannot hold such a picture, in the depth that was asked for.
    /// With --fit-format it is made to fit, and an only depth that holds every value is chosen by itself.
    void check(int channels, Depth depth, bool needs_floats = false);

    /// The input as the operation is to see it: with a larger depth where one was asked for, so that the
    /// result uses it. Operations that take no floats get 16 bits in their place, where a depth was asked
    /// for. What the file said beside the pixels is kept here for the result. Throws Error(usage)
    /// where the operation takes no such picture, and where the format cannot hold what it makes of it.
    Image take_input(const std::string& name, Image image, const Operation& operation);
    RowSource take_input(const std::string& name, RowSource source, const Operation& operation);
    /// The same of a picture that is not in memory: whether its pixels stay what they are.
    bool takes_as_it_is(const std::string& name, const Form& form, const Metadata& metadata,
                        const Operation& operation);

    /// Of a picture without an input.
    void take_meaning(Meaning meaning);

    /// Writes the result, in the depth that was asked for.
    void write(Image image);

    /// The result as write() would encode it, once take_input() has had its input.
    Image finished(Image image);

    /// Whether all pictures of a file that is one of several go to one file here. Throws Error(usage) where
    /// they should, and cannot. After follow_format().
    bool takes_series(const SeriesInfo& series, const std::string& in) const;
    /// Whether the format can hold several pages.
    bool holds_pages() const { return holds_series(format_, SeriesKind::pages); }
    /// Takes what copies of this object have finished(). This object must outlive it.
    std::unique_ptr<SeriesWriter> open_series(const SeriesInfo& like);
    /// From now on it, and its copies, finish the images of such a file, which are so many. `stack` tells what
    /// each of them is, where it was made of several.
    void take_series(int images, std::optional<StackAxes> stack = {}) {
        images_ = images;
        stack_ = std::move(stack);
    }

    /// For an encoder of JPEG that is not encode(): what write() would have it write, where the pixels of a
    /// result of this form stay what they are. This object must outlive it.
    struct JpegJob {
        const Metadata& metadata;
        EncodeOptions options;
        const std::string& name;
    };
    std::optional<JpegJob> jpeg_job(const Form& form);

    /// The file that write() would make.
    void write_file(std::span<const std::byte> bytes) const { place_.write(bytes); }

    /// Takes the rows of the result, and writes with finish() what write() would. This object must outlive
    /// it.
    std::unique_ptr<RowWriter> gather(const Form& form);

    /// The same in little memory, where the format can be written in rows; its compressed bytes may differ.
    /// To stdout they go at once.
    std::unique_ptr<RowWriter> open(const Form& form);

    /// Whether the bytes of the file are then the same all the same.
    bool is_same_in_rows() const { return format_of(format_) == Format::jpeg && !told_.max_size; }

    /// What did not fit while writing.
    const Notes& notes() const { return notes_; }

    /// For people.
    std::string name() const { return place_.name(); }

  private:
    /// What makes a picture fit the format, as few changes as can be.
    struct Fit {
        bool is_possible = false;
        bool flattens = false;
        bool becomes_grey = false;
        bool becomes_colour = false;
        std::optional<Depth> depth = std::nullopt;

        int changes() const {
            return int{flattens} + int{becomes_grey} + int{becomes_colour} + int{depth.has_value()};
        }
        std::string flags() const;
    };
    void check_encoding();
    void choose_only_depth(const Form& form);
    void choose_only_channels(const Form& form);
    void choose_mask_depth(const Plan& plan);
    void check_few_colours(const Form& form) const;
    Depth take_form(const std::string& name, const Form& form, const Metadata& metadata,
                    const Operation& operation);
    Depth working_depth(Depth depth, bool takes_floats) const;
    Form written(Form form) const;
    Fit way_on(const Form& form, bool needs_floats) const;
    Error refusal(const Error& error, const Fit& way) const;
    ColourCurve curve_of(const Form& form, const Metadata& metadata) const;
    void keep(const Metadata& metadata, const PixelShape& shape);
    void fit_metadata(const Form& form);
    void leave_profile_out();
    void fit_profile(Format format, const Form& form);
    ColourCurve written_transfer(const Form& in_file) const;
    bool needs_range(const Form& form, Depth to) const;
    template <class Picture>
    Interval range_in(const Picture& picture) const {
        return range_ ? *range_ : own_range(picture);
    }
    void say_range(const Interval& range, Depth to);
    bool is_cut(Depth from, Depth to) const;
    void say_cut();
    void note_once(const std::string& what);
    void forget_input();
    template <class Picture>
    Picture in_depth(Picture picture, const Form& form, Depth depth);
    std::optional<Colour> background() const;
    ChannelChange channels_written() const { return {background(), told_.is_grey, is_colour_}; }
    bool keeps_values() const { return told_.transfer == TransferRule::keep; }
    EncodeOptions encode_options();

    Encoding told_;
    OutputPlace place_;
    std::function<void(const Image& image)> pages_{}; ///< which takes images in place of it
    std::string format_; ///< an extension, or a path that has one; empty until the input decides
    FormatFlags flags_;
    bool is_colour_ = false;          ///< although the picture is grey
    bool is_unit_ = true;             ///< whether numbers of IN, and what is made of them, count from 0 to 1
    Meaning meaning_ = Meaning::kept; ///< of the values of the result
    bool is_mask_ = false;            ///< whether the result is black and white
    std::optional<Interval> range_{}; ///< of the integers that numbers of IN were
    bool keeps_range_ = false;        ///< the result has no other values than IN
    Form source_ = {};                ///< of IN
    bool moves_ = false;              ///< whether pixels of the result lie elsewhere than in IN
    PixelShape shape_ = {};           ///< of the result's, beside those of IN
    int images_ = 1;                  ///< that OUT gets
    std::optional<StackAxes> stack_;  ///< of these, where it is not that of IN
    /// What was found out about IN; kept for as long as it stays the same.
    struct Planned {
        PictureFacts facts;
        PictureFacts made;                          ///< of the result, but for its meaning
        std::shared_ptr<const Operation> special{}; ///< where the facts make a difference
        Plan plan{};
    };
    std::shared_ptr<const Planned> planned_;
    ColourCurve transfer_ = ColourCurve::srgb; ///< of what is worked on
    Metadata metadata_;
    Notes notes_;
};

} // namespace glproc::job
