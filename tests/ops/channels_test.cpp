#include "glproc/ops/channels.hpp"

#include "glproc/ops/gray.hpp"
#include "support/operation_cases.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr Tolerance exact{1e-9, 0};

double value_of(const Image& image, int x, int y, char letter) {
    const double full = max_code(image.depth());
    const int last = image.channels() - 1;
    switch (letter) {
    case '0':
        return 0;
    case '1':
        return full;
    case 'a':
        return image.has_alpha() ? image.at(x, y, last) : full;
    default:
        return image.at(x, y, image.channels() < 3 ? 0 : static_cast<int>(std::string("rgb").find(letter)));
    }
}

/// `set` comes from `other`.
Reference picked(const Image& image, const std::string& letters, char set = ' ',
                 const Image* other = nullptr) {
    Image shape(image.width(), image.height(), static_cast<int>(letters.size()), image.depth());
    Reference answer = reference_of(shape);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (std::size_t c = 0; c < letters.size(); ++c) {
                answer.at(x, y, static_cast<int>(c)) =
                    letters[c] == set ? other->at(x, y, 0) : value_of(image, x, y, letters[c]);
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("channels come in the order that is asked for") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{83, 41}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape, 3);
            for (const char* letters : {"bgr", "a", "ra", "g1", "rgb1", "0bra", "rrr"}) {
                INFO(letters);
                check_operation(Channels{.order = ChannelOrder{letters}}, image, picked(image, letters),
                                exact);
            }
        }
    }
}

TEST_CASE("channels: one of them becomes a grey image") {
    for (const Shape& shape : all_kinds({53, 29})) {
        const Image image = random_image(shape, 3);
        check_operation(Channels{.extract = ImageChannel::blue}, image, picked(image, "b"), exact);
        check_operation(Channels{.extract = ImageChannel::alpha}, image, picked(image, "a"), exact);
    }
}

TEST_CASE("channels: one of them comes from another image") {
    for (const Shape& shape : all_kinds({53, 29})) {
        const Image image = random_image(shape, 3);
        const Image other = random_image({53, 29, 1, shape.depth}, 4);
        Channels op{.set = ImageChannel::alpha, .with = {"other", std::make_shared<const Image>(other)}};
        check_operation(op, image, picked(image, shape.channels < 3 ? "ra" : "rgba", 'a', &other), exact);
        op.set = ImageChannel::green;
        check_operation(op, image, picked(image, image.has_alpha() ? "rgba" : "rgb", 'g', &other), exact);
        op.order = ChannelOrder{"gr"};
        check_operation(op, image, picked(image, "gr", 'g', &other), exact);
    }
    const Image image = random_image({20, 10, 3, Depth::u8}, 1);
    const Image colour = random_image({20, 10, 3, Depth::u16}, 2);
    const Image grey = whole(Gray{}, with_depth(colour, Depth::u8));
    const Channels op{.set = ImageChannel::alpha, .with = {"other", std::make_shared<const Image>(colour)}};
    CHECK_THAT(whole(op, image), Matches(picked(image, "rgba", 'a', &grey), exact));
}

TEST_CASE("channels: stains are scikit-image's, or the light that they let through") {
    // linalg.inv of scikit-image's rgb_from_hed and rgb_from_hdx, and of the vectors of H&E
    const std::map<std::string, std::array<double, 9>> known{
        {"hed",
         {1.8779827368521353, -1.0076786862855645, -0.5561158181996244, -0.06590806222356334,
          1.1347303724996625, -0.13552179862837116, -0.601907363439289, -0.48041418849705786,
          1.5735880719641924}},
        {"hdab",
         {1.2001370152970128, -0.6897672021124064, 1.0560538666447505, 0.6852333815986896,
          0.023609908678645788, -1.1785755564151525, -0.9178089531067687, 1.5095360337877537,
          0.500986637752376}},
        {"he",
         {1.7305751198342123, -1.3257525031083464, -0.15772479776707204, -0.19972396519843316,
          1.1187028033405264, -0.4805563882695417, 0.10589661781119626, 0.1965610612547277,
          1.6712146911573538}}};
    for (const auto& [name, inverse] : known) {
        for (const Shape& shape : all_kinds({53, 29})) {
            const Image image = random_image(shape, 3);
            for (const StainOutput output : {StainOutput::density, StainOutput::light}) {
                const auto at = [&](const std::array<double, 4>& v) {
                    std::array<double, 4> stains{0, 0, 0, v[3]};
                    for (std::size_t i = 0; i < 3; ++i) {
                        for (std::size_t c = 0; c < 3; ++c) {
                            stains[i] += std::log(std::max(v[c], 1e-6)) / std::log(1e-6) * inverse[c * 3 + i];
                        }
                        stains[i] = std::max(stains[i], 0.0);
                        stains[i] = output == StainOutput::light ? std::pow(1e-6, stains[i]) : stains[i];
                    }
                    return stains;
                };
                INFO(name << ", " << name_of(output));
                const Depth depth = output == StainOutput::light ? shape.depth : Depth::f32;
                check_operation(Channels{.stains = Stains::of(name), .output = output}, image,
                                point_reference(image, image.has_alpha() ? 4 : 3, depth, at),
                                Tolerance{1e-6, 1});
            }
        }
    }
}

TEST_CASE("channels: white and black have the stains of their light, NaN stays") {
    Image image = constant_image({4, 1, 3, Depth::f32}, 1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::ranges::copy(std::vector<float>{0, 0, 0, nan, 1, 1, 5, 5, 5}, image.values<float>().begin() + 3);
    const Image light = whole(Channels{.stains = Stains::of("hed"), .output = StainOutput::light}, image);
    for (int c = 0; c < 3; ++c) {
        CHECK(light.at(0, 0, c) == 1);
        CHECK(std::isnan(light.at(2, 0, c)));
        CHECK(light.at(3, 0, c) <= 1);
    }
    CHECK(light.at(1, 0, 0) < 1e-2);
}

TEST_CASE("channels: stains come from a file, and a row of zeros is what the others leave") {
    const TempDir folder;
    const auto read = [&](const std::string& text) {
        const std::string path = (folder.path() / "stains.txt").string();
        std::ofstream(path) << text;
        return FieldText<Stains>::parse({"stains", "", {}}, path);
    };
    const Stains same = read("# H-DAB\n0.650 0.704 0.286\n0.268, 0.570, 0.776\n0 0 0\n");
    CHECK(stain_params(same, false) == stain_params(Stains::of("hdab"), false));
    for (const char* wrong :
         {"", "1 2 3\n4 5 6\n", "1 0\n0 1\n", "1 2 3\n4 x 6\n7 8 9\n", "1 0 0\n0 1 0\n0 0 nan\n"}) {
        CHECK_THROWS_AS(read(wrong), Error);
    }
    for (const char* alike : {"1 2 3\n1 2 3\n0 0 1\n", "1 2 3\n2 4 6\n0 0 0\n", "0 0 0\n0 0 0\n0 0 0\n"}) {
        CHECK_THROWS_AS(stain_params(read(alike), false), Error);
    }
    CHECK_THROWS_AS(FieldText<Stains>::parse({"stains", "", {}}, "no-such-stain"), Error);
    const Form form{20, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Channels{.order = ChannelOrder{"r"}, .stains = Stains::of("he")}, form), Error);
    CHECK_THROWS_AS(Stains::of("hx"), Error);
}

TEST_CASE("channels: what cannot be is refused") {
    const Form form{20, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Channels{}, form), Error);
    CHECK_THROWS_AS(plan(Channels{.order = ChannelOrder{"r"}, .extract = ImageChannel::red}, form), Error);
    const Image other = random_image({19, 10, 1, Depth::u8});
    CHECK_THROWS_AS(
        plan(Channels{.set = ImageChannel::alpha, .with = {"other", std::make_shared<const Image>(other)}},
             form),
        Error);
    for (const char* wrong : {"", "rgbar", "x", "RGB"}) {
        CHECK_THROWS_AS(FieldText<ChannelOrder>::parse({"order", "", {}}, wrong), Error);
    }
}
