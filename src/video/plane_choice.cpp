#include "video/plane_choice.hpp"

#include "cli/files/film_command.hpp"
#include "glproc/base/error.hpp"
#include "video/film_settings.hpp"

#include <fmt/format.h>

namespace glproc::video {

namespace {

/// Why frames of such a film need RGB; empty where planes may do.
std::string why_rgb(const PlaneFacts& facts) {
    return facts.to_sdr ? "--to-sdr needs RGB"
           : facts.film.code.matrix == YcbcrMatrix::rgb
               ? fmt::format("{}: it has no luma and chroma, but RGB", facts.in)
           : facts.alpha ? fmt::format("{}: it has alpha, by which RGB is weighted", facts.in)
                         : "";
}

PlaneChain chain_of(const cli::Arguments& arguments, const PlaneFacts& facts) {
    return {arguments, facts.film, facts.turns_siting};
}

} // namespace

PlaneChoice choose_planes(const cli::Arguments& arguments, const PlaneFacts& facts) {
    const auto values = given<cli::FilmValues>(arguments, "in");
    PlaneChoice choice;
    if (values == cli::FilmValues::yuv) {
        choice.asked = true;
        choice.chain = chain_of(arguments, facts);
    } else if (!values && why_rgb(facts).empty() && only_places(arguments, facts.film.turn)) {
        try {
            choice.chain = chain_of(arguments, facts);
        } catch (const Error& error) { // which RGB throws again where it cannot do it either
            choice.note = fmt::format("{}: frames go through RGB, which changes values a little: {}",
                                      facts.in, error.what());
        }
    }
    return choice;
}

void settle(PlaneChoice& choice, const PlaneFacts& facts, const FrameSink& sink) {
    if (!choice.chain) {
        return;
    }
    std::string why = why_rgb(facts);
    const FilmFormat* to = sink.planes();
    const YcbcrCode& code = facts.film.code;
    YcbcrForm made = choice.chain->result();
    made.bits = to != nullptr ? to->form.bits : made.bits; // which frames get at the end
    const bool takes = to != nullptr && to->form == made &&
                       to->code.matrix == code.matrix && to->code.range == code.range;
    if (why.empty() && !takes && !sink.takes_nothing()) {
        why = fmt::format("{}: it holds no planes as {} has them", facts.out, facts.in);
    }
    if (!why.empty() && choice.asked) {
        throw Error(ErrorCode::usage, why, "leave --in yuv out");
    }
    if (!why.empty()) {
        choice.chain.reset();
    }
}

} // namespace glproc::video
