#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/kinds/ycbcr_rows.hpp"

#include <algorithm>
#include <memory>

namespace glproc {

namespace {

/// Rows of texels that a processor's cache holds, and how many those are.
struct TexelRows {
    explicit TexelRows(const Texture& texture, int more)
        : pitch(texture.row_bytes()),
          count(
              std::clamp(static_cast<int>((std::size_t{1} << 20U) / pitch) / 2 * 2, 2, texture.height() + 1)),
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

} // namespace

GpuImage rgb_on_cpu(Context& gpu, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) {
    GpuImage rgb = gpu.make_image({form.width, form.height, 3, form.planes()[0].depth}, "rgb");
    const TexelRows texels(rgb.texture(), 0);
    for (int first = 0; first < form.height; first += texels.count) {
        const int count = std::min(texels.count, form.height - first);
        const PixelRows to{texels.rows(count), texels.pitch, first};
        share_out(first, count,
                  [&](int begin, int rows) { rows_of_planes(planes, form, code, begin, rows, to); });
        rgb.texture().write(to.bytes, first);
    }
    return rgb;
}

PlaneImages planes_on_cpu(const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code,
                          PlaneImages memory) {
    const std::array<Form, 3> forms = form.planes();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.at(i).form() != forms.at(i)) {
            memory.at(i) = Image(forms.at(i));
        }
    }
    const TexelRows texels(picture.texture(), 2 * rows_about);
    for (int first = 0; first < form.height; first += texels.count) {
        const int end = std::min(first + texels.count, form.height);
        const int begin = std::max(first - rows_about, 0);
        const PixelRows from{texels.rows(std::min(end + rows_about, form.height) - begin), texels.pitch,
                             begin};
        picture.texture().read(from.bytes, begin);
        share_out(first / form.down, (end - first + form.down - 1) / form.down,
                  [&](int row, int rows) { planes_of_rows(from, form, code, row, rows, memory); });
    }
    return memory;
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
    planes_of_rows({pixel.bytes(), pixel.form().row_bytes(), 0}, one, code, 0, 1, planes);
    const auto get = [](const Image& plane) {
        return plane.depth() == Depth::u8 ? int{plane.values<std::uint8_t>()[0]}
                                          : int{plane.values<std::uint16_t>()[0]};
    };
    return {get(planes[0]), get(planes[1]), get(planes[2])};
}

} // namespace glproc
