// Comparisons of images that say where and by how much they differ.
#pragma once

#include "glproc/image/image.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/reference.hpp"

#include <optional>
#include <string>

namespace glproc::test {

/// What an image may differ from the unrounded answer.
///
/// One rule serves all depths: a result may miss the answer by `relative` of the full scale before its one
/// rounding. So a float is that near, and an integer lies at most half a step plus that away: it can differ
/// from the rounded answer only where the answer lies that near to a tie, and then by one step. On top of it
/// at most `off_share` of the values of an 8-bit image (one of a small image) may differ from the rounded
/// answer at all.
struct Tolerance {
    double relative = 1e-6;
    double off_share = 0.001; ///< of the values of an 8-bit image may differ from the rounded answer
};

/// What a fast Gaussian may differ by from one that is cut at 4 sigma: that alone makes a third of it.
inline constexpr Tolerance near_enough{1e-4, 1.0};

/// How an image compares with an answer.
struct Comparison {
    double max_error = 0;    ///< code units, to the unrounded answer
    double mean_error = 0;   ///< likewise
    std::size_t too_far = 0; ///< values that miss the answer by more than the tolerance
    std::size_t off = 0;     ///< integer values that differ from the rounded answer
    std::size_t values = 0;
    std::string problem; ///< empty where the image passes, else the reason, the worst values and a map
};

Comparison compare(const Image& got, const Reference& expected, const Tolerance& tolerance = {});

/// The first differences of two images that must be equal bit for bit; empty where they are.
std::string difference(const Image& got, const Image& expected);

#if __has_include(<catch2/catch_all.hpp>)
using ImageMatcher = Catch::Matchers::MatcherBase<Image>;
#else
using ImageMatcher = Catch::MatcherBase<Image>;
#endif

/// CHECK_THAT(image, Matches(reference)): within the tolerance.
class Matches : public ImageMatcher {
  public:
    explicit Matches(const Reference& expected, const Tolerance& tolerance = {})
        : expected_(&expected), tolerance_(tolerance) {}
    bool match(const Image& got) const override {
        problem_ = compare(got, *expected_, tolerance_).problem;
        return problem_.empty();
    }
    std::string describe() const override { return "matches the reference: " + problem_; }

  private:
    const Reference* expected_;
    Tolerance tolerance_;
    mutable std::string problem_;
};

/// CHECK_THAT(image, IsBitwise(other)): same size, same format, same bytes.
class IsBitwise : public ImageMatcher {
  public:
    explicit IsBitwise(const Image& expected) : expected_(&expected) {}
    bool match(const Image& got) const override {
        problem_ = difference(got, *expected_);
        return problem_.empty();
    }
    std::string describe() const override { return "is the same bit for bit: " + problem_; }

  private:
    const Image* expected_;
    mutable std::string problem_;
};

} // namespace glproc::test

template <>
struct Catch::StringMaker<glproc::Image> {
    static std::string convert(const glproc::Image& image) { return glproc::test::describe(image); }
};
