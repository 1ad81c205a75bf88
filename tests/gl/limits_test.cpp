#include "support/catch.hpp"
#include "support/fixture.hpp"
TEST_CASE("x") { CHECK(glproc::test::gpu().limits().texture_size > 0); }
