// What reading a picture may cost, and whether files are to be trusted.
#pragma once

#include "glproc/files/codec.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace glproc::job {

/// For one picture.
struct Budget {
    double seconds = 0;       ///< 0: no limit
    std::uint64_t memory = 0; ///< bytes; 0: no limit
    bool untrusted = false;   ///< only robust formats, and decoders without files or network

    /// Whether pictures are decoded in a process of their own.
    bool any() const { return seconds > 0 || memory > 0 || untrusted; }
};

/// What a call asks for; nothing: no word of it.
struct BudgetTold {
    std::optional<double> seconds = {};
    std::optional<std::uint64_t> memory = {};
    bool untrusted = false;
};

/// That and what GLPROC_POLICY says, under which a call can lower the limits, not raise them. Throws
/// Error(usage).
Budget budget_for(const BudgetTold& told);

/// How the inputs of a call are read.
struct Reading {
    DecodeOptions options = {};
    Budget budget = {};
    std::int64_t most_images = std::numeric_limits<std::int64_t>::max(); ///< of a file

    /// `notes` gets what is odd about an image.
    DecodeOptions with(Notes& notes) const {
        DecodeOptions noted = options;
        noted.notes = &notes;
        return noted;
    }
};

/// Throws Error(input) where a file has more images than that.
void check_count(const Reading& reading, std::int64_t images, const std::string& name);

/// What the policy leaves of --max-pixels and --max-frames.
std::uint64_t allowed_pixels(const Budget& budget, std::uint64_t wanted);
std::int64_t allowed_frames(const Budget& budget, std::int64_t wanted);

/// A hint for a picture that exceeds the limit of `flag`, --max-pixels, --max-seconds or --max-memory: to
/// raise it, or what the policy allows at most.
std::string hint_for(const Budget& budget, std::string_view flag);

/// Throws Error(input) where a picture that is made of others exceeds the budget. `name` is theirs.
void check_made(const Budget& budget, const Form& made, const std::string& name);

/// How many bytes an image of a series takes at most, in this process and in the decoder's: the canvas, the
/// image before and after the work on it, and in the writer those of two frames and what is made of one. Grey
/// ones become colours in some writers.
std::uint64_t held_in_series(const Form& form);
/// The same for such an image.
void check_in_series(const Budget& budget, const Form& form, const std::string& name);

/// What the budget says of this process: files may take so long to come, be it to open a FIFO or to read,
/// and freed memory goes back at once.
/// Where GLPROC_POLICY or a flag asks for it: forgets the variables that put other code or other faults in
/// the program's place, and lets this process read no more than headers. To be called before any thread runs.
void limit_this_process(const Budget& budget);

} // namespace glproc::job
