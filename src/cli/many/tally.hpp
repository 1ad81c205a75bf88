// What became of the pictures of a call, told in the order of the inputs.
#pragma once

#include "cli/many/picture_log.hpp"
#include "cli/settings.hpp"
#include "cli/terminal/progress.hpp"
#include "glproc/files/codec.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace glproc::cli {

struct Outcome {
    PictureFate fate = PictureFate::done;
    std::string text = {};   ///< for stdout
    std::string header = {}; ///< of a table: once before the first text
    Notes warnings = {};
    std::string error = {};   ///< of a failure
    std::string hint = {};    ///< what helps
    int code = 0;             ///< its exit status
    std::string summary = {}; ///< for those who want to see each
};

/// May be used from any thread.
class Tally {
  public:
    /// `told` is called for each outcome after it was printed.
    Tally(const Settings& settings, std::size_t count, std::function<void(std::size_t, const Outcome&)> told);

    /// Prints the outcome, once those of all inputs before it are printed. Throws Error(output).
    void put(std::size_t item, Outcome outcome);
    /// After all others: images that no input was compared with.
    void put_strays(const std::vector<std::string>& names);

    /// Prints what waits for inputs that were never begun, and takes the bar away.
    void end();

    std::size_t count(PictureFate fate) const { return counts_.at(static_cast<std::size_t>(fate)); }
    /// Of the first failure, or 0.
    int status() const { return status_; }
    /// "3 done, 0 skipped, 1 failed".
    std::string text() const;

  private:
    void print(std::size_t item, const Outcome& outcome);
    void show_bar();

    const Settings& settings_;
    std::size_t all_;
    std::function<void(std::size_t, const Outcome&)> told_;
    std::mutex mutex_;
    std::map<std::size_t, Outcome> waiting_;
    std::size_t next_ = 0;
    std::size_t ended_ = 0;
    std::array<std::size_t, 3> counts_{};
    int status_ = 0;
    bool has_header_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Progress progress_;
};

} // namespace glproc::cli
