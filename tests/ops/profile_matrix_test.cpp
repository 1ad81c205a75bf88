// Profiles that are a matrix and formulas, which the GPU converts.
#include "glproc/ops/profile.hpp"

#include "glproc/files/colour_management.hpp"
#include "glproc/ops/profile/matrix_form.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"
#include "support/temp_dir.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#ifdef GLPROC_WITH_LCMS
#include "ops/icc_profiles.hpp"
#endif

using namespace glproc;
using namespace glproc::test;

TEST_CASE("profile: a conversion by matrices says how far its floats are off") {
    MatrixProfile steep{.to_xyz = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    CHECK(MatrixConversion::between(steep, steep)->largest_error() < 1e-6);
    steep.curves[1].exponent = 9;
    CHECK(MatrixConversion::between(steep, steep)->largest_error() > 1);
    CHECK_FALSE(MatrixConversion::between(steep, {}));
}

#ifdef GLPROC_WITH_LCMS

namespace {

using Kind = IccChoice::Kind;
using modules::ColourIntent;

/// All reds with all greens, each in 256 steps, and one blue, as images of 16 bits have it.
Image reds_and_greens(Depth depth, int blue) {
    Image image(256, 256, 3, Depth::u16);
    for (int i = 0; i < 65536; ++i) {
        const std::array<int, 3> colour{i % 256 * 257, i / 256 * 257, blue};
        for (std::size_t c = 0; c < 3; ++c) {
            image.values<std::uint16_t>()[static_cast<std::size_t>(i) * 3 + c] = static_cast<std::uint16_t>(colour[c]);
        }
    }
    return with_depth(std::move(image), depth);
}

} // namespace

TEST_CASE("profile: all codes by the matrix are within one of the library's") {
    struct Way {
        Depth depth;
        Profile op;
    };
    const TempDir folder;
    put(folder / "wide.icc", wide_profile());
    put(folder / "narrow.icc", narrow_profile());
    const IccChoice wide((folder / "wide.icc").string());
    const IccChoice narrow((folder / "narrow.icc").string());
    const std::array<Way, 6> ways{Way{Depth::u16, {.to = Kind::display_p3}},
                                  Way{Depth::u16, {.to = Kind::srgb, .from = Kind::display_p3}},
                                  Way{Depth::u16, {.to = Kind::srgb, .from = wide}},
                                  Way{Depth::u8, {.to = wide}},
                                  Way{Depth::u8, {.to = narrow, .from = wide}},
                                  Way{Depth::u8, {.to = narrow, .from = Kind::display_p3}}};
    for (Way way : ways) {
        for (int blue = 0; blue < 65536; blue += tries_everything() ? 257 : 65535 / 5) {
            INFO("blue " << blue);
            const Image image = reds_and_greens(way.depth, blue);
            way.op.method = ProfileMethod::gpu;
            const Image got = whole(way.op, image);
            way.op.method = ProfileMethod::lcms;
            CHECK(largest_step(got, whole(way.op, image)) <= 1);
        }
    }
}

TEST_CASE("profile leaves to the library what a matrix in floats does not do within one code") {
    const TempDir folder;
    put(folder / "narrow.icc", narrow_profile());
    const Profile op{.to = IccChoice((folder / "narrow.icc").string())};
    CHECK(plan(op, {5, 3, 3, Depth::u8}).work.point);
    CHECK_FALSE(plan(op, {5, 3, 3, Depth::u16}).work.point); // a root of light near 0
}

TEST_CASE("profile is a point operation between matrices, and refuses --method gpu for others") {
    const TempDir folder;
    put(folder / "table.icc", table_profile());
    const IccChoice table((folder / "table.icc").string());
    const Form form{5, 3, 3, Depth::u8};
    CHECK(plan(Profile{.to = Kind::display_p3}, form).work.point);
    CHECK(plan(Profile{.to = Kind::display_p3, .intent = ColourIntent::relative, .bpc = true}, form)
              .work.point);
    CHECK_FALSE(plan(Profile{.to = Kind::display_p3, .intent = ColourIntent::absolute}, form).work.point);
    CHECK_FALSE(plan(Profile{.to = table}, form).work.point);
    CHECK_FALSE(plan(Profile{.to = Kind::srgb}, {5, 3, 1, Depth::u8}).work.point);
    CHECK_FALSE(
        plan(Profile{.to = Kind::srgb, .floats = FloatValues::srgb}, {5, 3, 3, Depth::f32}).work.point);
    CHECK_THROWS_WITH(plan(Profile{.to = table, .method = ProfileMethod::gpu}, form),
                      Catch::Matchers::StartsWith("--method gpu converts 8 and 16 bits"));
    const Bytes cut = wide_profile();
    for (const std::size_t size : {0U, 100U, 130U, 140U, 200U, 300U}) {
        CHECK_FALSE(matrix_profile(std::span(cut).first(size)));
    }
}

#endif
