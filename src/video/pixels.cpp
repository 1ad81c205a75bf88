#include "video/pixels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

const AVPixFmtDescriptor* descriptor_of(AVPixelFormat format) {
    return av_pix_fmt_desc_get(format);
}

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
    for (int i = 0; i < std::min<int>(format.nb_components, 3); ++i) {
        const AVComponentDescriptor& component = format.comp[i];
        alone = alone && component.shift == 0 && component.offset == 0 &&
                component.step == (component.depth + 7) / 8 && (native || component.depth == 8);
    }
    return alone;
}

std::span<std::byte> row_of(Image& plane, int y) {
    const std::size_t bytes = plane.form().row_bytes();
    return plane.bytes().subspan(static_cast<std::size_t>(y) * bytes, bytes);
}

std::span<const std::byte> row_of(const Image& plane, int y) {
    const std::size_t bytes = plane.form().row_bytes();
    return plane.bytes().subspan(static_cast<std::size_t>(y) * bytes, bytes);
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
    const std::span<std::byte> row = row_of(plane, y);
    if (plane.depth() == Depth::u8) {
        std::transform(words.begin(), words.end(), row.begin(),
                       [](std::uint16_t code) { return static_cast<std::byte>(code); });
    } else {
        std::memcpy(row.data(), words.data(), row.size());
    }
}

void write_row(const Image& plane, int y, int component, const AVPixFmtDescriptor& format, AVFrame& frame) {
    std::vector<std::uint16_t> words(static_cast<std::size_t>(plane.width()));
    const std::span<const std::byte> row = row_of(plane, y);
    if (plane.depth() == Depth::u8) {
        std::transform(row.begin(), row.end(), words.begin(),
                       [](std::byte code) { return static_cast<std::uint16_t>(code); });
    } else {
        std::memcpy(words.data(), row.data(), row.size());
    }
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

/// The code of no colour.
void fill_neutral(Image& plane, int bits) {
    const int middle = 1 << (bits - 1);
    if (plane.depth() == Depth::u8) {
        std::fill(plane.bytes().begin(), plane.bytes().end(), static_cast<std::byte>(middle));
    } else {
        const std::span<std::uint16_t> codes = plane.values<std::uint16_t>();
        std::fill(codes.begin(), codes.end(), static_cast<std::uint16_t>(middle));
    }
}

} // namespace

bool is_rgb(AVPixelFormat format) {
    const AVPixFmtDescriptor* known = descriptor_of(format);
    return known != nullptr && has_flag(*known, AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

bool has_alpha(AVPixelFormat format) {
    const AVPixFmtDescriptor* known = descriptor_of(format);
    return known != nullptr && has_flag(*known, AV_PIX_FMT_FLAG_ALPHA) &&
           !has_flag(*known, AV_PIX_FMT_FLAG_PAL);
}

std::optional<YcbcrForm> form_of(AVPixelFormat format, int width, int height, AVChromaLocation location) {
    constexpr std::uint64_t strange =
        AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
    const AVPixFmtDescriptor* known = descriptor_of(format);
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

AVPixelFormat planar_format(const YcbcrForm& form, bool rgb) {
    for (const AVPixFmtDescriptor* format = av_pix_fmt_desc_next(nullptr); format != nullptr;
         format = av_pix_fmt_desc_next(format)) {
        const AVPixelFormat id = av_pix_fmt_desc_get_id(format);
        const bool ours = format->nb_components == 3 && lies_as_ours(*format) && is_rgb(id) == rgb &&
                          !std::string_view(format->name).starts_with("yuvj");
        if (ours && format->comp[0].depth == form.bits && 1 << format->log2_chroma_w == form.across &&
            1 << format->log2_chroma_h == form.down && form_of(id, 2, 2, AVCHROMA_LOC_UNSPECIFIED)) {
            return id;
        }
    }
    return AV_PIX_FMT_NONE;
}

Planes planes_of(const AVFrame& frame, const YcbcrForm& form, Planes memory) {
    const AVPixFmtDescriptor& format = *descriptor_of(static_cast<AVPixelFormat>(frame.format));
    const std::array<Form, 3> forms = form.planes();
    const bool at_once = lies_as_ours(format);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        Image& plane = memory.at(i);
        if (plane.form() != forms.at(i)) {
            plane = Image(forms.at(i));
        }
        const int component = component_of(format, i);
        if (is_grey(format) && i > 0 && !has_flag(format, AV_PIX_FMT_FLAG_PAL)) {
            fill_neutral(plane, form.bits);
            continue;
        }
        for (int y = 0; y < plane.height(); ++y) {
            if (at_once) {
                const std::span<std::byte> row = row_of(plane, y);
                std::memcpy(row.data(), row_of(frame, format.comp[component].plane, y), row.size());
            } else {
                read_row(frame, format, component, y, plane);
            }
        }
    }
    return memory;
}

void put_planes(const Planes& planes, AVFrame& frame) {
    const AVPixFmtDescriptor& format = *descriptor_of(static_cast<AVPixelFormat>(frame.format));
    const bool at_once = lies_as_ours(format);
    if (!at_once) {
        clear(frame, format);
    }
    for (std::size_t i = 0; i < (is_grey(format) ? 1 : planes.size()); ++i) {
        const Image& plane = planes.at(i);
        const int component = component_of(format, i);
        for (int y = 0; y < plane.height(); ++y) {
            if (at_once) {
                const std::span<const std::byte> row = row_of(plane, y);
                std::memcpy(row_of(frame, format.comp[component].plane, y), row.data(), row.size());
            } else {
                write_row(plane, y, component, format, frame);
            }
        }
    }
}

} // namespace glproc::video
