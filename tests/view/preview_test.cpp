// What is shown first where the whole takes long, without a window.
#include "view/preview.hpp"

#include "cli/arguments.hpp"
#include "support/catch.hpp"

using namespace glproc;
using namespace glproc::view;

namespace {

using Words = std::vector<std::string>;

Steps typed(const Words& words) {
    Words call{"view"};
    call.insert(call.end(), words.begin(), words.end());
    return steps_from(cli::parse_arguments(call));
}

Words at_half(const Words& words) {
    return words_of(scaled(typed(words), 0.5));
}

} // namespace

TEST_CASE("preview: what is counted in pixels shrinks with the picture, and nothing else") {
    CHECK(at_half({"blur", "--sigma", "3"}) == Words{"blur", "--sigma", "1.500000"});
    CHECK(at_half({"blur", "--sigma", "3,5"}) == Words{"blur", "--sigma", "1.500000,2.500000"});
    CHECK(at_half({"box", "--radius", "5"}) == Words{"box", "--radius", "3"});
    CHECK(at_half({"median", "--radius", "1"}) == Words{"median", "--radius", "1"});
    CHECK(at_half({"box", "--radius", "0"}) == Words{"box", "--radius", "0"});
    CHECK(at_half({"resize", "--size", "800x600"}) == Words{"resize", "--size", "400x300"});
    CHECK(at_half({"resize", "--size", "800x"}) == Words{"resize", "--size", "400x"});
    CHECK(at_half({"resize", "--size", "50%"}) == Words{"resize", "--size", "50%"});
    CHECK(at_half({"crop", "--rect", "10,20,101,60"}) == Words{"crop", "--rect", "5,10,51,30"});
    CHECK(at_half({"pad", "--margin", "10"}) == Words{"pad", "--margin", "5"});
    CHECK(at_half({"adjust", "--exposure", "2"}) == Words{"adjust", "--exposure", "2"});
    CHECK(at_half({"unsharp"}) == Words{"unsharp", "--sigma", "0.500000"}); // of defaults, too
    CHECK(at_half({"invert"}) == Words{"invert"});
}

TEST_CASE("preview: a picture is halved until it takes no longer than a person waits") {
    CHECK(halvings(4, 1, 10) == 0);
    CHECK(halvings(4, 10, 10) == 1);
    CHECK(halvings(100, 10, 10) == 4);  // 0.39 megapixels
    CHECK(halvings(100, 1e9, 10) == 4); // and no further than what can still be seen
    CHECK(halvings(0.2, 1e9, 10) == 0);
    CHECK(halvings(4, 0, 10) == 0);
}

TEST_CASE("preview: what took long once is taken to do so again") {
    Pace pace(2);
    const Steps blur = typed({"blur", "--sigma", "2"});
    const Steps both = typed({"blur", "--sigma", "2", "then", "invert"});
    CHECK(pace.rate(blur) == 2);
    CHECK(pace.rate(both) == 4);
    pace.note(blur, 10, 500);
    CHECK(pace.rate(blur) == 50);
    CHECK(pace.rate(typed({"blur", "--sigma", "9"})) == 50);
    CHECK(pace.rate(typed({"blur", "--sigma", "9", "--method", "direct"})) == 2);
    CHECK(pace.rate(both) == 4);
    pace.note(blur, 10, 100);
    CHECK(pace.rate(blur) == 30);
}
