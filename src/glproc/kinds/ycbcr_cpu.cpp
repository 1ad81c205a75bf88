#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/kinds/ycbcr_rows.hpp"

#include <algorithm>
#include <memory>

namespace glproc {

namespace {

/// Rows of RGBA that a processor's cache holds, and how many those are.
struct TexelRows {
    TexelRows(std::size_t row_bytes, int height, int more)
        : pitch(row_bytes), count(std::clamp(static_cast<int>((std::size_t{1} << 20U) / pitch) / 2 * 2, 2, height + 1)),
          memory(
              std::make_unique_for_overwrite<std::byte[]>(pitch * static_cast<std::size_t>(count + more))) {}

    std::span<std::byte> rows(int number) const {
        return {memory.get(), pitch * static_cast<std::size_t>(number)};
    }

    std::size_t pitch;
    int count; ///< even
    std::unique_ptr<std::byte[]> memory;
};

/// Calls work(first, count) for parts of `count` rows on several threads.
template <class Work>
void share_out(int first, int count, const Work& work) {
    constexpr int worthwhile = 16;
    const int parts = std::clamp(count / worthwhile, 1, static_cast<int>(thread_limit()));
    parallel_for(static_cast<std::size_t>(parts), [&](std::size_t i) {
        const int part = static_cast<int>(i);
        const int begin = first + count * part / parts;
        work(begin, first + count * (part + 1) / parts - begin);
    });
}

/// Calls put(rows) with some rows of RGBA after others.
template <class Put>
void make_rgb(const TexelRows& texels, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code, const Put& put) {
    for (int first = 0; first < form.height; first += texels.count) {
        const int count = std::min(texels.count, form.height - first);
        const PixelRows to{texels.rows(count), texels.pitch, first};
        share_out(first, count,
                  [&](int begin, int rows) { rows_of_planes(planes, form, code, begin, rows, to); });
        put(to);
    }
}

/// Calls get(rows) for rows of RGBA of that depth, which are to be filled.
template <class Get>
PlaneImages make_planes(const TexelRows& texels, Depth depth, const YcbcrForm& form, const YcbcrCode& code,
                        PlaneImages memory, const Get& get) {
    const std::array<Form, 3> forms = form.planes();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.at(i).form() != forms.at(i)) {
            memory.at(i) = Image(forms.at(i));
        }
    }
    for (int first = 0; first < form.height; first += texels.count) {
        const int end = std::min(first + texels.count, form.height);
        const int begin = std::max(first - rows_about, 0);
        const PixelRows from{texels.rows(std::min(end + rows_about, form.height) - begin), texels.pitch,
                             begin};
        get(from);
        share_out(first / form.down, covering(end - first, form.down),
                  [&](int row, int rows) { planes_of_rows(from, depth, form, code, row, rows, memory); });
    }
    return memory;
}

/// Each pixel of so many values becomes one of others: grey stands for colours that it lacks.
template <class T>
void repack(std::span<const std::byte> from, std::size_t has, std::span<std::byte> to, std::size_t wants) {
    const auto* in = reinterpret_cast<const T*>(from.data());
    auto* out = reinterpret_cast<T*>(to.data());
    for (std::size_t i = 0; i < to.size() / sizeof(T) / wants; ++i, in += has, out += wants) {
        for (std::size_t c = 0; c < wants; ++c) {
            out[c] = in[has < 3 ? 0 : std::min(c, has - 1)];
        }
    }
}

void repack(Depth depth, std::span<const std::byte> from, std::size_t has, std::span<std::byte> to, std::size_t wants) {
    return depth == Depth::u8 ? repack<std::uint8_t>(from, has, to, wants) : repack<std::uint16_t>(from, has, to, wants);
}

constexpr std::size_t texel_values = 4;

} // namespace

GpuImage rgb_on_cpu(Context& gpu, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) {
    GpuImage rgb = gpu.make_image({form.width, form.height, 3, form.planes()[0].depth}, "rgb");
    make_rgb({rgb.texture().row_bytes(), form.height, 0}, planes, form, code,
             [&](const PixelRows& rows) { rgb.texture().write(rows.bytes, rows.first); });
    return rgb;
}

PlaneImages planes_on_cpu(const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code, PlaneImages memory) {
    return make_planes({picture.texture().row_bytes(), form.height, 2 * rows_about}, picture.depth(), form,
                       code, std::move(memory),
                       [&](const PixelRows& rows) { picture.texture().read(rows.bytes, rows.first); });
}

Image rgb_by_processor(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) {
    Image rgb(form.width, form.height, 3, form.planes()[0].depth);
    const std::size_t pitch = static_cast<std::size_t>(form.width) * texel_values * bytes_of(rgb.depth());
    make_rgb({pitch, form.height, 0}, planes, form, code, [&](const PixelRows& rows) {
        const std::size_t count = rows.bytes.size() / pitch;
        repack(rgb.depth(), rows.bytes, texel_values, {rgb.row(rows.first), count * rgb.row_bytes()}, 3);
    });
    return rgb;
}

PlaneImages planes_by_processor(const Image& picture, const YcbcrForm& form, const YcbcrCode& code, PlaneImages memory) {
    const std::size_t pitch = static_cast<std::size_t>(form.width) * texel_values * bytes_of(picture.depth());
    return make_planes({pitch, form.height, 2 * rows_about}, picture.depth(), form, code, std::move(memory),
                       [&](const PixelRows& rows) {
                           const std::size_t count = rows.bytes.size() / pitch;
                           const auto channels = static_cast<std::size_t>(picture.channels());
                           repack(picture.depth(), {picture.row(rows.first), count * picture.row_bytes()},
                                  channels, rows.bytes, texel_values);
                       });
}

std::array<int, 3> codes_of(const Colour& colour, const YcbcrForm& form, const YcbcrCode& code) {
    const YcbcrForm one{1, 1, form.bits};
    const std::array<Form, 3> forms = one.planes();
    Image pixel(1, 1, 4, forms[0].depth);
    const BorderCodes codes = border_codes(pixel.form(), Border(colour), 1);
    PlaneImages planes{Image(forms[0]), Image(forms[1]), Image(forms[2])};
    const auto put = [&](auto values) { std::copy(codes.begin(), codes.end(), values.begin()); };
    if (pixel.depth() == Depth::u8) {
        put(pixel.values<std::uint8_t>());
    } else {
        put(pixel.values<std::uint16_t>());
    }
    planes_of_rows({pixel.bytes(), pixel.form().row_bytes(), 0}, pixel.depth(), one, code, 0, 1, planes);
    const auto get = [](const Image& plane) {
        return plane.depth() == Depth::u8 ? int{plane.values<std::uint8_t>()[0]}
                                          : int{plane.values<std::uint16_t>()[0]};
    };
    return {get(planes[0]), get(planes[1]), get(planes[2])};
}

} // namespace glproc
