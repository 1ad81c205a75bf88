#include "glproc/ops/channels.hpp"

#include "glproc/ops/gray.hpp"
#include "support/operation_cases.hpp"

#include <string>

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
