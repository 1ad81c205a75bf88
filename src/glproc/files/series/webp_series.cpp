// Animated WebP: each frame is a still picture of the part that has changed, in a container of our own.
// https://developers.google.com/speed/webp/docs/riff_container
#include "glproc/files/codecs/little.hpp"
#include "glproc/files/series/riff.hpp"
#include "glproc/files/series/writers.hpp"

#include <algorithm>
#include <limits>

namespace glproc::codecs {
namespace {

class WebpSeries final : public SeriesWriter {
  public:
    explicit WebpSeries(SeriesJob job) : job_(std::move(job)), file_(std::move(job_.output)) {}

    void write(const Image& image, FrameDelay delay) override {
        const bool is_first = before_.width() == 0;
        if (is_first) {
            begin(image);
        } else {
            check_same_form(job_, before_.form(), image.form());
        }
        const FramePlace place = is_first ? FramePlace{0, 0, image.width(), image.height()}
                                          : at_even_place(changed_place(before_, image));
        const std::vector<std::byte> still = encode(cut_out(image, place), "webp", frame_options());
        put_frame(place, image_chunks(still), delay);
        before_ = image;
    }

    void finish() override {
        put_block("EXIF", metadata_.exif);
        put_block("XMP ", metadata_.xmp);
        if (file_.size() > std::numeric_limits<std::uint32_t>::max())
            fail_output(job_.name, "WebP holds at most 4 GiB");
        std::vector<std::byte> size;
        put_little(size, file_.size() - 8, 4);
        file_.patch(4, size);
        file_.finish();
    }

  private:
    /// Metadata belong to the whole file.
    EncodeOptions frame_options() const {
        EncodeOptions options = job_.options;
        options.notes = nullptr;
        return options;
    }

    void begin(const Image& image) {
        metadata_ = image.metadata();
        std::vector<std::byte> head;
        const unsigned flags = webp_animation_flag | (image.has_alpha() ? webp_alpha_flag : 0) |
                               (metadata_.icc.empty() ? 0 : webp_icc_flag) |
                               (metadata_.exif.empty() ? 0 : webp_exif_flag) |
                               (metadata_.xmp.empty() ? 0 : webp_xmp_flag);
        put_little(head, flags, 4);
        put_little(head, static_cast<std::uint64_t>(image.width()) - 1, 3);
        put_little(head, static_cast<std::uint64_t>(image.height()) - 1, 3);
        file_.put(riff_start(0));
        put_block("VP8X", head);
        put_block("ICCP", metadata_.icc);
        std::vector<std::byte> animation;
        put_little(animation, 0, 4); // a background that players may show behind it: none
        put_little(animation, static_cast<std::uint64_t>(std::clamp(job_.plays, 0, 65535)), 2);
        put_block("ANIM", animation);
    }

    /// Frames begin at even places.
    static FramePlace at_even_place(FramePlace place) {
        const std::int64_t left = place.x % 2;
        const std::int64_t top = place.y % 2;
        return {place.x - left, place.y - top, place.width + left, place.height + top};
    }

    /// The chunks of a still picture that hold its pixels.
    static ByteView image_chunks(ByteView still) {
        std::size_t at = riff_header;
        if (begins_with(still.subspan(at), "VP8X"))
            at += 8 + 10;
        return still.subspan(at);
    }

    void put_frame(const FramePlace& place, ByteView chunks, FrameDelay delay) {
        std::vector<std::byte> frame;
        for (const std::int64_t number : {place.x / 2, place.y / 2, place.width - 1, place.height - 1})
            put_little(frame, static_cast<std::uint64_t>(number), 3);
        put_little(frame, delays_.of(delay), 3);
        frame.push_back(static_cast<std::byte>(webp_no_blend_flag));
        put(frame, chunks);
        put_block("ANMF", frame);
    }

    /// Nothing for an empty block.
    void put_block(std::string_view name, ByteView data) {
        if (data.empty())
            return;
        std::vector<std::byte> chunk;
        chunk.reserve(data.size() + 16);
        put(chunk, name);
        put_little(chunk, data.size(), 4);
        put(chunk, data);
        if (data.size() % 2 != 0)
            chunk.push_back({});
        file_.put(chunk);
    }

    SeriesJob job_;
    PatchedOutput file_;
    DelayUnits delays_{1000, (1U << 24U) - 1};
    Metadata metadata_;
    Image before_;
};

} // namespace

std::unique_ptr<SeriesWriter> webp_series(SeriesJob job) {
    return std::make_unique<WebpSeries>(std::move(job));
}

} // namespace glproc::codecs
