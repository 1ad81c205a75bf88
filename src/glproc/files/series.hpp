// Files of several pictures: frames of an animation (GIF, WebP, APNG) and pages of a TIFF. They are read and
// written one after another, so that one of them is in memory at a time.
//
//   const auto series = open_series(file, "in.gif");
//   while (std::optional<SeriesPicture> picture = series->next()) { show(picture->image, picture->delay); }
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

enum class SeriesKind { frames, pages };

/// How long a frame is shown, in seconds. A denominator of 0 is never kept.
struct FrameDelay {
    std::uint32_t numerator = 0;
    std::uint32_t denominator = 1000;

    double seconds() const { return static_cast<double>(numerator) / denominator; }
    bool operator==(const FrameDelay&) const = default;
};

/// The facts of a file before its pictures are decoded.
struct SeriesInfo {
    SeriesKind kind = SeriesKind::frames;
    Format format = Format::gif;
    int count = 0;      ///< of pictures; as many as are whole where the file ends too early
    int plays = 1;      ///< how often an animation is played; 0: for ever
    double seconds = 0; ///< once
    std::string damage{}; ///< what is broken behind the last of them, "truncated GIF"; empty where nothing is
    Metadata metadata{};
};

struct SeriesPicture {
    Image image; ///< the whole picture that is seen, upright
    FrameDelay delay;
};

class PictureSeries {
  public:
    PictureSeries() = default;
    PictureSeries(const PictureSeries&) = delete;
    PictureSeries& operator=(const PictureSeries&) = delete;
    virtual ~PictureSeries() = default;

    virtual const SeriesInfo& info() const = 0;
    /// Nothing at the end. Throws Error(input) if the file is broken or ends too early.
    virtual std::optional<SeriesPicture> next() = 0;
    /// One of them, counted from 1, and what is odd about it under this name. Of frames none before the last
    /// that was read, nor the one that next() gave. Throws Error(input).
    virtual Image at(int number, std::string_view name, Notes* notes) = 0;
};

/// How many pictures a file has, and for how long; nothing unless it has more than one in a format that can
/// be read so. Throws Error(input) for a broken one.
std::optional<SeriesInfo> inspect_series(std::span<const std::byte> file, std::string_view name);

/// Null unless the file has more than one picture in a format that can be read so. `file` must outlive the
/// series. With DecodeOptions::keep_partial, pages come with the rows that they have. Throws Error(input),
/// also where all frames together have more pixels than one image may, and far more than the bytes of the
/// file account for.
std::unique_ptr<PictureSeries> open_series(std::span<const std::byte> file, std::string_view name,
                                           const DecodeOptions& options = {});

/// Whether the images of an open file can be read from there, one by one: those of a TIFF.
bool has_pages_in_file(const OpenFile& file, std::string_view name);

/// The same of such a file, which need not fit into memory. A single page is a series, too.
std::optional<SeriesInfo> inspect_series(const OpenFile& file, std::string_view name);
std::unique_ptr<PictureSeries> open_series(std::shared_ptr<const OpenFile> file, std::string_view name,
                                           const DecodeOptions& options = {});

/// Whether it is worth to read a whole file for that, by its beginning. False if it is no regular file;
/// nothing is then read. Throws Error(input).
bool may_hold_series(const std::filesystem::path& path);
bool may_hold_series(const OpenFile& file, std::string_view name);

class SeriesWriter {
  public:
    SeriesWriter() = default;
    SeriesWriter(const SeriesWriter&) = delete;
    SeriesWriter& operator=(const SeriesWriter&) = delete;
    virtual ~SeriesWriter() = default;

    /// With the metadata of the image; frames have one form, pages any. Throws Error(output).
    virtual void write(const Image& image, FrameDelay delay) = 0;
    /// Without it there is no file.
    virtual void finish() = 0;
};

/// Whether files of this extension (or path) can hold several pictures of this kind. A PNG is one where
/// `from` is: it is an animation in the name of pictures that stand still.
bool holds_series(std::string_view name, SeriesKind kind, std::optional<Format> from = std::nullopt);

/// In the format of an extension (or path), played as often as `like` is, which has about as many pictures.
/// Throws Error: usage and output.
std::unique_ptr<SeriesWriter> write_series(const std::filesystem::path& path, std::string_view format,
                                           const SeriesInfo& like, const EncodeOptions& options = {});
/// The same for an open descriptor, such as 1 for standard output.
std::unique_ptr<SeriesWriter> write_series(int descriptor, std::string_view format, const SeriesInfo& like,
                                           const EncodeOptions& options = {});

} // namespace glproc
