#include "glproc/ops/distance/indices.hpp"

#include "glproc/files/npy.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace glproc {

namespace {

/// Every second value, beginning with one of the first two.
std::vector<std::uint32_t> every_second(const std::vector<std::uint32_t>& values, std::size_t first) {
    std::vector<std::uint32_t> chosen(values.size() / 2);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i] = values[2 * i + first];
    }
    return chosen;
}

std::span<const std::byte> bytes_of(const std::vector<std::uint32_t>& values) {
    return std::as_bytes(std::span(values));
}

} // namespace

IndexWriter::IndexWriter(const Form& picture, RowWriter& to, std::size_t memory_bytes)
    : picture_(picture), to_(to), columns_({picture.width, picture.height, 1, Depth::f32}, memory_bytes) {}

void IndexWriter::add(std::vector<std::uint32_t> sites) {
    write_pending();
    pending_ = std::move(sites);
}

void IndexWriter::write_pending() {
    if (pending_.empty()) {
        return;
    }
    if (!std::exchange(has_header_, true)) {
        to_.write(npy_header(
            {ArrayType::i32,
             {2, static_cast<std::size_t>(picture_.height), static_cast<std::size_t>(picture_.width)}}));
    }
    to_.write(bytes_of(every_second(pending_, 1)));
    columns_.write(bytes_of(every_second(pending_, 0)));
}

void IndexWriter::end() {
    write_pending();
    pending_ = {};
    const auto reader = columns_.down().open();
    const std::size_t row_bytes = columns_.form().row_bytes();
    const int at_once = static_cast<int>(std::max<std::size_t>((std::size_t{1} << 20U) / row_bytes, 1));
    std::vector<std::byte> rows;
    for (int y = 0; y < picture_.height; y += at_once) {
        rows.resize(static_cast<std::size_t>(std::min(at_once, picture_.height - y)) * row_bytes);
        reader->read(rows);
        to_.write(rows);
    }
}

std::unique_ptr<IndexWriter> index_writer(const Context& gpu, const Form& picture, RowWriter* to) {
    return to != nullptr ? std::make_unique<IndexWriter>(picture, *to, gpu.memory_bytes() / 8) : nullptr;
}

} // namespace glproc
