// WebP, through libwebp: RGB and RGBA of 8 bits, lossy and lossless; of an animation the first frame.
// https://developers.google.com/speed/webp/docs/riff_container
#include "glproc/base/covering.hpp"
#include "glproc/files/modules/module.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

namespace {

using glproc::covering;
using glproc::Depth;
using glproc::Form;
using glproc::Metadata;
using glproc::modules::Reading;
using glproc::modules::Writing;
using Bytes = std::vector<std::byte>;

struct Free {
    void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
    void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};

/// The frame that is under way.
class Frame {
  public:
    explicit Frame(const WebPDemuxer* demuxer) : found_(WebPDemuxGetFrame(demuxer, 1, &iterator_) != 0) {}
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() { WebPDemuxReleaseIterator(&iterator_); }

    bool found() const { return found_; }
    const WebPIterator& get() const { return iterator_; }

  private:
    WebPIterator iterator_{};
    bool found_;
};

Bytes chunk_of(const WebPDemuxer* demuxer, const char* name) {
    WebPChunkIterator iterator{};
    Bytes bytes;
    if (WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0) {
        const auto* data = reinterpret_cast<const std::byte*>(iterator.chunk.bytes);
        bytes.assign(data, data + iterator.chunk.size);
    }
    WebPDemuxReleaseChunkIterator(&iterator);
    return bytes;
}

Metadata metadata_of(const WebPDemuxer* demuxer) {
    Metadata metadata;
    metadata.icc = chunk_of(demuxer, "ICCP");
    metadata.exif = chunk_of(demuxer, "EXIF");
    metadata.xmp = chunk_of(demuxer, "XMP ");
    constexpr std::size_t prefix = 6; // some writers begin it as JPEG does
    if (metadata.exif.size() > prefix && std::memcmp(metadata.exif.data(), "Exif\0\0", prefix) == 0)
        metadata.exif.erase(metadata.exif.begin(), metadata.exif.begin() + prefix);
    return metadata;
}

void read(Reading& reading) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(reading.file().data()), reading.file().size()};
    WebPDemuxState state{};
    const std::unique_ptr<WebPDemuxer, Free> demuxer(WebPDemuxPartial(&data, &state));
    if (demuxer == nullptr || state == WEBP_DEMUX_PARSE_ERROR)
        reading.fail("corrupt WebP");
    if (state != WEBP_DEMUX_DONE)
        reading.fail("truncated WebP");
    const Frame frame(demuxer.get());
    if (!frame.found())
        reading.fail("corrupt WebP: no image");
    const auto width = static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH));
    const auto height = static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT));
    const WebPIterator& first = frame.get();
    const bool whole = first.width == width && first.height == height;
    WebPBitstreamFeatures features{};
    if (WebPGetFeatures(first.fragment.bytes, first.fragment.size, &features) != VP8_STATUS_OK)
        reading.fail("corrupt WebP");
    // What the frame does not cover is transparent.
    const bool alpha = features.has_alpha != 0 || !whole;
    reading.set_metadata(metadata_of(demuxer.get()));
    reading.set_frames(static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_FRAME_COUNT)));
    Form form{width, height, alpha ? 4 : 3, Depth::u8};
    const int divisor = whole ? reading.divisor_for({width, height}) : 1;
    if (divisor > 1) {
        reading.check_size(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height));
        form.width = covering(width, divisor);
        form.height = covering(height, divisor);
        reading.set_fraction({{width, height}, static_cast<double>(form.width), static_cast<double>(form.height)});
    }
    const std::span<std::byte> pixels = reading.start(form);
    if (pixels.empty())
        return;
    const std::size_t offset = static_cast<std::size_t>(first.y_offset) * form.row_bytes() +
                               static_cast<std::size_t>(first.x_offset) * form.pixel_bytes();
    WebPDecoderConfig config{};
    if (WebPInitDecoderConfig(&config) == 0)
        reading.fail("this libwebp is of another version");
    config.options.use_threads = 1;
    config.options.use_scaling = divisor > 1 ? 1 : 0;
    config.options.scaled_width = form.width;
    config.options.scaled_height = form.height;
    config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<std::uint8_t*>(pixels.data()) + offset;
    config.output.u.RGBA.stride = static_cast<int>(form.row_bytes());
    config.output.u.RGBA.size = pixels.size() - offset;
    const VP8StatusCode status = WebPDecode(first.fragment.bytes, first.fragment.size, &config);
    WebPFreeDecBuffer(&config.output);
    if (status == VP8_STATUS_OUT_OF_MEMORY)
        throw std::bad_alloc();
    if (status != VP8_STATUS_OK)
        reading.fail(status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED ? "truncated WebP"
                                                                                            : "corrupt WebP");
}

/// libwebp's picture, and the file it writes into.
class Encoding {
  public:
    Encoding() : ready_(WebPPictureInit(&picture_) != 0) { WebPMemoryWriterInit(&writer_); }
    Encoding(const Encoding&) = delete;
    Encoding& operator=(const Encoding&) = delete;
    ~Encoding() {
        WebPPictureFree(&picture_);
        WebPMemoryWriterClear(&writer_);
    }

    bool ready() const { return ready_; }
    WebPPicture& picture() { return picture_; }
    WebPMemoryWriter& writer() { return writer_; }

  private:
    WebPPicture picture_{};
    WebPMemoryWriter writer_{};
    bool ready_;
};

WebPConfig config_for(const glproc::EncodeOptions& options) {
    WebPConfig config{};
    WebPConfigInit(&config);
    config.quality = static_cast<float>(options.quality_or_default());
    config.thread_level = 1;
    if (options.lossless) {
        WebPConfigLosslessPreset(&config, 4);
        config.exact = 1; // the colours of transparent pixels, too
    }
    return config;
}

void encode(Writing& writing, Encoding& encoding) {
    const Form& form = writing.form();
    if (std::max(form.width, form.height) > WEBP_MAX_DIMENSION)
        writing.fail("WebP holds at most 16383x16383 pixels");
    const WebPConfig config = config_for(writing.options());
    WebPPicture& picture = encoding.picture();
    picture.width = form.width;
    picture.height = form.height;
    picture.use_argb = config.lossless;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &encoding.writer();
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(writing.pixels().data());
    const auto stride = static_cast<int>(form.row_bytes());
    const int taken = form.channels == 4 ? WebPPictureImportRGBA(&picture, pixels, stride)
                                         : WebPPictureImportRGB(&picture, pixels, stride);
    if (taken == 0 || picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY)
        throw std::bad_alloc();
    if (WebPEncode(&config, &picture) == 0)
        writing.fail("WebP: error " + std::to_string(picture.error_code));
}

WebPData data_of(const Bytes& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

void write(Writing& writing) {
    Encoding encoding;
    if (!encoding.ready())
        writing.fail("this libwebp is of another version");
    encode(writing, encoding);
    const WebPMemoryWriter& file = encoding.writer();
    const Metadata& metadata = writing.metadata();
    if (metadata.icc.empty() && metadata.exif.empty() && metadata.xmp.empty())
        return writing.append({reinterpret_cast<const std::byte*>(file.mem), file.size});
    const WebPData image{file.mem, file.size};
    const std::unique_ptr<WebPMux, Free> mux(WebPMuxCreate(&image, 0));
    const auto put = [&](const char* name, const Bytes& bytes) {
        const WebPData chunk = data_of(bytes);
        return bytes.empty() || WebPMuxSetChunk(mux.get(), name, &chunk, 0) == WEBP_MUX_OK;
    };
    WebPData whole{};
    const bool fits = mux != nullptr && put("ICCP", metadata.icc) && put("EXIF", metadata.exif) &&
                      put("XMP ", metadata.xmp) && WebPMuxAssemble(mux.get(), &whole) == WEBP_MUX_OK;
    if (fits)
        writing.append({reinterpret_cast<const std::byte*>(whole.bytes), whole.size});
    WebPDataClear(&whole);
    if (!fits)
        writing.fail("the metadata do not fit into WebP");
}

} // namespace

GLPROC_MODULE(read, write);
