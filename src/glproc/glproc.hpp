// The one public include: images, arrays, a context, every operation, and what operations of your own are
// made of.
#pragma once

#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/array.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/image/image.hpp"
#include "glproc/image/inspect.hpp"
#include "glproc/image/memory_rows.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/kinds/stencil.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/operations.hpp"
#include "glproc/ops/histogram/plot.hpp"
