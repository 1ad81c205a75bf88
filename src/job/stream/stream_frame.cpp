#include "job/stream/stream_frame.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/profile.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace glproc::job {

namespace {

/// A frame that is a picture file of its own.
class PictureFrame final : public StreamFrame {
  public:
    PictureFrame(const Call& call, Outputs outputs, std::vector<std::byte> file, RowWriter* to)
        : job_(call, "-", std::move(outputs)) {
        if (to != nullptr) {
            job_.write_to(*to);
        }
        job_.open(std::move(file));
        job_.decode();
    }

    bool needs_no_device(bool at_need) const override { return job_.needs_no_device(at_need); }
    std::optional<Plan> plan() const override { return job_.plan(); }
    void process(Context* gpu) override { gpu != nullptr ? job_.process(*gpu) : job_.process_alone(); }
    void write() override { job_.write(); }
    const std::string& text() const override { return job_.text(); }
    const std::string& failure() const override { return job_.failure(); }
    double millions() const override { return job_.millions(); }

  private:
    PictureJob job_;
};

} // namespace

NextFrame picture_frames(const Call& call, std::function<Outputs()> outputs, ByteReader& reader,
                         RowWriter* to) {
    return [&call, outputs = std::move(outputs), &reader, to]() -> std::unique_ptr<StreamFrame> {
        std::optional<std::vector<std::byte>> file = next_pnm(reader, most_input_bytes() / 2);
        return file ? std::make_unique<PictureFrame>(call, outputs(), std::move(*file), to) : nullptr;
    };
}

namespace {

/// What all frames of a YUV4MPEG2 stream have in common.
struct Y4mStream {
    const Call& call;
    Form form; ///< of a frame as operations get it
    std::optional<ReportOutput> report;
    std::string name;
    YcbcrForm in;
    YcbcrForm out;
    YcbcrCode code;
    RowWriter* to;
    std::optional<Plan> plan = {}; ///< of a frame, where frames are written
};

YcbcrForm form_of(const Y4mHeader& header) {
    return {header.width, header.height,         header.bits,        header.across,
            header.down,  header.centred_across, header.centred_down};
}

/// The samples of the planes, one after another, as images.
std::array<Image, 3> images_of(const YcbcrForm& form, std::span<const std::byte> bytes) {
    std::array<Image, 3> planes;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        planes.at(i) = Image(form.planes().at(i));
        const std::size_t size = planes.at(i).bytes().size();
        std::copy_n(bytes.begin(), size, planes.at(i).bytes().begin());
        bytes = bytes.subspan(size);
    }
    return planes;
}

class Y4mFrame final : public StreamFrame {
  public:
    Y4mFrame(const Y4mStream& stream, std::span<const std::byte> bytes)
        : stream_(stream),
          planes_(stream.call.stages.run(Stage::decode, [&] { return images_of(stream.in, bytes); })) {}

    bool needs_no_device(bool at_need) const override {
        return stream_.plan
                   ? stream_.plan->shape.result.depth != Depth::f32 && glproc::needs_no_device(*stream_.plan)
                   : stream_.call.operation.by_processor(stream_.form, at_need);
    }
    std::optional<Plan> plan() const override { return stream_.plan; }

    void process(Context* gpu) override {
        if (gpu == nullptr) {
            return process_alone();
        }
        Stages& stages = stream_.call.stages;
        const GpuImage rgb =
            stages.run(Stage::upload, [&] { return rgb_of(*gpu, planes_, stream_.in, stream_.code); });
        // What is measured may look at the pixels in CPU memory, too.
        const Image pixels = stream_.to == nullptr ? gpu->download(rgb) : Image();
        Products product = stages.run(Stage::compute, [&] {
            return stream_.plan ? Products(run_whole(*gpu, *stream_.plan, rgb))
                                : stream_.call.operation.run(*gpu, ImageInput{stream_.name, pixels, rgb});
        });
        if (product.report) {
            return take(*product.report);
        }
        stages.run(Stage::download, [&] {
            planes_ = planes_of(*gpu, product.picture.value(), stream_.out, stream_.code, std::move(planes_));
        });
    }

    void write() override {
        stream_.call.stages.run(Stage::encode, [&] {
            if (stream_.to == nullptr) {
                return;
            }
            constexpr std::string_view line = "FRAME\n";
            stream_.to->write(std::as_bytes(std::span(line)));
            for (const Image& plane : planes_) {
                stream_.to->write(plane.bytes());
            }
        });
    }

    const std::string& text() const override { return text_; }
    const std::string& failure() const override { return failure_; }
    double millions() const override { return static_cast<double>(stream_.in.width) * stream_.in.height / 1e6; }

  private:
    void process_alone() {
        stream_.call.stages.run(Stage::compute, [&] {
            const Image rgb = rgb_by_processor(planes_, stream_.in, stream_.code);
            if (stream_.to == nullptr) {
                return take(stream_.call.operation.make_alone(stream_.name, rgb).report.value());
            }
            const Image made = image_by_processor(*stream_.plan, rgb);
            planes_ = planes_by_processor(made, stream_.out, stream_.code, std::move(planes_));
        });
    }

    void take(const Report& report) {
        text_ = stream_.report->text(report, stream_.name);
        failure_ = report.failure;
    }

    const Y4mStream& stream_;
    std::array<Image, 3> planes_;
    std::string text_; ///< of a report
    std::string failure_;
};

YcbcrCode code_of(const VideoTold& told, const Y4mHeader& header) {
    const YcbcrRange own = header.full_range.value_or(false) ? YcbcrRange::full : YcbcrRange::limited;
    return {told.matrix.value_or(usual_matrix(header.width, header.height)), told.range.value_or(own)};
}

void check_stream_size(const Y4mHeader& header, std::uint64_t max_pixels) {
    const auto pixels = static_cast<std::uint64_t>(header.width) * static_cast<std::uint64_t>(header.height);
    if (pixels > max_pixels) {
        throw Error(ErrorCode::input,
                    fmt::format("stdin: frames of {}x{} pixels are more than the limit of {}", header.width,
                                header.height, max_pixels),
                    fmt::format("if you trust the stream: --max-pixels {}", pixels));
    }
}

} // namespace

NextFrame video_frames(const Call& call, const VideoTold& told, std::optional<ReportOutput> report,
                      ByteReader& reader, RowWriter* to) {
    Y4mHeader header = read_y4m(reader);
    check_stream_size(header, call.reading.options.max_pixels);
    const Form form{header.width, header.height, 3, header.bits == 8 ? Depth::u8 : Depth::u16};
    auto stream = std::make_shared<Y4mStream>(Y4mStream{call, form, std::move(report), "-", form_of(header),
                                            form_of(header), code_of(told, header), to});
    std::size_t bytes = 0;
    for (const Form& plane : stream->in.planes()) {
        bytes += plane.bytes();
    }
    if (to != nullptr) {
        if (told.check_output) {
            told.check_output();
        }
        refuse_profile_of_frames(call.operation, form);
        stream->plan = call.operation.plan(form);
        const Form result = form_for_all(*stream->plan);
        if (result.has_alpha()) {
            throw Error(ErrorCode::usage, "a video has no alpha channel, but the result has one");
        }
        stream->out.width = header.width = result.width;
        stream->out.height = header.height = result.height;
        const std::string line = format_y4m(header);
        to->write(std::as_bytes(std::span(line)));
    }
    return [stream, &reader, bytes]() -> std::unique_ptr<StreamFrame> {
        const std::optional<std::vector<std::byte>> frame = next_y4m(reader, bytes);
        return frame ? std::make_unique<Y4mFrame>(*stream, *frame) : nullptr;
    };
}

} // namespace glproc::job
