#include "video/chain/video_frame.hpp"

#include "video/chain/machine.hpp"

#include <utility>

namespace glproc::video {

using cli::Stage;

/// Planes of floats are made by a kernel alone.
void FrameWork::plan_for(const Form& form) {
    if (planes.chain) {
        needs_no_device = planes.chain->needs_no_device();
        return;
    }
    plan = chain.plan(form);
    const VideoFormat* to = sink->planes();
    needs_no_device = plan && glproc::needs_no_device(*plan) &&
                      (to == nullptr || to->grey || plan->shape.result.depth != Depth::f32);
}

double FrameWork::seconds_of(std::int64_t number, const FrameData& frame) {
    first_time = number == 0 ? frame.time : first_time;
    return static_cast<double>(frame.time - first_time) * tick;
}

template <class Work>
auto VideoFrame::run_on(const Machine& machine, Stage stage, Work work) {
    return work_.stages.run(stage, [&] {
        auto result = work();
        if (work_.timing) {
            machine.finish();
        }
        return result;
    });
}

void VideoFrame::process(Context* gpu) {
    if (work_.untouched) {
        set_bits();
    } else if (work_.planes.chain) {
        process_planes(Machine(gpu));
    } else {
        process_chain(Machine(gpu));
    }
}

void VideoFrame::process_chain(const Machine& machine) {
    for (; work_.uploaded <= among_.last(); ++work_.uploaded) {
        FrameData& frame = *among_.frames[static_cast<std::size_t>(work_.uploaded - among_.number)];
        const double seconds = work_.seconds_of(work_.uploaded, frame);
        work_.chain.give(work_.uploaded, run_on(machine, Stage::upload, [&] { return take(machine, frame); }),
                         seconds);
    }
    Picture result = run_on(machine, Stage::compute,
                            [&] { return work_.chain.made(machine, among_.number, among_.last()); });
    if (work_.sink->takes_nothing()) {
        limit_lead(machine);
        return;
    }
    run_on(machine, Stage::download, [&] { return give(machine, std::move(result)); });
}

void VideoFrame::set_bits() {
    const VideoFormat* to = work_.sink->planes();
    if (to == nullptr) {
        return;
    }
    const VideoInfo& video = work_.source->reader()->info();
    const bool limited = !video.is_rgb() && video.code.range == YcbcrRange::limited;
    for (Image& plane : own().planes) {
        plane = with_bits(std::move(plane), video.form.bits, to->form.bits, limited);
    }
    own().alpha = with_bits(std::move(own().alpha), video.form.bits, to->form.bits, false);
}

void VideoFrame::process_planes(const Machine& machine) {
    const double seconds = work_.seconds_of(among_.number, own());
    PlaneChain& chain = *work_.planes.chain;
    PlaneChain::Planes made =
        run_on(machine, Stage::upload, [&] { return PlaneChain::take(machine, own().planes); });
    made = run_on(machine, Stage::compute,
                  [&] { return chain.made(machine, std::move(made), among_.number, seconds); });
    if (work_.sink->takes_nothing()) {
        limit_lead(machine);
        return;
    }
    own().planes = run_on(machine, Stage::download,
                          [&] { return chain.give(machine, std::move(made), std::move(own().planes)); });
    set_bits();
}

/// Nothing else keeps the processor from giving commands for frames without end, each with its memory.
void VideoFrame::limit_lead(const Machine& machine) {
    if (machine.device() == nullptr) {
        return;
    }
    constexpr std::size_t most = 4;
    work_.under_way.emplace_back(BufferPlace::device);
    while (work_.under_way.size() > most) {
        work_.under_way.front().wait("a frame");
        work_.under_way.pop_front();
    }
}

void VideoFrame::write() {
    work_.stages.run(Stage::encode, [&] { work_.sink->write(std::move(own())); });
}

double VideoFrame::millions() const {
    const Form form = work_.source->form();
    return static_cast<double>(form.width) * form.height / 1e6;
}

Picture VideoFrame::take(const Machine& machine, FrameData& frame) const {
    if (frame.image.width() > 0) {
        return machine.take(frame.image, "frame");
    }
    const VideoInfo& video = work_.source->reader()->info();
    if (frame.alpha.width() == 0 && !work_.to_sdr) {
        return frame_image(machine, frame.planes, video, work_.grey);
    }
    Picture rgb = machine.rgb_of(frame.planes, video.form, video.code);
    if (frame.alpha.width() > 0) {
        Image with_own = with_alpha(machine.give(std::move(rgb)), frame.alpha, video.form.bits);
        rgb = machine.take(with_own, "frame");
    }
    if (work_.to_sdr) {
        rgb = machine.run(glproc::plan(*work_.to_sdr, rgb.form()), rgb);
    }
    return machine.upright(std::move(rgb), video.turn);
}

/// True, as run_on() wants something.
bool VideoFrame::give(const Machine& machine, Picture result) {
    FrameData& frame = own();
    const VideoFormat* format = work_.sink->planes();
    if (format == nullptr) {
        frame.image = machine.give(std::move(result));
        frame.image.set_metadata({.density = work_.density});
        frame.planes = {};
        return true;
    }
    frame.image = {};
    const YcbcrForm& form = format->form;
    if (result.form().width != form.width || result.form().height != form.height) { // --even
        result = machine.move({form.width, form.height}, result);
    }
    if (format->grey) {
        frame.planes = {luma_of_grey(machine.give(std::move(result)), form.bits, format->code.range), {}, {}};
        return true;
    }
    frame.planes = machine.planes_of(result, form, format->code, std::move(frame.planes));
    frame.alpha = format->alpha ? alpha_of(machine.give(std::move(result)), form.bits, std::move(frame.alpha))
                                : Image();
    return true;
}

void LookAhead::fill() {
    while (!ended_ && frames_.size() <= ahead_) {
        try {
            std::optional<FrameData> frame = next_();
            ended_ = !frame;
            if (frame) {
                frames_.push_back(std::make_shared<FrameData>(std::move(*frame)));
            }
        } catch (...) { // of the frames before it, something may be kept
            failure_ = std::current_exception();
            ended_ = true;
        }
    }
}

std::optional<FrameAmong> LookAhead::next() {
    fill();
    if (frames_.empty()) {
        if (failure_) {
            std::rethrow_exception(std::exchange(failure_, nullptr));
        }
        return std::nullopt;
    }
    FrameAmong among{number_++, {frames_.begin(), frames_.end()}};
    frames_.pop_front();
    return among;
}

} // namespace glproc::video
