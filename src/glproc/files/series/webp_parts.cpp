// The frames of an animated WebP. https://developers.google.com/speed/webp/docs/riff_container
#include "glproc/files/codecs/little.hpp"
#include "glproc/files/series/parts.hpp"
#include "glproc/files/series/riff.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

class WebpParts final : public Parts {
  public:
    explicit WebpParts(const Source& source) : source_(source) {
        const std::optional<Chunk> first = chunk(riff_header);
        if (!first || first->name != "VP8X" || first->data.size() < 10)
            return;
        const unsigned flags = std::to_integer<unsigned>(first->data[0]);
        alpha_ = (flags & webp_alpha_flag) != 0;
        canvas_ = {static_cast<int>(little_number(first->data.subspan(4, 3))) + 1,
                   static_cast<int>(little_number(first->data.subspan(7, 3))) + 1};
        is_animation_ = (flags & webp_animation_flag) != 0;
        at_ = first->end;
        std::size_t at = at_;
        while (const std::optional<Chunk> one = chunk(at)) {
            at = one->end;
            if (one->name == "ANIM" && one->data.size() >= 6)
                plays_ = static_cast<int>(little_number(one->data.subspan(4, 2)));
            if (one->cut)
                break;
            for (const auto& [name, block] :
                 {std::pair("ICCP", &metadata_.icc), std::pair("EXIF", &metadata_.exif),
                  std::pair("XMP ", &metadata_.xmp)}) {
                if (one->name == name)
                    *block = copy_of(one->data);
            }
        }
        if (begins_with(metadata_.exif, std::string_view("Exif\0\0", 6))) // as JPEG begins it
            metadata_.exif.erase(metadata_.exif.begin(), metadata_.exif.begin() + 6);
    }

    bool is_animation() const { return is_animation_; }
    Extent canvas() const override { return canvas_; }
    int plays() const override { return plays_; }
    std::optional<bool> has_alpha() const override { return alpha_; }
    Metadata metadata() const override { return metadata_; }

    std::optional<FramePart> next() override {
        while (const std::optional<Chunk> one = chunk(at_)) {
            if (one->cut)
                fail(source_, "truncated WebP");
            at_ = one->end;
            if (one->name == "ANMF")
                return part(one->data);
        }
        if (at_ < riff_end())
            fail(source_, "truncated WebP");
        return std::nullopt;
    }

    std::vector<std::byte> file() const override {
        if (!begins_with(frame_, "ALPH"))
            return joined_bytes({riff_start(frame_.size()), frame_});
        std::vector<std::byte> head;
        put_little(head, 0x58385056, 4); // "VP8X"
        put_little(head, 10, 4);
        put_little(head, webp_alpha_flag, 4);
        put_little(head, static_cast<std::uint64_t>(place_.width) - 1, 3);
        put_little(head, static_cast<std::uint64_t>(place_.height) - 1, 3);
        return joined_bytes({riff_start(head.size() + frame_.size()), head, frame_});
    }

  private:
    struct Chunk {
        std::string_view name;
        ByteView data;
        std::size_t end = 0; ///< of the chunk, which has an even size
        bool cut = false;    ///< the file ends before
    };

    std::uint64_t riff_end() const { return 8 + little(source_, 4, 4); }

    std::optional<Chunk> chunk(std::size_t at) const {
        const std::size_t size = source_.bytes.size();
        if (at + 8 > size || at + 8 > riff_end())
            return std::nullopt;
        const std::uint64_t length = little(source_, at + 4, 4);
        const ByteView rest = source_.bytes.subspan(at + 8);
        const auto* name = reinterpret_cast<const char*>(source_.bytes.data() + at);
        return Chunk{{name, 4},
                     rest.first(std::min<std::uint64_t>(length, rest.size())),
                     at + 8 + length + length % 2,
                     length > rest.size()};
    }

    FramePart part(ByteView data) {
        constexpr std::size_t head = 16;
        if (data.size() < head + 8)
            fail(source_, "corrupt WebP: a frame without an image");
        const auto number = [&](std::size_t at) {
            return static_cast<std::int64_t>(little_number(data.subspan(at, 3)));
        };
        place_ = {2 * number(0), 2 * number(3), number(6) + 1, number(9) + 1};
        if (place_.x + place_.width > canvas_.width || place_.y + place_.height > canvas_.height)
            fail(
                source_,
                fmt::format("corrupt WebP: a frame at {},{} of {}x{} pixels lies outside the canvas of {}x{}",
                            place_.x, place_.y, place_.width, place_.height, canvas_.width, canvas_.height));
        const unsigned flags = std::to_integer<unsigned>(data[15]);
        frame_ = data.subspan(head);
        return {.place = place_,
                .blends = (flags & webp_no_blend_flag) == 0,
                .disposal = (flags & webp_clear_flag) != 0 ? Disposal::clear : Disposal::keep,
                .delay = {static_cast<std::uint32_t>(number(12)), 1000}};
    }

    const Source& source_;
    bool is_animation_ = false;
    bool alpha_ = false;
    Extent canvas_;
    int plays_ = 1;
    Metadata metadata_;
    std::size_t at_ = riff_header;
    FramePlace place_;
    ByteView frame_; ///< its chunks
};

} // namespace

std::unique_ptr<Parts> webp_parts(const Source& source) {
    auto parts = std::make_unique<WebpParts>(source);
    return parts->is_animation() ? std::move(parts) : nullptr;
}

} // namespace glproc::codecs
