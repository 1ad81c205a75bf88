// Animated PNG: each frame is a still picture of the part that has changed, its chunks under other names.
// https://www.w3.org/TR/png-3/#apng-frame-based-animation
#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/files/series/writers.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

class ApngSeries final : public SeriesWriter {
  public:
    explicit ApngSeries(SeriesJob job) : job_(std::move(job)), file_(std::move(job_.output)) {
        if (job_.options.colours)
            throw Error(ErrorCode::usage,
                        fmt::format("{}: a palette is for a PNG of one image, and for GIF", job_.name));
    }

    void write(const Image& image, FrameDelay delay) override {
        const bool is_first = before_.width() == 0;
        if (!is_first)
            check_same_form(job_, before_.form(), image.form());
        const FramePlace place =
            is_first ? FramePlace{0, 0, image.width(), image.height()} : changed_place(before_, image);
        put_chunks(still_of(image, place, is_first), place, delay, is_first);
        before_ = image;
        ++frames_;
    }

    void finish() override {
        put_named("IEND", {});
        std::vector<std::byte> chunk;
        put_chunk(chunk, "acTL", animation());
        file_.patch(animation_, chunk);
        file_.finish();
    }

  private:
    std::vector<std::byte> still_of(const Image& image, const FramePlace& place, bool is_first) const {
        Image part = cut_out(image, place);
        if (is_first)
            part.set_metadata(image.metadata());
        EncodeOptions options = job_.options;
        options.notes = is_first ? options.notes : nullptr;
        return encode(part, "png", options);
    }

    void put_named(std::string_view name, ByteView data) {
        std::vector<std::byte> chunk;
        put_chunk(chunk, name, data);
        file_.put(chunk);
    }

    std::vector<std::byte> animation() const {
        std::vector<std::byte> data;
        put_big(data, frames_, 4);
        put_big(data, static_cast<std::uint64_t>(std::max(job_.plays, 0)), 4);
        return data;
    }

    void put_control(const FramePlace& place, FrameDelay delay) {
        std::vector<std::byte> data;
        put_big(data, sequence_++, 4);
        for (const std::int64_t number : {place.width, place.height, place.x, place.y})
            put_big(data, static_cast<std::uint64_t>(number), 4);
        const FrameDelay fitting = fit(delay);
        put_big(data, fitting.numerator, 2);
        put_big(data, fitting.denominator, 2);
        put_big(data, 0, 2); // stays, and replaces the pixels below
        put_named("fcTL", data);
    }

    /// A fraction of numbers of 16 bits.
    static FrameDelay fit(FrameDelay delay) {
        constexpr std::uint32_t most = 65535;
        if (delay.numerator <= most && delay.denominator <= most)
            return delay;
        for (const std::uint32_t parts : {1000U, 100U, 1U}) {
            const double units = delay.seconds() * parts;
            if (units <= most)
                return {static_cast<std::uint32_t>(units + 0.5), parts};
        }
        return {most, 1};
    }

    void put_chunks(ByteView still, const FramePlace& place, FrameDelay delay, bool is_first) {
        const Source source{still, job_.name, DecodeOptions{}.max_pixels};
        PngChunks chunks(source);
        bool has_control = false;
        if (is_first)
            file_.put(std::as_bytes(std::span(png_signature)));
        while (const std::optional<PngChunk> chunk = chunks.next()) {
            const std::vector<std::byte> data = chunks.read(*chunk);
            if (chunk->type() == "IDAT") {
                if (!std::exchange(has_control, true))
                    put_control(place, delay);
                put_pixels(data, is_first);
            } else if (is_first && chunk->type() != "IEND" && chunk->type() != png_bands_type) {
                put_named(chunk->type(), data);
                if (chunk->type() == "IHDR") {
                    animation_ = file_.size();
                    put_named("acTL", animation());
                }
            }
        }
    }

    void put_pixels(ByteView data, bool is_first) {
        if (is_first)
            return put_named("IDAT", data);
        std::vector<std::byte> numbered;
        put_big(numbered, sequence_++, 4);
        put(numbered, data);
        put_named("fdAT", numbered);
    }

    SeriesJob job_;
    PatchedOutput file_;
    std::uint64_t animation_ = 0; ///< where acTL stands
    std::uint32_t frames_ = 0;
    std::uint32_t sequence_ = 0;
    Image before_;
};

} // namespace

std::unique_ptr<SeriesWriter> apng_series(SeriesJob job) {
    return std::make_unique<ApngSeries>(std::move(job));
}

} // namespace glproc::codecs
