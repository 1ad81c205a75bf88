#include "glproc/ops/profile.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/convert.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef GLPROC_WITH_LCMS
#include "ops/icc_profiles.hpp"
#endif

using namespace glproc;
using namespace glproc::test;

#ifdef GLPROC_WITH_LCMS

namespace {

using Kind = IccChoice::Kind;
using modules::ColourIntent;
using Matrix = std::array<std::array<double, 3>, 3>;

double light(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double code(double v) {
    return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

// CSS Color 4, "lin_sRGB_to_XYZ" times "XYZ_to_lin_P3".
constexpr Matrix srgb_to_p3{{{0.8224621, 0.1775380, 0.0000000}, //
                             {0.0331941, 0.9668058, 0.0000000},
                             {0.0170827, 0.0723974, 0.9105199}}};

/// One pixel at a time through a transform of the library's own making.
Reference by_library(const Image& image, const Bytes& from, const Bytes& to, ColourIntent intent, bool bpc) {
    const bool grey = image.channels() < 3;
    const cmsHPROFILE source = cmsOpenProfileFromMem(from.data(), static_cast<cmsUInt32Number>(from.size()));
    const cmsHPROFILE target = cmsOpenProfileFromMem(to.data(), static_cast<cmsUInt32Number>(to.size()));
    const cmsUInt32Number form = grey ? TYPE_GRAY_FLT : TYPE_RGB_FLT;
    const cmsHTRANSFORM transform = cmsCreateTransform(source, form, target, form, static_cast<cmsUInt32Number>(intent),
                                                       bpc ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0);
    REQUIRE(transform != nullptr);
    Reference answer = reference_of(image);
    const double full = max_code(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            std::array<float, 3> in{};
            std::array<float, 3> out{};
            for (int c = 0; c < (grey ? 1 : 3); ++c) {
                in.at(static_cast<std::size_t>(c)) = static_cast<float>(image.at(x, y, c) / full);
            }
            cmsDoTransform(transform, in.data(), out.data(), 1);
            for (int c = 0; c < (grey ? 1 : 3); ++c) {
                answer.at(x, y, c) = double{out.at(static_cast<std::size_t>(c))} * full;
            }
        }
    }
    cmsDeleteTransform(transform);
    cmsCloseProfile(source);
    cmsCloseProfile(target);
    return answer;
}

constexpr Tolerance one_rounding{1e-6, 0.02};

/// Every method, in tiles, and by the processor alone.
void check(Profile op, const Image& image, const Reference& answer, const Tolerance& tolerance) {
    INFO(describe(image));
    const Image first = whole(op, image);
    const Plan planned = plan(op, image.form());
    op.method = ProfileMethod::lcms;
    const Image by_lcms = whole(op, image);
    CHECK_THAT(by_lcms, Matches(answer, tolerance));
    op.method = ProfileMethod::cpu;
    CHECK_THAT(whole(op, image), IsBitwise(by_lcms));
    op.method = ProfileMethod::automatic;
    if (planned.work.point) { // a matrix
        CHECK(largest_step(first, by_lcms) <= 1);
        CHECK_THAT(first, Matches(answer, {tolerance.relative + 2e-6, tolerance.off_share + 0.1}));
    } else {
        CHECK_THAT(first, IsBitwise(by_lcms));
    }
    ImageRows alone(image.form());
    planned.twin.run(*rows_of(image).open(), alone);
    CHECK_THAT(alone.image(), IsBitwise(first));
    const ScopedLimits small("texture_size:16", plenty);
    ImageRows rows(image.form());
    glproc::run(op, gpu(), rows_of(image), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(first));
}

} // namespace

TEST_CASE("profile converts sRGB to Display P3 by the matrix of CSS Color") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape);
            Reference answer = reference_of(image);
            const double full = max_code(shape.depth);
            for (int y = 0; y < shape.height && shape.channels >= 3; ++y) {
                for (int x = 0; x < shape.width; ++x) {
                    for (std::size_t c = 0; c < 3; ++c) {
                        double sum = 0;
                        for (std::size_t i = 0; i < 3; ++i) {
                            sum += srgb_to_p3[c][i] * light(image.at(x, y, static_cast<int>(i)) / full);
                        }
                        answer.at(x, y, static_cast<int>(c)) = code(sum) * full;
                    }
                }
            }
            // Profiles hold their primaries with 16 bits behind the point, and steep curves enlarge what that rounds.
            check({.to = Kind::display_p3, .floats = FloatValues::srgb}, image, answer, {1e-3, 0.2});
        }
    }
}

TEST_CASE("profile is the float transform of Little CMS, for matrices and tables") {
    const TempDir folder;
    const std::array rgb{wide_profile(), table_profile(), colour_management().standard({})};
    const std::array grey{grey_profile(), colour_management().standard({.is_grey = true})};
    for (const Shape& shape : all_kinds({37, 23})) {
        const std::span<const Bytes> profiles = shape.channels < 3 ? std::span<const Bytes>(grey) : std::span<const Bytes>(rgb);
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            const Bytes& from = profiles[i];
            const Bytes& to = profiles[(i + 1) % profiles.size()];
            put(folder / "to.icc", to);
            const Image image = random_image(shape, 7);
            for (const ColourIntent intent : {ColourIntent::perceptual, ColourIntent::relative, ColourIntent::absolute}) {
                const bool bpc = intent == ColourIntent::relative;
                check({.to = IccChoice((folder / "to.icc").string()), .intent = intent, .bpc = bpc,
                       .floats = FloatValues::srgb, .own = from},
                      image, by_library(image, from, to, intent, bpc), one_rounding);
            }
        }
    }
}

TEST_CASE("profile keeps floats of linear light linear") {
    const Image image = random_image({31, 17, 4, Depth::f32});
    const Image result = whole(Profile{.to = Kind::display_p3}, image);
    for (int x = 0; x < image.width(); ++x) {
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                sum += srgb_to_p3[c][i] * image.at(x, 0, static_cast<int>(i));
            }
            CHECK(result.at(x, 0, static_cast<int>(c)) == Approx(sum).margin(3e-4));
        }
        CHECK(result.at(x, 0, 3) == image.at(x, 0, 3));
    }
    const TempDir folder;
    put(folder / "to.icc", wide_profile());
    CHECK_THROWS_AS(plan(Profile{.to = IccChoice((folder / "to.icc").string())}, image.form()), Error);
}

TEST_CASE("profile: a pixel with a NaN has no colour, others are as without it") {
    Image image = random_image({9, 1, 4, Depth::f32});
    const Image before = whole(Profile{.to = Kind::display_p3, .floats = FloatValues::srgb}, image);
    image.values<float>()[4 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
    const Image after = whole(Profile{.to = Kind::display_p3, .floats = FloatValues::srgb}, image);
    for (int x = 0; x < 9; ++x) {
        for (int c = 0; c < 4; ++c) {
            CHECK((x == 4 && c < 3 ? std::isnan(after.at(x, 0, c)) : after.at(x, 0, c) == before.at(x, 0, c)));
        }
    }
}

TEST_CASE("profile assigns without touching a value, and results carry the new profile") {
    const TempDir folder;
    put(folder / "wide.icc", wide_profile());
    const IccChoice wide((folder / "wide.icc").string());
    const Image image = random_image({13, 11, 4, Depth::u16});
    CHECK_THAT(whole(Profile{.assign = wide}, image), IsBitwise(image));
    CHECK(profile_after({.assign = wide}, image.form()) == wide_profile());
    CHECK(profile_after({.to = wide, .own = grey_profile()}, image.form()) == wide_profile());
    const Bytes srgb = profile_after({.to = Kind::srgb}, image.form());
    CHECK(srgb == profile_after({.to = Kind::srgb}, image.form()));
    CHECK((srgb.at(24) == std::byte{2000 / 256} && srgb.at(25) == std::byte{2000 % 256})); // not the year of today
    CHECK(srgb != profile_after({.to = Kind::srgb}, {1, 1, 2, Depth::u8}));
}

TEST_CASE("convert goes to sRGB as profile does, and then changes channels") {
    const Image image = random_image({29, 13, 4, Depth::u8});
    const Profile profile{.to = Kind::srgb, .own = wide_profile()};
    const Convert convert{.to_srgb = true, .own = wide_profile()};
    CHECK_THAT(whole(convert, image), IsBitwise(whole(profile, image)));
    Convert grey = convert;
    grey.gray = true;
    CHECK_THAT(whole(grey, image), IsBitwise(whole(Convert{.gray = true}, whole(profile, image))));
}

TEST_CASE("profile refuses what is no profile for the image") {
    const TempDir folder;
    const auto refusal = [&](const Bytes& bytes, const Form& form, ErrorCode expected) {
        put(folder / "x.icc", bytes);
        try {
            plan(Profile{.to = IccChoice((folder / "x.icc").string())}, form);
            FAIL("accepted");
        } catch (const Error& error) {
            CHECK(error.code() == expected);
            CHECK(!error.hint().empty());
        }
    };
    const Form rgb{8, 8, 3, Depth::u8};
    refusal(grey_profile(), rgb, ErrorCode::usage);
    refusal(wide_profile(), {8, 8, 2, Depth::u8}, ErrorCode::usage);
    refusal(Bytes(1000, std::byte{7}), rgb, ErrorCode::input);
    refusal(Bytes(16U << 20U, std::byte{0}), rgb, ErrorCode::input);
    Bytes cut = wide_profile();
    cut.resize(100);
    refusal(cut, rgb, ErrorCode::input);
    for (const std::ptrdiff_t place : {12, 16}) { // a kind of device and of colours that no list has
        Bytes strange = wide_profile();
        std::fill_n(strange.begin() + place, 4, std::byte{0xfe});
        refusal(strange, rgb, place == 12 ? ErrorCode::input : ErrorCode::usage);
    }
    CHECK_THROWS_AS(plan(Profile{.to = Kind::srgb, .own = grey_profile()}, rgb), Error);
    CHECK_THROWS_AS(plan(Profile{.to = Kind::srgb, .own = Bytes(200, std::byte{1})}, rgb), Error);
    CHECK_NOTHROW(plan(Profile{.to = Kind::srgb, .from = Kind::srgb, .own = grey_profile()}, rgb));
    CHECK_THROWS_AS(plan(Profile{}, rgb), Error);
    CHECK_THROWS_AS(plan(Profile{.to = IccChoice("/dev/zero")}, rgb), Error); // has no end
}

TEST_CASE("profile takes the names of its values in any spelling") {
    const FieldContext to{"to", {}, {}};
    CHECK(FieldText<IccChoice>::parse(to, "sRGB").name() == "srgb");
    CHECK(FieldText<IccChoice>::parse(to, "Display-P3").name() == "display-p3");
    CHECK_THROWS_AS(FieldText<IccChoice>::parse(to, "own"), Error);
    CHECK(FieldText<IccChoice>::parse({"from", {}, {}}, "own").name() == "own");
}

#else

TEST_CASE("profile says what it lacks in a build without colour management") {
    CHECK_THROWS_AS(plan(Profile{.to = IccChoice::Kind::srgb}, {1, 1, 3, Depth::u8}), Error);
}

#endif
