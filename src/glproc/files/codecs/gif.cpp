// GIF, through giflib: the first frame in its place on the screen.
// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
#include "glproc/files/codecs/gif_lzw.hpp"
#include "glproc/files/codecs/little.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <gif_lib.h>

namespace glproc::codecs {
namespace {

/// Walks through a file; beyond its end there are zeros.
class Walk {
  public:
    explicit Walk(std::span<const std::byte> bytes) : bytes_(bytes) {}

    unsigned byte() {
        const unsigned value = at_ < bytes_.size() ? std::to_integer<unsigned>(bytes_[at_]) : 0;
        ++at_;
        return value;
    }
    void skip(std::size_t count) { at_ += count; }

    /// What a byte of flags says about the colour table after it.
    void skip_colours(unsigned flags) {
        if ((flags & 0x80U) != 0)
            skip(std::size_t{3} << ((flags & 7U) + 1));
    }
    /// Blocks that begin with their length, up to one of length 0.
    void skip_blocks() {
        while (const unsigned size = byte())
            skip(size);
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

/// What giflib reads from.
struct Feed {
    std::span<const std::byte> left;

    static int read(GifFileType* gif, GifByteType* out, int count) {
        auto& left = static_cast<Feed*>(gif->UserData)->left;
        const std::size_t size = std::min(left.size(), static_cast<std::size_t>(std::max(count, 0)));
        std::memcpy(out, left.data(), size);
        left = left.subspan(size);
        return static_cast<int>(size);
    }
};

struct Close {
    void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};

/// A file up to the pixels of its first frame.
class GifReader {
  public:
    explicit GifReader(const Source& source) : source_(source), feed_{source.bytes} {
        int error = 0;
        gif_.reset(DGifOpen(&feed_, Feed::read, &error));
        if (gif_ == nullptr)
            fail_with(error);
        find_frame();
        const GifImageDesc& frame = gif_->Image;
        // A frame that reaches beyond the screen widens it, as in browsers.
        const int width = std::max(gif_->SWidth, frame.Left + frame.Width);
        const int height = std::max(gif_->SHeight, frame.Top + frame.Height);
        if (frame.Width <= 0 || frame.Height <= 0)
            fail(source, "corrupt GIF: an empty frame");
        constexpr double lzw_bound = 4096 / 1.5; // a 12-bit code stands for 4096 pixels at most
        check_size(source, static_cast<std::uint64_t>(frame.Width), static_cast<std::uint64_t>(frame.Height),
                   lzw_bound);
        constexpr double screens = 65536; // a screen costs no bytes: small frames on large screens exist
        check_size(source, static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), screens);
        form_ = {width, height, 4, Depth::u8};
    }
    GifReader(const GifReader&) = delete;
    GifReader& operator=(const GifReader&) = delete;
    ~GifReader() = default;

    const Form& form() const { return form_; }

    /// Whether any pixel could be transparent. Only the pixels tell whether one is.
    bool allows_transparency() const {
        const GifImageDesc& frame = gif_->Image;
        return transparent_ != NO_TRANSPARENT_COLOR || frame.Width < form_.width ||
               frame.Height < form_.height;
    }

    /// RGBA; what the frame does not cover is transparent.
    Image read() {
        Image image(form_);
        constexpr std::array<std::array<int, 2>, 4> interlaced{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
        constexpr std::array<std::array<int, 2>, 1> plain{{{0, 1}}};
        if (gif_->Image.Interlace) {
            read_rows(interlaced, image);
        } else {
            read_rows(plain, image);
        }
        return image;
    }

  private:
    [[noreturn]] void fail_with(int error) const {
        if (error == D_GIF_ERR_NOT_ENOUGH_MEM)
            throw std::bad_alloc();
        if (error == D_GIF_ERR_READ_FAILED || error == D_GIF_ERR_EOF_TOO_SOON)
            fail(source_, "truncated GIF");
        const char* words = GifErrorString(error);
        fail(source_, fmt::format("corrupt GIF: {}", words == nullptr ? "no frame" : words));
    }
    void check(int result) const {
        if (result != GIF_OK)
            fail_with(gif_->Error);
    }

    void find_frame() {
        for (;;) {
            GifRecordType kind = UNDEFINED_RECORD_TYPE;
            check(DGifGetRecordType(gif_.get(), &kind));
            if (kind == IMAGE_DESC_RECORD_TYPE) {
                const int result = DGifGetImageDesc(gif_.get());
                if (result != GIF_OK && code_bits() > most_gif_code_bits && !feed_.left.empty())
                    fail(source_, fmt::format("corrupt GIF: codes begin with {} bits", code_bits()));
                has_wide_codes_ = result != GIF_OK && code_bits() > 8 && code_bits() <= most_gif_code_bits;
                return check(has_wide_codes_ ? GIF_OK : result);
            }
            if (kind != EXTENSION_RECORD_TYPE)
                fail(source_, "corrupt GIF: no frame");
            read_extension();
        }
    }

    /// What giflib has read last: after a frame's description that is the least size of its codes.
    unsigned code_bits() const {
        const std::size_t read = source_.bytes.size() - feed_.left.size();
        return read == 0 ? 0 : std::to_integer<unsigned>(source_.bytes[read - 1]);
    }

    void read_extension() {
        int code = 0;
        GifByteType* block = nullptr;
        check(DGifGetExtension(gif_.get(), &code, &block));
        while (block != nullptr) {
            GraphicsControlBlock control{};
            if (code == GRAPHICS_EXT_FUNC_CODE &&
                DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) // fails if it is too short
                transparent_ = control.TransparentColor;
            check(DGifGetExtensionNext(gif_.get(), &block));
        }
    }

    /// Without any colour table the codes are greys; a code beyond the table is black.
    std::array<std::array<std::byte, 4>, 256> colours() const {
        const ColorMapObject* map = gif_->Image.ColorMap != nullptr ? gif_->Image.ColorMap : gif_->SColorMap;
        std::array<std::array<std::byte, 4>, 256> result{};
        for (std::size_t i = 0; i < result.size(); ++i) {
            const auto grey = static_cast<GifByteType>(map == nullptr ? i : 0);
            const bool there = map != nullptr && i < static_cast<std::size_t>(map->ColorCount);
            const GifColorType colour = there ? map->Colors[i] : GifColorType{grey, grey, grey};
            result.at(i) = {static_cast<std::byte>(colour.Red), static_cast<std::byte>(colour.Green),
                            static_cast<std::byte>(colour.Blue), std::byte{255}};
        }
        if (transparent_ >= 0 && transparent_ < 256)
            result.at(static_cast<std::size_t>(transparent_)) = {};
        return result;
    }

    void read_rows(std::span<const std::array<int, 2>> passes, Image& image) {
        const GifImageDesc& frame = gif_->Image;
        const auto table = colours();
        const auto width = static_cast<std::size_t>(frame.Width);
        std::vector<GifByteType> line(width);
        std::optional<std::vector<std::uint8_t>> pixels;
        if (has_wide_codes_) {
            pixels = decode_gif_lzw(feed_.left, code_bits(), width * static_cast<std::size_t>(frame.Height));
            if (!pixels)
                fail(source_, "corrupt or truncated GIF: its frame ends too early");
        }
        std::size_t at = 0;
        for (const auto& [first, step] : passes) {
            for (int y = first; y < frame.Height; y += step) {
                if (pixels) {
                    std::copy_n(pixels->begin() + static_cast<std::ptrdiff_t>(at), width, line.begin());
                    at += width;
                } else {
                    check(DGifGetLine(gif_.get(), line.data(), frame.Width));
                }
                std::byte* out = image.row(frame.Top + y) + static_cast<std::size_t>(frame.Left) * 4;
                for (const GifByteType code : line)
                    out = std::ranges::copy(table.at(code), out).out;
            }
        }
    }

    const Source& source_;
    Feed feed_;
    std::unique_ptr<GifFileType, Close> gif_;
    bool has_wide_codes_ = false; ///< that giflib does not take
    int transparent_ = NO_TRANSPARENT_COLOR;
    Form form_;
};

} // namespace

int count_gif_frames(std::span<const std::byte> file) {
    Walk walk(file);
    walk.skip(10);
    const unsigned screen = walk.byte();
    walk.skip(2);
    walk.skip_colours(screen);
    for (int frames = 0;;) {
        const unsigned kind = walk.byte();
        if (kind == 0x21) { // an extension
            walk.skip(1);
        } else if (kind == 0x2c) { // a frame
            ++frames;
            walk.skip(8);
            walk.skip_colours(walk.byte());
            walk.skip(1);
        } else {
            return frames;
        }
        walk.skip_blocks();
    }
}

Image decode_gif(const Source& source) {
    Image image = GifReader(source).read();
    if (const int frames = count_gif_frames(source.bytes); frames > 1)
        note(source, fmt::format("has {} frames; the first one is used", frames));
    const auto values = image.values<std::uint8_t>();
    for (std::size_t i = 3; i < values.size(); i += 4) {
        if (values[i] != 255)
            return image;
    }
    return first_channels(image, 3);
}

/// Pixels of a small file may be many and slow to unpack, so none is looked at.
Summary inspect_gif(const Source& source) {
    const GifReader reader(source);
    Form form = reader.form();
    form.channels = reader.allows_transparency() ? 4 : 3;
    return {.form = form, .frames = count_gif_frames(source.bytes)};
}

} // namespace glproc::codecs
