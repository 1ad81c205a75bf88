#include "cli/many/jpeg_plan.hpp"

#include "glproc/gpu_codecs/jpeg/choice.hpp"

namespace glproc::cli {

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

// On the H100 of many cores a start costs what a thread takes for 24 photos.
bool JpegPlan::overtakes(std::size_t jpegs, std::size_t threads) {
    constexpr std::size_t for_start = 24;
    const gpu_codecs::JpegRoad road = gpu_codecs::jpeg_road();
    const bool pays = road == gpu_codecs::JpegRoad::automatic && choice_.chooses() && jpegs >= for_start * threads;
    makes_fractions_ = jpegs > 0 && (pays || road == gpu_codecs::JpegRoad::gpu);
    has_jpegs_ = has_jpegs_ || makes_fractions_;
    return makes_fractions_;
}

bool JpegPlan::look_at(Context& gpu, double start) {
    if (has_jpegs_ && !is_looked_at_.exchange(true)) {
        is_for_gpu_ = decodes_jpegs(gpu, makes_fractions_);
        choice_.remember_start(gpu.device().software, start);
        is_known_ = true;
    }
    return is_known_ && is_for_gpu_;
}

} // namespace glproc::cli
