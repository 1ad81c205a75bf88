#include "glproc/ops/contours.hpp"
