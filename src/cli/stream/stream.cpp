#include "cli/stream/stream.hpp"

#include "cli/configure.hpp"
#include "cli/files/array_files.hpp"
#include "cli/files/call.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/input.hpp"
#include "cli/files/replacing.hpp"
#include "cli/files/report_output.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "job/output/output_place.hpp"
#include "job/stream/stdin_stream.hpp"
#include "job/stream/stream_frame.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Throws where the output is of a format of which a file holds one picture.
void check_stream_format(const Arguments& arguments) {
    const std::string name = arguments.format().value_or(arguments.output());
    if (name == "-" || !arguments.has_output()) {
        return;
    }
    const std::size_t dot = name.rfind('.');
    if (format_of(dot == std::string::npos ? name : name.substr(dot)) != Format::pnm) {
        throw Error(ErrorCode::input, "stdin: holds more than one image, and only one is read",
                    "PNM and PAM hold a stream of images: --to pam");
    }
}

/// Throws where a flag is about files of pictures.
void refuse_picture_flags(const Arguments& arguments) {
    for (const Flag& flag : arguments.command->flags) {
        const std::string& name = flag.info.name;
        const bool fits =
            name == "no-clobber" || name == "force" || (name == "to" && arguments.format() == "y4m");
        if (flag.group == writing_group && arguments.has(name) && !fits) {
            throw Error(ErrorCode::usage, fmt::format("--{} is for images, but stdin is a video", name),
                        "a YUV4MPEG2 stream is written as YUV4MPEG2");
        }
    }
    const std::string out = arguments.output();
    if (arguments.has_output() && out != "-" && !out.ends_with(".y4m")) {
        throw Error(ErrorCode::usage, fmt::format("{}: stdin is a video, which this format cannot hold", out),
                    "end the name in .y4m, or write to -");
    }
}

/// Whether the flag is the video's, not the operation's own of this name.
bool is_video_flag(const Arguments& arguments, const std::string& name) {
    return arguments.has(name) &&
           std::none_of(arguments.command->op->fields.begin(), arguments.command->op->fields.end(),
                        [&](const FieldInfo& field) { return field.name == name; });
}

VideoTold told_of(const Arguments& arguments) {
    VideoTold told{.check_output = [&arguments] { refuse_picture_flags(arguments); }};
    if (is_video_flag(arguments, "matrix")) {
        told.matrix = FieldText<YcbcrMatrix>::parse({"matrix", "", {}}, arguments.value("matrix"));
    }
    if (is_video_flag(arguments, "range")) {
        told.range = FieldText<YcbcrRange>::parse({"range", "", {}}, arguments.value("range"));
    }
    return told;
}

NextFrame at_most(std::int64_t frames, NextFrame next) {
    return [frames, next = std::move(next), count = std::int64_t{0}]() mutable {
        std::unique_ptr<StreamFrame> frame = next();
        if (frame && ++count > frames) {
            throw Error(ErrorCode::input, fmt::format("stdin: more than {}", counted(frames, "frame")),
                        "--max-frames allows more");
        }
        return frame;
    };
}

/// Every frame through an operation.
class StreamRun {
  public:
    StreamRun(const Arguments& arguments, const Settings& settings, ByteReader& reader)
        : op_(arguments.op()), operation_(configure(arguments)), reader_(reader), place_(arguments.output()),
          stages_(process_start()), line_(arguments, settings, stages_),
          call_(call_of(arguments, settings, *operation_, stages_, [](double) {})) {
        for (const std::string& note : read_second_pictures(*operation_, arguments)) {
            settings.silent ? void() : print_warning(note);
        }
        refuse_array_files(arguments, "a stream of images");
        if (call_.volume) {
            throw Error(ErrorCode::usage, "--volume is for files, not for a stream of images");
        }
        refuse_stack(op_, *operation_, "a stream of images");
        if (op_.product != Product::image && op_.has_output()) {
            throw Error(ErrorCode::usage, fmt::format("{} writes {}, and takes a single image", op_.name,
                                                      op_.product == Product::array ? "arrays" : "files"));
        }
        if (op_.product == Product::image) {
            check_place(place_, arguments, "image");
            to_ = place_.open();
        }
        next_ = begins_video(reader.peek(y4m_magic.size())) ? video(arguments) : images(arguments);
        if (arguments.has("max-frames") || call_.reading.budget.untrusted) {
            next_ = at_most(max_frames(arguments), std::move(next_));
        }
    }

    void go() {
        line_.run({.next = next_,
                   .stop = [this] { reader_.stop(); },
                   .frames = std::nullopt,
                   .name_of = [](std::size_t number) { return fmt::format("stdin: frame {}", number + 1); }});
        // What was done is delivered, whatever came after it.
        if (to_ && !line_.failed_to_write() && line_.frames() > 0) {
            to_->finish();
        }
        line_.rethrow();
        line_.say_done(to_ ? place_.name() : "stdout", op_.name);
    }

  private:
    NextFrame video(const Arguments& arguments) {
        return video_frames(call_, told_of(arguments),
                           to_ ? std::nullopt : std::optional(report_output(arguments, place_.path())),
                           reader_, to_.get());
    }

    NextFrame images(const Arguments& arguments) {
        check_stream_format(arguments);
        return picture_frames(
            call_, [&arguments] { return outputs_of(arguments, arguments.output()); }, reader_, to_.get());
    }

    const OpInfo& op_;
    std::unique_ptr<Operation> operation_;
    ByteReader& reader_;
    OutputPlace place_;
    Stages stages_;
    FrameLine line_;
    Call call_;
    std::unique_ptr<RowWriter> to_; ///< null for reports
    NextFrame next_;
};

} // namespace

void operate_on_stream(const Arguments& arguments, const Settings& settings, ByteReader& reader) {
    StreamRun(arguments, settings, reader).go();
}

} // namespace glproc::cli
