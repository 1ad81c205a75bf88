// How far two places are apart.
#pragma once

namespace glproc {

enum class Metric { euclidean, taxicab, chessboard };

} // namespace glproc
