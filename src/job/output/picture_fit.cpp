// What makes a picture fit the format of its file: which flags would, and with --fit-format the same without
// them.
#include "job/format_fit.hpp"
#include "job/output/picture_output.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::job {

std::string PictureOutput::Fit::flags() const {
    std::vector<std::string> words;
    if (flattens) {
        words.emplace_back("--background white");
    }
    if (becomes_grey) {
        words.emplace_back("--gray");
    }
    if (becomes_colour) { // for which there is no flag
        return "--fit-format";
    }
    if (depth) {
        words.push_back(fmt::format("--depth {}", name_of(*depth)));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

PictureOutput::Fit PictureOutput::way_on(const Form& form, bool needs_floats) const {
    Fit best;
    constexpr std::array<std::array<bool, 2>, 3> tones{{{false, false}, {true, false}, {false, true}}};
    for (const bool flattens : {false, true}) {
        for (const auto& [becomes_grey, becomes_colour] : tones) {
            for (const Depth depth : {form.depth, Depth::u16, Depth::u8, Depth::f32}) {
                if (needs_floats && depth != Depth::f32) {
                    continue;
                }
                Form tried = form;
                const auto white = flattens ? std::optional(Colour{1, 1, 1}) : std::nullopt;
                tried.channels = ChannelChange{white, becomes_grey, becomes_colour}.of(form.channels);
                tried.depth = depth;
                const Fit fit{true, flattens, becomes_grey, becomes_colour,
                              depth == form.depth ? std::nullopt : std::optional(depth)};
                if ((!best.is_possible || fit.changes() < best.changes()) && is_encodable(format_, tried)) {
                    best = fit;
                }
            }
        }
    }
    return best;
}

void PictureOutput::choose_only_depth(const Form& form) {
    if (!told_.depth && takes_as_floats(format_, written(form))) {
        told_.depth = Depth::f32;
    }
}

void PictureOutput::choose_only_channels(const Form& form) {
    is_colour_ = is_colour_ || takes_as_colour(format_, written(form).channels, told_.depth);
}

void PictureOutput::choose_mask_depth(const Plan& plan) {
    if (!told_.depth && plan.shape.makes_mask) {
        told_.depth = codes_of_mask(format_, written(plan.shape.result));
    }
}

/// In the words of the call: the file, and flags that help.
Error PictureOutput::refusal(const Error& error, const Fit& way) const {
    std::string what = error.what();
    if (what.starts_with(format_ + ": ")) {
        what.replace(0, format_.size(), name());
    }
    return {error.code(), what,
            way.is_possible ? fmt::format("{} makes it fit; {}", way.flags(), error.hint()) : error.hint()};
}

void PictureOutput::check(int channels, Depth depth, bool needs_floats) {
    if (told_.background && !told_.background->is_grey() && channels == 2) {
        throw Error(ErrorCode::usage, "--background has a colour, but the image is grey",
                    "choose a grey, such as --background white");
    }
    const auto choose_only_form = [&] {
        choose_only_channels({0, 0, channels, depth});
        choose_only_depth({0, 0, channels, depth});
    };
    choose_only_form();
    if (told_.background_at_need && written({0, 0, channels, depth}).has_alpha() &&
        !is_encodable(format_, written({0, 0, channels, depth}))) {
        told_.background = told_.background_at_need;
        choose_only_form();
    }
    const Form form = written({0, 0, channels, depth});
    try {
        check_encodable(format_, form.channels, form.depth);
    } catch (const Error& error) {
        const Fit way = way_on(form, needs_floats);
        if (!told_.fits_format || !way.is_possible) {
            throw refusal(error, way);
        }
        if (way.flattens) {
            told_.background = Colour{1, 1, 1};
        }
        told_.is_grey = told_.is_grey || way.becomes_grey;
        is_colour_ = is_colour_ || way.becomes_colour;
        told_.depth = way.depth ? way.depth : told_.depth;
    }
    check_few_colours(written({0, 0, channels, depth}));
}

/// That a palette, or 1 bit a pixel, can be made of it.
void PictureOutput::check_few_colours(const Form& form) const {
    const bool is_bilevel = told_.compression == TiffCompression::g4;
    if (!told_.colours && !is_bilevel) {
        return;
    }
    const std::string flag = is_bilevel ? "--compression g4" : "--colors";
    if (form.depth != Depth::u8) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} is for 8-bit values, not {}", name(), flag,
                                form.depth == Depth::u16 ? "16-bit ones" : "floats"),
                    "add --depth 8");
    }
    if (is_bilevel && form.channels != 1) {
        const bool has_alpha = form.channels % 2 == 0;
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} is for black and white, not for {}", name(), flag,
                                has_alpha ? "an alpha channel" : "colour"),
                    fmt::format("add {}{}{}", has_alpha ? "--background white" : "",
                                form.channels == 4 ? " " : "", form.channels >= 3 ? "--gray" : ""));
    }
}

Depth PictureOutput::working_depth(Depth depth, bool takes_floats) const {
    if (!told_.depth) {
        return depth;
    }
    const Depth larger = std::max(*told_.depth, depth);
    return takes_floats ? larger : std::min(larger, Depth::u16);
}

} // namespace glproc::job
