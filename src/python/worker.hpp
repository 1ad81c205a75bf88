// A thread with an OpenGL context of its own, to which calls from any Python thread come.
#pragma once

#include "glproc/gl/context.hpp"

#include <atomic>
#include <functional>
#include <memory>

namespace glproc::python {

/// Thrown within a call that Python no longer waits for.
struct Cancelled {};

/// Runs calls one after another on its thread. The context is made for the first of them.
class Worker {
  public:
    using Call = std::function<void(Context& gpu, const std::atomic<bool>& cancelled)>;

    explicit Worker(ContextOptions options);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    /// Runs `call` on the thread and waits for it, without the GIL, which the caller holds. A signal such as
    /// that of Ctrl-C cancels the call: one that waits for others never begins, and a long one ends soon.
    /// Throws what the call throws, and what making the context threw.
    void run(const Call& call);

    /// Whether a call found that the context is of a software renderer, or cannot be made.
    bool lacks_gpu() const;

  private:
    struct Job;
    struct State;

    static void work(State& state);

    int process_;
    std::unique_ptr<State> state_;
};

} // namespace glproc::python
