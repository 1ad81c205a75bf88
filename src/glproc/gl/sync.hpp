// Which glMemoryBarrier bits a use of a resource needs: derived here, so that no operation mentions a
// barrier.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace glproc {

/// How a command touches memory that shaders may have written. Each has its own barrier bit.
enum class Use : std::size_t { image, sampler, storage, texture_transfer, buffer_transfer };
constexpr std::size_t use_count = 5;

/// When shaders last wrote and read a resource, on the clock of its context.
struct LastAccess {
    std::uint64_t written = 0;
    std::uint64_t read = 0;
};

/// Remembers when each barrier bit was last issued, and which thread may issue it. A use needs its bit
/// exactly when a shader wrote the resource after that (or, for a use that writes, also read it).
class BarrierTracker {
  public:
    /// Throws Error(operation) on any thread but the one that made the tracker, and with it its context:
    /// elsewhere OpenGL silently does nothing.
    void check_thread() const;

    /// Starts a command; accesses noted after this belong to it. Throws as check_thread() does.
    void next_command() {
        check_thread();
        ++clock_;
    }

    /// True if `use` must wait for earlier shaders that used the resource.
    bool needs(Use use, bool writes, const LastAccess& last) const {
        const std::uint64_t issued = issued_[static_cast<std::size_t>(use)];
        return last.written > issued || (writes && last.read > issued);
    }

    /// Notes an access by the shader of the current command.
    void note(bool reads, bool writes, LastAccess& last) const {
        if (reads) {
            last.read = clock_;
        }
        if (writes) {
            last.written = clock_;
        }
    }

    /// Notes that the bits of `uses` were issued before the current command.
    void issued(Use use) { issued_[static_cast<std::size_t>(use)] = clock_ - 1; }

    /// The glMemoryBarrier bit of a use.
    static unsigned bit(Use use);

    /// Whether work is only being prepared, see Context::rehearse.
    bool rehearsing = false;
    /// Throws Error(operation) if it is: there is nothing to read then.
    void check_performing() const;

  private:
    std::thread::id owner_ = std::this_thread::get_id();
    std::uint64_t clock_ = 0;
    std::array<std::uint64_t, use_count> issued_{};
};

} // namespace glproc
