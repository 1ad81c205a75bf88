// GIF: of each frame the pixels that have changed, in at most 256 colours of its own.
// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
#include "glproc/files/codecs/palette.hpp"
#include "glproc/files/series/writers.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <gif_lib.h>

namespace glproc::codecs {
namespace {

/// A picture as GIF has it: each pixel is there or not. A large one is not copied for that.
class GifPicture {
  public:
    explicit GifPicture(const Image& image)
        : values_(image.values<std::uint8_t>()), channels_(static_cast<std::size_t>(image.channels())),
          width_(image.width()), height_(image.height()) {}

    int width() const { return width_; }
    int height() const { return height_; }
    std::size_t size() const { return values_.size() / channels_; }
    bool is_there(std::size_t i) const { return !has_alpha() || alpha(i) >= 128; }
    Rgba colour(std::size_t i) const {
        const std::uint8_t* pixel = values_.data() + i * channels_;
        return channels_ < 3 ? Rgba{pixel[0], pixel[0], pixel[0], 255}
                             : Rgba{pixel[0], pixel[1], pixel[2], 255};
    }

    /// Whether some pixels are partly there.
    bool is_rounded() const {
        for (std::size_t i = 0; has_alpha() && i < size(); ++i) {
            if (alpha(i) != 0 && alpha(i) != 255)
                return true;
        }
        return false;
    }

  private:
    bool has_alpha() const { return channels_ % 2 == 0; }
    std::uint8_t alpha(std::size_t i) const { return values_[i * channels_ + channels_ - 1]; }

    std::span<const std::uint8_t> values_;
    std::size_t channels_;
    int width_;
    int height_;
};

/// The part of a frame that is written.
struct GifFrame {
    FramePlace place;
    std::vector<Rgba> palette;
    bool has_gaps = false; ///< through which the frame before shows: the number after the last colour
    std::vector<std::uint8_t> numbers;
};

/// The output, as giflib knows it.
struct Sink {
    Output& output;
    std::exception_ptr failure; ///< may not pass through giflib

    static int write(GifFileType* gif, const GifByteType* bytes, int count) {
        auto& sink = *static_cast<Sink*>(gif->UserData);
        try {
            sink.output.append({reinterpret_cast<const std::byte*>(bytes), static_cast<std::size_t>(count)});
            return count;
        } catch (...) {
            sink.failure = std::current_exception();
            return 0;
        }
    }
};

struct CloseWritten {
    void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};
struct FreeMap {
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using ColourMap = std::unique_ptr<ColorMapObject, FreeMap>;

ColourMap map_of(const GifFrame& frame) {
    const std::size_t count = frame.palette.size() + (frame.has_gaps ? 1 : 0);
    int bits = 1;
    while ((std::size_t{1} << static_cast<unsigned>(bits)) < count)
        ++bits;
    ColourMap map(GifMakeMapObject(1 << bits, nullptr));
    if (map == nullptr)
        throw std::bad_alloc();
    for (std::size_t i = 0; i < frame.palette.size(); ++i)
        map->Colors[i] = {frame.palette[i][0], frame.palette[i][1], frame.palette[i][2]};
    return map;
}

class GifSeries final : public SeriesWriter {
  public:
    explicit GifSeries(SeriesJob job) : job_(std::move(job)), sink_{*job_.output, {}} {
        int error = 0;
        gif_.reset(EGifOpen(&sink_, Sink::write, &error));
        if (gif_ == nullptr)
            throw std::bad_alloc();
        EGifSetGifVersion(gif_.get(), true);
    }

    /// Whether a frame has to go before the next one comes is known only then.
    void write(const Image& image, FrameDelay delay) override {
        if (form_.width == 0)
            begin(image.form());
        check_same_form(job_, form_, image.form());
        const bool is_rounded =
            !has_noted_ && job_.options.notes != nullptr && GifPicture(image).is_rounded();
        if (is_rounded) {
            has_noted_ = true;
            job_.options.notes->push_back(fmt::format(
                "{}: pixels of a GIF are opaque or transparent, so alpha is rounded to the nearer one",
                job_.name));
        }
        if (waiting_) {
            const bool clears = loses_pixels(GifPicture(*waiting_), GifPicture(image));
            put_waiting(clears);
            shown_ = clears ? std::nullopt : std::move(waiting_);
        }
        waiting_ = image;
        delay_ = delay;
    }

    void finish() override {
        put_waiting(false);
        check(EGifCloseFile(gif_.release(), nullptr));
        job_.output->finish();
    }

  private:
    void begin(const Form& form) {
        form_ = form;
        constexpr int most = 65535;
        if (form.width > most || form.height > most)
            fail_output(job_.name, "GIF holds at most 65535x65535 pixels");
    }

    /// Whether a pixel goes that is there: frames only add.
    static bool loses_pixels(const GifPicture& now, const GifPicture& next) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now.is_there(i) && !next.is_there(i))
                return true;
        }
        return false;
    }

    /// What was shown before is then not needed any more, and is given up before the most memory is.
    void put_waiting(bool clears) {
        if (!waiting_)
            return;
        const GifPicture picture(*waiting_);
        std::vector<std::uint8_t> wanted = wanted_of(picture);
        shown_.reset();
        put_frame(frame_of(picture, std::move(wanted), clears), clears);
    }

    /// The pixels that are not shown already.
    std::vector<std::uint8_t> wanted_of(const GifPicture& picture) const {
        const std::optional<GifPicture> shown = shown_ ? std::optional(GifPicture(*shown_)) : std::nullopt;
        std::vector<std::uint8_t> wanted(picture.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const bool is_shown = shown && shown->is_there(i) && shown->colour(i) == picture.colour(i);
            wanted[i] = picture.is_there(i) && !is_shown ? 1 : 0;
        }
        return wanted;
    }

    /// `whole`: all of the canvas is this frame's, so that it can be cleared with it.
    GifFrame frame_of(const GifPicture& picture, std::vector<std::uint8_t> wanted, bool whole) const {
        GifFrame frame;
        frame.place = whole ? FramePlace{0, 0, picture.width(), picture.height()} : place_of(wanted, picture);
        const int width = picture.width();
        const auto pixels = cut<Rgba>([&](std::size_t i) { return picture.colour(i); }, frame.place, width);
        wanted = cut<std::uint8_t>([&](std::size_t i) { return wanted[i]; }, frame.place, width);
        frame.has_gaps = std::ranges::count(wanted, 0) > 0;
        const auto most = static_cast<std::size_t>(job_.options.colours.value_or(256));
        auto exact = exact_palette(pixels, wanted, most - (frame.has_gaps ? 1 : 0));
        if (!exact && frame.has_gaps) { // one colour more where nothing stays
            auto all =
                cut<std::uint8_t>([&](std::size_t i) { return picture.is_there(i); }, frame.place, width);
            if (std::ranges::count(all, 0) == 0 && (exact = exact_palette(pixels, all, most))) {
                frame.has_gaps = false;
                wanted = std::move(all);
            }
        }
        frame.palette = exact ? *exact : near_palette(pixels, wanted, most - (frame.has_gaps ? 1 : 0));
        frame.numbers =
            exact ? exact_numbers(frame.palette, pixels, wanted)
                  : dithered_numbers(frame.palette, pixels, wanted, static_cast<int>(frame.place.width));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i] == 0)
                frame.numbers[i] = static_cast<std::uint8_t>(frame.palette.size());
        }
        return frame;
    }

    /// The least one that has all that are wanted; one pixel where none is.
    static FramePlace place_of(std::span<const std::uint8_t> wanted, const GifPicture& picture) {
        int top = picture.height();
        int bottom = 0;
        int left = picture.width();
        int right = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (wanted[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width()) +
                           static_cast<std::size_t>(x)] == 0)
                    continue;
                top = std::min(top, y);
                bottom = y + 1;
                left = std::min(left, x);
                right = std::max(right, x + 1);
            }
        }
        return bottom == 0 ? FramePlace{0, 0, 1, 1} : FramePlace{left, top, right - left, bottom - top};
    }

    /// The values of the pixels of a place, by their numbers in a picture.
    template <class T, class Value>
    static std::vector<T> cut(const Value& value, const FramePlace& place, int width) {
        std::vector<T> part;
        part.reserve(static_cast<std::size_t>(place.width * place.height));
        for (std::int64_t y = 0; y < place.height; ++y) {
            const auto first = static_cast<std::size_t>((place.y + y) * width + place.x);
            for (std::size_t i = first; i < first + static_cast<std::size_t>(place.width); ++i)
                part.push_back(value(i));
        }
        return part;
    }

    void put_frame(const GifFrame& frame, bool clears) {
        ColourMap map = map_of(frame);
        if (!std::exchange(has_begun_, true))
            put_screen(std::move(map));
        put_control(frame, clears);
        const bool is_same = map != nullptr && gif_->SColorMap != nullptr &&
                             map->ColorCount == gif_->SColorMap->ColorCount &&
                             std::equal(map->Colors, map->Colors + map->ColorCount, gif_->SColorMap->Colors,
                                        [](const GifColorType& a, const GifColorType& b) {
                                            return a.Red == b.Red && a.Green == b.Green && a.Blue == b.Blue;
                                        });
        const auto side = [](std::int64_t value) { return static_cast<int>(value); };
        check(EGifPutImageDesc(gif_.get(), side(frame.place.x), side(frame.place.y), side(frame.place.width),
                               side(frame.place.height), false, is_same ? nullptr : map.get()));
        std::vector<GifPixelType> line(static_cast<std::size_t>(frame.place.width));
        for (std::size_t at = 0; at < frame.numbers.size(); at += line.size()) {
            std::copy_n(frame.numbers.begin() + static_cast<std::ptrdiff_t>(at), line.size(), line.begin());
            check(EGifPutLine(gif_.get(), line.data(), static_cast<int>(line.size())));
        }
    }

    /// Frames without colours of their own use the first frame's.
    void put_screen(ColourMap map) {
        constexpr int bits = 8;
        check(EGifPutScreenDesc(gif_.get(), form_.width, form_.height, bits, 0, map.get()));
        if (job_.plays == 1)
            return;
        const int repeats = std::clamp(job_.plays - 1, 0, 65535);
        const std::array<GifByteType, 3> loop{1, static_cast<GifByteType>(repeats % 256),
                                              static_cast<GifByteType>(repeats / 256)};
        check(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
        check(EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0"));
        check(EGifPutExtensionBlock(gif_.get(), loop.size(), loop.data()));
        check(EGifPutExtensionTrailer(gif_.get()));
    }

    void put_control(const GifFrame& frame, bool clears) {
        const GraphicsControlBlock control{.DisposalMode = clears ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
                                           .UserInputFlag = false,
                                           .DelayTime = static_cast<int>(delays_.of(delay_)),
                                           .TransparentColor = frame.has_gaps
                                                                   ? static_cast<int>(frame.palette.size())
                                                                   : NO_TRANSPARENT_COLOR};
        std::array<GifByteType, 4> bytes{};
        const std::size_t size = EGifGCBToExtension(&control, bytes.data());
        check(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), bytes.data()));
    }

    void check(int result) const {
        if (sink_.failure)
            std::rethrow_exception(sink_.failure);
        if (result != GIF_OK)
            fail_output(job_.name,
                        fmt::format("GIF: {}", gif_ == nullptr ? "not ended" : GifErrorString(gif_->Error)));
    }

    SeriesJob job_;
    Sink sink_;
    std::unique_ptr<GifFileType, CloseWritten> gif_;
    Form form_;
    DelayUnits delays_{100, 65535};
    std::optional<Image> shown_;        ///< by the frames that are written; nothing: an empty canvas
    std::optional<Image> waiting_;      ///< the frame after them
    FrameDelay delay_;                  ///< of it
    bool has_begun_ = false;
    bool has_noted_ = false;
};

} // namespace

std::unique_ptr<SeriesWriter> gif_series(SeriesJob job) {
    return std::make_unique<GifSeries>(std::move(job));
}

std::vector<std::byte> encode_gif(const Job& job) {
    std::vector<std::byte> file;
    GifSeries writer({std::string(job.name), 1, 1, job.options, memory_output(file)});
    writer.write(job.image, {});
    writer.finish();
    return file;
}

} // namespace glproc::codecs
