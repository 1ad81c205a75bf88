// The one public include: images, arrays, a context, and every operation.
#pragma once

#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/array.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/image/image.hpp"
#include "glproc/image/memory_rows.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/equalize.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/histogram_plot.hpp"
#include "glproc/ops/integral.hpp"
#include "glproc/ops/op.hpp"
#include "glproc/ops/scan.hpp"
#include "glproc/ops/tiles.hpp"
