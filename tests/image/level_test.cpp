// Values of a picture as people write them.
#include "glproc/image/level_text.hpp"
#include "support/catch.hpp"

using namespace glproc;

TEST_CASE("levels from text: a fraction, a percentage, a code of so many") {
    const auto is = [](const char* text, double value, bool has_unit) {
        INFO(text);
        const std::optional<Level> level = level_from(text);
        REQUIRE(level.has_value());
        CHECK(level->value == value);
        CHECK(level->has_unit == has_unit);
    };
    is("0.5", 0.5, false);
    is("128", 128, false);
    is("-1e3", -1000, false);
    is("50%", 0.5, true);
    is("-10%", -0.1, true);
    is("250%", 2.5, true);
    is("51/255", 0.2, true);
    is("-51/255", -0.2, true);
    is("65535/65535", 1, true);
    for (const char* text :
         {"", "%", "/", "1/", "/255", "1/0", "1/-255", "nan", "inf", "inf%", "nan/255", "1/inf/2", "50 %",
          "50%%", "1/2/3", "5%/10", "0x10", "1e308/1e-308", "128/255 "}) {
        INFO(text);
        CHECK_FALSE(level_from(text).has_value());
    }
}
