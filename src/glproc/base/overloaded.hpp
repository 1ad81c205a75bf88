// Several functions as one, for std::visit().
#pragma once

namespace glproc {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>; // clang 14 does not find it by itself

} // namespace glproc
