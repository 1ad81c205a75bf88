// JPEG XL, through libjxl: grey and RGB, with or without alpha, 8 and 16 bits and float, lossy and lossless;
// of an animation the first frame. ISO/IEC 18181-1 and -2.
#include "glproc/files/modules/jxl.hpp"

#include "glproc/files/modules/alpha.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace glproc::modules::jxl {
namespace {

using Decoder = std::unique_ptr<JxlDecoder, Free>;

Decoder make_decoder(Reading& reading, int events) {
    Decoder decoder(JxlDecoderCreate(nullptr));
    if (decoder == nullptr)
        throw std::bad_alloc();
    JxlDecoderSubscribeEvents(decoder.get(), events);
    JxlDecoderSetInput(decoder.get(), reinterpret_cast<const std::uint8_t*>(reading.file().data()),
                       reading.file().size());
    return decoder; // whose input is not closed: libjxl would write to stderr where something is missing
}

/// The message for a status that ends decoding early.
std::string_view words_of(JxlDecoderStatus status) {
    return status == JXL_DEC_NEED_MORE_INPUT ? "truncated JPEG XL" : "corrupt JPEG XL";
}

/// A box that is being read into memory that grows: its unpacked length is not known beforehand.
class Box {
  public:
    void start(JxlDecoder* decoder, Bytes* into) {
        into_ = into;
        if (into_ == nullptr)
            return;
        into_->resize(std::size_t{1} << 16U);
        set(decoder, 0);
    }
    /// False if it becomes larger than any real one.
    bool grow(JxlDecoder* decoder) {
        constexpr std::size_t most = std::size_t{1} << 26U;
        if (into_ == nullptr || into_->size() >= most)
            return false;
        const std::size_t used = into_->size() - JxlDecoderReleaseBoxBuffer(decoder);
        into_->resize(into_->size() * 2);
        set(decoder, used);
        return true;
    }
    void finish(JxlDecoder* decoder) {
        if (into_ != nullptr)
            into_->resize(into_->size() - JxlDecoderReleaseBoxBuffer(decoder));
        into_ = nullptr;
    }

  private:
    void set(JxlDecoder* decoder, std::size_t used) {
        JxlDecoderSetBoxBuffer(decoder, reinterpret_cast<std::uint8_t*>(into_->data() + used),
                               into_->size() - used);
    }

    Bytes* into_ = nullptr;
};

/// All but the pixels.
struct Header {
    JxlBasicInfo info{};
    Metadata metadata;
    int frames = 0;
};

/// Asks a decoder about colours. Before libjxl 0.9 such functions also took a format of pixels, and ignored
/// it.
template <class Question, class... Rest>
bool answers(Question* question, JxlDecoder* decoder, JxlColorProfileTarget target, Rest... rest) {
    if constexpr (std::is_invocable_v<Question, JxlDecoder*, std::nullptr_t, JxlColorProfileTarget,
                                      Rest...>) {
        return question(decoder, nullptr, target, rest...) == JXL_DEC_SUCCESS;
    } else {
        return question(decoder, target, rest...) == JXL_DEC_SUCCESS;
    }
}

/// The profile of the values that the decoder gives. None where it is what readers assume: sRGB for
/// integers, linear sRGB for floats.
Bytes profile_of(JxlDecoder* decoder, bool floats) {
    JxlColorEncoding encoding{};
    if (answers(JxlDecoderGetColorAsEncodedProfile, decoder, JXL_COLOR_PROFILE_TARGET_DATA, &encoding)) {
        const auto usual = floats ? JXL_TRANSFER_FUNCTION_LINEAR : JXL_TRANSFER_FUNCTION_SRGB;
        const bool primaries =
            encoding.color_space == JXL_COLOR_SPACE_GRAY || encoding.primaries == JXL_PRIMARIES_SRGB;
        if (encoding.transfer_function == usual && encoding.white_point == JXL_WHITE_POINT_D65 && primaries)
            return {};
    }
    std::size_t size = 0;
    if (!answers(JxlDecoderGetICCProfileSize, decoder, JXL_COLOR_PROFILE_TARGET_DATA, &size))
        return {};
    Bytes icc(size);
    const bool whole = answers(JxlDecoderGetColorAsICCProfile, decoder, JXL_COLOR_PROFILE_TARGET_DATA,
                               reinterpret_cast<std::uint8_t*>(icc.data()), size);
    return whole ? icc : Bytes{};
}

/// Of values that are not those of the profile in the file, sRGB is what others expect.
void prefer_srgb(JxlDecoder* decoder, const JxlBasicInfo& info) {
    JxlColorEncoding srgb{};
    const JXL_BOOL grey = info.num_color_channels == 1 ? JXL_TRUE : JXL_FALSE;
    if (info.exponent_bits_per_sample != 0) {
        JxlColorEncodingSetToLinearSRGB(&srgb, grey);
    } else {
        JxlColorEncodingSetToSRGB(&srgb, grey);
    }
    JxlColorEncoding unused{};
    const bool encoded =
        answers(JxlDecoderGetColorAsEncodedProfile, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &unused);
    if (info.uses_original_profile == JXL_FALSE && !encoded)
        JxlDecoderSetPreferredColorProfile(decoder, &srgb);
}

/// The offset of the TIFF structure stands before it.
void trim_exif(Bytes& exif) {
    std::size_t offset = 4;
    for (std::size_t i = 0; i < 4 && exif.size() >= 4; ++i)
        offset += std::to_integer<std::size_t>(exif[i]) << (24 - 8 * i);
    exif.erase(exif.begin(), exif.begin() + static_cast<std::ptrdiff_t>(std::min(offset, exif.size())));
}

Header read_header(Reading& reading) {
    const Decoder decoder =
        make_decoder(reading, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_BOX);
    JxlDecoderSetDecompressBoxes(decoder.get(), JXL_TRUE);
    Header header;
    Box box;
    for (;;) {
        const JxlDecoderStatus status = JxlDecoderProcessInput(decoder.get());
        if (status != JXL_DEC_BOX_NEED_MORE_OUTPUT && status != JXL_DEC_FRAME)
            box.finish(decoder.get());
        if (status == JXL_DEC_BASIC_INFO) {
            JxlDecoderGetBasicInfo(decoder.get(), &header.info);
            reading.check_size(header.info.xsize, header.info.ysize);
        } else if (status == JXL_DEC_COLOR_ENCODING) {
            prefer_srgb(decoder.get(), header.info);
            header.metadata.icc = profile_of(decoder.get(), header.info.exponent_bits_per_sample != 0);
        } else if (status == JXL_DEC_FRAME) {
            ++header.frames;
        } else if (status == JXL_DEC_BOX) {
            JxlBoxType type{};
            JxlDecoderGetBoxType(decoder.get(), type, JXL_TRUE);
            const std::string_view name(type, sizeof type);
            box.start(decoder.get(), name == "Exif"   ? &header.metadata.exif
                                     : name == "xml " ? &header.metadata.xmp
                                                      : nullptr);
        } else if (status == JXL_DEC_BOX_NEED_MORE_OUTPUT) {
            if (!box.grow(decoder.get()))
                reading.fail("corrupt JPEG XL: metadata without end");
        } else if (status == JXL_DEC_SUCCESS || (status == JXL_DEC_NEED_MORE_INPUT && header.frames > 0)) {
            break; // nothing marks the last box
        } else {
            reading.fail(words_of(status));
        }
    }
    trim_exif(header.metadata.exif);
    return header;
}

Form form_of(const JxlBasicInfo& info) {
    const bool floats = info.exponent_bits_per_sample != 0 || info.bits_per_sample > 16;
    return {static_cast<int>(info.xsize), static_cast<int>(info.ysize),
            static_cast<int>(info.num_color_channels + (info.alpha_bits != 0 ? 1 : 0)),
            floats                      ? Depth::f32
            : info.bits_per_sample <= 8 ? Depth::u8
                                        : Depth::u16};
}

/// Ink as an extra channel is what makes a picture CMYK.
void refuse_cmyk(Reading& reading, JxlDecoder* decoder, const JxlBasicInfo& info) {
    for (std::uint32_t i = 0; i < info.num_extra_channels; ++i) {
        JxlExtraChannelInfo extra{};
        if (JxlDecoderGetExtraChannelInfo(decoder, i, &extra) == JXL_DEC_SUCCESS &&
            extra.type == JXL_CHANNEL_BLACK)
            reading.fail("a JPEG XL of CMYK is not supported");
    }
}

void read_pixels(Reading& reading, const JxlBasicInfo& info, const Form& form, std::span<std::byte> pixels) {
    const Decoder decoder =
        make_decoder(reading, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    const Runner runner = make_runner();
    JxlDecoderSetParallelRunner(decoder.get(), JxlThreadParallelRunner, runner.get());
    const JxlPixelFormat format = format_of(form);
    for (;;) {
        const JxlDecoderStatus status = JxlDecoderProcessInput(decoder.get());
        if (status == JXL_DEC_BASIC_INFO) {
            refuse_cmyk(reading, decoder.get(), info);
        } else if (status == JXL_DEC_COLOR_ENCODING) {
            prefer_srgb(decoder.get(), info);
        } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
            if (JxlDecoderSetImageOutBuffer(decoder.get(), &format, pixels.data(), pixels.size()) !=
                JXL_DEC_SUCCESS)
                reading.fail("corrupt JPEG XL");
        } else if (status == JXL_DEC_FULL_IMAGE) {
            return;
        } else {
            reading.fail(words_of(status));
        }
    }
}

template <class T>
void divide(std::span<std::byte> pixels, std::size_t channels) {
    divide_by_alpha<T>({reinterpret_cast<T*>(pixels.data()), pixels.size() / sizeof(T)}, channels);
}

/// A container's boxes must lie within the file, which libjxl does not check.
void check_boxes(Reading& reading) {
    const std::span<const std::byte> file = reading.file();
    const auto number = [&](std::size_t at, std::size_t size) {
        std::uint64_t value = 0;
        for (const std::byte byte : file.subspan(at, size))
            value = value << 8U | std::to_integer<std::uint64_t>(byte);
        return value;
    };
    if (file.empty() || file[0] != std::byte{0})
        return; // no container
    for (std::size_t at = 0; at < file.size();) {
        const std::size_t left = file.size() - at;
        if (left < 8)
            reading.fail("truncated JPEG XL");
        const bool large = number(at, 4) == 1 && left >= 16;
        const std::uint64_t size = large ? number(at + 8, 8) : number(at, 4);
        if (size == 0)
            return; // up to the end
        if (size < 8 || size > left)
            reading.fail("truncated JPEG XL");
        at += size;
    }
}

} // namespace

void read(Reading& reading) {
    check_boxes(reading);
    Header header = read_header(reading);
    const Form form = form_of(header.info);
    reading.set_upright_metadata(std::move(header.metadata)); // the decoder turns the picture
    reading.set_frames(header.frames);
    const std::span<std::byte> pixels = reading.start(form);
    if (pixels.empty())
        return;
    read_pixels(reading, header.info, form, pixels);
    if (header.info.alpha_bits == 0 || header.info.alpha_premultiplied == JXL_FALSE)
        return;
    const auto channels = static_cast<std::size_t>(form.channels);
    if (form.depth == Depth::u8) {
        divide<std::uint8_t>(pixels, channels);
    } else if (form.depth == Depth::u16) {
        divide<std::uint16_t>(pixels, channels);
    } else {
        divide<float>(pixels, channels);
    }
}

} // namespace glproc::modules::jxl

GLPROC_MODULE(glproc::modules::jxl::read, glproc::modules::jxl::write);
