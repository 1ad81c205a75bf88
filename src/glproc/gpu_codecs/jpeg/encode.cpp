#include "glproc/gpu_codecs/jpeg/encode.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gpu_codecs/jpeg/encode_batch.hpp"
#include "glproc/gpu_codecs/jpeg/probe.hpp"
#include "glproc/gpu_codecs/jpeg/trust.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <jpeglib.h>

namespace glproc::gpu_codecs {

struct JpegsInEncoding::State {
    struct BatchPlace {
        std::size_t batch;
        std::size_t picture; ///< of the batch
    };
    std::vector<std::unique_ptr<EncodeBatch>> batches;
    std::vector<BatchPlace> places;
};

JpegsInEncoding::JpegsInEncoding(std::unique_ptr<State> state) : state_(std::move(state)) {}
JpegsInEncoding::JpegsInEncoding(JpegsInEncoding&&) noexcept = default;
JpegsInEncoding& JpegsInEncoding::operator=(JpegsInEncoding&&) noexcept = default;
JpegsInEncoding::~JpegsInEncoding() = default;

void JpegsInEncoding::wait() {
    for (const auto& batch : state_->batches) {
        batch->wait();
    }
}

bool JpegsInEncoding::has(std::size_t picture) const {
    return state_->batches[state_->places.at(picture).batch]->has_files();
}

std::optional<std::vector<std::byte>> JpegsInEncoding::file(std::size_t picture) const {
    const State::BatchPlace& place = state_->places.at(picture);
    return has(picture) ? std::optional(state_->batches[place.batch]->file(place.picture)) : std::nullopt;
}

bool can_encode(Context& gpu, const Form& form, const EncodeOptions& options) {
    const int quality = options.quality_or_default();
    if (form.depth != Depth::u8 || (form.channels != 1 && form.channels != 3) || options.progressive ||
        quality < 1 || quality > 100 || std::max(form.width, form.height) > JPEG_MAX_DIMENSION) {
        return false;
    }
    const auto ceil_div = [](int value, int by) { return static_cast<std::size_t>(covering(value, by)); };
    const std::size_t luma_blocks = 4 * ceil_div(form.width, 16) * ceil_div(form.height, 16);
    const std::size_t blocks = static_cast<std::size_t>(form.channels) * luma_blocks;
    const std::size_t strips = ceil_div(form.height, codecs::jpeg_strip_rows(form.width));
    const auto most_blocks = 64 * static_cast<std::size_t>(gpu.limits().group_count[0]);
    return luma_blocks <= most_blocks &&
           EncodeBatch::can_hold(gpu, {.blocks = blocks,
                                       .groups = blocks / EncodeLayout::group_blocks + strips,
                                       .strips = strips,
                                       .eights = 8 * blocks});
}

JpegsInEncoding begin_encoding(Context& gpu, std::span<const JpegToEncode> pictures) {
    auto state = std::make_unique<JpegsInEncoding::State>();
    std::vector<EncodedFile> files;
    std::vector<const GpuImage*> images;
    EncodeSizes sizes;
    const auto begin_batch = [&] {
        state->batches.push_back(std::make_unique<EncodeBatch>(gpu, std::exchange(files, {})));
        state->batches.back()->begin(std::exchange(images, {}));
        sizes = {};
    };
    for (const JpegToEncode& picture : pictures) {
        EncodedFile file(picture.image.form(), picture.metadata, picture.options, picture.name);
        EncodeSizes with_it = sizes;
        with_it += file.layout().sizes();
        if (!files.empty() && !EncodeBatch::can_hold(gpu, with_it)) {
            begin_batch();
        }
        sizes += file.layout().sizes();
        state->places.push_back({state->batches.size(), files.size()});
        files.push_back(std::move(file));
        images.push_back(&picture.image);
    }
    if (!files.empty()) {
        begin_batch();
    }
    return JpegsInEncoding(std::move(state));
}

namespace {

/// Grey, and colour at each resolution. Quality 100 hides nothing; most pictures use the tables of the other
/// qualities.
bool encodes_probe(Context& gpu) {
    const Image grey = probe_picture(301, 203, 1);
    const Image colour = probe_picture(301, 203, 3);
    const Image wide = probe_picture(8200, 40, 3); // several strips
    const std::array<std::pair<const Image*, EncodeOptions>, 6> cases{{
        {&grey, {.quality = 100}},
        {&colour, {.quality = 100, .subsampling = Subsampling::s444}},
        {&colour, {.quality = 75, .subsampling = Subsampling::s444, .optimize = false}},
        {&colour, {.quality = 100, .subsampling = Subsampling::s422}},
        {&wide, {.quality = 100, .subsampling = Subsampling::s420}},
        {&colour, {.quality = 100, .subsampling = Subsampling::s440}},
    }};
    std::vector<GpuImage> images;
    std::vector<JpegToEncode> pictures;
    images.reserve(cases.size());
    for (const auto& [image, options] : cases) {
        images.push_back(gpu.upload(*image, "jpeg.probe"));
        pictures.push_back({images.back(), image->metadata(), options});
    }
    JpegsInEncoding files = begin_encoding(gpu, pictures);
    files.wait();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (files.file(i) != encode(*cases.at(i).first, "jpg", cases.at(i).second)) {
            return false;
        }
    }
    return true;
}

} // namespace

bool trusts_encoder(Context& gpu) {
    const auto planes = [](const char* channels, const char* across, const char* down) {
        return CodecProgram{"jpeg/encode_planes.comp",
                            {{"CHANNELS", channels}, {"ACROSS", across}, {"DOWN", down}}};
    };
    const std::array<CodecProgram, 11> programs{{planes("1", "1", "1"),
                                                 planes("4", "1", "1"),
                                                 planes("4", "2", "1"),
                                                 planes("4", "2", "2"),
                                                 planes("4", "1", "2"),
                                                 {"jpeg/encode_blocks.comp"},
                                                 {"jpeg/encode_count.comp"},
                                                 {"jpeg/encode_tables.comp"},
                                                 {"jpeg/encode_bits.comp"},
                                                 {"jpeg/encode_offsets.comp"},
                                                 {"jpeg/encode_collect.comp"}}};
    return is_trusted(gpu, "encode JPEG", programs, [&] { return encodes_probe(gpu); });
}

} // namespace glproc::gpu_codecs
