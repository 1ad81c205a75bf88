#include "glproc/op/tiles.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/overlap.hpp"
#include "glproc/gl/context.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace glproc {

namespace {

int round_up(int value, int grain) {
    return covering(value, grain) * grain;
}

int modulo(int i, int n) {
    return (i % n + n) % n;
}

std::span<std::byte> rows_in(std::vector<std::byte>& bytes, std::size_t row_bytes, int first, int rows) {
    return std::span(bytes).subspan(static_cast<std::size_t>(first) * row_bytes,
                                    static_cast<std::size_t>(rows) * row_bytes);
}

/// Rows of a picture one after the other, beginning with any row, over and over.
class RowStream {
  public:
    /// `first` may be above the picture, which then repeats.
    RowStream(const RowSource& source, int first) : source_(source), reader_(read_ahead(source.open())) {
        skip(modulo(first, height()));
    }

    void skip(int rows) {
        std::vector<std::byte> skipped;
        constexpr int at_once = 64;
        for (int y = 0; y < rows; y += at_once) {
            skipped.resize(static_cast<std::size_t>(std::min(at_once, rows - y)) * source_.form.row_bytes());
            read(skipped);
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
    int next_ = 0;
};

/// The rows that tiles under way depend on.
class RowWindow {
  public:
    RowWindow(const RowSource& source, int first)
        : row_bytes_(source.form.row_bytes()), height_(source.form.height), stream_(source, first),
          first_(first), end_(first) {}

    /// Makes it hold rows `first` to `end` - 1, neither less than in the call before.
    void move_to(int first, int end) {
        stream_.skip(std::max(first - end_, 0)); // rows that no tile needs
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

    /// Returns a row that it holds; any row if it holds the whole picture, because that repeats.
    const std::byte* row(int y) const {
        const int held = y >= first_ && y < end_ ? y : modulo(y, height_);
        return rows_.data() + static_cast<std::size_t>(held - first_) * row_bytes_;
    }

  private:
    std::size_t row_bytes_;
    int height_;
    RowStream stream_;
    std::vector<std::byte> rows_;
    int first_;
    int end_;
};

/// Where a tile lies along an axis: pixels `first` to `end` - 1 of the result, made from `from` to `to` - 1
/// of the picture.
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

/// The pixels of a tile, row by row, out of rows that the window holds.
class TileReader : public RowReader {
  public:
    TileReader(const RowWindow& window, const Form& picture, const Rect& from)
        : window_(window), width_(picture.width),
          from_(from), form_{from.width, from.height, picture.channels, picture.depth} {}

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        for (; !rows.empty(); rows = rows.subspan(form_.row_bytes())) {
            gather(from_.y + next_++, rows.data());
        }
    }

  private:
    void gather(int row, std::byte* to) const {
        for (int at = from_.x; at < from_.right();) {
            const int column = modulo(at, width_);
            const int run = std::min(from_.right() - at, width_ - column);
            const std::size_t bytes = static_cast<std::size_t>(run) * form_.pixel_bytes();
            std::memcpy(to, window_.row(row) + static_cast<std::size_t>(column) * form_.pixel_bytes(), bytes);
            to += bytes;
            at += run;
        }
    }

    const RowWindow& window_;
    int width_;
    Rect from_;
    Form form_;
    Metadata metadata_;
    int next_ = 0;
};

/// A tile, and the part of the source that it is made from.
struct Tile {
    Rect rect;
    Rect from;
};

/// The tiles of a picture in bands from top to bottom.
std::vector<std::vector<Tile>> cut(const TileJob& job) {
    const TileNeeds& needs = job.needs;
    // If tiles lie elsewhere in the source, source_of() returns the part that they need.
    const PerAxis<int> halo = job.source_of ? PerAxis<int>(0) : needs.halo;
    const bool repeats = needs.repeats && !job.source_of;
    const auto columns = cut_axis(job.result.width, job.grid.size.x, halo.x, needs.grain.x, repeats);
    std::vector<std::vector<Tile>> bands;
    for (const Span& y : cut_axis(job.result.height, job.grid.size.y, halo.y, needs.grain.y, repeats)) {
        std::vector<Tile>& band = bands.emplace_back();
        for (const Span& x : columns) {
            const Rect rect{x.first, y.first, x.end - x.first, y.end - y.first};
            band.push_back(
                {rect, job.source_of ? job.source_of(rect) : Rect{x.from, y.from, x.length(), y.length()}});
        }
    }
    return bands;
}

/// The rows that a band needs.
Span rows_of(const std::vector<Tile>& band) {
    Span rows{0, 0, band.front().from.y, band.front().from.bottom()};
    for (const Tile& tile : band) {
        rows.from = std::min(rows.from, tile.from.y);
        rows.to = std::max(rows.to, tile.from.bottom());
    }
    return rows;
}

/// Whether the rows that bands need come in another order than the bands.
bool goes_back(const std::vector<std::vector<Tile>>& bands) {
    Span last = rows_of(bands.front());
    return std::any_of(bands.begin(), bands.end(), [&](const std::vector<Tile>& band) {
        const Span rows = rows_of(band);
        const bool back = rows.from < last.from || rows.to < last.to;
        last = rows;
        return back;
    });
}

/// Takes the rows of a tile's result, and copies the tile's own pixels into rows of the whole picture's.
class TileWriter : public RowWriter {
  public:
    TileWriter(const Rect& covered, const Rect& tile, const Form& picture, std::vector<std::byte>& band)
        : covered_(covered), tile_(tile), picture_(picture), band_(band), next_(covered.y) {}

    void write(std::span<const std::byte> rows) override {
        const std::size_t pixel = picture_.pixel_bytes();
        const std::size_t row_bytes = static_cast<std::size_t>(covered_.width) * pixel;
        for (; !rows.empty(); rows = rows.subspan(row_bytes), ++next_) {
            if (next_ >= tile_.y && next_ < tile_.bottom()) {
                std::memcpy(band_.data() + static_cast<std::size_t>(next_ - tile_.y) * picture_.row_bytes() +
                                static_cast<std::size_t>(tile_.x) * pixel,
                            rows.data() + static_cast<std::size_t>(tile_.x - covered_.x) * pixel,
                            static_cast<std::size_t>(tile_.width) * pixel);
            }
        }
    }
    void finish() override {}

  private:
    Rect covered_;
    Rect tile_;
    Form picture_;
    std::vector<std::byte>& band_;
    int next_;
};

void tell(const TileProgress& progress, std::size_t done, std::size_t all) {
    if (progress) {
        progress(static_cast<double>(done) / static_cast<double>(all));
    }
}

} // namespace

struct TileRun::State {
    State(Context& context, TileJob to_do)
        : gpu(context), job(std::move(to_do)), bands(cut(job)), in_memory(goes_back(bands)),
          window(job.source, in_memory ? 0 : rows_of(bands.front()).from) {
        if (in_memory) {
            window.move_to(0, job.source.form.height);
        }
    }

    /// A tile whose result the GPU has, or will have.
    struct UnderWay {
        GpuImage result;
        Rect covered;
        Rect rect;
    };

    /// Uploads the next tile and starts work on it; nothing after the last.
    std::optional<UnderWay> start_next() {
        if (band == bands.size()) {
            return {};
        }
        if (column == 0 && !in_memory) {
            const Span needed = rows_of(bands[band]);
            window.move_to(needed.from, needed.to);
        }
        const Tile& tile = bands[band][column];
        if (++column == bands[band].size()) {
            ++band;
            column = 0;
        }
        TileReader pixels(window, job.source.form, tile.from);
        GpuImage result = job.run(gpu.upload(pixels, "tile"), tile.from, tile.rect);
        const Rect& covered = job.source_of ? tile.rect : tile.from;
        if (result.form() != Form{covered.width, covered.height, job.result.channels, job.result.depth}) {
            throw Error(ErrorCode::operation, "a tile became an image of another form");
        }
        return UnderWay{std::move(result), covered, tile.rect};
    }

    /// Copies the result of a tile into the rows of its band.
    void take(const UnderWay& tile) {
        rows.resize(static_cast<std::size_t>(tile.rect.height) * job.result.row_bytes());
        TileWriter writer(tile.covered, tile.rect, job.result, rows);
        gpu.download(tile.result, writer);
    }

    Context& gpu;
    TileJob job;
    std::vector<std::vector<Tile>> bands;
    bool in_memory;
    RowWindow window;
    std::size_t band = 0;   ///< of the tile to be started next
    std::size_t column = 0; ///< likewise
    std::optional<UnderWay> under_way;
    std::vector<std::byte> rows;
    std::size_t done = 0; ///< tiles
};

TileRun::TileRun(Context& gpu, TileJob job) : state_(std::make_unique<State>(gpu, std::move(job))) {}
TileRun::~TileRun() = default;

std::span<const std::byte> TileRun::next_band(const TileProgress& progress) {
    State& s = *state_;
    if (!s.under_way) {
        s.under_way = s.start_next();
    }
    while (s.under_way) {
        std::optional<State::UnderWay> next = s.start_next(); // while the GPU works on the one before
        const State::UnderWay tile = std::exchange(s.under_way, std::move(next)).value();
        s.take(tile);
        tell(progress, ++s.done, s.bands.size() * s.bands.front().size());
        if (tile.rect.right() == s.job.result.width) {
            return s.rows;
        }
    }
    return {};
}

void run_tiles(Context& gpu, const TileJob& job, RowWriter& to, const TileProgress& progress) {
    TileRun run(gpu, job);
    const std::unique_ptr<RowWriter> written = write_behind(to, job.result.row_bytes());
    for (auto rows = run.next_band(progress); !rows.empty(); rows = run.next_band(progress)) {
        written->write(rows);
    }
    written->finish();
}

void visit_bands(const RowSource& from, int rows, const std::function<void(const Image&)>& visit,
                 const TileProgress& progress) {
    const auto bands = cut_axis(from.form.height, rows, 0, 1, false);
    const std::unique_ptr<RowReader> reader = read_ahead(from.open());
    std::size_t done = 0;
    for (const Span& y : bands) {
        Image band(from.form.width, y.length(), from.form.channels, from.form.depth);
        reader->read(band.bytes());
        visit(band);
        tell(progress, ++done, bands.size());
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
