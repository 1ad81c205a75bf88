// The rows of NPP, by file.
#pragma once

#include "measure.hpp"

namespace peers::npp {

// npp_statistics.cu
void histogram(Report& report, const Picture& picture);
void integral(Report& report, const Picture& picture);

// npp_filters.cu
void blur(Report& report, const Picture& picture);
void box(Report& report, const Picture& picture);
void sobel(Report& report, const Picture& picture);
void laplacian(Report& report, const Picture& picture);
void unsharp(Report& report, const Picture& picture);
void convolve(Report& report, const Picture& picture);

// npp_ranks.cu
void median(Report& report, const Picture& picture);
void morphology(Report& report, const Picture& picture);

// npp_resize.cu
void resize(Report& report, const Picture& picture);

// npp_colors.cu
void blend(Report& report, const Picture& picture);
void color(Report& report, const Picture& picture);

// npp_warps.cu
void warp(Report& report, const Picture& picture);
void rotate(Report& report, const Picture& picture);

// npp_edges.cu
void bilateral(Report& report, const Picture& picture);
void canny(Report& report, const Picture& picture);

} // namespace peers::npp
