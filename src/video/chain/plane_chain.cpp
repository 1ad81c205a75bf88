#include "video/chain/plane_chain.hpp"

#include "cli/files/video_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/gather/place_plane.hpp"
#include "glproc/ops/operations_by_planes.hpp"
#include "video/settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

/// Null where a step does not work on planes.
const ByPlanes* by_planes_of(const cli::VideoStep& step) {
    return step.over_time == nullptr && step.info != nullptr ? glproc::by_planes_of(*step.info) : nullptr;
}

/// Those that were named; a call without any has a step that does nothing.
std::vector<cli::VideoStep> named_steps(const cli::Arguments& arguments) {
    const bool has_none = arguments.steps.empty() && !arguments.has(cli::recipe_flag);
    return has_none ? std::vector<cli::VideoStep>{} : cli::configure_video(arguments);
}

/// Whether it may place pixels in one frame and mix them in another.
bool changes_kind(const cli::VideoStep& step, const ByPlanes& by_planes) {
    return std::any_of(step.changes.begin(), step.changes.end(),
                       [&](const cli::Change& change) { return change.name() == by_planes.places_by; });
}

/// What becomes of a plane.
Picture run_all(const Machine& machine, const std::vector<Plan>& plans, Picture plane) {
    for (const Plan& plan : plans) {
        plane = machine.run(plan, plane);
    }
    return plane;
}

/// Codes of 9 to 15 bits lie in 16, and filters that sharpen go beyond them.
void limit_codes(Image& plane, int bits) {
    constexpr int word = 16;
    if (plane.depth() == Depth::u16 && bits < word) {
        const auto most = static_cast<std::uint16_t>((1 << bits) - 1);
        for (std::uint16_t& code : plane.values<std::uint16_t>()) {
            code = std::min(code, most);
        }
    }
}

/// Whether all that is done to frames is to place pixels: by steps, and to turn them upright.
bool only_places(const std::vector<cli::VideoStep>& steps, const Turn& turn) {
    const bool is_done_something = !steps.empty() || !turn.is_upright();
    return is_done_something && std::all_of(steps.begin(), steps.end(), [](const cli::VideoStep& step) {
               const ByPlanes* by_planes = by_planes_of(step);
               return by_planes != nullptr && by_planes->only_places(*step.operation) &&
                      !changes_kind(step, *by_planes);
           });
}

} // namespace

PlaneChain::PlaneChain(std::vector<cli::VideoStep> steps, const VideoInfo& video, bool turns_siting)
    : from_(video.form), code_(video.code), turn_(video.turn), turns_siting_(turns_siting),
      result_(video.form) {
    if (!turn_.is_upright()) {
        steps_.emplace_back();
    }
    for (cli::VideoStep& step : steps) {
        const ByPlanes* by_planes = by_planes_of(step);
        if (by_planes == nullptr) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} does not work in YUV",
                                    step.info == nullptr ? "this operation" : step.info->name),
                        fmt::format("leave --in yuv out: it is for {}", names_by_planes()));
        }
        if (changes_kind(step, *by_planes)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} with an --{} that changes does not work in YUV", step.info->name,
                                    by_planes->places_by),
                        "leave --in yuv out");
        }
        steps_.push_back({std::move(step), by_planes});
    }
    auto [luma, chroma, other] = grids();
    for (const Step& one : steps_) {
        const std::vector<Plan> plans = plans_of(one, luma);
        for (const std::vector<Plan>& some : {plans, plans_of(one, chroma)}) { // which checks it for chroma
            needs_no_device_ = needs_no_device_ && std::ranges::all_of(some, &glproc::needs_no_device);
        }
        const bool turned = plans.front().shape.pixels.turned;
        luma = luma.then(plans.back().shape.result, turned);
        chroma = chroma.then(plans.back().shape.result, turned);
    }
    result_.width = luma.luma.width;
    result_.height = luma.luma.height;
    result_.centred_across = chroma.centred_across;
    result_.centred_down = chroma.centred_down;
}

std::vector<Plan> PlaneChain::plans_of(const Step& one, const PlaneGrid& grid) const {
    return one.by_planes == nullptr
               ? place_plane(grid, placement_of(turn_, grid.luma), "turn", GatherMethod::automatic)
               : one.by_planes->plans(*one.step.operation, grid);
}

/// Of the source's planes.
std::array<PlaneGrid, 3> PlaneChain::grids() const {
    std::array<PlaneGrid, 3> grids;
    for (std::size_t i = 0; i < grids.size(); ++i) {
        PlaneGrid& grid = grids.at(i);
        grid.luma = from_.planes()[0];
        if (i > 0) {
            grid = {grid.luma,          from_.across, from_.down, from_.centred_across,
                    from_.centred_down, turns_siting_};
        }
        grid.code_of = [this, i](const Colour& colour) { return codes_of(colour, from_, code_).at(i); };
    }
    return grids;
}

AVChromaLocation PlaneChain::location(AVChromaLocation of_source) const {
    const bool is_same =
        result_.centred_across == from_.centred_across && result_.centred_down == from_.centred_down;
    return is_same ? of_source : location_of(result_);
}

bool PlaneChain::needs_length() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const Step& one) {
        return std::any_of(one.step.changes.begin(), one.step.changes.end(),
                           [](const cli::Change& change) { return change.needs_length(); });
    });
}

void PlaneChain::set_moment(const cli::VideoMoment& at) {
    for (const Step& one : steps_) {
        for (const cli::Change& change : one.step.changes) {
            change.apply(*one.step.operation, at);
        }
    }
}

PlaneChain::Planes PlaneChain::take(const Machine& machine, PlaneImages& planes) {
    return {machine.take(planes[0], "y"), machine.take(planes[1], "cb"), machine.take(planes[2], "cr")};
}

PlaneChain::Planes PlaneChain::made(const Machine& machine, Planes planes, std::int64_t number,
                                    double seconds) {
    set_moment({number, seconds, length_});
    std::array<PlaneGrid, 3> at_step = grids();
    for (const Step& one : steps_) {
        bool turned = false;
        for (std::size_t i = 0; i < planes.size(); ++i) {
            const std::vector<Plan> plans = plans_of(one, at_step.at(i));
            planes.at(i) = run_all(machine, plans, std::move(planes.at(i)));
            turned = plans.front().shape.pixels.turned;
        }
        for (PlaneGrid& grid : at_step) {
            grid = grid.then(planes[0].form(), turned);
        }
    }
    if (planes[0].form().width != result_.width || planes[0].form().height != result_.height) {
        throw Error(ErrorCode::usage,
                    "a value that changes also changes the size of the result, and all frames have one");
    }
    return planes;
}

PlaneImages PlaneChain::give(const Machine& machine, Planes planes, PlaneImages memory) const {
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory.at(i) = machine.give(std::move(planes.at(i)), std::move(memory.at(i)));
        limit_codes(memory.at(i), from_.bits);
    }
    return memory;
}

PlaneChoice choose_planes(const cli::Arguments& arguments, const VideoInfo& video, std::string why_rgb,
                          bool turns_siting) {
    const auto values = given<cli::VideoValues>(arguments, "in");
    PlaneChoice choice{.asked = values == cli::VideoValues::yuv, .why_rgb = std::move(why_rgb)};
    if (!choice.asked && (values || !choice.why_rgb.empty())) {
        return choice;
    }
    std::vector<cli::VideoStep> steps = named_steps(arguments);
    if (!choice.asked && !only_places(steps, video.turn)) {
        return choice;
    }
    try {
        choice.chain.emplace(std::move(steps), video, turns_siting);
    } catch (const Error& error) { // which RGB throws again where it cannot do it either
        if (choice.asked) {
            throw;
        }
        choice.note = fmt::format("{}: frames go through RGB, which changes values a little: {}",
                                  arguments.places[0], error.what());
    }
    return choice;
}

void settle(PlaneChoice& choice, const cli::Arguments& arguments, const VideoInfo& video,
            const FrameSink& sink) {
    if (!choice.chain) {
        return;
    }
    std::string why = choice.why_rgb;
    const VideoFormat* to = sink.planes();
    YcbcrForm made = choice.chain->result();
    made.bits = to != nullptr ? to->form.bits : made.bits; // which frames get at the end
    const bool takes = to != nullptr && to->form == made && to->has_codes_of(video);
    if (why.empty() && !takes && !sink.takes_nothing()) {
        why = fmt::format("{}: it holds no planes as {} has them", arguments.places[1], arguments.places[0]);
    }
    if (!why.empty() && choice.asked) {
        throw Error(ErrorCode::usage, why, "leave --in yuv out");
    }
    if (!why.empty()) {
        choice.chain.reset();
    }
}

} // namespace glproc::video
