// What is shown first where the whole takes longer than a person waits: the same chain on a smaller picture.
#pragma once

#include "view/document.hpp"

#include <map>
#include <string>

namespace glproc::view {

/// The steps for a picture that is `factor` times as large: what is counted in pixels shrinks with it, and so do areas and
/// matrices that map places.
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

} // namespace glproc::view
