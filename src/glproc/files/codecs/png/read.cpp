// PNG reading, in bands of rows: one thread unpacks a band while another undoes the filters of the band
// before it. Of files whose IDAT chunks can be unpacked each by itself, as ours, all cores unpack as many at
// once.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/png/data.hpp"
#include "glproc/files/codecs/png/deflate.hpp"
#include "glproc/files/codecs/png/expand.hpp"
#include "glproc/files/codecs/png/filter.hpp"
#include "glproc/files/codecs/png/layout.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <future>
#include <optional>

namespace glproc::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Deflate shrinks to 1/1032 at most, so a file this small cannot hold more pixels of so many bits.
double max_pixels_per_byte(const PngLayout& layout) {
    return 1032.0 * 8 / (layout.bits * layout.samples());
}

/// Filtered rows to pixels.
class Unfilterer {
  public:
    Unfilterer(const Source& source, const PngLayout& layout)
        : source_(source), step_(layout.step()), expander_(layout) {}

    /// One row with its filter's number before it, and room for the pixels. `above` as for undo_png_filter().
    void row(std::span<std::uint8_t> filtered, const std::uint8_t* above, std::span<std::byte> out) const {
        const auto row = filtered.subspan(1);
        if (!undo_png_filter(filtered[0], row, above, step_))
            fail(source_, "corrupt PNG: a filter that does not exist");
        if (!expander_.expand(row, out))
            fail(source_, "corrupt PNG: a pixel with a colour that its palette lacks");
    }

    /// All rows of `out`; afterwards `above`, what is above the first of them, is the last.
    void rows(std::span<std::uint8_t> filtered, Bytes& above, std::span<std::byte> out,
              std::size_t out_row) const {
        const std::size_t size = above.size() + 1;
        const std::uint8_t* last = above.data();
        for (std::size_t y = 0; y * size < filtered.size(); ++y) {
            const auto next = filtered.subspan(y * size, size);
            row(next, last, out.subspan(y * out_row, out_row));
            last = &next[1];
        }
        std::copy_n(last, above.size(), above.begin());
    }

  private:
    const Source& source_;
    std::size_t step_;
    PngExpander expander_;
};

/// Gives the pixels of the next rows, always as many as are in a band, or left.
class Bands {
  public:
    Bands() = default;
    Bands(const Bands&) = delete;
    Bands& operator=(const Bands&) = delete;
    virtual ~Bands() = default;

    /// Whole bands, but for the last of the picture.
    virtual void read(std::span<std::byte> rows) = 0;
    /// After the last row.
    virtual void finish() = 0;
};

/// Unpacks ahead.
class StreamedBands final : public Bands {
  public:
    StreamedBands(const Source& source, const PngLayout& layout, std::size_t band_rows)
        : unfilterer_(source, layout), data_(source, layout.pixels), out_row_(layout.form().row_bytes()),
          band_rows_(band_rows), left_(layout.height), above_(layout.row_bytes(layout.width)) {}

    void read(std::span<std::byte> rows) override {
        while (!rows.empty()) {
            Bytes filtered = next_.valid() ? next_.get() : unpack(take_band());
            if (const std::size_t ahead = take_band(); ahead > 0)
                next_ = in_background([this, ahead] { return unpack(ahead); });
            const std::size_t count = filtered.size() / (above_.size() + 1);
            unfilterer_.rows(filtered, above_, rows.first(count * out_row_), out_row_);
            rows = rows.subspan(count * out_row_);
        }
    }
    void finish() override { data_.finish(); }

  private:
    /// How many rows come next.
    std::size_t take_band() {
        const std::size_t count = std::min(band_rows_, left_);
        left_ -= count;
        return count;
    }
    Bytes unpack(std::size_t rows) {
        Bytes filtered(rows * (above_.size() + 1));
        data_.read(filtered);
        return filtered;
    }

    Unfilterer unfilterer_;
    PngData data_;
    std::size_t out_row_;
    std::size_t band_rows_;
    std::size_t left_; ///< rows that nobody has begun to unpack
    Bytes above_;
    std::future<Bytes> next_; ///< last, so that it has ended when the rest goes
};

/// Unpacks chunks by themselves.
class SeparateBands final : public Bands {
  public:
    SeparateBands(const Source& source, const PngLayout& layout)
        : source_(source), layout_(layout), unfilterer_(source, layout), out_row_(layout.form().row_bytes()),
          sums_(layout.bands.size()) {}

    void read(std::span<std::byte> rows) override {
        const std::size_t out_band = layout_.band_rows * out_row_;
        const std::size_t count = covering(rows.size(), out_band);
        parallel_for(
            count,
            [] {
                return Own{make_decompressor(), {}, {}};
            },
            [&](Own& own, std::size_t i) {
                const auto out = rows.subspan(i * out_band, std::min(out_band, rows.size() - i * out_band));
                unpack(own, next_ + i, out);
            });
        next_ += count;
    }

    void finish() override {
        std::uint32_t sum = 1;
        for (const Sum& band : sums_)
            sum =
                static_cast<std::uint32_t>(adler32_combine(sum, band.adler, static_cast<z_off_t>(band.size)));
        if (sum != stored_sum_)
            fail(source_, "corrupt PNG: incorrect data check");
    }

  private:
    /// What a thread needs for itself.
    struct Own {
        Decompressor decompressor;
        std::vector<std::byte> packed;
        Bytes filtered;
    };
    struct Sum {
        std::uint32_t adler = 1;
        std::size_t size = 0;
    };

    [[noreturn]] void refuse() const { fail(source_, "corrupt PNG: damaged compressed data"); }

    void unpack(Own& own, std::size_t index, std::span<std::byte> out) {
        const ByteView stream = stream_of(own, index);
        const std::size_t row = layout_.row_bytes(layout_.width) + 1;
        own.filtered.resize(out.size() / out_row_ * row);
        std::size_t used = 0;
        if (libdeflate_deflate_decompress_ex(own.decompressor.get(), stream.data(), stream.size(),
                                             own.filtered.data(), own.filtered.size(), &used,
                                             nullptr) != LIBDEFLATE_SUCCESS ||
            used != stream.size())
            refuse();
        sums_[index] = {libdeflate_adler32(1, own.filtered.data(), own.filtered.size()), own.filtered.size()};
        Bytes above(row - 1);
        if (index > 0 && own.filtered[0] > 1) // it would look at the rows before it
            refuse();
        unfilterer_.rows(own.filtered, above, out, out_row_);
    }

    /// A whole stream of the chunk with this index.
    ByteView stream_of(Own& own, std::size_t index) {
        const PngChunk& chunk = layout_.bands[index];
        constexpr std::array<std::byte, 5> end{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0xff},
                                               std::byte{0xff}};
        own.packed.resize(chunk.size + std::max<std::size_t>(end.size(), 4));
        if (source_.read_at(chunk.data, std::span(own.packed).first(chunk.size + 4)) < chunk.size + 4)
            fail(source_, "truncated PNG");
        const std::uint32_t type_sum = libdeflate_crc32(0, chunk.name.data(), chunk.name.size());
        const ByteView data = std::span(own.packed).first(chunk.size);
        if (libdeflate_crc32(type_sum, data.data(), data.size()) !=
            big_number(std::span(own.packed).subspan(chunk.size), 4))
            fail(source_, "corrupt PNG: IDAT has a wrong checksum");
        const std::size_t start = index == 0 ? 2 : 0;
        if (index == 0 && !deflate_header(data))
            refuse();
        if (index + 1 == layout_.bands.size()) {
            stored_sum_ = static_cast<std::uint32_t>(big_number(data.subspan(data.size() - 4), 4));
            return data.subspan(start, data.size() - 4 - start);
        }
        std::ranges::copy(end, own.packed.begin() +
                                   static_cast<std::ptrdiff_t>(chunk.size)); // an empty last block
        return ByteView(own.packed).subspan(start);
    }

    static bool deflate_header(ByteView data) {
        return (data[0] & std::byte{0x8f}) == std::byte{8} && (data[1] & std::byte{0x20}) == std::byte{0} &&
               big_number(data, 2) % 31 == 0;
    }

    const Source& source_;
    const PngLayout& layout_;
    Unfilterer unfilterer_;
    std::size_t out_row_;
    std::vector<Sum> sums_; ///< of the bands that are unpacked
    std::size_t next_ = 0;
    std::uint32_t stored_sum_ = 0;
};

/// The seven passes of Adam7: every so many pixels across and down, from a first one on.
struct Pass {
    std::size_t x, y, across, down;
};
constexpr std::array<Pass, 7> passes{
    {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};

/// Pixels of an interlaced picture.
void read_interlaced(const Source& source, const PngLayout& layout, std::span<std::byte> out) {
    const Unfilterer unfilterer(source, layout);
    PngData data(source, layout.pixels);
    const Form form = layout.form();
    const std::size_t pixel = form.pixel_bytes();
    std::vector<std::byte> pixels(form.row_bytes());
    for (const Pass& pass : passes) {
        const std::size_t columns = layout.width > pass.x ? (layout.width - pass.x - 1) / pass.across + 1 : 0;
        if (columns == 0)
            continue;
        Bytes above(layout.row_bytes(columns));
        Bytes filtered(above.size() + 1);
        for (std::size_t y = pass.y; y < layout.height; y += pass.down) {
            data.read(filtered);
            unfilterer.row(filtered, above.data(), std::span(pixels).first(columns * pixel));
            std::copy(filtered.begin() + 1, filtered.end(), above.begin());
            std::byte* to = &out[y * form.row_bytes() + pass.x * pixel];
            for (std::size_t x = 0; x < columns; ++x)
                std::memcpy(to + x * pass.across * pixel, &pixels[x * pixel], pixel);
        }
    }
    data.finish();
}

class PngRows final : public RowReader {
  public:
    explicit PngRows(const Source& source) : source_(source), layout_(read_png_layout(source)) {
        check_size(source, layout_.width, layout_.height, max_pixels_per_byte(layout_));
        form_ = layout_.form();
        if (source.salvages)
            layout_.bands.clear(); // nothing is to be lost with a band that is broken
        const std::size_t band_bytes = source.salvages ? 1 : std::size_t{1} << 20U;
        band_rows_ =
            layout_.bands.empty()
                ? std::clamp<std::size_t>(band_bytes / layout_.row_bytes(layout_.width), 1, layout_.height)
                : std::min<std::size_t>(layout_.band_rows, layout_.height);
        left_ = form_.bytes();
    }

    bool interlaced() const { return layout_.interlaced; }
    int frames() const { return layout_.frames; }
    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return layout_.metadata; }

    void read(std::span<std::byte> rows) override {
        if (interlaced())
            return read_interlaced(source_, layout_, rows);
        begin();
        const std::size_t band = band_rows_ * form_.row_bytes();
        while (!rows.empty()) {
            if (kept_.empty()) {
                const std::size_t whole = rows.size() == left_ ? left_ : rows.size() / band * band;
                bands_->read(rows.first(whole));
                left_ -= whole;
                rows = rows.subspan(whole);
            }
            if (!rows.empty() && kept_.empty()) {
                band_.resize(std::min(band, left_));
                bands_->read(band_);
                left_ -= band_.size();
                kept_ = band_;
            }
            const std::size_t count = std::min(kept_.size(), rows.size());
            std::copy_n(kept_.begin(), count, rows.begin());
            kept_ = kept_.subspan(count);
            rows = rows.subspan(count);
        }
        if (left_ == 0 && kept_.empty())
            bands_->finish();
    }

  private:
    /// With the first row: those who want the header alone need no thread.
    void begin() {
        if (bands_ != nullptr)
            return;
        if (layout_.bands.empty()) {
            bands_ = std::make_unique<StreamedBands>(source_, layout_, band_rows_);
        } else {
            bands_ = std::make_unique<SeparateBands>(source_, layout_);
        }
    }

    const Source& source_;
    PngLayout layout_;
    Form form_;
    std::size_t band_rows_ = 1;
    std::size_t left_ = 0; ///< bytes of the rows that no band has been asked for
    std::vector<std::byte> band_;
    std::span<const std::byte> kept_; ///< of the band, what was not asked for yet
    std::unique_ptr<Bands> bands_;
};

} // namespace

std::unique_ptr<RowReader> png_rows(const Source& source) {
    auto rows = std::make_unique<PngRows>(source);
    if (rows->interlaced())
        return nullptr;
    return rows;
}

Summary inspect_png(const Source& source) {
    const PngRows rows(source);
    Summary summary = summary_of(rows);
    summary.frames = rows.frames();
    return summary;
}

Image decode_png(const Source& source) {
    PngRows rows(source);
    return read_all(rows);
}

} // namespace glproc::codecs
