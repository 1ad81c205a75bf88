#include "video/video_frame.hpp"

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

void VideoFrame::process(Context& gpu) {
    if (work_.untouched) {
        return;
    }
    const GpuImage rgb = run_on(gpu, Stage::upload, [&] { return upload(gpu); });
    const Image no_pixels;
    const Products product = run_on(gpu, Stage::compute, [&] {
        return work_.operation.run(gpu, ImageInput{work_.name, no_pixels, rgb});
    });
    data_.pixels = run_on(gpu, Stage::download, [&] { return fetch(gpu, product.picture.value()); });
}

void VideoFrame::write() {
    work_.stages.run(Stage::encode, [&] { work_.sink.write(std::move(data_)); });
}

double VideoFrame::millions() const {
    const Form form = work_.source.form();
    return static_cast<double>(form.width) * form.height / 1e6;
}

GpuImage VideoFrame::upload(Context& gpu) const {
    if (const auto* image = std::get_if<Image>(&data_.pixels)) {
        return gpu.upload(*image, "frame");
    }
    const auto& planes = std::get<Planes>(data_.pixels);
    const FilmInfo& film = work_.source.film()->info();
    GpuImage rgb = rgb_of(gpu, planes, film.form, film.code);
    if (data_.alpha.width() > 0) {
        rgb = gpu.upload(with_alpha(gpu.download(rgb), data_.alpha, film.form.bits), "frame");
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
    data_.alpha = format.alpha ? alpha_of(gpu.download(result), format.form.bits, std::move(data_.alpha)) : Image();
    auto* memory = std::get_if<Planes>(&data_.pixels);
    return glproc::planes_of(gpu, result, format.form, format.code,
                             memory == nullptr ? Planes{} : std::move(*memory));
}

} // namespace glproc::video
