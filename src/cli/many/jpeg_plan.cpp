#include "cli/many/jpeg_plan.hpp"

#include "glproc/files/codec.hpp"
#include "glproc/gpu_codecs/jpeg/choice.hpp"

#include <algorithm>
#include <filesystem>

namespace glproc::cli {

namespace {

/// By its name.
bool is_jpeg(const Errand& errand) {
    return format_of(std::filesystem::path(errand.in).extension().native()) == Format::jpeg;
}

} // namespace

JpegPlan::JpegPlan(const Arguments& arguments, const Settings& settings) : choice_(arguments, settings) {
    const gpu_codecs::JpegRoad road = gpu_codecs::jpeg_road();
    is_for_gpu_ = road == gpu_codecs::JpegRoad::gpu || (road == gpu_codecs::JpegRoad::automatic && choice_.expects_gpu());
}

void JpegPlan::decode(PictureJob& job, bool by_cpu) {
    has_jpegs_ = has_jpegs_ || job.may_decode_on_gpu();
    if (is_for_gpu_ && !by_cpu) {
        job.decode_for_gpu();
    } else {
        job.decode();
    }
}

// A start takes as long as 24 photos on a core (NVIDIA H100, 16 cores, 2026-11-25).
void JpegPlan::plan_fractions(const std::vector<Errand>& errands, std::size_t threads) {
    constexpr std::size_t photos_of_start = 24;
    const auto jpegs = static_cast<std::size_t>(std::ranges::count_if(errands, is_jpeg));
    const gpu_codecs::JpegRoad road = gpu_codecs::jpeg_road();
    const bool pays = road == gpu_codecs::JpegRoad::automatic && choice_.expects_gpu() && jpegs >= photos_of_start * threads;
    may_take_over_ = jpegs > 0 && (pays || road == gpu_codecs::JpegRoad::gpu);
    has_jpegs_ = has_jpegs_ || may_take_over_;
}

bool JpegPlan::takes_over(const Errand& errand) const {
    return may_take_over_ && is_known_ && is_for_gpu_ && is_jpeg(errand);
}

bool JpegPlan::look_at(Context& gpu) {
    if (has_jpegs_ && !is_looked_at_.exchange(true)) {
        is_for_gpu_ = decodes_jpegs(gpu, may_take_over_);
        is_known_ = true;
    }
    return is_known_ && is_for_gpu_;
}

} // namespace glproc::cli
