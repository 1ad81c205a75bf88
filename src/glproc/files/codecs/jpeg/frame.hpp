// All of a baseline JPEG but the data of its scan: what encoders need that code the data themselves.
#pragma once

#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/jpeg/huffman.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc::codecs {

/// Rows of the picture as a file of their own, encoded by libjpeg.
std::vector<std::byte> encode_jpeg_rows(const Job& job, int first, int rows);
/// The same of rows that are not all of an image.
std::vector<std::byte> encode_jpeg_rows(const RowJob& job, std::span<const std::byte> rows);

/// Rows of a strip: whole blocks of any packing, as many as keep a core busy, and no more blocks than a file
/// can count.
int jpeg_strip_rows(int width);

constexpr std::ptrdiff_t jfif_end = 20; ///< libjpeg begins with SOI and a JFIF segment of 18 bytes

/// Read from a file that libjpeg wrote.
class JpegFrame {
  public:
    /// Of a picture of this size that is packed as that of `sample`, which may be a part of it.
    JpegFrame(ByteView sample, int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    bool is_grey() const { return is_grey_; }
    /// How many samples of luma there are for one of colour; 1 where there is no colour.
    int across() const { return across_; }
    int down() const { return down_; }
    /// The tables that the sample was coded by; those not used are empty.
    const ScanTables& huffman() const { return huffman_; }
    /// Of luma and of colour, in zigzag order.
    const std::array<std::array<std::uint8_t, 64>, 2>& quantisation() const { return quantisation_; }

    /// The data of a file that is packed alike.
    ByteView data_of(ByteView file) const;

    /// The units of a scan that so many rows make, and their blocks.
    ScanLayout layout(int rows) const;
    /// Rows that are coded for themselves.
    int strip_rows() const { return jpeg_strip_rows(width_); }
    std::size_t strips() const;
    ScanLayout layout_of_strip(std::size_t strip) const;

    /// What comes before the data; `metadata` are segments.
    std::vector<std::byte> begin(const ScanTables& tables, ByteView metadata) const;

    /// What stands between the data of a strip and the next, and at the end.
    static void append_restart(std::vector<std::byte>& file, std::size_t strip);
    static void append_end(std::vector<std::byte>& file);

  private:
    unsigned byte_at(std::size_t at) const;
    void look_at(std::size_t at, unsigned marker, std::size_t next);
    void read_huffman(std::size_t at);

    std::vector<std::byte> header_; ///< of the sample
    int width_;
    int height_;
    std::size_t frame_ = 0;  ///< where the segment begins that has the size
    std::size_t tables_ = 0; ///< the first of the Huffman tables, which end where the last segment begins
    std::size_t scan_ = 0;   ///< the last segment
    std::size_t data_ = 0;   ///< what follows it
    bool is_grey_ = false;
    int across_ = 1;
    int down_ = 1;
    ScanTables huffman_{};
    std::array<std::array<std::uint8_t, 64>, 2> quantisation_{};
};

} // namespace glproc::codecs
