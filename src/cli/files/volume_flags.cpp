#include "cli/files/volume_flags.hpp"

#include "cli/files/file_flags.hpp"
#include "glproc/base/error.hpp"
#include "glproc/ops/operations_in_volume.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr const char* volume_flag = "volume";
constexpr const char* units_flag = "units";

/// Of "X,Y,Z" the comma before Z; nothing of one number. Throws Error(usage) for other lists.
std::optional<std::size_t> before_third(const FieldInfo& field, const std::string& value) {
    const auto commas = std::ranges::count(value, ',');
    if (commas == 0) {
        return std::nullopt;
    }
    if (commas != 2) {
        throw Error(ErrorCode::usage, fmt::format("--{} {}: a volume has three axes", field.name, value),
                    fmt::format("--{0} N for all of them, or --{0} X,Y,Z", field.name));
    }
    return value.rfind(',');
}

double third_of(const FieldInfo& field, const std::string& value, std::size_t comma) {
    const FieldContext context{field.name, field.unit, field.limit};
    const std::string third = value.substr(comma + 1);
    return field.kind == FieldKind::whole ? FieldText<int>::parse(context, third)
                                          : FieldText<double>::parse(context, third);
}

} // namespace

std::vector<Flag> volume_flags(const OpInfo& op) {
    const InVolume* in_volume = in_volume_of(op);
    if (in_volume == nullptr) {
        return {};
    }
    Flag volume = choice(volume_flag, JoinOver::z,
                         "the images of a file are planes of one volume: along z, or what is named");
    volume.implied = std::exchange(volume.info.default_value, "");
    for (const auto& row : enum_rows<JoinOver>) {
        volume.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    std::vector<Flag> flags{volume};
    if (in_volume->knows_spacing) {
        Flag units =
            toggle(units_flag, 0,
                   "lengths are in the unit of the file, as it tells the size of its pixels and steps");
        units.info.needs = volume_flag;
        flags.push_back(units);
    }
    return in_group("Input", flags);
}

std::optional<VolumeAsked> volume_asked(const Arguments& arguments) {
    if (arguments.command->op == nullptr || in_volume_of(*arguments.command->op) == nullptr) {
        return std::nullopt;
    }
    if (!arguments.has(volume_flag)) {
        if (arguments.has(units_flag)) {
            throw Error(ErrorCode::usage, "--units has no effect without --volume");
        }
        return std::nullopt;
    }
    const auto along = FieldText<JoinOver>::parse({volume_flag, "", {}}, arguments.value(volume_flag));
    VolumeAsked asked{along == JoinOver::pages ? std::nullopt
                                               : std::optional(FieldText<JoinOver>::print(along).front()),
                      arguments.has(units_flag)};
    for (const FieldInfo& field : arguments.op().fields) {
        if (field.values == 2 && arguments.has(field.name)) {
            const std::string& value = arguments.value(field.name);
            if (const auto comma = before_third(field, value)) {
                asked.across[field.name] = third_of(field, value, *comma);
            }
        }
    }
    return asked;
}

std::string value_in_image(const Arguments& arguments, const FieldInfo& field, const std::string& value) {
    if (field.values != 2 || !arguments.has(volume_flag)) {
        return value;
    }
    return value.substr(0, before_third(field, value).value_or(std::string::npos));
}

} // namespace glproc::cli
