// The pictures of a call that are under way.
#pragma once

#include "cli/many/partners.hpp"
#include "cli/many/picture_log.hpp"
#include "job/picture/picture_job.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace glproc::cli {

/// One picture with what works on it.
struct Prepared {
    Partnered own = {};              ///< operation, where it has a partner
    std::unique_ptr<Call> call = {}; ///< of that operation
    std::unique_ptr<PictureJob> job = {};
};

/// By their numbers among the inputs. May be used from any thread.
class UnderWay {
  public:
    /// A picture begins. `state`: of the input before it was read.
    void begin(std::size_t index, const std::optional<FileState>& state);
    void put(std::size_t index, Prepared prepared);
    /// A GPU could not decode it.
    void leave_to_cpu(std::size_t index);
    void forget(std::size_t index);

    /// Of one that was put.
    PictureJob& job(std::size_t index);
    Notes notes(std::size_t index);
    bool is_for_cpu(std::size_t index);
    /// What begin() was given; nothing for a picture that was not begun.
    std::optional<std::optional<FileState>> state(std::size_t index);

  private:
    struct Item {
        std::optional<FileState> state;
        bool is_for_cpu = false;
        Prepared prepared = {};
    };

    std::mutex mutex_; ///< of the items
    std::unordered_map<std::size_t, Item> items_;
};

} // namespace glproc::cli
