#include "glproc/ops/profile.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/profile/conversion.hpp"
#include "glproc/ops/profile/matrix_form.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

using Kind = IccChoice::Kind;

/// Throws where the profile is none for such images. One that came with the image is that image's fault.
void check_profile(const IccChoice& choice, std::span<const std::byte> bytes, bool is_grey) {
    using Fault = modules::ProfileFault::Kind;
    const modules::ProfileFault fault = colour_management().check(bytes, is_grey);
    if (fault.kind == Fault::none) {
        return;
    }
    const bool is_own = choice.kind() == Kind::own;
    const bool is_broken = fault.kind == Fault::broken;
    const std::string_view kind = is_grey ? "grey" : "RGB";
    const std::string what = is_broken && is_own ? "the ICC profile of the image is broken"
                             : is_broken         ? fmt::format("{}: not an ICC profile, or a broken one", choice.name())
                             : is_own            ? fmt::format("the image is {}, but has {}", kind, fault.what)
                                                 : fmt::format("{}: {}, but the image is {}", choice.name(), fault.what, kind);
    throw Error(is_own || is_broken ? ErrorCode::input : ErrorCode::usage, what,
                is_own ? "--from srgb ignores the profile of the image" : fmt::format("take a profile of {}, or srgb", kind));
}

std::vector<std::byte> checked_profile(const IccChoice& choice, const Form& form, bool is_linear,
                                       const std::vector<std::byte>& own) {
    const bool is_grey = form.channels < 3;
    std::vector<std::byte> bytes = choice.bytes(is_grey, is_linear, own);
    if (choice.kind() == Kind::file || (choice.kind() == Kind::own && !own.empty())) {
        check_profile(choice, bytes, is_grey);
    }
    return bytes;
}

void check_fields(const Profile& op, bool is_linear) {
    if (op.to.is_given() == op.assign.is_given()) {
        throw Error(ErrorCode::usage,
                    op.to.is_given() ? "a profile is assigned or converted to, not both" : "no profile is named",
                    "glproc profile in.png out.png --to srgb");
    }
    if (is_linear && op.to.kind() == Kind::file) {
        throw Error(ErrorCode::usage,
                    "floats of linear light can be converted to srgb and display-p3, but to no profile from a file",
                    "store them with the curve of sRGB first: glproc convert in.exr out.tif --depth 16");
    }
}

/// Nothing where a profile is only assigned.
std::optional<ProfileConversion::Between> profiles_of(const Profile& op, const Form& form) {
    const bool is_linear = form.depth == Depth::f32 && op.floats == FloatValues::linear;
    check_fields(op, is_linear);
    if (op.assign.is_given()) {
        checked_profile(op.assign, form, false, {});
        return {};
    }
    return ProfileConversion::Between{checked_profile(op.from, form, is_linear, op.own),
                                      checked_profile(op.to, form, is_linear, {}), op.intent, op.bpc};
}

/// Black is the black of all of these, with black points or without. Floats beyond 0 and 1 are for the library.
std::optional<MatrixConversion> by_matrix(const Profile& op, const Form& form, const ProfileConversion::Between& between) {
    if (form.depth == Depth::f32 || form.channels < 3 || op.intent == modules::ColourIntent::absolute) {
        return {};
    }
    const std::optional<MatrixProfile> from = matrix_profile(between.from);
    const std::optional<MatrixProfile> to = matrix_profile(between.to);
    const auto made = from && to ? MatrixConversion::between(*from, *to) : std::nullopt;
    return made && made->largest_error() * max_code(form.depth) < 1 ? made : std::nullopt;
}

Plan matrix_plan(const MatrixConversion& conversion, const Form& form, ProfileMethod method) {
    return point_plan(form, {.name = "profile",
                             .glsl = "profile.glsl",
                             .params = conversion.params(),
                             .enters = true,
                             .method = method == ProfileMethod::gpu ? PointMethod::gpu : PointMethod::automatic});
}

} // namespace

Plan plan(const Profile& op, const Form& form) {
    const std::optional<ProfileConversion::Between> between = profiles_of(op, form);
    if (between && (op.method == ProfileMethod::automatic || op.method == ProfileMethod::gpu)) {
        if (const std::optional<MatrixConversion> matrix = by_matrix(op, form, *between)) {
            return matrix_plan(*matrix, form, op.method);
        }
    }
    if (op.method == ProfileMethod::gpu) {
        throw Error(ErrorCode::usage, "--method gpu converts 8 and 16 bits of RGB between profiles that are a matrix and formulas",
                    "leave --method out: Little CMS converts all others");
    }
    const auto conversion = between ? std::make_shared<const ProfileConversion>(*between, form) : nullptr;
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [form](Context&) {
        const int pixels = pixels_per_texel(form);
        return TileNeeds{.what = "profile", .grain = {pixels, 1}, .texel_pixels = pixels, .pixel_bytes = 32.0 / pixels,
                         .pixel_work = 100};
    };
    plan.twin.run = [conversion, form](RowReader& source, RowWriter& to) {
        convert_rows(conversion.get(), form, source, to);
    };
    plan.twin.row_cost = 100.0 * form.width;
    if (op.method == ProfileMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.on_cpu = true;
    plan.work.run = [conversion](Context& gpu, const Part& part, const Rect&) {
        Image image = gpu.download(part.image);
        if (conversion) {
            conversion->convert(image.bytes());
        }
        return gpu.upload(image, "result");
    };
    return plan;
}

std::vector<std::byte> profile_after(const Profile& op, const Form& form) {
    return (op.assign.is_given() ? op.assign : op.to).bytes(form.channels < 3, false, op.own);
}

void refuse_profile_of_frames(const Operation& operation, const Form& form) {
    PictureFacts facts{.curve = ColourCurve::srgb};
    operation.on(facts, form);
    if (facts.icc.empty()) {
        return;
    }
    const bool is_grey = operation.result_form(form).channels < 3;
    if (facts.icc != IccChoice(Kind::srgb).bytes(is_grey, false, {})) {
        throw Error(ErrorCode::usage, "a video cannot store the ICC profile that these colours need",
                    "profile --to srgb and convert --to-srgb need none");
    }
}

const OpInfo& profile_info() {
    static const OpInfo info =
        Describe<Profile>("profile", "convert colours to another ICC profile, such as sRGB", "in.png out.png --to srgb")
            .found_by({"icc"}, "IN OUT --to srgb")
            .found_by({"-intent N"})
            .field("to", &Profile::to,
                   {.value = "P",
                    .help = "the profile to convert to: srgb, display-p3 or a file; it is stored with the result",
                    .required = true,
                    .contradicts = "assign"})
            .field("assign", &Profile::assign,
                   {.value = "P",
                    .help = "replace the profile and keep every value: for images with a wrong profile, or none",
                    .contradicts = "to"})
            .field("from", &Profile::from,
                   {.value = "P", .help = "the profile that colours are in; own is the profile of the image, or else srgb"})
            .field("intent", &Profile::intent, {.value = "I", .help = "how to replace colours that the profile lacks"})
            .toggle("bpc", &Profile::bpc, true, {.help = "map black to black (black point compensation)"})
            .field("floats", &Profile::floats, {.value = "F", .help = "what untagged floats contain"})
            .converts_profile(&Profile::own, &profile_after)
            .method(&Profile::method)
            .runs();
    return info;
}

} // namespace glproc
