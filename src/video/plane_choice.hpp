// Whether the operations of a run work on planes of luma and chroma or on RGB.
#pragma once

#include "cli/arguments.hpp"
#include "video/film_info.hpp"
#include "video/plane_chain.hpp"
#include "video/sink.hpp"

#include <optional>
#include <string>

namespace glproc::video {

/// What the choice depends on, beside the operations.
struct PlaneFacts {
    const FilmInfo& film;
    std::string in;
    std::string out;
    bool alpha = false; ///< of the frames
    bool to_sdr = false;
    bool turns_siting = false; ///< as PlaneChain has it
};

struct PlaneChoice {
    std::optional<PlaneChain> chain; ///< nothing for RGB
    bool asked = false;              ///< by --in yuv: then there is nothing but an error instead
    std::string note;                ///< why pixels that only change places go through RGB
};

/// Planes where --in yuv asks for them, or where nothing is done but to place pixels, which then keep their
/// codes. Throws Error(usage).
PlaneChoice choose_planes(const cli::Arguments& arguments, const PlaneFacts& facts);

/// Once it is known what OUT takes. Throws Error(usage) where it does not take what was asked for.
void settle(PlaneChoice& choice, const PlaneFacts& facts, const FrameSink& sink);

} // namespace glproc::video
