#include "glproc/image/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

namespace glproc {
namespace {

std::atomic<std::size_t> limit{0}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

} // namespace

std::size_t thread_limit() {
    static const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1U);
    const std::size_t most = limit;
    return most == 0 ? cores : most;
}

void limit_threads(std::size_t most) {
    limit = most;
}

void on_threads(std::size_t most, const std::function<void()>& work) {
    std::exception_ptr failure;
    std::mutex mutex;
    const auto part = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = failure ? failure : std::current_exception();
        }
    };
    {
        Threads threads;
        const std::size_t wanted = std::min(most, thread_limit());
        for (std::size_t i = 1; i < wanted && threads.start(part); ++i) {
        }
        if (wanted > 0)
            part();
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace glproc
