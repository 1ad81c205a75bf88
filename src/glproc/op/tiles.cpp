#include "glproc/op/tiles.hpp"

#include "glproc/error.hpp"
#include "glproc/image/overlap.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace glproc {

namespace {

int round_up(int value, int grain) {
    return (value + grain - 1) / grain * grain;
}

int modulo(int i, int n) {
    return (i % n + n) % n;
}

std::span<std::byte> rows_in(std::vector<std::byte>& bytes, std::size_t row_bytes, int first, int rows) {
    return std::span(bytes).subspan(static_cast<std::size_t>(first) * row_bytes,
                                    static_cast<std::size_t>(rows) * row_bytes);
}

/// Rows of a picture one after the other, from any row on, over and over.
class RowStream {
  public:
    /// `first` may be above the picture, which then repeats.
    RowStream(const RowSource& source, int first) : source_(source), next_(modulo(first, height())) {
        reader_ = read_ahead(source.open());
        std::vector<std::byte> skipped;
        constexpr int at_once = 64;
        for (int y = 0; y < next_; y += at_once) {
            skipped.resize(static_cast<std::size_t>(std::min(at_once, next_ - y)) * source.form.row_bytes());
            reader_->read(skipped);
        }
    }

    void read(std::span<std::byte> rows) {
        while (!rows.empty()) {
            if (next_ == height()) {
                reader_ = read_ahead(source_.open());
                next_ = 0;
            }
            const auto left = static_cast<std::size_t>(height() - next_) * source_.form.row_bytes();
            const auto part = rows.first(std::min(left, rows.size()));
            reader_->read(part);
            next_ += static_cast<int>(part.size() / source_.form.row_bytes());
            rows = rows.subspan(part.size());
        }
    }

  private:
    int height() const { return source_.form.height; }

    const RowSource& source_;
    std::unique_ptr<RowReader> reader_;
    int next_;
};

/// The rows that tiles under way depend on.
class RowWindow {
  public:
    RowWindow(const RowSource& source, int first)
        : row_bytes_(source.form.row_bytes()), stream_(source, first), first_(first), end_(first) {}

    /// Makes it hold rows `first` to `end` - 1, neither less than in the call before.
    void move_to(int first, int end) {
        const int kept = std::max(end_ - first, 0);
        if (kept > 0 && first > first_) {
            const auto from = rows_in(rows_, row_bytes_, first - first_, kept);
            std::memmove(rows_.data(), from.data(), from.size());
        }
        rows_.resize(static_cast<std::size_t>(end - first) * row_bytes_);
        stream_.read(rows_in(rows_, row_bytes_, kept, end - first - kept));
        first_ = first;
        end_ = end;
    }

    const std::byte* row(int y) const {
        return rows_.data() + static_cast<std::size_t>(y - first_) * row_bytes_;
    }

  private:
    std::size_t row_bytes_;
    RowStream stream_;
    std::vector<std::byte> rows_;
    int first_;
    int end_;
};

/// Where a tile lies along an axis: pixels `first` to `end` - 1 of the result, made of `from` to `to` - 1 of
/// the picture.
struct Span {
    int first;
    int end;
    int from;
    int to;

    int length() const { return to - from; }
};

std::vector<Span> cut_axis(int n, int size, int halo, int grain, bool repeats) {
    std::vector<Span> spans;
    const bool is_cut = size < n;
    for (int first = 0; first < n; first += size) {
        const int end = std::min(first + size, n);
        if (!is_cut) {
            spans.push_back({first, end, first, end});
        } else if (repeats) {
            spans.push_back({first, end, first - halo, round_up(end, grain) + halo});
        } else {
            spans.push_back(
                {first, end, std::max(first - halo, 0), std::min(round_up(end, grain) + halo, n)});
        }
    }
    return spans;
}

/// The pixels of a tile, out of rows that the window holds.
Image gather(const RowWindow& window, const Form& form, const Span& x, const Span& y) {
    Image tile(x.length(), y.length(), form.channels, form.depth);
    for (int row = 0; row < y.length(); ++row) {
        std::byte* to = tile.row(row);
        for (int at = x.from; at < x.to;) {
            const int column = modulo(at, form.width);
            const int run = std::min(x.to - at, form.width - column);
            const std::size_t bytes = static_cast<std::size_t>(run) * form.pixel_bytes();
            std::memcpy(to, window.row(y.from + row) + static_cast<std::size_t>(column) * form.pixel_bytes(),
                        bytes);
            to += bytes;
            at += run;
        }
    }
    return tile;
}

void check_form(const Form& got, const Form& wanted) {
    if (got != wanted) {
        throw Error(ErrorCode::operation, "a tile became a picture of another form");
    }
}

/// The tile proper, out of its result into rows of the whole picture's.
void scatter(const Image& result, const Form& form, const Span& x, const Span& y,
             std::vector<std::byte>& rows) {
    const auto offset = static_cast<std::size_t>(x.first - x.from) * form.pixel_bytes();
    const auto bytes = static_cast<std::size_t>(x.end - x.first) * form.pixel_bytes();
    for (int row = y.first; row < y.end; ++row) {
        std::memcpy(rows.data() + static_cast<std::size_t>(row - y.first) * form.row_bytes() +
                        static_cast<std::size_t>(x.first) * form.pixel_bytes(),
                    result.row(row - y.from) + offset, bytes);
    }
}

/// Tells of tiles as they are done.
class ProgressOfTiles {
  public:
    ProgressOfTiles(const TileProgress& progress, std::size_t tiles) : progress_(progress), tiles_(tiles) {}

    void one_more() {
        ++done_;
        if (progress_) {
            progress_(static_cast<double>(done_) / static_cast<double>(tiles_));
        }
    }

  private:
    const TileProgress& progress_;
    std::size_t tiles_;
    std::size_t done_ = 0;
};

} // namespace

void filter_tiles(const RowSource& from, RowWriter& to, const TileNeeds& needs, const TileGrid& grid,
                  const TileWork& work, const TileProgress& progress) {
    const Form& form = from.form;
    const auto columns = cut_axis(form.width, grid.size.x, needs.halo.x, needs.grain.x, needs.repeats);
    const auto bands = cut_axis(form.height, grid.size.y, needs.halo.y, needs.grain.y, needs.repeats);
    RowWindow window(from, bands.front().from);
    ProgressOfTiles told(progress, columns.size() * bands.size());
    const std::unique_ptr<RowWriter> written = write_behind(to, form.row_bytes());
    std::vector<std::byte> rows;
    for (const Span& y : bands) {
        window.move_to(y.from, y.to);
        rows.resize(static_cast<std::size_t>(y.end - y.first) * form.row_bytes());
        for (const Span& x : columns) {
            Image tile = gather(window, form, x, y);
            const Form tile_form = tile.form();
            const Image result = work(std::move(tile));
            check_form(result.form(), tile_form);
            scatter(result, form, x, y, rows);
            told.one_more();
        }
        written->write(rows);
    }
    written->finish();
}

void visit_bands(const RowSource& from, int rows, const std::function<void(const Image&)>& visit,
                 const TileProgress& progress) {
    const auto bands = cut_axis(from.form.height, rows, 0, 1, false);
    const std::unique_ptr<RowReader> reader = read_ahead(from.open());
    ProgressOfTiles told(progress, bands.size());
    for (const Span& y : bands) {
        Image band(from.form.width, y.length(), from.form.channels, from.form.depth);
        reader->read(band.bytes());
        visit(band);
        told.one_more();
    }
}

void visit_columns(const Image& band, int width, const std::function<void(const Image&)>& visit) {
    if (band.width() <= width) {
        return visit(band);
    }
    for (const Span& x : cut_axis(band.width(), width, 0, 1, false)) {
        Image part(x.length(), band.height(), band.channels(), band.depth());
        for (int y = 0; y < band.height(); ++y) {
            std::memcpy(part.row(y), band.row(y) + static_cast<std::size_t>(x.first) * band.pixel_bytes(),
                        part.row_bytes());
        }
        visit(part);
    }
}

} // namespace glproc
