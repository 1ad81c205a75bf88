// Dispatches in files, for scripts/try-kernels to run them on the processor.
#pragma once

#include <string>

namespace glproc::test {

/// From now on puts one dispatch of each program into a folder of its own below `folder`, as long as it is
/// small:
///
///     kernel.glsl      what the driver compiled
///     dispatch.txt     a line for each: file NAME, in the order of #line; groups X Y Z; image NAME ID WIDTH
///     HEIGHT;
///                      buffer NAME ID FIRST_BYTE BYTES; uniform NAME, its 32-bit words as hexadecimal
///                      numbers
///     ID.before, ID.after   the bytes of an image or a whole buffer
///
/// A program that has a folder already is left alone, so that several processes may share it. An empty name:
/// nothing. Returns whether it dumps.
bool dump_dispatches(const std::string& folder);

} // namespace glproc::test
