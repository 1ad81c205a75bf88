#include "video/plane_chain.hpp"

#include "glproc/base/error.hpp"
#include "glproc/ops/by_planes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

/// Of luma, or of chroma.
PlaneGrid grid_of(const YcbcrForm& form, std::size_t plane, const Form& luma) {
    return plane == 0 ? PlaneGrid{luma} : PlaneGrid{luma, form.across, form.down, form.centred_across, form.centred_down};
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

} // namespace

std::string why_rgb(const std::string& name, const FilmInfo& film, bool alpha) {
    return film.code.matrix == YcbcrMatrix::rgb ? fmt::format("{}: it has no luma and chroma, but RGB", name)
           : !film.turn.is_upright() ? fmt::format("{}: its frames are turned for showing, which needs RGB here", name)
           : alpha                   ? fmt::format("{}: it has alpha, by which RGB is weighted", name)
                                     : "";
}

PlaneChain::PlaneChain(const cli::Arguments& arguments, const YcbcrForm& from) : from_(from), result_(from) {
    for (cli::FilmStep& step : cli::configure_film(arguments)) {
        const ByPlanes* by_planes = step.over_time == nullptr && step.info != nullptr ? by_planes_of(*step.info) : nullptr;
        if (by_planes == nullptr) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} does not work in YUV", step.info == nullptr ? "this operation" : step.info->name),
                        fmt::format("leave --in yuv out: it is for {}", names_by_planes()));
        }
        steps_.push_back({std::move(step), by_planes});
    }
    Form luma = from.planes()[0];
    for (const Step& one : steps_) {
        const Plan plan = one.by_planes->plan(*one.step.operation, grid_of(from, 0, luma));
        one.by_planes->plan(*one.step.operation, grid_of(from, 1, luma)); // which checks it for chroma
        shape_ = shape_.then(plan.pixel_shape);
        luma = plan.result;
    }
    result_.width = luma.width;
    result_.height = luma.height;
}

bool PlaneChain::needs_length() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const Step& one) {
        return std::any_of(one.step.changes.begin(), one.step.changes.end(),
                           [](const cli::Change& change) { return change.needs_length(); });
    });
}

bool PlaneChain::changes() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const Step& one) { return !one.step.changes.empty(); });
}

void PlaneChain::set_moment(const cli::FilmMoment& at) {
    for (const Step& one : steps_) {
        for (const cli::Change& change : one.step.changes) {
            change.apply(*one.step.operation, at);
        }
    }
}

YcbcrPlanes PlaneChain::upload(Context& gpu, const PlaneImages& planes) {
    return {gpu.upload(planes[0], "y"), gpu.upload(planes[1], "cb"), gpu.upload(planes[2], "cr")};
}

YcbcrPlanes PlaneChain::made(Context& gpu, YcbcrPlanes planes, std::int64_t number, double seconds) {
    set_moment({number, seconds, length_});
    for (const Step& one : steps_) {
        const Form luma = planes[0].form();
        for (std::size_t i = 0; i < planes.size(); ++i) {
            planes.at(i) = run_whole(gpu, one.by_planes->plan(*one.step.operation, grid_of(from_, i, luma)), planes.at(i));
        }
    }
    if (planes[0].width() != result_.width || planes[0].height() != result_.height) {
        throw Error(ErrorCode::usage, "a value that changes also changes the size of the result, and all frames have one");
    }
    return planes;
}

PlaneImages PlaneChain::fetch(Context& gpu, const YcbcrPlanes& planes, PlaneImages memory) const {
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory.at(i) = gpu.download(planes.at(i), std::move(memory.at(i)));
        limit_codes(memory.at(i), from_.bits);
    }
    return memory;
}

} // namespace glproc::video
