#include "glproc/kinds/ycbcr.hpp"

#include <algorithm>
#include <iterator>

namespace glproc {

namespace {

/// What the codes of a range mean.
struct Codes {
    double black;
    double luma;   ///< from black to white
    double middle; ///< of a colour difference
    double colour; ///< from the least to the most
};

Codes codes_of(const YcbcrForm& form, YcbcrRange range) {
    const double unit = static_cast<double>(1 << (form.bits - 8));
    const double most = static_cast<double>((1 << form.bits) - 1);
    return range == YcbcrRange::limited ? Codes{16 * unit, 219 * unit, 128 * unit, 224 * unit}
                                        : Codes{0, most, 128 * unit, most};
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

Floats floats_of(const double* begin, std::size_t count) {
    return {begin, begin + count};
}

Depth depth_of(const YcbcrForm& form) {
    return form.bits == 8 ? Depth::u8 : Depth::u16;
}

/// The pixels that a sample of colour stands for, along one axis: as a linear filter that is as wide as two
/// samples.
struct Taps {
    int first;
    int count;
    std::array<float, 4> weights;
};

Taps taps_of(int ratio, bool centred) {
    if (ratio == 1) {
        return {0, 1, {1}};
    }
    return centred ? Taps{-1, 4, {0.125F, 0.375F, 0.375F, 0.125F}} : Taps{-1, 3, {0.25F, 0.5F, 0.25F}};
}

} // namespace

std::array<Form, 3> YcbcrForm::planes() const {
    const Depth depth = depth_of(*this);
    const Form colour{(width + across - 1) / across, (height + down - 1) / down, 1, depth};
    return {Form{width, height, 1, depth}, colour, colour};
}

YcbcrMatrix usual_matrix(int width, int height) {
    constexpr int widest_sd = 1279;
    constexpr int highest_sd = 576;
    return width > widest_sd || height > highest_sd ? YcbcrMatrix::bt709 : YcbcrMatrix::bt601;
}

std::array<double, 12> rgb_matrix(const YcbcrForm& form, const YcbcrCode& code, double most) {
    const Codes codes = codes_of(form, code.range);
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
    const Codes codes = codes_of(form, code.range);
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
    gpu.pass("ycbcr.to_rgb", "ycbcr/to_rgb.comp", {{"DEPTH", text(static_cast<int>(depth))}})
        .reads("i_y", planes[0])
        .reads("i_cb", chroma)
        .reads("i_cr", planes[2])
        .writes("i_dst", rgb)
        .set("u_chroma_size", Int2{chroma.width(), chroma.height()})
        .set("u_ratio", Floats{1.0F / static_cast<float>(form.across), 1.0F / static_cast<float>(form.down)})
        .set("u_offset", Floats{form.across == 2 && form.centred_across ? -0.25F : 0.0F,
                                form.down == 2 && form.centred_down ? -0.25F : 0.0F})
        .set("u_to_rgb", floats_of(matrix.data(), matrix.size()))
        .over(rgb.texture().width(), rgb.height());
    return rgb;
}

YcbcrPlanes ycbcr_of(Context& gpu, const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code) {
    const std::array<double, 12> matrix = ycbcr_matrix(form, code, max_code(picture.depth()));
    const std::array<Form, 3> forms = form.planes();
    const auto plane = [&](std::size_t i) {
        GpuImage image = gpu.make_image(forms[i], "plane");
        const Taps across = taps_of(i == 0 ? 1 : form.across, form.centred_across);
        const Taps down = taps_of(i == 0 ? 1 : form.down, form.centred_down);
        Floats weights(across.weights.begin(), across.weights.end());
        weights.insert(weights.end(), down.weights.begin(), down.weights.end());
        gpu.pass("ycbcr.from_rgb", "ycbcr/from_rgb.comp",
                 {{"SRC_DEPTH", text(static_cast<int>(picture.depth()))},
                  {"DST_DEPTH", text(static_cast<int>(image.depth()))},
                  {"CHANNELS", text(picture.stored_channels())}})
            .reads("i_src", picture)
            .writes("i_dst", image)
            .set("u_size", Int2{picture.width(), picture.height()})
            .set("u_ratio", Int2{i == 0 ? 1 : form.across, i == 0 ? 1 : form.down})
            .set("u_first", Int2{across.first, down.first})
            .set("u_taps", Int2{across.count, down.count})
            .set("u_weights", weights)
            .set("u_of_rgb", floats_of(matrix.data() + i * 4, 4))
            .set("u_most", static_cast<float>((1 << form.bits) - 1))
            .over(image.texture().width(), image.height());
        return image;
    };
    return {plane(0), plane(1), plane(2)};
}

} // namespace glproc
