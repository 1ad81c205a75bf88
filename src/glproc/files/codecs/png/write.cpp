// PNG writing: one filter for the whole picture, and bands of rows that threads compress at once. libdeflate
// is several times faster than zlib at the same size; its streams are always whole, so open_end() joins them.
// Bands are cut by the picture's form alone and know nothing of each other, so that any number of threads
// writes the same file, and our reader can unpack it on all cores, too. https://www.w3.org/TR/png-3/
#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/files/codecs/png/deflate.hpp"
#include "glproc/files/codecs/png/deflate_join.hpp"
#include "glproc/files/codecs/png/filter.hpp"
#include "glproc/files/codecs/png/indexed.hpp"
#include "glproc/files/output.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <future>
#include <optional>
#include <utility>

#include <zlib.h> // adler32_combine()

namespace glproc::codecs {
namespace {

using namespace std::string_view_literals;

/// Memory that is not zeroed first; at the speed of this writer zeroing would show.
template <class T>
using Buffer = std::unique_ptr<T[]>; // NOLINT(modernize-avoid-c-arrays)

template <class T>
Buffer<T> buffer(std::size_t size) {
    return std::make_unique_for_overwrite<T[]>(size); // NOLINT(modernize-avoid-c-arrays)
}

/// What a band of rows becomes.
struct Packed {
    Buffer<std::byte> chunk; ///< with room before the data and after them
    std::size_t size = 0;    ///< of the data
    std::uint32_t adler = 0; ///< of the filtered rows
    std::size_t filtered_size = 0;
};

constexpr std::size_t chunk_start = 8; ///< length and type

struct Band {
    Form form; ///< of the band
    std::vector<std::byte> rows;
    PngFilter filter{};
    int level = 1;
    bool first = false;
    bool last = false;
};

constexpr std::string_view zlib_header = "\x78\x01"sv; ///< deflate, a window of 32 KiB, no dictionary

Packed pack(const Band& band) {
    PngFilterer filterer(band.form);
    Packed packed;
    packed.filtered_size = filterer.bytes() * static_cast<std::size_t>(band.form.height);
    const auto filtered = buffer<std::uint8_t>(packed.filtered_size);
    const std::byte* above = nullptr;
    for (int y = 0; y < band.form.height; ++y) {
        const std::byte* row = &band.rows[static_cast<std::size_t>(y) * band.form.row_bytes()];
        const bool alone = above == nullptr && band.filter == PngFilter::up;
        filterer.write(alone ? PngFilter::sub : band.filter, row, above,
                       &filtered[static_cast<std::size_t>(y) * filterer.bytes()]);
        above = row;
    }
    packed.adler = libdeflate_adler32(1, filtered.get(), packed.filtered_size);

    const Compressor compressor = make_compressor(band.level);
    const std::size_t bound = libdeflate_deflate_compress_bound(compressor.get(), packed.filtered_size);
    const std::size_t start = chunk_start + (band.first ? zlib_header.size() : 0);
    packed.chunk = buffer<std::byte>(start + bound + open_end_room);
    auto* data = reinterpret_cast<std::uint8_t*>(&packed.chunk[start]);
    std::size_t size =
        libdeflate_deflate_compress(compressor.get(), filtered.get(), packed.filtered_size, data, bound);
    if (!band.last)
        size = open_end({data, bound + open_end_room}, size);
    if (band.first)
        std::memcpy(&packed.chunk[chunk_start], zlib_header.data(), zlib_header.size());
    packed.size = start - chunk_start + size;
    return packed;
}

PngHeader header_of(const Form& form) {
    constexpr std::array<PngColour, 4> colours{PngColour::grey, PngColour::grey_alpha, PngColour::rgb,
                                               PngColour::rgb_alpha};
    return {.width = form.width,
            .bits = form.depth == Depth::u8 ? 8U : 16U,
            .colour = colours.at(static_cast<std::size_t>(form.channels - 1))};
}

std::array<std::byte, 13> header_data(const PngHeader& header, int height) {
    std::array<std::byte, 13> data{}; // ends with deflate, the five filters, not interlaced
    put_big(data.data(), static_cast<std::uint64_t>(header.width), 4);
    put_big(data.data() + 4, static_cast<std::uint64_t>(height), 4);
    data[8] = static_cast<std::byte>(header.bits);
    data[9] = static_cast<std::byte>(header.colour);
    return data;
}

class PngWriter final : public RowWriter {
  public:
    /// `header` tells of the pixels in rows that are bytes to this writer.
    PngWriter(RowJob job, Output& output, const PngHeader& header, std::optional<PngFilter> filter = {})
        : job_(std::move(job)), output_(output), filter_(filter), band_rows_(rows_of_band(job_.form)) {
        std::vector<std::byte> start = copy_of(std::as_bytes(std::span(png_signature)));
        put_chunk(start, "IHDR", header_data(header, job_.form.height));
        put(start, png_metadata(job_.metadata));
        put(start, header.colours);
        if (band_rows_ < job_.form.height)
            put_bands(start);
        output_.append(start);
    }

    void write(std::span<const std::byte> rows) override {
        if (filter_)
            return add(rows);
        start_.insert(start_.end(), rows.begin(), rows.end());
        if (start_.size() >= start_bytes())
            begin();
    }

    void finish() override {
        while (!packed_.empty())
            put_packed();
        std::vector<std::byte> end;
        put_chunk(end, "IEND", {});
        output_.append(end);
        output_.finish();
    }

  private:
    void put_bands(std::vector<std::byte>& out) const {
        std::array<std::byte, 4> data{};
        put_big(data.data(), static_cast<std::uint64_t>(band_rows_), 4);
        put_chunk(out, png_bands_type, data);
    }

    static int rows_of_band(const Form& form) {
        constexpr std::size_t band_bytes = std::size_t{1} << 20U;
        return static_cast<int>(
            std::clamp<std::size_t>(band_bytes / form.row_bytes(), 1, static_cast<std::size_t>(form.height)));
    }

    /// What the filter is chosen on: as many rows as the choice looks at, and no fewer than fill a band.
    std::size_t start_bytes() const {
        const std::size_t rows = static_cast<std::size_t>(std::max(32, band_rows_));
        return std::min(job_.form.bytes(), rows * job_.form.row_bytes());
    }

    void begin() {
        Form form = job_.form;
        form.height = static_cast<int>(start_.size() / form.row_bytes());
        filter_ = choose_png_filter(form, start_, job_.options.png_level);
        add(start_);
        start_ = {};
    }

    void add(std::span<const std::byte> rows) {
        while (!rows.empty()) {
            const auto height = static_cast<std::size_t>(std::min(band_rows_, job_.form.height - y_));
            const std::size_t whole = height * job_.form.row_bytes();
            const std::size_t count = std::min(rows.size(), whole - band_.size());
            band_.reserve(whole);
            band_.insert(band_.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
            rows = rows.subspan(count);
            if (band_.size() == whole)
                launch(static_cast<int>(height));
        }
    }

    void launch(int height) {
        while (packed_.size() >= thread_limit())
            put_packed();
        Form form = job_.form;
        form.height = height;
        const bool first = y_ == 0;
        y_ += height;
        packed_.push_back(in_background([band = Band{form, std::move(band_), *filter_, job_.options.png_level,
                                                     first, y_ == job_.form.height}] { return pack(band); }));
        band_ = {};
    }

    /// The oldest of the bands under way.
    void put_packed() {
        Packed packed = packed_.front().get();
        packed_.pop_front();
        adler_ = static_cast<std::uint32_t>(
            adler32_combine(adler_, packed.adler, static_cast<z_off_t>(packed.filtered_size)));
        if (packed_.empty() && y_ == job_.form.height) {
            put_big(&packed.chunk[chunk_start + packed.size], adler_, 4);
            packed.size += 4;
        }
        constexpr std::size_t max_chunk = 0x7fffffff;
        if (packed.size > max_chunk)
            fail_output(job_.name,
                        "a row of the compressed image is larger than 2 GiB, too large for a PNG chunk");
        const std::byte* end = seal_chunk(packed.chunk.get(), "IDAT", packed.size);
        output_.append({packed.chunk.get(), end});
    }

    RowJob job_;
    Output& output_;
    std::optional<PngFilter> filter_;
    int band_rows_;
    std::vector<std::byte> start_;           ///< rows that wait for the choice of a filter
    std::vector<std::byte> band_;            ///< rows that wait for the rest of their band
    int y_ = 0;                              ///< of the row after those that are packed, or under way
    std::deque<std::future<Packed>> packed_; ///< in the order of the file
    std::uint32_t adler_ = 1;
};

} // namespace

std::unique_ptr<RowWriter> png_writer(RowJob job, Output& output) {
    const PngHeader header = header_of(job.form);
    return std::make_unique<PngWriter>(std::move(job), output, header);
}

namespace {

std::vector<std::byte> encode_bytes(const Job& job, const PngHeader& header, PngFilter filter) {
    return encode_rows(job, [&](RowJob rows, Output& output) -> std::unique_ptr<RowWriter> {
        return std::make_unique<PngWriter>(std::move(rows), output, header, filter);
    });
}

} // namespace

std::vector<std::byte> encode_png(const Job& job) {
    const auto filter_for = [&](const Image& image) {
        return choose_png_filter(image.form(), image.bytes(), job.options.png_level);
    };
    if (!job.options.colours)
        return encode_bytes(job, header_of(job.image.form()), filter_for(job.image));
    const PngIndexed indexed = indexed_png(job);
    const bool is_plain = indexed.header.colour == PngColour::grey && indexed.header.bits == 8;
    return encode_bytes({indexed.rows, job.name, job.extension, job.options}, indexed.header,
                        is_plain ? filter_for(indexed.rows) : PngFilter::none);
}

} // namespace glproc::codecs
