// Reading what may never come: pipes and devices.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// For all of the process from now on, 0 for no limit: how long all bytes of a file may take to come, with what is said to
/// whoever wants to wait for longer, and how many bytes a pipe may give. To be called before any thread runs.
void read_at_most(double seconds, std::string hint, std::uint64_t bytes);

/// The time that is left for one file, from the beginning of this object on.
class Patience {
  public:
    Patience();
    static Patience endless() { return Patience(std::nullopt); }

    bool is_limited() const { return end_.has_value(); }

    /// Throws Error(input) once the time is over.
    void check(std::string_view name) const;

    /// Whether a descriptor has bytes, or has ended, before `goes_on`, which is called every now and then,
    /// says no. Throws Error(input) once the time is over.
    bool await(int descriptor, std::string_view name, const std::function<bool()>& goes_on) const;

  private:
    explicit Patience(std::nullopt_t) {}

    std::optional<std::chrono::steady_clock::time_point> end_; ///< nothing: for ever
};

/// As read_descriptor() (file.hpp), but `wait` is called with the descriptor before each read, and may throw
/// in place of waiting on.
std::vector<std::byte> read_waiting(int descriptor, std::string_view name,
                                    const std::function<void(int)>& wait);

/// As read_file(), in the same way: also while a FIFO has no writer, which open() itself would wait for.
std::vector<std::byte> read_waiting(const std::filesystem::path& path, const std::function<void(int)>& wait);

} // namespace glproc
