#include "glproc/base/counted.hpp"

#include "support/catch.hpp"

using namespace glproc;

TEST_CASE("counted: one of something, or many") {
    CHECK(counted(0, "frame") == "0 frames");
    CHECK(counted(1, "frame") == "1 frame");
    CHECK(counted(std::size_t{21}, "frame") == "21 frames");
    CHECK(counted(1, "maximum", "maxima") == "1 maximum");
    CHECK(counted(2, "maximum", "maxima") == "2 maxima");
}
