// The images of one file by their numbers, for whoever wants many of them.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/series.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

/// "name: there is no image 9: the file has 3", and what is broken behind them.
std::string no_such_image(std::string_view name, int number, const SeriesInfo& images);

/// What was read for one image is there for the next: in rising order all of a file cost as much as reading
/// it once.
class PageReader {
  public:
    /// `file` must outlive it; `options` are those of decode() but for the page and the notes.
    PageReader(std::span<const std::byte> file, const DecodeOptions& options);
    /// The same of a file that is open: see has_pages_in_file().
    PageReader(std::shared_ptr<const OpenFile> file, const DecodeOptions& options);

    /// What decode() gives for DecodeOptions::page and this name. Throws Error as it does.
    Image read(int number, std::string_view name, Notes* notes);

  private:
    Image read_anew(int number, std::string_view name, Notes* notes);

    std::span<const std::byte> file_;
    std::shared_ptr<const OpenFile> opened_; ///< in place of those bytes
    DecodeOptions options_;
    bool is_open_ = false;
    std::unique_ptr<PictureSeries> series_; ///< null where the file has one image
    int last_ = 0;                          ///< that was read of it
    /// Where frames cannot be read, nor those that are seen through them.
    struct Damage {
        int from;
        std::string name; ///< under which it was said
        Error error;
    };
    std::optional<Damage> damage_;
};

} // namespace glproc
