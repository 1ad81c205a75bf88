// The file of several images: in memory, or open, where its images can be read one by one.
#pragma once

#include "glproc/files/series.hpp"
#include "job/budget.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace glproc::job {

class SeriesSource {
  public:
    explicit SeriesSource(std::vector<std::byte> bytes) : source_(std::move(bytes)) {}
    explicit SeriesSource(std::shared_ptr<const OpenFile> file) : source_(std::move(file)) {}

    /// Nothing where it has one image. Throws Error(input), as the others do.
    std::optional<SeriesInfo> inspect(const Budget& budget, const std::string& name) const;
    /// Null where it has one image in memory. It must not outlive this.
    std::unique_ptr<PictureSeries> open(const Budget& budget, const std::string& name,
                                        const DecodeOptions& options) const;
    Image first(const Budget& budget, const std::string& name, DecodeOptions options) const;
    /// Of the first image, as its header has it.
    Form form(const std::string& name) const;

    /// Those in memory.
    std::vector<std::byte> take_bytes();

  private:
    std::variant<std::vector<std::byte>, std::shared_ptr<const OpenFile>> source_;
};

} // namespace glproc::job
