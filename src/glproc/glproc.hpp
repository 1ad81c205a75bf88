// The one public include: images, arrays, a context, every operation, and what operations of your own are
// made of.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/array.hpp"
#include "glproc/image/image.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/kinds/stencil.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/operations.hpp"
#include "glproc/ops/histogram/plot.hpp"
