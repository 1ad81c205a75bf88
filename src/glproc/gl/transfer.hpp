// How pixels travel between CPU memory and the texels of a GpuImage.
#pragma once

#include "glproc/image/rows.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/staging.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

/// How rows travel. Each road moves the same data; their costs differ by a factor of 1000 between drivers.
enum class TransferRoad {
    texture, ///< the CPU lays rows out as texels, and the driver copies those
    mapped,  ///< kernels read and write memory of the CPU that stays mapped (GL_ARB_buffer_storage)
    stream,  ///< the same, through buffers that are mapped for each part: OpenGL 4.3
};

/// The road that this device is known to be fast on.
TransferRoad tuned_road(const Context& gpu);

/// Rows for the device, one after another, from an image in memory or from a reader.
class RowFeed {
  public:
    explicit RowFeed(const Image& image) : form_(image.form()), memory_(image.bytes()) {}
    explicit RowFeed(RowReader& reader) : form_(reader.form()), reader_(&reader) {}

    const Form& form() const { return form_; }

    /// The next rows, tightly packed: in place if they are in memory, else read into memory that the next
    /// call uses again.
    std::span<const std::byte> look(int rows);

    /// Copies the next rows into memory, each `pitch` bytes after the one before.
    void copy(int rows, std::byte* to, std::size_t pitch);

  private:
    Form form_;
    std::span<const std::byte> memory_; ///< the rest
    RowReader* reader_ = nullptr;
    std::vector<std::byte> scratch_;
};

/// The target of rows from the device, one after another: an image in memory, or a writer.
class RowDrain {
  public:
    explicit RowDrain(Image& image) : form_(image.form()), memory_(image.bytes()) {}
    RowDrain(RowWriter& writer, const Form& form) : form_(form), writer_(&writer) {}

    const Form& form() const { return form_; }

    /// Room for the next rows, tightly packed; put() takes them from there.
    std::span<std::byte> room(int rows);
    void put(int rows);

    /// Copies the next rows out of memory, each `pitch` bytes after the one before.
    void copy(int rows, const std::byte* from, std::size_t pitch);

  private:
    Form form_;
    std::span<std::byte> memory_; ///< the rest
    RowWriter* writer_ = nullptr;
    std::vector<std::byte> scratch_;
};

/// Transfers of one context.
class Transfer {
  public:
    Transfer(Context& gpu, TransferRoad road);

    /// No transfers follow the next one or two: less memory is allocated for them.
    void expect_few() { staging_.expect_few(); }

    /// Begins to make the programs that images of this form need.
    void prepare(const Form& form);

    /// All rows of `feed` into an image of its form. Returns when they have been read; passes may follow.
    void upload(RowFeed& feed, GpuImage& image);
    /// All rows of an image, after the passes that write it.
    void download(const GpuImage& image, RowDrain& drain);

    /// The same for buffers, whose bytes lie alike on both sides.
    void upload(std::span<const std::byte> bytes, Buffer& buffer);
    void download(const Buffer& buffer, std::span<std::byte> bytes);

    /// The same for the elements of an array in blocks.
    void upload(std::span<const std::byte> bytes, GpuImage& blocks);
    void download(const GpuImage& blocks, std::span<std::byte> bytes);

    /// The time that transfers of images took so far.
    const TransferTimes& times() const { return times_; }

  private:
    template <class Count, class Issue, class Take>
    void bring_back(Count count, Count part, std::size_t unit_bytes, Issue issue, Take take);

    Context& gpu_;
    TransferRoad road_;
    Staging staging_;
    TransferTimes times_;
};

} // namespace glproc
