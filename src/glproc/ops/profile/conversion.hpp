// Rows of an image from one ICC profile to another, on all cores.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/files/modules/colour.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace glproc {

/// A conversion that is set up when pixels come. Copies of a plan share it, and threads may.
class ProfileConversion {
  public:
    struct Between {
        std::vector<std::byte> from;
        std::vector<std::byte> to;
        modules::ColourIntent intent = modules::ColourIntent::perceptual;
        bool black_points = false;
    };
    ProfileConversion(Between between, const Form& form) : between_(std::move(between)), form_(form) {}

    /// Whole rows of the image, in place. Throws Error(operation) where the library finds no way between the profiles.
    void convert(std::span<std::byte> rows) const;

  private:
    const modules::ColourConversion& colours() const;

    Between between_;
    Form form_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<modules::ColourConversion> made_;
};

/// Through all rows, a band at a time.
void convert_rows(const ProfileConversion* conversion, const Form& form, RowReader& source, RowWriter& to);

} // namespace glproc
