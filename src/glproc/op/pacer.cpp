#include "glproc/op/pacer.hpp"

#include "glproc/base/clock.hpp"

#include <algorithm>

namespace glproc {

namespace {

constexpr double wanted_ms = 40; // not quite 50: no two dispatches take the same time
constexpr double slow_gpu_work = 0x1p28;

int whole_grains(double rows, int grain) {
    return std::max(static_cast<int>(std::min(rows, 0x1p30) / grain), 1) * grain;
}

} // namespace

int Pacer::next_rows(int last, double milliseconds) const {
    constexpr double most_growth = 4;
    return whole_grains(last * std::min(wanted_ms / std::max(milliseconds, 0.001), most_growth), grain);
}

void Pacer::run(Context& gpu, int rows, const std::function<void(int, int)>& dispatch) const {
    const bool is_short = rows * row_work <= whole_work || gpu.device().software;
    if (first_work == 0 && is_short) {
        return dispatch(0, rows);
    }
    gpu.finish();
    int part = whole_grains((first_work > 0 ? first_work : slow_gpu_work) / row_work, grain);
    for (int first = 0; first < rows;) {
        const int end = std::min(first + part, rows);
        const Clock::time_point begin = Clock::now();
        dispatch(first, end);
        gpu.finish();
        part = next_rows(end - first, milliseconds_since(begin));
        first = end;
    }
}

} // namespace glproc
