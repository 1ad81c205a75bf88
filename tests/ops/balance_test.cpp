#include "glproc/ops/balance.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

double light_of(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double value_of(double light) {
    return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

/// The light that counts: of floats in steps of 1/65536, and none beyond 0 to 1.
std::vector<double> counted(const Image& image, int channel) {
    std::vector<double> lights;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double v = image.at(x, y, channel) / max_code(image.depth());
            if (image.has_alpha() && image.at(x, y, image.channels() - 1) == 0) {
                continue; // it cannot be seen
            }
            if (image.depth() != Depth::f32) {
                lights.push_back(light_of(v));
            } else if (v >= 0 && v <= 1) {
                lights.push_back(light_of((std::min(std::floor(v * 65536), 65535.0) + 0.5) / 65536));
            }
        }
    }
    return lights;
}

/// What each channel is multiplied by.
std::array<double, 3> gains(const Image& image, BalanceMethod method) {
    std::array<double, 3> lights{};
    for (std::size_t c = 0; c < 3; ++c) {
        const std::vector<double> all = counted(image, static_cast<int>(c));
        double sum = 0;
        for (const double light : all) {
            sum += light;
            lights[c] = std::max(lights[c], light);
        }
        if (method == BalanceMethod::gray_world) {
            lights[c] = all.empty() ? 0 : sum / static_cast<double>(all.size());
        }
    }
    const double aim = method == BalanceMethod::gray_world ? (lights[0] + lights[1] + lights[2]) / 3
                                                           : std::max({lights[0], lights[1], lights[2]});
    std::array<double, 3> result{};
    for (std::size_t c = 0; c < 3; ++c) {
        result[c] = lights[c] > 0 ? aim / lights[c] : 1;
    }
    return result;
}

/// The pixel of a colour after a white balance, 0 to 1.
std::array<double, 3> balanced(const BalanceHow& how, const std::array<double, 3>& colour,
                               PointMethod method) {
    Image image(1, 1, 3, Depth::f32);
    for (int c = 0; c < 3; ++c) {
        set_value(image, 0, 0, c, colour[static_cast<std::size_t>(c)]);
    }
    const Image result = whole(Balance{.how = how, .floats = FloatValues::srgb, .method = method}, image);
    return {result.at(0, 0, 0), result.at(0, 0, 1), result.at(0, 0, 2)};
}

/// The encoded colour of a light by its x and y, with the brightest channel 1.
std::array<double, 3> colour_of(double x, double y) {
    const double big_x = x / y;
    const double z = (1 - x - y) / y;
    std::array<double, 3> light{3.2404813 * big_x - 1.5371515 - 0.4985363 * z,
                                -0.9692549 * big_x + 1.8759900 + 0.0415559 * z,
                                0.0556466 * big_x - 0.2040413 + 1.0573111 * z};
    const double most = *std::max_element(light.begin(), light.end());
    std::array<double, 3> colour{};
    std::transform(light.begin(), light.end(), colour.begin(),
                   [most](double v) { return value_of(v / most); });
    return colour;
}

} // namespace

TEST_CASE("balance by what the image holds multiplies each channel in linear light") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            Image image = random_image(shape, 31);
            for (int y = 0; y < shape.height && shape.channels >= 3; ++y) { // a cast
                for (int x = 0; x < shape.width; ++x) {
                    set_value(image, x, y, 2, image.at(x, y, 2) / max_code(shape.depth) * 0.6);
                }
            }
            for (const BalanceMethod method : {BalanceMethod::gray_world, BalanceMethod::white_patch}) {
                const auto by = shape.channels < 3 ? std::array<double, 3>{1, 1, 1} : gains(image, method);
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    std::array<double, 4> made = v;
                    for (std::size_t c = 0; c < 3 && shape.channels >= 3; ++c) {
                        made[c] = value_of(light_of(v[c]) * by[c]);
                    }
                    return made;
                });
                check_operation(Balance{.how = method, .floats = FloatValues::srgb}, image, answer);
            }
        }
    }
}

TEST_CASE("balance makes means equal, and the brightest") {
    Image image = random_image({97, 61, 3, Depth::f32}, 32);
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            set_value(image, x, y, 0, image.at(x, y, 0) * 0.7);
            set_value(image, x, y, 2, image.at(x, y, 2) * 0.4);
        }
    }
    const Image grey = whole(Balance{.how = BalanceMethod::gray_world, .floats = FloatValues::srgb}, image);
    const Image white = whole(Balance{.how = BalanceMethod::white_patch, .floats = FloatValues::srgb}, image);
    std::array<double, 3> means{};
    std::array<double, 3> most{};
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            for (int c = 0; c < 3; ++c) {
                means[static_cast<std::size_t>(c)] += light_of(grey.at(x, y, c)) / (97 * 61);
                most[static_cast<std::size_t>(c)] =
                    std::max(most[static_cast<std::size_t>(c)], white.at(x, y, c));
            }
        }
    }
    CHECK(means[0] == Approx(means[1]).epsilon(1e-4));
    CHECK(means[2] == Approx(means[1]).epsilon(1e-4));
    CHECK(most[0] == Approx(most[1]).epsilon(1e-4));
    CHECK(most[2] == Approx(most[1]).epsilon(1e-4));
}

TEST_CASE("balance by a temperature makes the white of a black body grey") {
    struct White {
        double kelvin, x, y;
    };
    // x and y of black bodies: CIE 15, and Wyszecki and Stiles, Color Science, table 1(3.11).
    for (const White& white :
         {White{2000, 0.5267, 0.4133}, White{2856, 0.4475, 0.4074}, White{4000, 0.3804, 0.3767},
          White{5000, 0.3451, 0.3516}, White{6500, 0.3135, 0.3236}, White{10000, 0.2807, 0.2883}}) {
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const auto grey =
                balanced({BalanceMethod::temperature, white.kelvin}, colour_of(white.x, white.y), method);
            INFO(white.kelvin << " K: " << grey[0] << " " << grey[1] << " " << grey[2]);
            CHECK(grey[0] == Approx(grey[1]).epsilon(0.004));
            CHECK(grey[2] == Approx(grey[1]).epsilon(0.004));
        }
    }
    // Lower temperatures mean warmer lights, whose cast goes; a tint above 0 takes green away.
    const auto of_grey = [](double kelvin, double tint) {
        return balanced({BalanceMethod::temperature, kelvin, tint}, {0.5, 0.5, 0.5}, PointMethod::automatic);
    };
    CHECK(of_grey(3000, 0)[2] > of_grey(3000, 0)[0] + 0.2);
    CHECK(of_grey(12000, 0)[0] > of_grey(12000, 0)[2] + 0.1);
    CHECK(of_grey(5000, 10)[1] < of_grey(5000, 0)[1] - 0.01);
    CHECK(of_grey(5000, -10)[1] > of_grey(5000, 0)[1] + 0.01);
}

TEST_CASE("balance by a temperature is one matrix, whole and in tiles") {
    // The rows of the matrix are what it makes of red, green and blue alone.
    const BalanceHow how{BalanceMethod::temperature, 4200, 7};
    std::array<std::array<double, 3>, 3> columns{};
    for (std::size_t c = 0; c < 3; ++c) {
        std::array<double, 3> colour{};
        colour[c] = 1;
        const auto made = balanced(how, colour, PointMethod::cpu);
        std::transform(made.begin(), made.end(), columns[c].begin(), light_of);
    }
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape, 33);
            const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                std::array<double, 4> made = v;
                for (std::size_t c = 0; c < 3 && shape.channels >= 3; ++c) {
                    made[c] = value_of(light_of(v[0]) * columns[0][c] + light_of(v[1]) * columns[1][c] +
                                       light_of(v[2]) * columns[2][c]);
                }
                return made;
            });
            check_operation(Balance{.how = how, .floats = FloatValues::srgb}, image, answer, {2e-6, 0.001});
        }
    }
}

TEST_CASE("balance of images without light, and of floats that are no numbers") {
    const Image black(5, 3, 3, Depth::u8);
    for (const BalanceMethod method : {BalanceMethod::gray_world, BalanceMethod::white_patch}) {
        CHECK_THAT(whole(Balance{.how = method, .floats = FloatValues::srgb}, black), IsBitwise(black));
    }
    Image floats = constant_image({3, 1, 3, Depth::f32}, 0.25);
    const double inf = std::numeric_limits<double>::infinity();
    set_value(floats, 0, 0, 0, std::nan(""));
    set_value(floats, 1, 0, 1, inf);
    set_value(floats, 2, 0, 2, -2);
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Balance{.how = BalanceMethod::gray_world, .floats = FloatValues::srgb, .method = method}, floats);
        CHECK(std::isnan(result.at(0, 0, 0)));
        CHECK(result.at(1, 0, 1) == inf);
        CHECK(result.at(2, 0, 2) == Approx(-2 * 4.0 / 3).epsilon(1e-4)); // below black is no light: blue has two thirds of it
        CHECK(result.at(0, 0, 1) == Approx(value_of(light_of(0.25) * 8 / 9)).epsilon(1e-3));
    }
}

TEST_CASE("balance reads its methods, and refuses others") {
    const FieldContext context{"method", "", {}};
    const auto parsed = [&](std::string_view text) {
        return FieldText<BalanceHow>::print(FieldText<BalanceHow>::parse(context, text));
    };
    for (const char* text : {"gray-world", "white-patch", "temperature:3000", "temperature:5500,-3.5"}) {
        CHECK(parsed(text) == text);
    }
    for (const char* text : {"grey", "", "temperature", "temperature:", "temperature:100",
                             "temperature:5000,90", "temperature:5000,1,2", "temperature5000"}) {
        INFO(text);
        CHECK_THROWS_AS(parsed(text), Error);
    }
    CHECK_THROWS_AS(plan(Balance{.how = {BalanceMethod::temperature, 1000}}, {2, 2, 3, Depth::u8}), Error);
}
