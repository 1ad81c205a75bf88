#include "glproc/image/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace glproc {
namespace {

std::atomic<std::size_t> limit{0}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// Joined whatever happens: a thread that is forgotten ends the program.
class Threads {
  public:
    Threads() = default;
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    ~Threads() {
        for (std::thread& thread : threads_)
            thread.join();
    }

    /// False where the system has no thread to give.
    template <class Work>
    bool start(const Work& work) {
        try {
            threads_.emplace_back(work);
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

  private:
    std::vector<std::thread> threads_;
};

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
