// Keeps things that take long to make for the next time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace glproc {

/// The object for which `is_wanted` is true, made if it is not among the last ones made. Good until the next
/// call.
template <class T, class IsWanted, class Make>
const T& kept_or_made(std::deque<T>& kept, IsWanted is_wanted, Make make) {
    constexpr std::size_t most = 8;
    const auto found = std::find_if(kept.begin(), kept.end(), is_wanted);
    if (found != kept.end()) {
        return *found;
    }
    if (kept.size() == most) {
        kept.pop_back();
    }
    kept.push_front(make());
    return kept.front();
}

} // namespace glproc
