// The second pictures that steps read, kept while their files stay the same.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>

namespace glproc::view {

/// Of one thread.
class Pictures {
  public:
    static constexpr std::size_t most = 4; ///< that are kept

    /// Throws what load() throws.
    std::shared_ptr<const Image> get(const std::string& path);

  private:
    struct Kept {
        std::string path;
        std::filesystem::file_time_type written;
        std::uintmax_t size = 0;
        std::shared_ptr<const Image> image;
    };
    std::list<Kept> kept_; ///< the last one that was asked for comes first
};

/// Every 2nd, 4th … pixel of an image, for previews of steps on an image that was halved so often. Labels and masks
/// stay what they are.
Image thinned(const Image& image, int halved);

/// The same of x and y in the first two channels, which are places in another picture that was halved as well.
Image thinned_places(const Image& map, int halved);

} // namespace glproc::view
