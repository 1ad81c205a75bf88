#include "glproc/files/codecs/jpeg/frame.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/files/codecs/jpeg/libjpeg.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace glproc::codecs {
namespace {

constexpr std::size_t end_mark = 2; ///< bytes at the end of a file

void append_marker(std::vector<std::byte>& file, unsigned marker) {
    put_big(file, 0xff00 + marker, 2);
}

void append_tables(std::vector<std::byte>& file, const ScanTables& tables) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const HuffmanTable& table = tables.at(i);
        if (table.symbols.empty())
            continue;
        append_marker(file, 0xc4);
        put_big(file, 19 + table.symbols.size(), 2);
        put_big(file, (i % 2) << 4U | i / 2, 1); // its class and number
        put(file, ByteView(std::as_bytes(std::span(table.lengths))).subspan(1));
        put(file, ByteView(std::as_bytes(std::span(table.symbols))));
    }
}

} // namespace

int jpeg_strip_rows(int width) {
    constexpr int pixels = 1 << 18;
    constexpr int most_blocks = 65535;
    constexpr int side = 2 * DCTSIZE;                // of a block whose colour has half the resolution
    const int blocks = 2 * covering(width, DCTSIZE); // of `side` rows
    return std::clamp(pixels / width / side, 1, most_blocks / blocks) * side;
}

JpegFrame::JpegFrame(ByteView sample, int width, int height)
    : header_(copy_of(sample)), width_(width), height_(height) {
    for (std::size_t at = 2; data_ == 0;) {
        const unsigned marker = byte_at(at + 1);
        const std::size_t next = at + 2 + big_number(sample.subspan(at + 2), 2);
        look_at(at, marker, next);
        at = next;
    }
    header_.resize(data_);
    is_grey_ = byte_at(frame_ + 9) == 1;
    const unsigned factors = is_grey_ ? 0x11U : byte_at(frame_ + 11);
    across_ = static_cast<int>(factors >> 4U);
    down_ = static_cast<int>(factors & 15U);
}

unsigned JpegFrame::byte_at(std::size_t at) const {
    return std::to_integer<unsigned>(header_[at]);
}

void JpegFrame::look_at(std::size_t at, unsigned marker, std::size_t next) {
    constexpr unsigned quantisation = 0xdb;
    constexpr unsigned baseline = 0xc0;
    constexpr unsigned huffman = 0xc4;
    constexpr unsigned start_of_scan = 0xda;
    if (marker ==
        quantisation) { // libjpeg writes one table into each segment, and so it does with those of Huffman
        auto& table = quantisation_.at(byte_at(at + 4));
        std::transform(header_.begin() + std::ptrdiff_t(at) + 5, header_.begin() + std::ptrdiff_t(at) + 69,
                       table.begin(), [](std::byte value) { return std::to_integer<std::uint8_t>(value); });
    } else if (marker == baseline) {
        frame_ = at;
    } else if (marker == huffman) {
        tables_ = tables_ == 0 ? at : tables_;
        read_huffman(at);
    } else if (marker == start_of_scan) {
        scan_ = at;
        data_ = next;
    }
}

void JpegFrame::read_huffman(std::size_t at) {
    const auto which = byte_at(at + 4);
    HuffmanTable& table = huffman_.at(scan_table(which >> 4U, which & 15U));
    std::size_t count = 0;
    for (std::size_t i = 1; i < table.lengths.size(); ++i) {
        table.lengths.at(i) = static_cast<std::uint8_t>(byte_at(at + 4 + i));
        count += table.lengths.at(i);
    }
    for (std::size_t i = 0; i < count; ++i)
        table.symbols.push_back(static_cast<std::uint8_t>(byte_at(at + 21 + i)));
}

ByteView JpegFrame::data_of(ByteView file) const {
    return file.subspan(data_, file.size() - data_ - end_mark);
}

ScanLayout JpegFrame::layout(int rows) const {
    ScanLayout layout;
    layout.units = static_cast<std::size_t>(covering(width_, across_ * DCTSIZE)) *
                   static_cast<std::size_t>(covering(rows, down_ * DCTSIZE));
    layout.numbers.assign(static_cast<std::size_t>(across_) * static_cast<std::size_t>(down_), 0);
    if (!is_grey_)
        layout.numbers.insert(layout.numbers.end(), 2, 1);
    return layout;
}

std::size_t JpegFrame::strips() const {
    return static_cast<std::size_t>(covering(height_, strip_rows()));
}

ScanLayout JpegFrame::layout_of_strip(std::size_t strip) const {
    return layout(std::min(strip_rows(), height_ - static_cast<int>(strip) * strip_rows()));
}

std::vector<std::byte> JpegFrame::begin(const ScanTables& tables, ByteView metadata) const {
    std::vector<std::byte> file(header_.begin(), header_.begin() + std::ptrdiff_t(tables_));
    put_big(file.data() + frame_ + 5, static_cast<std::uint64_t>(height_), 2);
    put_big(file.data() + frame_ + 7, static_cast<std::uint64_t>(width_), 2);
    append_tables(file, tables);
    if (strips() > 1) {
        append_marker(file, 0xdd); // the restart interval
        put_big(file, 4, 2);
        put_big(file, layout_of_strip(0).units, 2);
    }
    put(file, ByteView(header_).subspan(scan_, data_ - scan_));
    file.insert(file.begin() + jfif_end, metadata.begin(), metadata.end());
    return file;
}

void JpegFrame::append_restart(std::vector<std::byte>& file, std::size_t strip) {
    append_marker(file, 0xd0 + static_cast<unsigned>(strip % 8));
}

void JpegFrame::append_end(std::vector<std::byte>& file) {
    append_marker(file, JPEG_EOI);
}

} // namespace glproc::codecs
