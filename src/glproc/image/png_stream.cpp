// PNG writing row by row: one zlib stream in pieces that threads compress at once. Each piece ends at a byte
// (a sync flush) and knows the 32 KiB before it, so that pieces follow one another as if they were one; how
// many threads there are does not show in the file. libdeflate cannot do that: its streams are always whole.
#include "glproc/image/output.hpp"
#include "glproc/image/png_write.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <future>
#include <new>
#include <thread>
#include <utility>

#include <libdeflate.h>
#include <zlib.h>

namespace glproc::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t piece_size = std::size_t{1} << 20U;
constexpr std::size_t window_size = std::size_t{1} << 15U;

/// A part of the stream to be compressed.
struct Piece {
    Bytes before; ///< what stands in front of it, as far as it can be referred to
    Bytes bytes;
    int level = 1;
    int strategy = Z_DEFAULT_STRATEGY;
    bool last = false;
};

struct Packed {
    std::vector<std::byte> chunk{}; ///< an IDAT with room for its length, type and checksum
    std::size_t size = 0;           ///< of the compressed data
    std::uint32_t adler = 0;        ///< of the piece
    std::size_t piece_size = 0;
};

/// zlib's state, freed whatever happens.
class Deflater {
  public:
    Deflater(int level, int strategy) {
        if (deflateInit2(&stream_, level, Z_DEFLATED, -15, 9, strategy) != Z_OK)
            throw std::bad_alloc();
    }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    ~Deflater() { deflateEnd(&stream_); }

    z_stream& stream() { return stream_; }

  private:
    z_stream stream_{};
};

Packed pack(const Piece& piece) {
    Deflater deflater(piece.level, piece.strategy);
    z_stream& stream = deflater.stream();
    if (!piece.before.empty())
        deflateSetDictionary(&stream, piece.before.data(), static_cast<uInt>(piece.before.size()));
    Packed packed{.piece_size = piece.bytes.size()};
    const std::size_t room = deflateBound(&stream, static_cast<uLong>(piece.bytes.size())) + 16;
    packed.chunk.resize(room + png_chunk_overhead);
    stream.next_in = const_cast<Bytef*>(piece.bytes.data()); // NOLINT: zlib does not write to it
    stream.avail_in = static_cast<uInt>(piece.bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.chunk.data() + 8);
    stream.avail_out = static_cast<uInt>(room);
    deflate(&stream, piece.last ? Z_FINISH : Z_SYNC_FLUSH);
    packed.size = room - stream.avail_out;
    packed.adler = libdeflate_adler32(1, piece.bytes.data(), piece.bytes.size());
    return packed;
}

class PngWriter final : public RowWriter {
  public:
    PngWriter(RowJob job, Output& output) : job_(std::move(job)), output_(output), filterer_(job_.form) {
        filtered_.resize(filterer_.bytes());
        std::vector<std::byte> start(png_start_size);
        write_png_start(job_.form, start.data());
        output_.append(start);
        output_.append(png_metadata(job_.metadata));
        put_idat({std::byte{0x78}, std::byte{0x01}}); // deflate, a window of 32 KiB, no dictionary
    }

    void write(std::span<const std::byte> rows) override {
        if (chosen_)
            return add(rows);
        start_.insert(start_.end(), rows.begin(), rows.end());
        if (start_.size() >= start_bytes())
            begin();
    }

    void finish() override {
        launch(true);
        while (!packed_.empty())
            put_packed();
        std::vector<std::byte> sum(4);
        for (unsigned i = 0; i < 4; ++i)
            sum[i] = static_cast<std::byte>(adler_ >> (24 - 8 * i));
        put_idat(std::move(sum));
        std::vector<std::byte> end(png_chunk_overhead);
        seal_png_chunk(end.data(), "IEND", 0);
        output_.append(end);
        output_.finish();
    }

  private:
    /// What the filter is chosen on: as many rows as the choice looks at, and no fewer than fill a piece.
    std::size_t start_bytes() const {
        const std::size_t row = job_.form.row_bytes();
        return std::min(job_.form.bytes(), std::max(32 * row, piece_size / row * row));
    }

    void begin() {
        Form form = job_.form;
        form.height = static_cast<int>(start_.size() / form.row_bytes());
        filter_ = choose_png_filter(form, start_, job_.options.png_level);
        chosen_ = true;
        add(start_);
        start_ = {};
    }

    void add(std::span<const std::byte> rows) {
        const std::size_t row = job_.form.row_bytes();
        const std::byte* above = above_.empty() ? nullptr : above_.data();
        for (std::size_t at = 0; at < rows.size(); at += row) {
            filterer_.write(filter_, &rows[at], above, filtered_.data());
            add_filtered(filtered_);
            above = &rows[at];
        }
        above_.assign(rows.end() - static_cast<std::ptrdiff_t>(row), rows.end());
    }

    void add_filtered(std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
            const std::size_t count = std::min(bytes.size(), piece_size - piece_.size());
            piece_.insert(piece_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
            bytes = bytes.subspan(count);
            if (piece_.size() == piece_size)
                launch(false);
        }
    }

    void launch(bool last) {
        static const std::size_t threads = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
        while (packed_.size() >= threads)
            put_packed();
        Piece piece{std::move(before_), std::move(piece_), std::min(job_.options.png_level, 9), strategy_,
                    last};
        if (std::exchange(first_, false) && piece.level == 1) {
            // Filtered photographs repeat nothing but runs: those alone pack faster, and no worse.
            const std::size_t with_all = pack(piece).size;
            piece.strategy = Z_RLE;
            strategy_ = piece.strategy = pack(piece).size <= with_all ? Z_RLE : Z_DEFAULT_STRATEGY;
        }
        const std::size_t kept = std::min(piece.bytes.size(), window_size);
        before_.assign(piece.bytes.end() - static_cast<std::ptrdiff_t>(kept), piece.bytes.end());
        piece_ = {};
        if (!last)
            piece_.reserve(piece_size);
        packed_.push_back(std::async(std::launch::async, [piece = std::move(piece)] { return pack(piece); }));
    }

    /// The oldest of the pieces under way.
    void put_packed() {
        Packed packed = packed_.front().get();
        packed_.pop_front();
        adler_ = static_cast<std::uint32_t>(
            adler32_combine(adler_, packed.adler, static_cast<z_off_t>(packed.piece_size)));
        const std::byte* end = seal_png_chunk(packed.chunk.data(), "IDAT", packed.size);
        output_.append({packed.chunk.data(), end});
    }

    void put_idat(std::vector<std::byte> data) {
        const std::size_t size = data.size();
        data.insert(data.begin(), 8, std::byte{0});
        data.resize(size + png_chunk_overhead);
        seal_png_chunk(data.data(), "IDAT", size);
        output_.append(data);
    }

    RowJob job_;
    Output& output_;
    PngFilterer filterer_;
    PngFilter filter_ = PngFilter::none;
    bool chosen_ = false;
    std::vector<std::byte> start_; ///< rows that wait for the choice
    std::vector<std::byte> above_; ///< the last row
    Bytes filtered_;               ///< a row
    Bytes before_;
    Bytes piece_;
    bool first_ = true; ///< of the pieces
    int strategy_ = Z_DEFAULT_STRATEGY;
    std::deque<std::future<Packed>> packed_; ///< in the order of the stream
    std::uint32_t adler_ = 1;
};

} // namespace

std::unique_ptr<RowWriter> png_writer(RowJob job, Output& output) {
    return std::make_unique<PngWriter>(std::move(job), output);
}

} // namespace glproc::codecs
