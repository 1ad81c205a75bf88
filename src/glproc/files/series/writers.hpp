// How files of several pictures are written, and what their writers share.
#pragma once

#include "glproc/files/output.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/series/parts.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace glproc::codecs {

struct SeriesJob {
    std::string name; ///< for messages
    int plays = 1;    ///< 0: for ever
    int count = 1;    ///< of pictures, about
    EncodeOptions options;
    std::unique_ptr<Output> output;
};

std::unique_ptr<SeriesWriter> gif_series(SeriesJob job);
std::unique_ptr<SeriesWriter> webp_series(SeriesJob job);
std::unique_ptr<SeriesWriter> apng_series(SeriesJob job);
std::unique_ptr<SeriesWriter> tiff_series(SeriesJob job);

/// A file that is written from front to back but for some numbers, which are known at its end.
class PatchedOutput {
  public:
    explicit PatchedOutput(std::unique_ptr<Output> output) : output_(std::move(output)) {}

    std::uint64_t size() const { return size_; }
    void put(std::span<const std::byte> bytes) {
        output_->write_at(size_, bytes);
        size_ += bytes.size();
    }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) { output_->write_at(offset, bytes); }
    void finish() { output_->finish(); }

  private:
    std::unique_ptr<Output> output_;
    std::uint64_t size_ = 0;
};

/// Delays in the units of a format: what rounding takes from one frame, the next ones get.
class DelayUnits {
  public:
    DelayUnits(int per_second, std::uint64_t most) : per_second_(per_second), most_(most) {}

    std::uint64_t of(FrameDelay delay) {
        wanted_ += delay.seconds() * per_second_;
        const double whole = std::min(std::round(wanted_), static_cast<double>(most_));
        wanted_ = delay.numerator == 0 || whole == static_cast<double>(most_) ? 0 : wanted_ - whole;
        return delay.numerator == 0 ? 0 : static_cast<std::uint64_t>(std::max(whole, 0.0));
    }

  private:
    int per_second_;
    std::uint64_t most_;
    double wanted_ = 0;
};

/// The least rectangle that has all differences; one pixel where there are none.
FramePlace changed_place(const Image& before, const Image& after);

/// The pixels of it.
Image cut_out(const Image& image, const FramePlace& place);

/// Throws Error(output) unless frames have one form.
void check_same_form(const SeriesJob& job, const Form& first, const Form& next);

} // namespace glproc::codecs
