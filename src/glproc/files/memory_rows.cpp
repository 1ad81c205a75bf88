#include "glproc/files/memory_rows.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

class ImageReader final : public RowReader {
  public:
    explicit ImageReader(const Image& image) : image_(image) {}

    const Form& form() const override { return image_.form(); }
    const Metadata& metadata() const override { return image_.metadata(); }

    void read(std::span<std::byte> rows) override {
        const auto from = image_.bytes().subspan(done_, rows.size());
        std::copy(from.begin(), from.end(), rows.begin());
        done_ += rows.size();
    }

  private:
    const Image& image_;
    std::size_t done_ = 0;
};

[[noreturn]] void fail_short() {
    throw Error(ErrorCode::output, "rows are missing at the end of an image");
}

} // namespace

RowSource rows_of(const Image& image) {
    return {image.form(), image.metadata(), [&image] { return std::make_unique<ImageReader>(image); }};
}

void ImageRows::write(std::span<const std::byte> rows) {
    if (rows.size() > image_.bytes().size() - filled_) {
        throw Error(ErrorCode::output, "more rows than the picture has");
    }
    std::copy(rows.begin(), rows.end(), image_.bytes().subspan(filled_, rows.size()).begin());
    filled_ += rows.size();
}

void ImageRows::finish() {
    if (filled_ != image_.bytes().size()) {
        fail_short();
    }
}

ArrayRows::ArrayRows(const ArrayForm& form)
    : array_{form.type, form.shape, {}},
      bytes_(std::accumulate(array_.shape.begin(), array_.shape.end(), std::size_t{4}, std::multiplies<>())) {
    array_.bytes.reserve(bytes_);
}

void ArrayRows::write(std::span<const std::byte> rows) {
    array_.bytes.insert(array_.bytes.end(), rows.begin(), rows.end());
}

void ArrayRows::finish() {
    if (array_.bytes.size() != bytes_) {
        fail_short();
    }
}

} // namespace glproc
