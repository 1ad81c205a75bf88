// The natural logarithm with the same bits on every machine.
#pragma once

namespace glproc {

/// The natural logarithm of a positive number, within 2 units in the last place. It is made of sums, products
/// and quotients alone, since the C library's differs from system to system.
double natural_log(double x);

} // namespace glproc
