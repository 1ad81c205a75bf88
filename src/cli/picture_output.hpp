// Where a picture goes, and in which format: decided and checked before any work is done for it.
#pragma once

#include "cli/output_place.hpp"
#include "glproc/image/image.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace glproc::cli {

class PictureOutput {
  public:
    /// Throws Error(usage) for an unknown format and a terminal, Error(output) for what cannot be or must not
    /// be written.
    PictureOutput(const Arguments& arguments, std::string path);

    /// Decides what is still open once the input is here: stdout gets the format of the input.
    void follow_input(const std::string& path, std::span<const std::byte> bytes);

    /// Throws Error(usage) where the format cannot hold such a picture.
    void check(int channels, Depth depth) const;

    void write(const Image& image) const;

    /// For people.
    std::string name() const { return place_.name(); }

  private:
    OutputPlace place_;
    std::string format_; ///< an extension, or a path that has one; empty until the input decides
};

} // namespace glproc::cli
