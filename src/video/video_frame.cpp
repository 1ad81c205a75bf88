#include "video/video_frame.hpp"

#include "video/grey.hpp"

#include <utility>

namespace glproc::video {

using cli::Stage;

template <class Work>
auto VideoFrame::run_on(Context& gpu, Stage stage, Work work) {
    return work_.stages.run(stage, [&] {
        auto result = work();
        if (work_.timing) {
            gpu.finish();
        }
        return result;
    });
}

void VideoFrame::process(Context* gpu) {
    if (work_.untouched) {
        set_bits();
    } else if (work_.planes != nullptr) {
        process_planes(*gpu);
    } else {
        process_chain(*gpu);
    }
}

void VideoFrame::process_chain(Context& gpu) {
    for (; work_.uploaded <= among_.last(); ++work_.uploaded) {
        const FrameData& frame = *among_.frames[static_cast<std::size_t>(work_.uploaded - among_.number)];
        work_.first_time = work_.uploaded == 0 ? frame.time : work_.first_time;
        work_.chain.give(work_.uploaded, run_on(gpu, Stage::upload, [&] { return upload(gpu, frame); }),
                         static_cast<double>(frame.time - work_.first_time) * work_.tick);
    }
    const GpuImage result =
        run_on(gpu, Stage::compute, [&] { return work_.chain.made(gpu, among_.number, among_.last()); });
    if (work_.sink.takes_nothing()) {
        limit_lead();
        return;
    }
    own().pixels = run_on(gpu, Stage::download, [&] { return fetch(gpu, result); });
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

void VideoFrame::process_planes(Context& gpu) {
    work_.first_time = among_.number == 0 ? own().time : work_.first_time;
    const double seconds = static_cast<double>(own().time - work_.first_time) * work_.tick;
    auto& planes = std::get<Planes>(own().pixels);
    YcbcrPlanes on_gpu = run_on(gpu, Stage::upload, [&] { return PlaneChain::upload(gpu, planes); });
    on_gpu = run_on(gpu, Stage::compute, [&] { return work_.planes->made(gpu, std::move(on_gpu), among_.number, seconds); });
    if (work_.sink.takes_nothing()) {
        limit_lead();
        return;
    }
    planes = run_on(gpu, Stage::download, [&] { return work_.planes->fetch(gpu, on_gpu, std::move(planes)); });
    set_bits();
}

/// Nothing else keeps the processor from giving commands for frames without end, each with its memory.
void VideoFrame::limit_lead() {
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

GpuImage VideoFrame::upload(Context& gpu, const FrameData& frame) const {
    if (const auto* image = std::get_if<Image>(&frame.pixels)) {
        return gpu.upload(*image, "frame");
    }
    const auto& planes = std::get<Planes>(frame.pixels);
    const FilmInfo& film = work_.source.film()->info();
    if (frame.alpha.width() == 0 && !work_.to_sdr) {
        return frame_image(gpu, planes, film, work_.grey);
    }
    GpuImage rgb = rgb_of(gpu, planes, film.form, film.code);
    if (frame.alpha.width() > 0) {
        rgb = gpu.upload(with_alpha(gpu.download(rgb), frame.alpha, film.form.bits), "frame");
    }
    if (work_.to_sdr) {
        rgb = (*work_.to_sdr)(gpu, rgb);
    }
    return upright(gpu, std::move(rgb), film.turn);
}

std::variant<Planes, Image> VideoFrame::fetch(Context& gpu, const GpuImage& result) {
    const FilmFormat* format = work_.sink.planes();
    if (format == nullptr) {
        Image picture = gpu.download(result);
        picture.set_metadata({.density = work_.density});
        return picture;
    }
    const YcbcrForm& form = format->form;
    if (result.width() != form.width || result.height() != form.height) { // --even
        return fetch_planes(gpu, first_of(gpu, result, form.width, form.height), *format);
    }
    return fetch_planes(gpu, result, *format);
}

Planes VideoFrame::fetch_planes(Context& gpu, const GpuImage& result, const FilmFormat& format) {
    if (format.grey) {
        return {luma_of_grey(gpu.download(result), format.form.bits, format.code.range), {}, {}};
    }
    own().alpha = format.alpha ? alpha_of(gpu.download(result), format.form.bits, std::move(own().alpha)) : Image();
    auto* memory = std::get_if<Planes>(&own().pixels);
    return glproc::planes_of(gpu, result, format.form, format.code,
                             memory == nullptr ? Planes{} : std::move(*memory));
}

} // namespace glproc::video
