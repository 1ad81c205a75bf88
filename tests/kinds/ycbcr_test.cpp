// Planes of luma and colour differences to RGB and back, against double precision.
#include "glproc/kinds/ycbcr.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/thread_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>

using namespace glproc;
using namespace glproc::test;

namespace {

int value_at(const Image& plane, int x, int y) {
    x = std::clamp(x, 0, plane.width() - 1);
    y = std::clamp(y, 0, plane.height() - 1);
    return static_cast<int>(plane.at(x, y, 0));
}

/// Linear interpolation at a sample of luma.
double colour_at(const Image& plane, const YcbcrForm& form, int x, int y) {
    const double cx = form.across == 2 ? x / 2.0 - (form.centred_across ? 0.25 : 0) : x;
    const double cy = form.down == 2 ? y / 2.0 - (form.centred_down ? 0.25 : 0) : y;
    const int x0 = static_cast<int>(std::floor(cx));
    const int y0 = static_cast<int>(std::floor(cy));
    double sum = 0;
    for (const int dy : {0, 1}) {
        for (const int dx : {0, 1}) {
            sum += (1 - std::abs(cx - x0 - dx)) * (1 - std::abs(cy - y0 - dy)) *
                   value_at(plane, x0 + dx, y0 + dy);
        }
    }
    return sum;
}

struct Weights {
    double red;
    double blue;
};

Weights weights_of(YcbcrMatrix matrix) {
    return matrix == YcbcrMatrix::bt601   ? Weights{0.299, 0.114}
           : matrix == YcbcrMatrix::bt709 ? Weights{0.2126, 0.0722}
                                          : Weights{0.2627, 0.0593};
}

/// R, G and B from 0 to 1, not clamped, as the standards write it.
std::array<double, 3> rgb_reference(double y, double cb, double cr, int bits, const YcbcrCode& code) {
    const double unit = 1 << (bits - 8);
    const bool limited = code.range == YcbcrRange::limited;
    const double most = (1 << bits) - 1;
    const double luma = limited ? (y / unit - 16) / 219 : y / most;
    const double blue = limited ? (cb / unit - 128) / 224 : (cb - 128 * unit) / most;
    const double red = limited ? (cr / unit - 128) / 224 : (cr - 128 * unit) / most;
    const Weights k = weights_of(code.matrix);
    const double r = luma + 2 * (1 - k.red) * red;
    const double b = luma + 2 * (1 - k.blue) * blue;
    return {r, (luma - k.red * r - k.blue * b) / (1 - k.red - k.blue), b};
}

Image noise(const Form& form, int most, std::uint32_t seed) {
    std::mt19937 random(seed);
    Image image(form);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            const auto code = std::uniform_int_distribution<unsigned>(0, static_cast<unsigned>(most))(random);
            if (form.depth == Depth::u8) {
                image.values<std::uint8_t>()[static_cast<std::size_t>(y * form.width + x)] =
                    static_cast<std::uint8_t>(code);
            } else {
                image.values<std::uint16_t>()[static_cast<std::size_t>(y * form.width + x)] =
                    static_cast<std::uint16_t>(code);
            }
        }
    }
    return image;
}

/// Of the pixel `offset` after the first that a sample of colour belongs to: the weights that give back the
/// samples that linear interpolation was made of.
double colour_weight(int offset, int ratio, bool centred) {
    if (ratio == 1) {
        return offset == 0 ? 1 : 0;
    }
    const std::array<double, 5> weights =
        centred ? std::array<double, 5>{0, -2, 6, 6, -2} : std::array<double, 5>{-1, 2, 6, 2, -1};
    return weights.at(static_cast<std::size_t>(offset + 2)) / 8;
}

std::vector<YcbcrForm> all_forms(int width, int height) {
    std::vector<YcbcrForm> forms;
    for (const int bits : {8, 10}) {
        forms.push_back({width, height, bits, 2, 2, true, true});
        forms.push_back({width, height, bits, 2, 2, false, true});
        forms.push_back({width, height, bits, 2, 2, false, false});
        forms.push_back({width, height, bits, 2, 1, false, false});
        forms.push_back({width, height, bits, 1, 1, false, false});
    }
    return forms;
}

std::vector<YcbcrCode> all_codes() {
    std::vector<YcbcrCode> codes;
    for (const YcbcrMatrix matrix : {YcbcrMatrix::bt601, YcbcrMatrix::bt709, YcbcrMatrix::bt2020}) {
        codes.push_back({matrix, YcbcrRange::limited});
        codes.push_back({matrix, YcbcrRange::full});
    }
    return codes;
}

} // namespace

TEST_CASE("ycbcr: to RGB as the standards have it, colour interpolated") {
    Context& context = test::gpu();
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {37, 23}, {130, 6}}) {
        for (const YcbcrForm& form : all_forms(width, height)) {
            const int most = (1 << form.bits) - 1;
            const auto forms = form.planes();
            const std::array<Image, 3> planes{noise(forms[0], most, 1), noise(forms[1], most, 2),
                                              noise(forms[2], most, 3)};
            const YcbcrPlanes on_gpu{context.upload(planes[0]), context.upload(planes[1]),
                                     context.upload(planes[2])};
            for (const YcbcrCode& code : all_codes()) {
                INFO(width << "x" << height << " " << form.bits << " " << form.across << form.down << " "
                           << static_cast<int>(code.matrix) << static_cast<int>(code.range));
                const Image rgb = context.download(rgb_of(context, on_gpu, form, code));
                const double white = max_code(rgb.depth());
                double worst = 0;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x) {
                        const auto expected =
                            rgb_reference(value_at(planes[0], x, y), colour_at(planes[1], form, x, y),
                                          colour_at(planes[2], form, x, y), form.bits, code);
                        for (int c = 0; c < 3; ++c) {
                            const double value =
                                std::clamp(expected.at(static_cast<std::size_t>(c)), 0.0, 1.0) * white;
                            worst = std::max(worst, std::abs(rgb.at(x, y, c) - value));
                        }
                    }
                }
                CHECK(worst <= 0.5 + 1e-6 * white); // rounded once, and floats of 24 bits before that
            }
        }
    }
}

TEST_CASE("ycbcr: from RGB as the standards have it, colour by a filter that undoes interpolation") {
    Context& context = test::gpu();
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {37, 23}, {130, 6}}) {
        for (const YcbcrForm& form : all_forms(width, height)) {
            for (const int channels : {1, 3}) {
                const Depth depth = form.bits == 8 ? Depth::u8 : Depth::u16;
                const Image picture =
                    random_image({.width = width, .height = height, .channels = channels, .depth = depth});
                for (const YcbcrCode& code : all_codes()) {
                    INFO(width << "x" << height << " " << form.bits << " " << form.across << form.down << " "
                               << channels);
                    const YcbcrPlanes planes = ycbcr_of(context, context.upload(picture), form, code);
                    const double unit = 1 << (form.bits - 8);
                    const double most = (1 << form.bits) - 1;
                    const bool limited = code.range == YcbcrRange::limited;
                    const Weights k = weights_of(code.matrix);
                    const auto rgb = [&](int x, int y, int c) {
                        x = std::clamp(x, 0, picture.width() - 1);
                        y = std::clamp(y, 0, picture.height() - 1);
                        return picture.at(x, y, channels == 1 ? 0 : c) / max_code(depth);
                    };
                    const auto luma = [&](int x, int y) {
                        return k.red * rgb(x, y, 0) + (1 - k.red - k.blue) * rgb(x, y, 1) +
                               k.blue * rgb(x, y, 2);
                    };
                    for (std::size_t p = 0; p < 3; ++p) {
                        const Image plane = context.download(planes.at(p));
                        REQUIRE(plane.form() == form.planes().at(p));
                        const int across = p == 0 ? 1 : form.across;
                        const int down = p == 0 ? 1 : form.down;
                        double worst = 0;
                        for (int y = 0; y < plane.height(); ++y) {
                            for (int x = 0; x < plane.width(); ++x) {
                                double sum = 0;
                                for (int v = -2; v <= 2; ++v) {
                                    for (int u = -2; u <= 2; ++u) {
                                        const double weight = colour_weight(u, across, form.centred_across) *
                                                              colour_weight(v, down, form.centred_down);
                                        const int px = x * across + u;
                                        const int py = y * down + v;
                                        const double part =
                                            p == 0   ? luma(px, py)
                                            : p == 1 ? (rgb(px, py, 2) - luma(px, py)) / (2 * (1 - k.blue))
                                                     : (rgb(px, py, 0) - luma(px, py)) / (2 * (1 - k.red));
                                        sum += weight * part;
                                    }
                                }
                                const double mean = sum;
                                const double code_value =
                                    p == 0 ? (limited ? (16 + 219 * mean) * unit : mean * most)
                                           : 128 * unit + mean * (limited ? 224 * unit : most);
                                worst = std::max(
                                    worst, std::abs(plane.at(x, y, 0) - std::clamp(code_value, 0.0, most)));
                            }
                        }
                        CHECK(worst <= 0.5 + 1e-6 * most + 1e-4);
                    }
                }
            }
        }
    }
}

TEST_CASE("ycbcr: the CPU has the bits of the kernels, both ways, by any number of threads") {
    Context& context = test::gpu();
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {37, 23}, {130, 6}, {1021, 331}}) {
        for (const YcbcrForm& form : all_forms(width, height)) {
            const ThreadLimit limit(height > 100 ? 3 : 1);
            const int most = (1 << form.bits) - 1;
            const auto forms = form.planes();
            const PlaneImages planes{noise(forms[0], most, 1), noise(forms[1], most, 2),
                                     noise(forms[2], most, 3)};
            const YcbcrPlanes on_gpu{context.upload(planes[0]), context.upload(planes[1]),
                                     context.upload(planes[2])};
            const Image picture =
                random_image({.width = width, .height = height, .channels = 3, .depth = forms[0].depth});
            const GpuImage rgb = context.upload(picture);
            for (const YcbcrCode& code : all_codes()) {
                INFO(width << "x" << height << " " << form.bits << " " << form.across << form.down << " "
                           << form.centred_across << form.centred_down << " " << static_cast<int>(code.matrix)
                           << static_cast<int>(code.range));
                CHECK_THAT(context.download(rgb_on_cpu(context, planes, form, code)),
                           IsBitwise(context.download(rgb_of(context, on_gpu, form, code))));
                const YcbcrPlanes expected = ycbcr_of(context, rgb, form, code);
                const PlaneImages made = planes_on_cpu(rgb, form, code);
                for (std::size_t p = 0; p < 3; ++p) {
                    CHECK_THAT(made.at(p), IsBitwise(context.download(expected.at(p))));
                }
            }
        }
    }
}

TEST_CASE("ycbcr: the processor makes planes of pictures of every kind of codes as kernels do") {
    Context& context = test::gpu();
    for (const YcbcrForm& form : all_forms(37, 21)) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const Image picture =
                    random_image({.width = form.width, .height = form.height, .channels = channels, .depth = depth});
                INFO(form.bits << " bits " << form.across << form.down << " of " << channels << " times " << bytes_of(depth) << " bytes");
                const YcbcrCode code{YcbcrMatrix::bt709, YcbcrRange::limited};
                const YcbcrPlanes expected = ycbcr_of(context, context.upload(picture), form, code);
                const PlaneImages made = planes_by_processor(picture, form, code);
                for (std::size_t p = 0; p < 3; ++p) {
                    CHECK_THAT(made.at(p), IsBitwise(context.download(expected.at(p))));
                }
            }
        }
    }
}

TEST_CASE("ycbcr: grey stays grey, and black and white are where the range says") {
    Context& context = test::gpu();
    for (const auto& [range, black, white] :
         {std::tuple{YcbcrRange::limited, 16, 235}, {YcbcrRange::full, 0, 255}}) {
        const YcbcrForm form{4, 2, 8, 2, 2, true, true};
        Image picture(4, 2, 3, Depth::u8);
        std::fill_n(picture.row(0), picture.row_bytes(), std::byte{255});
        const YcbcrPlanes planes =
            ycbcr_of(context, context.upload(picture), form, {YcbcrMatrix::bt709, range});
        const Image luma = context.download(planes[0]);
        CHECK(luma.at(0, 0, 0) == white);
        CHECK(luma.at(3, 1, 0) == black);
        CHECK(context.download(planes[1]).at(1, 0, 0) == 128);
        CHECK(context.download(planes[2]).at(0, 0, 0) == 128);
        const Image back = context.download(rgb_of(context, planes, form, {YcbcrMatrix::bt709, range}));
        CHECK(std::equal(back.bytes().begin(), back.bytes().end(), picture.bytes().begin()));
    }
}

TEST_CASE("ycbcr: planes of green, blue and red become pixels, and pixels those planes") {
    Context& context = test::gpu();
    for (const YcbcrRange range : {YcbcrRange::limited, YcbcrRange::full}) {
        for (const int bits : {8, 10}) {
            const YcbcrForm form{37, 5, bits};
            const YcbcrCode code{YcbcrMatrix::rgb, range};
            const bool limited = range == YcbcrRange::limited;
            const int black = limited ? 16 << (bits - 8) : 0;
            const int white = limited ? 235 << (bits - 8) : (1 << bits) - 1;
            std::array<Image, 3> planes;
            for (std::size_t i = 0; i < 3; ++i) {
                planes.at(i) = noise(form.planes().at(i), (1 << bits) - 1, static_cast<std::uint32_t>(i));
            }
            const GpuImage rgb = rgb_of(
                context, {context.upload(planes[0]), context.upload(planes[1]), context.upload(planes[2])},
                form, code);
            const Image pixels = context.download(rgb);
            const YcbcrPlanes back = ycbcr_of(context, rgb, form, code);
            double worst = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const int channel = std::array{1, 2, 0}.at(i);
                const Image plane = context.download(back.at(i));
                for (int y = 0; y < 5; ++y) {
                    for (int x = 0; x < 37; ++x) {
                        const int kept = std::clamp(value_at(planes.at(i), x, y), black, white);
                        CHECK(plane.at(x, y, 0) == kept);
                        const double value =
                            double(kept - black) / (white - black) * max_code(pixels.depth());
                        worst = std::max(worst, std::abs(pixels.at(x, y, channel) - value));
                    }
                }
            }
            CHECK(worst <= 0.5 + 1e-6 * max_code(pixels.depth()));
        }
    }
}
