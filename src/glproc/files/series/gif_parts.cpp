// The frames of a GIF. https://www.w3.org/Graphics/GIF/spec-gif89a.txt
#include "glproc/base/error.hpp"
#include "glproc/files/codecs/little.hpp"
#include "glproc/files/series/parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace glproc::codecs {
namespace {

constexpr unsigned gif_extension = 0x21;
constexpr unsigned gif_image = 0x2c;
constexpr std::size_t gif_header = 13;

std::size_t colour_table_bytes(unsigned flags) {
    return (flags & 0x80U) == 0 ? 0 : std::size_t{3} << ((flags & 7U) + 1);
}

class GifParts final : public Parts {
  public:
    explicit GifParts(const Source& source) : source_(source) {
        if (source.bytes.size() < gif_header)
            fail(source, "truncated GIF");
        screen_ = {static_cast<int>(number(6, 2)), static_cast<int>(number(8, 2))};
        at_ = gif_header + colour_table_bytes(byte(10));
        look_ahead();
    }

    Extent canvas() const override { return canvas_; }
    int plays() const override { return plays_; }
    std::optional<bool> has_alpha() const override { return std::nullopt; }

    std::optional<FramePart> next() override {
        std::optional<FramePart> part = walk();
        if (part && (part->place.width == 0 || part->place.height == 0))
            fail(source_, "corrupt GIF: an empty frame");
        if (part && (part->place.x + part->place.width > canvas_.width ||
                     part->place.y + part->place.height > canvas_.height))
            note(source_, "frames reach beyond the canvas; that part of them is left out");
        return part;
    }

    /// A screen as large as the frame, the colours that it may use, and the frame.
    std::vector<std::byte> file() const override {
        constexpr std::array<std::byte, 4> corner{};
        constexpr std::array<std::byte, 1> end{std::byte{0x3b}};
        const ByteView bytes = source_.bytes;
        return joined_bytes({bytes_in("GIF89a"), bytes.subspan(image_ + 5, 4), // its size is the screen's
                             bytes.subspan(10, gif_header - 10 + colour_table_bytes(byte(10))),
                             transparent_ ? ByteView(control_) : ByteView(), bytes.subspan(image_, 1), corner,
                             bytes.subspan(image_ + 5, at_ - image_ - 5), end});
    }

  private:
    unsigned byte(std::size_t at) const {
        if (at >= source_.bytes.size())
            fail(source_, "truncated GIF");
        return std::to_integer<unsigned>(source_.bytes[at]);
    }
    std::size_t number(std::size_t at, std::size_t count) const { return little(source_, at, count); }

    /// Reads blocks after the first frame, too, and goes back to the first.
    void look_ahead() {
        const std::size_t begin = at_;
        try {
            while (const std::optional<FramePart> part = walk()) {
                // A first frame beyond the screen widens it, as in browsers.
                if (canvas_.width == 0)
                    canvas_ = {
                        std::max(screen_.width, static_cast<int>(part->place.x + part->place.width)),
                        std::max(screen_.height, static_cast<int>(part->place.y + part->place.height))};
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): next() will say it
        }
        at_ = begin;
    }

    std::optional<FramePart> walk() {
        FramePart part;
        part.blends = true;
        part.delay = {0, 100};
        transparent_ = false;
        for (; at_ < source_.bytes.size(); skip_blocks()) {
            const unsigned kind = byte(at_);
            if (kind == gif_image)
                return image(part);
            if (kind != gif_extension)
                return std::nullopt; // the end, or what browsers take for it
            const unsigned label = byte(at_ + 1);
            at_ += 2;
            if (label == 0xf9 && byte(at_) == 4)
                read_control(part);
            else if (label == 0xff && byte(at_) == 11)
                read_application();
        }
        return std::nullopt; // some writers leave out the mark of the end
    }

    void read_control(FramePart& part) {
        const unsigned flags = byte(at_ + 1);
        const unsigned disposal = flags >> 2U & 7U;
        part.disposal = disposal == 2 ? Disposal::clear : disposal == 3 ? Disposal::restore : Disposal::keep;
        part.delay.numerator = static_cast<std::uint32_t>(number(at_ + 2, 2));
        transparent_ = (flags & 1U) != 0;
        static_cast<void>(byte(at_ + 5));
        control_ = copy_of(source_.bytes.subspan(at_ - 2, 8));
        control_.back() = std::byte{0};
    }

    /// How often it is repeated, which is once less than it is played.
    void read_application() {
        static_cast<void>(byte(at_ + 12));
        const ByteView name = source_.bytes.subspan(at_ + 1, 11);
        if ((begins_with(name, "NETSCAPE2.0") || begins_with(name, "ANIMEXTS1.0")) && byte(at_ + 12) == 3 &&
            byte(at_ + 13) == 1) {
            const std::size_t repeats = number(at_ + 14, 2);
            plays_ = repeats == 0 ? 0 : static_cast<int>(repeats) + 1;
        }
    }

    std::optional<FramePart> image(FramePart part) {
        image_ = at_;
        const unsigned flags = byte(at_ + 9);
        const auto side = [&](std::size_t offset) {
            return static_cast<std::int64_t>(number(image_ + offset, 2));
        };
        part.place = {side(1), side(3), side(5), side(7)};
        at_ += 10 + colour_table_bytes(flags) + 1;
        skip_blocks();
        if (at_ > source_.bytes.size())
            fail(source_, "truncated GIF");
        return part;
    }

    /// Blocks that begin with their length, up to one of length 0.
    void skip_blocks() {
        while (const unsigned size = byte(at_))
            at_ += size + 1;
        ++at_;
    }

    const Source& source_;
    Extent screen_;
    Extent canvas_;
    int plays_ = 1;
    std::size_t at_ = 0;
    std::size_t image_ = 0; ///< of the last frame: where it begins
    bool transparent_ = false;
    std::vector<std::byte> control_;
};

} // namespace

std::unique_ptr<Parts> gif_parts(const Source& source) {
    return std::make_unique<GifParts>(source);
}

} // namespace glproc::codecs
