#include "video/video_frame.hpp"

#include "video/grey.hpp"

#include <utility>

namespace glproc::video {

using cli::Stage;

/// Planes of floats are made by a kernel alone.
void FrameWork::plan_for(const Form& form) {
    if (planes != nullptr) {
        needs_no_device = planes->needs_no_device();
        return;
    }
    plan = chain.plan(form);
    const FilmFormat* to = sink.planes();
    needs_no_device = plan && glproc::needs_no_device(*plan) &&
                      (to == nullptr || to->grey || plan->result.depth != Depth::f32);
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
    } else if (work_.planes != nullptr) {
        process_planes(Machine(gpu));
    } else {
        process_chain(Machine(gpu));
    }
}

void VideoFrame::process_chain(const Machine& machine) {
    for (; work_.uploaded <= among_.last(); ++work_.uploaded) {
        FrameData& frame = *among_.frames[static_cast<std::size_t>(work_.uploaded - among_.number)];
        work_.first_time = work_.uploaded == 0 ? frame.time : work_.first_time;
        work_.chain.give(work_.uploaded, run_on(machine, Stage::upload, [&] { return take(machine, frame); }),
                         static_cast<double>(frame.time - work_.first_time) * work_.tick);
    }
    Picture result =
        run_on(machine, Stage::compute, [&] { return work_.chain.made(machine, among_.number, among_.last()); });
    if (work_.sink.takes_nothing()) {
        limit_lead(machine);
        return;
    }
    own().pixels = run_on(machine, Stage::download, [&] { return give(machine, std::move(result)); });
}

void VideoFrame::set_bits() {
    if (work_.bits == 0) {
        return;
    }
    const FilmInfo& film = work_.source.film()->info();
    const bool limited = film.code.matrix != YcbcrMatrix::rgb && film.code.range == YcbcrRange::limited;
    for (Image& plane : std::get<Planes>(own().pixels)) {
        plane = with_bits(std::move(plane), film.form.bits, work_.bits, limited);
    }
    own().alpha = with_bits(std::move(own().alpha), film.form.bits, work_.bits, false);
}

void VideoFrame::process_planes(const Machine& machine) {
    work_.first_time = among_.number == 0 ? own().time : work_.first_time;
    const double seconds = static_cast<double>(own().time - work_.first_time) * work_.tick;
    auto& planes = std::get<Planes>(own().pixels);
    PlaneChain::Planes made = run_on(machine, Stage::upload, [&] { return PlaneChain::take(machine, planes); });
    made = run_on(machine, Stage::compute, [&] { return work_.planes->made(machine, std::move(made), among_.number, seconds); });
    if (work_.sink.takes_nothing()) {
        limit_lead(machine);
        return;
    }
    planes = run_on(machine, Stage::download, [&] { return work_.planes->give(machine, std::move(made), std::move(planes)); });
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
    work_.stages.run(Stage::encode, [&] { work_.sink.write(std::move(own())); });
}

double VideoFrame::millions() const {
    const Form form = work_.source.form();
    return static_cast<double>(form.width) * form.height / 1e6;
}

Picture VideoFrame::take(const Machine& machine, FrameData& frame) const {
    if (auto* image = std::get_if<Image>(&frame.pixels)) {
        return machine.take(*image, "frame");
    }
    const auto& planes = std::get<Planes>(frame.pixels);
    const FilmInfo& film = work_.source.film()->info();
    if (frame.alpha.width() == 0 && !work_.to_sdr) {
        return frame_image(machine, planes, film, work_.grey);
    }
    Picture rgb = machine.rgb_of(planes, film.form, film.code);
    if (frame.alpha.width() > 0) {
        Image with_own = with_alpha(machine.give(std::move(rgb)), frame.alpha, film.form.bits);
        rgb = machine.take(with_own, "frame");
    }
    if (work_.to_sdr) {
        rgb = machine.run(glproc::plan(*work_.to_sdr, rgb.form()), rgb);
    }
    return upright(machine, std::move(rgb), film.turn);
}

std::variant<Planes, Image> VideoFrame::give(const Machine& machine, Picture result) {
    const FilmFormat* format = work_.sink.planes();
    if (format == nullptr) {
        Image picture = machine.give(std::move(result));
        picture.set_metadata({.density = work_.density});
        return picture;
    }
    const YcbcrForm& form = format->form;
    if (result.form().width != form.width || result.form().height != form.height) { // --even
        result = first_of(machine, result, form.width, form.height);
    }
    return give_planes(machine, std::move(result), *format);
}

Planes VideoFrame::give_planes(const Machine& machine, Picture result, const FilmFormat& format) {
    const YcbcrForm& form = format.form;
    if (format.grey) {
        return {luma_of_grey(machine.give(std::move(result)), form.bits, format.code.range), {}, {}};
    }
    auto* memory = std::get_if<Planes>(&own().pixels);
    Planes planes = machine.planes_of(result, form, format.code, memory == nullptr ? Planes{} : std::move(*memory));
    own().alpha = format.alpha ? alpha_of(machine.give(std::move(result)), form.bits, std::move(own().alpha)) : Image();
    return planes;
}

} // namespace glproc::video
