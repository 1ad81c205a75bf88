#include "video/read/pixels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

bool has_flag(const AVPixFmtDescriptor& format, std::uint64_t flag) {
    return (format.flags & flag) != 0;
}

bool is_grey(const AVPixFmtDescriptor& format) {
    return format.nb_components < 3;
}

/// Which component a plane holds.
int component_of(const AVPixFmtDescriptor& format, std::size_t plane) {
    constexpr std::array<int, 3> of_rgb{1, 2, 0};
    constexpr std::array<int, 3> of_palette{1, 0, 2}; // whose entries lie as b, g, r
    return has_flag(format, AV_PIX_FMT_FLAG_PAL)   ? of_palette.at(plane)
           : has_flag(format, AV_PIX_FMT_FLAG_RGB) ? of_rgb.at(plane)
                                                   : static_cast<int>(plane);
}

/// Whether each component lies alone in a plane, as ours do.
bool lies_as_ours(const AVPixFmtDescriptor& format) {
    const bool native = has_flag(format, AV_PIX_FMT_FLAG_BE) == (std::endian::native == std::endian::big);
    bool alone = !has_flag(format, AV_PIX_FMT_FLAG_PAL);
    for (int i = 0; i < format.nb_components; ++i) {
        const AVComponentDescriptor& component = format.comp[i];
        alone = alone && component.shift == 0 && component.offset == 0 &&
                component.step == (component.depth + 7) / 8 && (native || component.depth == 8);
    }
    return alone;
}

std::uint8_t* row_of(const AVFrame& frame, int plane, int y) {
    return frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane];
}

/// Through any format: one component's samples of a row as words of 16 bits.
void read_row(const AVFrame& frame, const AVPixFmtDescriptor& format, int component, int y, Image& plane) {
    std::vector<std::uint16_t> words(static_cast<std::size_t>(plane.width()));
    std::array<const std::uint8_t*, 4> data{};
    std::copy_n(frame.data, data.size(), data.begin());
    av_read_image_line2(words.data(), data.data(), frame.linesize, &format, 0, y, component, plane.width(),
                        has_flag(format, AV_PIX_FMT_FLAG_PAL) ? 1 : 0, sizeof(std::uint16_t));
    with_codes_of(plane.depth(), [&]<class T>(T) {
        std::ranges::transform(words, reinterpret_cast<T*>(plane.row(y)),
                               [](std::uint16_t code) { return static_cast<T>(code); });
    });
}

void write_row(const Image& plane, int y, int component, const AVPixFmtDescriptor& format, AVFrame& frame) {
    std::vector<std::uint16_t> words(static_cast<std::size_t>(plane.width()));
    with_codes_of(plane.depth(), [&]<class T>(T) {
        std::copy_n(reinterpret_cast<const T*>(plane.row(y)), words.size(), words.begin());
    });
    av_write_image_line2(words.data(), frame.data, frame.linesize, &format, 0, y, component, plane.width(),
                         sizeof(std::uint16_t));
}

/// Frames come from a pool with the pixels of earlier ones in them, and av_write_image_line2 sets bits but
/// clears none.
void clear(AVFrame& frame, const AVPixFmtDescriptor& format) {
    for (int plane = 0; plane < av_pix_fmt_count_planes(static_cast<AVPixelFormat>(frame.format)); ++plane) {
        const bool is_chroma = plane == 1 || plane == 2;
        const int rows = is_chroma ? AV_CEIL_RSHIFT(frame.height, format.log2_chroma_h) : frame.height;
        const int bytes = av_image_get_linesize(static_cast<AVPixelFormat>(frame.format), frame.width, plane);
        for (int y = 0; y < rows; ++y) {
            std::memset(row_of(frame, plane, y), 0, static_cast<std::size_t>(bytes));
        }
    }
}

} // namespace

bool is_rgb(AVPixelFormat format) {
    const AVPixFmtDescriptor* known = av_pix_fmt_desc_get(format);
    return known != nullptr && has_flag(*known, AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

bool is_grey(AVPixelFormat format) {
    const AVPixFmtDescriptor* known = av_pix_fmt_desc_get(format);
    return known != nullptr && is_grey(*known) && !is_rgb(format);
}

bool has_alpha(AVPixelFormat format) {
    const AVPixFmtDescriptor* known = av_pix_fmt_desc_get(format);
    return known != nullptr && has_flag(*known, AV_PIX_FMT_FLAG_ALPHA) &&
           !has_flag(*known, AV_PIX_FMT_FLAG_PAL);
}

std::optional<YcbcrForm> form_of(AVPixelFormat format, int width, int height, AVChromaLocation location) {
    constexpr std::uint64_t strange =
        AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
    const AVPixFmtDescriptor* known = av_pix_fmt_desc_get(format);
    if (known == nullptr || has_flag(*known, strange) || known->log2_chroma_w > 1 ||
        known->log2_chroma_h > 1 || format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE) {
        return std::nullopt;
    }
    const int bits = known->comp[0].depth;
    const int colours = is_grey(*known) ? 1 : 3;
    const bool even = std::all_of(known->comp, known->comp + colours,
                                  [&](const AVComponentDescriptor& one) { return one.depth == bits; });
    if (bits < 8 || bits > 16 || !even) {
        return std::nullopt;
    }
    YcbcrForm form{width, height, bits, 1 << known->log2_chroma_w, 1 << known->log2_chroma_h};
    if (is_grey(*known) && !is_rgb(format)) {
        form.across = form.down = 2;
    }
    const bool centre = location == AVCHROMA_LOC_CENTER || location == AVCHROMA_LOC_TOP;
    const bool top = location == AVCHROMA_LOC_TOPLEFT || location == AVCHROMA_LOC_TOP;
    form.centred_across = form.across == 2 && centre;
    form.centred_down = form.down == 2 && !top;
    return form;
}

AVChromaLocation location_of(const YcbcrForm& form) {
    return form.centred_across ? (form.centred_down ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_TOP)
                               : (form.centred_down ? AVCHROMA_LOC_LEFT : AVCHROMA_LOC_TOPLEFT);
}

AVPixelFormat planar_format(const YcbcrForm& form, bool rgb, bool alpha) {
    for (const AVPixFmtDescriptor* format = av_pix_fmt_desc_next(nullptr); format != nullptr;
         format = av_pix_fmt_desc_next(format)) {
        const AVPixelFormat id = av_pix_fmt_desc_get_id(format);
        const bool ours = format->nb_components == (alpha ? 4 : 3) && lies_as_ours(*format) &&
                          is_rgb(id) == rgb && !std::string_view(format->name).starts_with("yuvj");
        if (ours && format->comp[0].depth == form.bits && 1 << format->log2_chroma_w == form.across &&
            1 << format->log2_chroma_h == form.down && form_of(id, 2, 2, AVCHROMA_LOC_UNSPECIFIED)) {
            return id;
        }
    }
    return AV_PIX_FMT_NONE;
}

namespace {

/// One component of a frame.
void read_plane(const AVFrame& frame, const AVPixFmtDescriptor& format, int component, Image& plane) {
    const bool at_once = lies_as_ours(format);
    for (int y = 0; y < plane.height(); ++y) {
        if (at_once) {
            std::memcpy(plane.row(y), row_of(frame, format.comp[component].plane, y),
                        plane.form().row_bytes());
        } else {
            read_row(frame, format, component, y, plane);
        }
    }
}

void write_plane(const Image& plane, int component, const AVPixFmtDescriptor& format, AVFrame& frame) {
    const bool at_once = lies_as_ours(format);
    for (int y = 0; y < plane.height(); ++y) {
        if (at_once) {
            std::memcpy(row_of(frame, format.comp[component].plane, y), plane.row(y),
                        plane.form().row_bytes());
        } else {
            write_row(plane, y, component, format, frame);
        }
    }
}

int alpha_component(const AVPixFmtDescriptor& format) {
    return format.nb_components - 1;
}

void fill(Image& plane, int code) {
    with_codes_of(plane.depth(),
                  [&]<class T>(T) { std::ranges::fill(plane.values<T>(), static_cast<T>(code)); });
}

} // namespace

Planes planes_of(const AVFrame& frame, const YcbcrForm& form, Planes memory) {
    const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    const std::array<Form, 3> forms = form.planes();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        Image& plane = memory.at(i);
        if (plane.form() != forms.at(i)) {
            plane = Image(forms.at(i));
        }
        if (is_grey(format) && i > 0 && !has_flag(format, AV_PIX_FMT_FLAG_PAL)) {
            fill(plane, 1 << (form.bits - 1)); // of no colour
        } else {
            read_plane(frame, format, component_of(format, i), plane);
        }
    }
    return memory;
}

Image alpha_of(const AVFrame& frame, const YcbcrForm& form, Image memory) {
    const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    if (memory.form() != form.planes()[0]) {
        memory = Image(form.planes()[0]);
    }
    read_plane(frame, format, alpha_component(format), memory);
    return memory;
}

bool is_opaque(const AVFrame& frame, const YcbcrForm& form) {
    const Image alpha = alpha_of(frame, form);
    const unsigned most = (1U << static_cast<unsigned>(form.bits)) - 1;
    return with_codes_of(alpha.depth(), [&]<class T>(T) {
        return std::ranges::all_of(alpha.values<T>(), [&](T code) { return code == most; });
    });
}

void put_planes(const Planes& planes, const Image* alpha, AVFrame& frame) {
    const auto id = static_cast<AVPixelFormat>(frame.format);
    const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(id);
    if (!lies_as_ours(format)) {
        clear(frame, format);
    }
    for (std::size_t i = 0; i < (is_grey(format) ? 1 : planes.size()); ++i) {
        write_plane(planes.at(i), component_of(format, i), format, frame);
    }
    if (has_alpha(id)) {
        Image opaque;
        if (alpha == nullptr) {
            opaque = Image(planes[0].form());
            fill(opaque, (1 << format.comp[0].depth) - 1);
        }
        write_plane(alpha == nullptr ? opaque : *alpha, alpha_component(format), format, frame);
    }
}

namespace {

/// A code of `from` as the greatest, as one of `to`.
std::uint32_t rescaled(std::uint32_t code, std::uint32_t from, std::uint32_t to) {
    return static_cast<std::uint32_t>((std::uint64_t{code} * to + from / 2) / from);
}

template <class T>
void join_alpha(const Image& rgb, const Image& alpha, std::uint32_t most, Image& to) {
    const std::span<const T> colours = rgb.values<T>();
    const std::span<const T> codes = alpha.values<T>();
    const std::span<T> out = to.values<T>();
    constexpr std::uint32_t full = std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < codes.size(); ++i) {
        std::copy_n(colours.begin() + static_cast<std::ptrdiff_t>(3 * i), 3,
                    out.begin() + static_cast<std::ptrdiff_t>(4 * i));
        out[4 * i + 3] = static_cast<T>(rescaled(codes[i], most, full));
    }
}

template <class T>
void split_alpha(const Image& picture, std::uint32_t most, Image& to) {
    const std::span<const T> pixels = picture.values<T>();
    const std::span<T> codes = to.values<T>();
    const auto channels = static_cast<std::size_t>(picture.channels());
    constexpr std::uint32_t full = std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = static_cast<T>(rescaled(pixels[channels * i + channels - 1], full, most));
    }
}

std::uint32_t most_of(int bits) {
    return (std::uint32_t{1} << static_cast<unsigned>(bits)) - 1;
}

} // namespace

Image with_bits(Image plane, int from_bits, int to_bits, bool limited) {
    constexpr int byte = 8;
    if (from_bits == to_bits || plane.width() == 0) {
        return plane;
    }
    Image result(plane.width(), plane.height(), 1, to_bits == byte ? Depth::u8 : Depth::u16);
    const std::uint32_t from = limited ? 1U << static_cast<unsigned>(from_bits) : most_of(from_bits);
    const std::uint32_t to = limited ? 1U << static_cast<unsigned>(to_bits) : most_of(to_bits);
    with_codes_of(plane.depth(), [&]<class From>(From) {
        with_codes_of(result.depth(), [&]<class To>(To) {
            std::ranges::transform(
                plane.values<From>(), result.values<To>().begin(), [&](std::uint32_t code) {
                    return static_cast<To>(std::min(rescaled(code, from, to), most_of(to_bits)));
                });
        });
    });
    return result;
}

Image with_alpha(const Image& rgb, const Image& alpha, int bits) {
    Image picture(rgb.width(), rgb.height(), 4, rgb.depth());
    with_codes_of(rgb.depth(), [&]<class T>(T) { join_alpha<T>(rgb, alpha, most_of(bits), picture); });
    return picture;
}

Image alpha_of(Image picture, int bits, Image memory) {
    constexpr int byte = 8;
    const Depth depth = bits == byte ? Depth::u8 : Depth::u16;
    picture = glproc::with_depth(std::move(picture), depth);
    const Form form{picture.width(), picture.height(), 1, depth};
    if (memory.form() != form) {
        memory = Image(form);
    }
    with_codes_of(depth, [&]<class T>(T) { split_alpha<T>(picture, most_of(bits), memory); });
    return memory;
}

} // namespace glproc::video
