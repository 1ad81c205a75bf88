// Some of the channels of a picture, as people type them.
#pragma once

#include "glproc/op/field.hpp"

#include <array>
#include <string>

namespace glproc {

/// Some of r, g, b and a: "rgb". The grey of a grey picture is r, g and b.
struct ChannelNames {
    std::string letters = "rgb";

    /// Whether r, g, b and a are among them, for pictures of this form.
    std::array<bool, 4> in(const Form& form) const;
};

template <>
struct FieldText<ChannelNames> {
    static ChannelNames parse(const FieldContext& c, std::string_view text);
    static std::string print(const ChannelNames& names) { return names.letters; }
    static std::string range(const Limit&) { return "some of r, g, b and a"; }
};

} // namespace glproc
