// What is shown first where the whole takes longer than a person waits: the same chain on a smaller picture,
// and so of the second pictures that steps read.
#pragma once

#include "glproc/image/image.hpp"
#include "view/document.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string>

namespace glproc::view {

/// The steps for a picture that is `factor` times as large: what is counted in pixels shrinks with it, and so
/// do areas and matrices that map places.
Steps scaled(const Steps& steps, double factor);

/// Whether scaled() has all of what a smaller picture needs otherwise.
bool can_scale(const Steps& steps);

/// How often a picture is halved first so that the chain takes no longer than `budget`; `rate` is in
/// milliseconds a megapixel. At most until 0.25 megapixels are left.
int halvings(double megapixels, double rate, double budget);

/// How long chains took, to foretell how long they will take.
class Pace {
  public:
    /// `first_rate` is what an unknown operation is taken to need, in milliseconds a megapixel.
    explicit Pace(double first_rate) : first_rate_(first_rate) {}

    void note(const Steps& steps, double megapixels, double milliseconds);
    /// Milliseconds a megapixel.
    double rate(const Steps& steps) const;

  private:
    static std::string key(const Steps& steps);

    double first_rate_;
    std::map<std::string, double> rates_;
};

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

/// Every 2nd, 4th … pixel of an image, for previews of steps on an image that was halved so often. Labels and
/// masks stay what they are.
Image thinned(const Image& image, int halved);

/// The same of x and y in the first two channels, which are places in another picture that was halved as
/// well.
Image thinned_places(const Image& map, int halved);

} // namespace glproc::view
