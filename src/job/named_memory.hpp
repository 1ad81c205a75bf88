// Errors of memory that say which image there is no memory for.
#pragma once

#include "glproc/image/no_memory.hpp"

#include <new>

namespace glproc::job {

/// Runs `work`, which makes an image of this form.
template <class Work>
auto with_named_memory(const Form& form, const Work& work) {
    try {
        return work();
    } catch (const NoMemoryForImage&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw NoMemoryForImage(form);
    }
}

} // namespace glproc::job
