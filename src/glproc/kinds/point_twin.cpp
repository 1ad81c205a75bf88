#include "glproc/kinds/point_twin.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/twin.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

namespace {

using Bytes = std::vector<std::byte>;

/// One operation of a run.
struct Step {
    const Point* point; ///< with the closure that holds them all
    Twin<PointTwin> twin;
    Form source;
    Form result;
    Bytes table = {}; ///< of every code in every channel, the results of all channels; empty where it would not be worth it
};

std::size_t size_of(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

std::optional<Step> step_of(const Point& point, const Form& source) {
    const Form result = point_result(source, point);
    Defines defines = point.defines;
    defines["SRC_DEPTH"] = text(static_cast<int>(source.depth));
    defines["DST_DEPTH"] = text(static_cast<int>(result.depth));
    std::optional<Twin<PointTwin>> twin = point.computed ? std::nullopt : find_twin(point_twins(), point.glsl, defines);
    return twin ? std::optional(Step{&point, std::move(*twin), source, result}) : std::nullopt;
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

/// 8-bit codes are worth a table, and 16-bit codes in a picture with many more pixels.
void fill_table(Step& step, std::int64_t pixels) {
    const Form& source = step.source;
    const bool is_short = source.depth == Depth::u8;
    const int count = is_short ? 256 : 65536;
    const bool keeps_form = source.depth == step.result.depth && source.channels == step.result.channels;
    if (!step.point->channelwise || source.depth == Depth::f32 || !keeps_form || pixels <= std::int64_t{2} * count) {
        return;
    }
    const Bytes codes =
        is_short ? row_of_codes<std::uint8_t>(count, source.channels) : row_of_codes<std::uint16_t>(count, source.channels);
    step.table.resize(codes.size());
    step.twin.run({.params = step.point->params.data(), .numbers = step.twin.numbers.data(), .from = codes.data(), .to = step.table.data(),
              .width = count, .rows = 1, .channels = source.channels, .made = source.channels});
}

template <class Code>
void look_up(const Step& step, std::span<const std::byte> from, std::byte* to) {
    const auto channels = size_of(step.source.channels);
    const auto* table = reinterpret_cast<const Code*>(step.table.data()); // NOLINT: what fill_table() wrote
    const auto* codes = reinterpret_cast<const Code*>(from.data());       // NOLINT: rows of that depth
    auto* made = reinterpret_cast<Code*>(to);                             // NOLINT: likewise
    const std::size_t count = from.size() / sizeof(Code);
    for (std::size_t i = 0; i < count; i += channels) {
        for (std::size_t c = 0; c < channels; ++c) {
            made[i + c] = table[std::size_t{codes[i + c]} * channels + c]; // NOLINT: a table has every code
        }
    }
}

/// The part of a second image that lies on a row, whose first pixel is `first` of the picture. `room` gets the pixels of one
/// that repeats.
SecondRow second_row(const SecondImage& second, Int2 first, int width, Bytes& room) {
    const Image& image = *second.image;
    const auto mod = [](int a, int n) { return ((a % n) + n) % n; };
    const int across = first[0] - second.at[0];
    const int down = first[1] - second.at[1];
    if (!second.repeats) {
        const int begin = std::max(-across, 0);
        const int end = std::min(width, image.width() - across);
        const bool meets = down >= 0 && down < image.height() && begin < end;
        return meets ? SecondRow{image.row(down) + size_of(begin + across) * image.pixel_bytes(), begin, end} : SecondRow{};
    }
    const std::byte* row = image.row(mod(down, image.height()));
    room.resize(size_of(width) * image.pixel_bytes());
    for (int x = 0; x < width; ++x) {
        std::copy_n(row + size_of(mod(across + x, image.width())) * image.pixel_bytes(), image.pixel_bytes(),
                    &room[size_of(x) * image.pixel_bytes()]);
    }
    return {room.data(), 0, width};
}

/// Several rows of one step, from pixel `first` of the picture on.
void run_step(const Step& step, Int2 first, int rows, int width, std::span<const std::byte> from, std::byte* to) {
    if (!step.table.empty()) {
        return step.source.depth == Depth::u8 ? look_up<std::uint8_t>(step, from, to) : look_up<std::uint16_t>(step, from, to);
    }
    PointRows job{.params = step.point->params.data(), .numbers = step.twin.numbers.data(), .from = from.data(), .to = to,
                  .width = width, .rows = rows, .x = first[0], .y = first[1], .channels = step.source.channels,
                  .made = step.result.channels};
    std::vector<SecondRow> seconds;
    std::vector<Bytes> rooms(size_of(rows));
    if (step.point->second) {
        for (int row = 0; row < rows; ++row) {
            seconds.push_back(second_row(*step.point->second, {first[0], first[1] + row}, width, rooms[size_of(row)]));
        }
        job.seconds = seconds.data();
        job.second_channels = step.point->second->image->channels();
    }
    step.twin.run(job);
}

/// The steps one after another over a few rows, so that what is between them stays in the processor's caches.
void run_part(std::span<const Step> steps, Int2 first, int rows, int width, std::span<const std::byte> from, std::byte* to) {
    Bytes held;
    for (const Step& step : steps.first(steps.size() - 1)) {
        Bytes next(size_of(rows) * size_of(width) * step.result.pixel_bytes());
        run_step(step, first, rows, width, from, next.data());
        held = std::move(next);
        from = held;
    }
    run_step(steps.back(), first, rows, width, from, to);
}

void run_bands(std::vector<Step> steps, Int2 first, RowReader& source, RowWriter& to) {
    const auto [width, height, channels, depth] = source.form();
    for (Step& step : steps) {
        fill_table(step, std::int64_t{width} * height);
    }
    constexpr int part_pixels = 1 << 14;
    const int part = std::clamp(part_pixels / std::max(width, 1), 1, height);
    const int band = std::min(part * 4 * static_cast<int>(thread_limit()), height);
    const std::size_t from_bytes = size_of(width) * steps.front().source.pixel_bytes();
    const std::size_t made_bytes = size_of(width) * steps.back().result.pixel_bytes();
    Bytes read;
    Bytes made;
    for (int y = 0; y < height; y += band) {
        const int rows = std::min(band, height - y);
        read.resize(size_of(rows) * from_bytes);
        made.resize(size_of(rows) * made_bytes);
        source.read(read);
        parallel_for(size_of(covering(rows, part)), [&, w = width](std::size_t i) {
            const int begin = static_cast<int>(i) * part;
            const int count = std::min(part, rows - begin);
            run_part(steps, {first[0], first[1] + y + begin}, count, w,
                     std::span(read).subspan(size_of(begin) * from_bytes, size_of(count) * from_bytes),
                     &made[size_of(begin) * made_bytes]);
        });
        to.write(made);
    }
}

} // namespace

std::function<void(RowReader&, RowWriter&)> point_by_processor(const Form& form, std::shared_ptr<const Point> point, Int2 first) {
    std::vector<Step> steps;
    Form source = form;
    for (const Point& one : point->steps.empty() ? std::span(point.get(), 1) : std::span<const Point>(point->steps)) {
        std::optional<Step> step = step_of(one, source);
        if (!step) {
            return {};
        }
        source = step->result;
        steps.push_back(std::move(*step));
    }
    return [point, steps, first](RowReader& rows, RowWriter& to) { run_bands(steps, first, rows, to); };
}

} // namespace glproc
