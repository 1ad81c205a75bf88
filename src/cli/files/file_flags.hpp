// Making flags, and those about files that operations share.
#pragma once

#include "cli/commands.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <string>
#include <vector>

namespace glproc {

template <>
inline constexpr std::array<EnumRow<YcbcrMatrix>, 3> enum_rows<YcbcrMatrix>{{
    {YcbcrMatrix::bt601, "bt601", "standard definition"},
    {YcbcrMatrix::bt709, "bt709", "high definition"},
    {YcbcrMatrix::bt2020, "bt2020", "ultra-high definition"},
}};

template <>
inline constexpr std::array<EnumRow<YcbcrRange>, 2> enum_rows<YcbcrRange>{{
    {YcbcrRange::limited, "limited", "black is 16 and white 235, at 8 bits"},
    {YcbcrRange::full, "full", "black is 0 and white 255, at 8 bits"},
}};

/// Which images of one file become one.
enum class JoinOver { pages, z, c, t };

template <>
inline constexpr std::array<EnumRow<JoinOver>, 4> enum_rows<JoinOver>{{
    {JoinOver::pages, "pages", "all of them"},
    {JoinOver::z, "z", "the slices of each channel and time"},
    {JoinOver::c, "c", "the channels of each slice and time"},
    {JoinOver::t, "t", "the times of each slice and channel"},
}};

} // namespace glproc

namespace glproc::cli {

inline constexpr const char* over_flag = "over";

/// The group of the flags that are about files of pictures.
inline constexpr const char* writing_group = "Output";

Flag with_value(const std::string& name, const std::string& value, const std::string& help);

/// A flag whose value is one of an enum.
template <class E>
Flag choice(const std::string& name, E default_value, const std::string& help) {
    Flag flag = with_value(name, FieldText<E>::range({}), help);
    flag.info.range = flag.info.value;
    flag.info.default_value = FieldText<E>::print(default_value);
    return flag;
}

/// A flag without a value.
Flag toggle(const std::string& name, char letter, const std::string& help);

/// A flag whose value is one of an enum, and without which something else decides.
template <class E>
Flag optional_choice(const std::string& name, const std::string& help) {
    Flag flag = choice(name, E{}, help);
    flag.info.default_value.clear();
    return flag;
}

/// A flag whose value is a whole number.
Flag number(const std::string& name, const Limit& limit, const std::string& default_value,
            const std::string& help);

std::vector<Flag> in_group(const std::string& group, std::vector<Flag> flags);

/// How inputs are read.
std::vector<Flag> input_flags(Input input);

/// What reading one picture may cost, and whether to trust it.
std::vector<Flag> budget_flags();

/// What becomes of broken pictures, for commands that decode them.
std::vector<Flag> salvage_flags(Input input);

/// How what the operation makes is written.
std::vector<Flag> output_flags(const OpInfo& op);

/// Of an operation on pictures: what the codes of a video mean.
std::vector<Flag> video_flags(const OpInfo& op);

/// Of an operation on pictures: how it works on many of them.
std::vector<Flag> many_flags(const OpInfo& op);

} // namespace glproc::cli
