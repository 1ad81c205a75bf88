#include "glproc/kinds/point_twin.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace glproc {

namespace {

using Bytes = std::vector<std::byte>;

/// One operation of a run.
struct Step {
    PointTwin run = nullptr;
    Point point;
    Form source;
    Form result;
    bool has_table = false;
    Bytes table = {}; ///< of every code in every channel, the results of all channels
};

std::size_t size_of(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

/// The codes of 8 bits are always worth a table, and those of 16 bits in a picture with many more pixels.
bool is_worth_table(const Point& point, const Form& source, const Form& result) {
    const std::int64_t codes = source.depth == Depth::u8 ? 256 : 65536;
    return point.channelwise && source.depth != Depth::f32 && source.depth == result.depth && source.channels == result.channels &&
           std::int64_t{source.width} * source.height > 2 * codes;
}

/// A row of all codes, each in all channels.
template <class Code>
Bytes row_of_codes(int count, int channels) {
    std::vector<Code> codes;
    for (int code = 0; code < count; ++code) {
        codes.insert(codes.end(), size_of(channels), static_cast<Code>(code));
    }
    Bytes bytes(codes.size() * sizeof(Code));
    std::memcpy(bytes.data(), codes.data(), bytes.size());
    return bytes;
}

void fill_table(Step& step) {
    const bool is_short = step.source.depth == Depth::u8;
    const int count = is_short ? 256 : 65536;
    const int channels = step.source.channels;
    const Bytes codes = is_short ? row_of_codes<std::uint8_t>(count, channels) : row_of_codes<std::uint16_t>(count, channels);
    step.table.resize(codes.size());
    step.run({.params = step.point.params.data(), .from = codes.data(), .to = step.table.data(), .width = count, .rows = 1,
              .channels = channels, .made = channels});
    step.has_table = true;
}

template <class Code>
void look_up(const Step& step, std::span<const std::byte> from, std::span<std::byte> to) {
    const auto channels = size_of(step.source.channels);
    const auto* table = reinterpret_cast<const Code*>(step.table.data()); // NOLINT: what fill_table() wrote
    const auto* codes = reinterpret_cast<const Code*>(from.data());       // NOLINT: rows of that depth
    auto* made = reinterpret_cast<Code*>(to.data());                      // NOLINT: likewise
    const std::size_t count = from.size() / sizeof(Code);
    for (std::size_t i = 0; i < count; i += channels) {
        for (std::size_t c = 0; c < channels; ++c) {
            made[i + c] = table[std::size_t{codes[i + c]} * channels + c]; // NOLINT: a table has every code
        }
    }
}

/// The part of a second image that lies on a row of the picture. `room` gets the pixels of one that repeats.
SecondRow second_row(const SecondImage& second, int y, int width, Bytes& room) {
    const Image& image = *second.image;
    const auto pixel = size_of(image.channels()) * bytes_of(image.depth());
    const auto mod = [](int a, int n) { return ((a % n) + n) % n; };
    const int above = y - second.at[1];
    const int row = second.repeats ? mod(above, image.height()) : above;
    if (row < 0 || row >= image.height()) {
        return {};
    }
    const std::byte* pixels = image.bytes().data() + size_of(row) * size_of(image.width()) * pixel; // NOLINT: row `row`
    if (!second.repeats) {
        const int begin = std::max(second.at[0], 0);
        const int end = std::min(width, second.at[0] + image.width());
        return begin >= end ? SecondRow{} : SecondRow{pixels + size_of(begin - second.at[0]) * pixel, begin, end}; // NOLINT
    }
    room.resize(size_of(width) * pixel);
    for (int x = 0; x < width; ++x) {
        std::copy_n(pixels + size_of(mod(x - second.at[0], image.width())) * pixel, pixel, &room[size_of(x) * pixel]); // NOLINT
    }
    return {room.data(), 0, width};
}

/// Several rows of one step, those of the picture from `y` on.
void run_step(const Step& step, int y, int rows, std::span<const std::byte> from, std::span<std::byte> to) {
    if (step.has_table) {
        return step.source.depth == Depth::u8 ? look_up<std::uint8_t>(step, from, to) : look_up<std::uint16_t>(step, from, to);
    }
    PointRows job{.params = step.point.params.data(), .from = from.data(), .to = to.data(), .width = step.source.width,
                  .rows = rows, .x = 0, .y = y, .channels = step.source.channels, .made = step.result.channels};
    std::vector<SecondRow> seconds;
    std::vector<Bytes> rooms(size_of(rows));
    if (step.point.second) {
        for (int row = 0; row < rows; ++row) {
            seconds.push_back(second_row(*step.point.second, y + row, step.source.width, rooms[size_of(row)]));
        }
        job.seconds = seconds.data();
        job.second_channels = step.point.second->image->channels();
    }
    step.run(job);
}

/// The operations one after another, over bands of rows; a thread makes a few rows by all of them, so that they stay near it.
class PointRun {
  public:
    PointRun(std::vector<Step> steps) : steps_(std::move(steps)) {
        for (Step& step : steps_) {
            if (is_worth_table(step.point, step.source, step.result)) {
                fill_table(step);
            }
        }
    }

    void run(RowReader& source, RowWriter& to) const {
        const Form& form = steps_.front().source;
        constexpr std::int64_t part_pixels = 1 << 14;
        const int part = static_cast<int>(std::clamp<std::int64_t>(part_pixels / std::max(form.width, 1), 1, form.height));
        const int band = static_cast<int>(std::min<std::int64_t>(std::int64_t{part} * 8 * static_cast<int>(thread_limit()), form.height));
        Bytes read;
        Bytes made;
        for (int y = 0; y < form.height; y += band) {
            const int rows = std::min(band, form.height - y);
            read.resize(size_of(rows) * form.row_bytes());
            made.resize(size_of(rows) * steps_.back().result.row_bytes());
            source.read(read);
            parallel_for(size_of((rows + part - 1) / part), [&](std::size_t i) {
                const int first = static_cast<int>(i) * part;
                run_part(y + first, std::min(part, rows - first), std::span(read).subspan(size_of(first) * form.row_bytes()),
                         std::span(made).subspan(size_of(first) * steps_.back().result.row_bytes()));
            });
            to.write(made);
        }
    }

  private:
    void run_part(int y, int rows, std::span<const std::byte> from, std::span<std::byte> to) const {
        Bytes held; // what the step before made
        for (const Step& step : steps_) {
            const auto source = from.first(size_of(rows) * step.source.row_bytes());
            if (&step == &steps_.back()) {
                return run_step(step, y, rows, source, to.first(size_of(rows) * step.result.row_bytes()));
            }
            Bytes next(size_of(rows) * step.result.row_bytes());
            run_step(step, y, rows, source, next);
            held = std::move(next);
            from = held;
        }
    }

    std::vector<Step> steps_;
};

/// Null where there is no twin.
PointTwin twin_of(const Point& point, const Form& source, const Form& result) {
    if (point.computed) {
        return nullptr;
    }
    Defines defines = point.defines;
    defines["SRC_DEPTH"] = text(static_cast<int>(source.depth));
    defines["DST_DEPTH"] = text(static_cast<int>(result.depth));
    if (point.enters) {
        defines["ENTRY"] = "2";
    }
    return find_point_twin(point.glsl, defines);
}

} // namespace

std::function<void(RowReader&, RowWriter&)> point_by_processor(const Form& source, const Point& point) {
    const std::vector<Point> points = point.steps.empty() ? std::vector<Point>{point} : point.steps;
    std::vector<Step> steps;
    Form form = source;
    for (const Point& step : points) {
        const Form result = result_form(form, step);
        const PointTwin run = twin_of(step, form, result);
        if (run == nullptr) {
            return {};
        }
        steps.push_back({run, step, form, result});
        form = result;
    }
    const auto made = std::make_shared<const std::vector<Step>>(std::move(steps));
    // Tables are made when it runs: a plan is often made only to be asked.
    return [made](RowReader& reader, RowWriter& to) { PointRun(*made).run(reader, to); };
}

} // namespace glproc
