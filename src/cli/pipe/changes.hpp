// Parameters of a step that change while a video plays.
//
//   blur --sigma 0..8                                  from the first frame to the last
//   blur --sigma 0 at 2s --sigma 8 at 4s --sigma 0     at times, and evenly in between
//   draw --text "{frame} {time}"                       the number of the frame, and when it begins
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/op.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

inline constexpr const char* time_word = "at"; ///< before the time of values that follow

/// A frame of those that are read.
struct VideoMoment {
    std::int64_t frame = 0; ///< from 0 on
    double seconds = 0;     ///< after the first
    double length = 0;      ///< when the last one begins
};

/// The values of one parameter over time.
class Change {
  public:
    /// A value, and when it has it: seconds after the first frame.
    struct Key {
        std::optional<double> seconds; ///< nothing: at the last frame
        std::string text;
    };

    Change(const FieldInfo& field, std::vector<Key> keys) : field_(field), keys_(std::move(keys)) {}

    const std::string& name() const { return field_.name; }
    /// Whether a value is for the last frame, so that its time must be known.
    bool needs_length() const;
    /// The texts that were given, as the first frame has them.
    std::vector<std::string> texts() const;

    /// Gives the operation the value for a frame. Throws Error(usage).
    void apply(Operation& to, const VideoMoment& at) const;
    /// Throws Error(usage) where the operation does not take one of the values, or none in between.
    void check(Operation& on);

  private:
    std::string text_at(const VideoMoment& at) const;

    FieldInfo field_;
    std::vector<Key> keys_;
    bool whole_ = false; ///< values in between are rounded
};

/// Takes values that change out of a step, which keeps the first of each, as an operation that does not know of time wants it.
/// `command` is the one that the step names. Throws Error(usage).
std::vector<Change> take_changes(PipeStep& step, const Command& command);

} // namespace glproc::cli
