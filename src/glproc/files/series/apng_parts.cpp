// The frames of an animated PNG. https://www.w3.org/TR/png-3/#apng-frame-based-animation
#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/files/series/parts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::size_t frame_control_bytes = 26;

class ApngParts final : public Parts {
  public:
    explicit ApngParts(const Source& source) : source_(source), chunks_(source) {
        const std::optional<PngChunk> first = chunks_.next();
        if (!first || first->type() != "IHDR" || first->size != 13 || first->cut)
            return; // the decoder of still pictures says it
        head_ = chunks_.read(*first);
        constexpr std::size_t most = 0x7fffffff;
        canvas_ = {static_cast<int>(std::min(big_number(head_, 4), most)),
                   static_cast<int>(std::min(big_number(ByteView(head_).subspan(4), 4), most))};
        read_start();
    }

    bool is_animation() const { return is_animation_; }
    Extent canvas() const override { return canvas_; }
    int plays() const override { return plays_; }
    std::optional<bool> has_alpha() const override {
        const unsigned colour = std::to_integer<unsigned>(head_[9]);
        return colour >= 4 || has_transparency_;
    }

    Metadata metadata() const override { return inspect_png(quiet(source_)).metadata; }

    std::optional<FramePart> next() override {
        data_.clear();
        while (!control_.empty() || advance()) {
            const FramePart part = read_control(control_);
            control_.clear();
            gather();
            if (!data_.empty())
                return part;
            fail(source_, "corrupt PNG: a frame without pixels");
        }
        return std::nullopt;
    }

    std::vector<std::byte> file() const override {
        std::vector<std::byte> head = head_;
        put_big(head.data(), static_cast<std::uint64_t>(place_.width), 4);
        put_big(head.data() + 4, static_cast<std::uint64_t>(place_.height), 4);
        std::vector<std::byte> header;
        put_chunk(header, "IHDR", head);
        std::vector<std::byte> pixels;
        put_chunk(pixels, "IDAT", data_);
        put_chunk(pixels, "IEND", {});
        return joined_bytes({bytes_in(png_signature), header, colours_, pixels});
    }

  private:
    /// Whoever decodes the picture hears what is odd about it.
    static Source quiet(Source source) {
        source.notes = nullptr;
        return source;
    }

    /// Up to the control of the first frame, or the first pixels, which without it are none of the animation.
    void read_start() {
        while (const std::optional<PngChunk> chunk = chunks_.next()) {
            if (chunk->cut || chunk->type() == "IEND")
                return;
            if (chunk->type() == "acTL" && chunk->size == 8 && chunks_.sound(*chunk)) {
                const std::vector<std::byte> data = chunks_.read(*chunk);
                is_animation_ = true;
                constexpr std::size_t most = 0x7fffffff;
                plays_ = static_cast<int>(std::min(big_number(ByteView(data).subspan(4), 4), most));
            } else if (chunk->type() == "PLTE" || chunk->type() == "tRNS") {
                put_chunk(colours_, chunk->type(), chunks_.read(*chunk));
                has_transparency_ = has_transparency_ || chunk->type() == "tRNS";
            } else if (chunk->type() == "fcTL") {
                keep_control(*chunk);
            } else if (chunk->type() == "IDAT") {
                if (!control_.empty())
                    first_data_ = chunk;
                return;
            }
        }
    }

    void keep_control(const PngChunk& chunk) {
        if (chunk.cut)
            fail(source_, "truncated PNG");
        if (chunk.size != frame_control_bytes || !chunks_.sound(chunk))
            fail(source_, "corrupt PNG: the control of a frame is damaged");
        control_ = chunks_.read(chunk);
    }

    /// To the control of the next frame.
    bool advance() {
        if (ended_)
            return false;
        while (const std::optional<PngChunk> chunk = chunks_.next()) {
            if (chunk->cut)
                fail(source_, "truncated PNG");
            if (chunk->type() == "IEND") {
                ended_ = true;
                return false;
            }
            if (chunk->type() == "fcTL") {
                keep_control(*chunk);
                return true;
            }
        }
        fail(source_, "truncated PNG");
    }

    /// The pixels of the frame whose control was read, up to the next control.
    void gather() {
        std::optional<PngChunk> chunk = first_data_ ? first_data_ : chunks_.next();
        first_data_.reset();
        for (; chunk; chunk = chunks_.next()) {
            if (chunk->cut)
                fail(source_, "truncated PNG");
            if (chunk->type() == "fcTL")
                return keep_control(*chunk);
            if (chunk->type() == "IEND") {
                ended_ = true;
                return;
            }
            const bool is_later = chunk->type() == "fdAT";
            if (!is_later && chunk->type() != "IDAT")
                continue;
            if (!chunks_.sound(*chunk))
                fail(source_, fmt::format("corrupt PNG: the chunk {} has a wrong checksum", chunk->type()));
            const std::vector<std::byte> data = chunks_.read(*chunk);
            put(data_, ByteView(data).subspan(std::min<std::size_t>(is_later ? 4 : 0, data.size())));
        }
        fail(source_, "truncated PNG");
    }

    FramePart read_control(ByteView data) {
        const auto number = [&](std::size_t at, std::size_t count) {
            return static_cast<std::int64_t>(big_number(data.subspan(at), count));
        };
        place_ = {number(12, 4), number(16, 4), number(4, 4), number(8, 4)};
        if (place_.width == 0 || place_.height == 0 || place_.x + place_.width > canvas_.width ||
            place_.y + place_.height > canvas_.height)
            fail(source_,
                 fmt::format("corrupt PNG: a frame at {},{} of {}x{} pixels lies outside the canvas of {}x{}",
                             place_.x, place_.y, place_.width, place_.height, canvas_.width, canvas_.height));
        const auto denominator = static_cast<std::uint32_t>(number(22, 2));
        const unsigned disposal = std::to_integer<unsigned>(data[24]);
        // There is nothing to bring back behind the first frame.
        const bool clears = disposal == 1 || (disposal == 2 && is_first_);
        is_first_ = false;
        return {.place = place_,
                .blends = data[25] == std::byte{1},
                .disposal = clears          ? Disposal::clear
                            : disposal == 2 ? Disposal::restore
                                            : Disposal::keep,
                .delay = {static_cast<std::uint32_t>(number(20, 2)), denominator == 0 ? 100 : denominator}};
    }

    const Source& source_;
    PngChunks chunks_;
    std::vector<std::byte> head_ = std::vector<std::byte>(13); ///< IHDR
    Extent canvas_;
    bool is_animation_ = false;
    int plays_ = 0;
    std::vector<std::byte> colours_; ///< PLTE and tRNS, as chunks
    bool has_transparency_ = false;
    std::vector<std::byte> control_; ///< of the next frame; empty where it is not read yet
    std::optional<PngChunk> first_data_;
    FramePlace place_;
    std::vector<std::byte> data_; ///< its pixels, packed
    bool is_first_ = true;
    bool ended_ = false;
};

} // namespace

bool begins_as_apng(const Source& source) {
    PngChunks chunks(source);
    while (const std::optional<PngChunk> chunk = chunks.next()) {
        if (chunk->type() == "acTL" || chunk->type() == "IDAT" || chunk->cut)
            return chunk->type() == "acTL";
    }
    return false;
}

bool hides_first_image(const Source& source) {
    PngChunks chunks(source);
    bool is_animation = false;
    while (const std::optional<PngChunk> chunk = chunks.next()) {
        if (chunk->type() == "IDAT" || chunk->cut)
            return is_animation;
        if (chunk->type() == "fcTL")
            return false;
        is_animation = is_animation || chunk->type() == "acTL";
    }
    return false;
}

std::unique_ptr<Parts> apng_parts(const Source& source) {
    auto parts = std::make_unique<ApngParts>(source);
    return parts->is_animation() ? std::move(parts) : nullptr;
}

} // namespace glproc::codecs
