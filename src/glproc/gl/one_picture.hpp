// A context for one picture.
#pragma once

namespace glproc {

class Context;

/// Tells a new context that it will work on one picture of a few megapixels, and that the process has no other context.
/// It then prefers programs that compile quickly, and memory that is ready soon, to fast kernels. The values are the same.
void expect_one_picture(Context& gpu);

} // namespace glproc
