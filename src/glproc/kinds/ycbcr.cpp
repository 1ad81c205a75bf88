#include "glproc/kinds/ycbcr.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glproc {

namespace {

/// The meaning of the codes of a range.
struct YcbcrCodes {
    double black;
    double luma;   ///< from black to white
    double middle; ///< of chroma
    double colour; ///< from the least to the most
};

YcbcrCodes codes_of(const YcbcrForm& form, YcbcrRange range) {
    const double unit = static_cast<double>(1 << (form.bits - 8));
    const double most = static_cast<double>((1 << form.bits) - 1);
    return range == YcbcrRange::limited ? YcbcrCodes{16 * unit, 219 * unit, 128 * unit, 224 * unit}
                                        : YcbcrCodes{0, most, 128 * unit, most};
}

/// The weights of red and blue in luma.
std::array<double, 2> weights_of(YcbcrMatrix matrix) {
    switch (matrix) {
    case YcbcrMatrix::bt601:
        return {0.299, 0.114};
    case YcbcrMatrix::bt709:
        return {0.2126, 0.0722};
    case YcbcrMatrix::bt2020:
    case YcbcrMatrix::rgb:
        break;
    }
    return {0.2627, 0.0593};
}

Floats floats_of(const std::array<double, 12>& matrix) {
    return {matrix.begin(), matrix.end()};
}

Depth depth_of(const YcbcrForm& form) {
    return form.bits == 8 ? Depth::u8 : Depth::u16;
}

} // namespace

std::array<float, 5> colour_taps(int ratio, bool centred) {
    if (ratio == 1) {
        return {0, 0, 1, 0, 0};
    }
    return centred ? std::array{0.0F, -0.25F, 0.75F, 0.75F, -0.25F}
                   : std::array{-0.125F, 0.25F, 0.75F, 0.25F, -0.125F};
}

Floats own_shares(int ratio, bool centred) {
    return ratio == 2 && centred ? Floats{0.75F, 0.75F} : Floats{1.0F, ratio == 2 ? 0.5F : 1.0F};
}

std::array<Form, 3> YcbcrForm::planes() const {
    const Depth depth = depth_of(*this);
    const Form colour{covering(width, across), covering(height, down), 1, depth};
    return {Form{width, height, 1, depth}, colour, colour};
}

YcbcrMatrix usual_matrix(int width, int height) {
    constexpr int widest_sd = 1279;
    constexpr int highest_sd = 576;
    return width > widest_sd || height > highest_sd ? YcbcrMatrix::bt709 : YcbcrMatrix::bt601;
}

std::array<double, 12> rgb_matrix(const YcbcrForm& form, const YcbcrCode& code, double most) {
    const YcbcrCodes codes = codes_of(form, code.range);
    if (code.matrix == YcbcrMatrix::rgb) {
        const double scale = most / codes.luma;
        const double black = -scale * codes.black;
        return {0, 0, scale, black, scale, 0, 0, black, 0, scale, 0, black};
    }
    const auto [red, blue] = weights_of(code.matrix);
    const double green = 1 - red - blue;
    const double luma = most / codes.luma;
    const double colour = most / codes.colour;
    const double to_red = 2 * (1 - red) * colour;
    const double to_blue = 2 * (1 - blue) * colour;
    const double green_cb = -to_blue * blue / green;
    const double green_cr = -to_red * red / green;
    const double black = -luma * codes.black;
    return {luma, 0,        to_red,   black - to_red * codes.middle,
            luma, green_cb, green_cr, black - (green_cb + green_cr) * codes.middle,
            luma, to_blue,  0,        black - to_blue * codes.middle};
}

std::array<double, 12> ycbcr_matrix(const YcbcrForm& form, const YcbcrCode& code, double most) {
    const YcbcrCodes codes = codes_of(form, code.range);
    if (code.matrix == YcbcrMatrix::rgb) {
        const double scale = codes.luma / most;
        return {0, scale, 0, codes.black, 0, 0, scale, codes.black, scale, 0, 0, codes.black};
    }
    const auto [red, blue] = weights_of(code.matrix);
    const double green = 1 - red - blue;
    const double luma = codes.luma / most;
    const double cb = codes.colour / most / (2 * (1 - blue));
    const double cr = codes.colour / most / (2 * (1 - red));
    return {luma * red,      luma * green, luma * blue,    codes.black, -cb * red,  -cb * green,
            cb * (1 - blue), codes.middle, cr * (1 - red), -cr * green, -cr * blue, codes.middle};
}

GpuImage rgb_of(Context& gpu, const YcbcrPlanes& planes, const YcbcrForm& form, const YcbcrCode& code) {
    const Depth depth = depth_of(form);
    GpuImage rgb = gpu.make_image({form.width, form.height, 3, depth}, "rgb");
    const std::array<double, 12> matrix = rgb_matrix(form, code, max_code(depth));
    const GpuImage& chroma = planes[1];
    gpu.pass("ycbcr.to_rgb", "ycbcr/to_rgb.comp",
             {{"DEPTH", text(static_cast<int>(depth))},
              {"ACROSS", text(form.across)},
              {"DOWN", text(form.down)}})
        .reads("i_y", planes[0])
        .reads("i_cb", chroma)
        .reads("i_cr", planes[2])
        .writes("i_dst", rgb)
        .set("u_chroma_size", Int2{chroma.width(), chroma.height()})
        .set("u_own_x", own_shares(form.across, form.centred_across))
        .set("u_own_y", own_shares(form.down, form.centred_down))
        .set("u_to_rgb", floats_of(matrix))
        .over(chroma.texture().width(), chroma.height());
    return rgb;
}

YcbcrPlanes ycbcr_of(Context& gpu, const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code) {
    const std::array<Form, 3> forms = form.planes();
    YcbcrPlanes planes{gpu.make_image(forms[0], "y"), gpu.make_image(forms[1], "cb"),
                       gpu.make_image(forms[2], "cr")};
    Floats weights;
    for (const auto& taps :
         {colour_taps(form.across, form.centred_across), colour_taps(form.down, form.centred_down)}) {
        weights.insert(weights.end(), taps.begin(), taps.end());
    }
    gpu.pass("ycbcr.from_rgb", "ycbcr/from_rgb.comp",
             {{"SRC_DEPTH", text(static_cast<int>(picture.depth()))},
              {"DST_DEPTH", text(static_cast<int>(planes[0].depth()))},
              {"CHANNELS", text(picture.stored_channels())},
              {"ACROSS", text(form.across)},
              {"ROWS", text(form.down == 1      ? 1
                            : form.centred_down ? 4
                                                : 5)}})
        .reads("i_src", picture)
        .writes("i_y", planes[0])
        .writes("i_cb", planes[1])
        .writes("i_cr", planes[2])
        .set("u_size", Int2{picture.width(), picture.height()})
        .set("u_weights", weights)
        .set("u_of_rgb", floats_of(ycbcr_matrix(form, code, max_code(picture.depth()))))
        .set("u_most", static_cast<float>((1 << form.bits) - 1))
        .over(planes[1].texture().width(), planes[1].height());
    return planes;
}

namespace {

constexpr auto converts_planes_on_cpu = tuning<bool>(
    {{"llvmpipe", any_radius, true,
      "1920x1080, 4:2:0 of 8 bits: processor time of a film's frame 149 ms by kernels, 115 by the CPU "
      "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
     {"", any_radius, false, "the bus carries planes, which have fewer bytes; not measured the other way"}});

bool converts_on_cpu(const Context& gpu) {
    return tuned(converts_planes_on_cpu, gpu.device());
}

} // namespace

GpuImage rgb_of(Context& gpu, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) {
    if (converts_on_cpu(gpu)) {
        return rgb_on_cpu(gpu, planes, form, code);
    }
    return rgb_of(
        gpu,
        YcbcrPlanes{gpu.upload(planes[0], "y"), gpu.upload(planes[1], "cb"), gpu.upload(planes[2], "cr")},
        form, code);
}

PlaneImages planes_of(Context& gpu, const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code,
                      PlaneImages memory) {
    if (converts_on_cpu(gpu) && picture.channels() == 3 && picture.depth() == depth_of(form)) {
        return planes_on_cpu(picture, form, code, std::move(memory));
    }
    const YcbcrPlanes on_gpu = ycbcr_of(gpu, picture, form, code);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory.at(i) = gpu.download(on_gpu.at(i), std::move(memory.at(i)));
    }
    return memory;
}

} // namespace glproc
