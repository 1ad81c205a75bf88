// What a GPU does for a picture besides the operation: decoding and encoding.
#include "job/picture/picture_job.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gpu_codecs/jpeg/choice.hpp"
#include "glproc/gpu_codecs/jpeg/decode.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace glproc::job {

namespace {

template <class Sized>
std::uint64_t pixels_of(const Sized& picture) {
    return static_cast<std::uint64_t>(picture.width) * static_cast<std::uint64_t>(picture.height);
}

gpu_codecs::Company company(const Call& call) {
    return call.is_batch ? gpu_codecs::Company::many : gpu_codecs::Company::alone;
}

bool trusts(Context& gpu, bool in_fractions) {
    return in_fractions ? gpu_codecs::trusts_scaled_decoder(gpu) : gpu_codecs::trusts_decoder(gpu);
}

} // namespace

bool decodes_jpegs(Context& gpu, bool in_fractions) {
    return gpu_codecs::is_worth_it(gpu, UINT64_MAX, gpu_codecs::Company::many) && trusts(gpu, in_fractions);
}

/// Rows of a small picture were opened for the processor alone; a file can be read again.
bool PictureJob::has_jpeg() const {
    if (rows_) {
        return rows_->metadata.jpeg && !writes_rows_ && input_.name() != "-";
    }
    return sniff(bytes_) == Format::jpeg;
}

bool PictureJob::may_decode_on_gpu() const {
    return out_.picture && has_jpeg() && gpu_codecs::is_large_enough(pixels_of(form()), company(call_));
}

void PictureJob::decode_for_gpu() {
    if (may_decode_on_gpu()) {
        if (rows_) {
            rows_.reset();
            bytes_ = input_.read();
        }
        scan_ = input_.scan(bytes_, picture());
    }
    if (!scan_) {
        decode();
    }
}

const gpu_codecs::JpegScan* PictureJob::scan_for(Context& gpu) {
    if (!scan_ || !gpu_codecs::is_worth_it(gpu, pixels_of(scan_->whole()), company(call_))) {
        return nullptr;
    }
    try {
        const gpu_codecs::JpegScan* scan = &*scan_;
        const bool can = operation().takes_whole(gpu, scan->form) &&
                         gpu_codecs::can_decode(gpu, std::array{scan}) && trusts(gpu, scan->is_scaled());
        return can ? scan : nullptr;
    } catch (const Error&) { // what the operation refuses is said once the file is known to be sound
        return nullptr;
    }
}

std::optional<GpuImage> PictureJob::decode_alone(Context& gpu) {
    try {
        return run_on(gpu, Stage::decode_on_gpu, [&] {
            const gpu_codecs::JpegScan* scan = &*scan_;
            return std::move(gpu_codecs::begin_decoding(gpu, std::array{scan}).take().front());
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::gpu) {
            throw;
        }
        return std::nullopt; // it is short of memory
    }
}

/// Whether the GPU encodes the result; the image is then taken.
bool PictureJob::keep_for_encoding(Context& gpu, GpuImage& image) {
    if (!gpu_codecs::is_worth_it(gpu, pixels_of(image.form()), company(call_))) {
        return false;
    }
    std::optional<PictureOutput::JpegJob> job = out_.picture->jpeg_job(image.form());
    if (!job || !gpu_codecs::can_encode(gpu, image.form(), job->options) ||
        !gpu_codecs::trusts_encoder(gpu)) {
        return false;
    }
    product_.emplace(Encodable{std::move(image), std::move(*job)});
    return true;
}

std::optional<gpu_codecs::JpegToEncode> PictureJob::to_encode() const {
    if (!product_) {
        return std::nullopt;
    }
    const auto& [image, job] = *product_;
    return gpu_codecs::JpegToEncode{image, job.metadata, job.options, job.name};
}

void PictureJob::take_encoding(std::shared_ptr<const gpu_codecs::JpegsInEncoding> files, std::size_t number) {
    product_.reset();
    files_ = std::move(files);
    file_ = number;
}

void PictureJob::fetch_product(Context& gpu) {
    const Encodable product = std::move(*std::exchange(product_, std::nullopt));
    result_ = run_on(gpu, Stage::download, [&] { return gpu.download(product.image); });
}

void PictureJob::encode_alone(Context& gpu) {
    std::shared_ptr<gpu_codecs::JpegsInEncoding> files;
    try {
        files = run_on(gpu, Stage::encode_on_gpu, [&] {
            auto begun = std::make_shared<gpu_codecs::JpegsInEncoding>(
                gpu_codecs::begin_encoding(gpu, std::array{*to_encode()}));
            begun->wait();
            return begun;
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::gpu) {
            throw;
        }
    }
    if (files && files->has(0)) {
        take_encoding(std::move(files), 0);
    } else {
        fetch_product(gpu);
    }
}

} // namespace glproc::job
