// A context for one picture.
#pragma once

namespace glproc {

class Context;

/// Tells a new context that it will work on one picture of a few megapixels, and that no other context is in the process:
/// programs that are soon compiled, and memory that is soon there, are then worth more than fast kernels. The values are the same.
void expect_one_picture(Context& gpu);

} // namespace glproc
