#include "glproc/files/transfer.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace glproc {

namespace {

std::span<float> floats_of(std::span<std::byte> bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

class TransferReader final : public RowReader {
  public:
    TransferReader(std::unique_ptr<RowReader> rows, ColourCurve from, ColourCurve to)
        : rows_(std::move(rows)), from_(from), to_(to) {}

    const Form& form() const override { return rows_->form(); }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        rows_->read(rows);
        convert_transfer(floats_of(rows), form().channels, from_, to_);
    }

  private:
    std::unique_ptr<RowReader> rows_;
    ColourCurve from_;
    ColourCurve to_;
};

class TransferWriter final : public RowWriter {
  public:
    TransferWriter(std::unique_ptr<RowWriter> rows, int channels, ColourCurve from, ColourCurve to)
        : rows_(std::move(rows)), channels_(channels), from_(from), to_(to) {}

    void write(std::span<const std::byte> rows) override {
        converted_.assign(rows.begin(), rows.end());
        convert_transfer(floats_of(converted_), channels_, from_, to_);
        rows_->write(converted_);
    }
    void finish() override { rows_->finish(); }

  private:
    std::unique_ptr<RowWriter> rows_;
    int channels_;
    ColourCurve from_;
    ColourCurve to_;
    std::vector<std::byte> converted_;
};

} // namespace

ColourCurve transfer_of(Format format, Depth depth, bool has_profile) {
    const bool means_light = format == Format::exr || format == Format::hdr || format == Format::pfm ||
                             (format == Format::jxl && !has_profile);
    return means_light && depth == Depth::f32 ? ColourCurve::linear : ColourCurve::srgb;
}

void convert_transfer(std::span<float> values, int channels, ColourCurve from, ColourCurve to) {
    if (from == to) {
        return;
    }
    const auto curve = to == ColourCurve::linear ? linear_of_srgb : srgb_of_linear;
    const auto pixel = static_cast<std::size_t>(channels);
    const std::size_t colours = pixel - (channels % 2 == 0 ? 1 : 0);
    constexpr std::size_t part = 16384; // pixels
    parallel_for((values.size() / pixel + part - 1) / part, [&](std::size_t i) {
        const auto own =
            values.subspan(i * part * pixel, std::min(part * pixel, values.size() - i * part * pixel));
        for (std::size_t at = 0; at < own.size(); ++at) {
            own[at] = at % pixel < colours ? static_cast<float>(curve(double{own[at]})) : own[at];
        }
    });
}

Image with_transfer(Image image, ColourCurve from, ColourCurve to) {
    convert_transfer(image.values<float>(), image.channels(), from, to);
    return image;
}

RowSource with_transfer(RowSource source, ColourCurve from, ColourCurve to) {
    if (from != to) {
        source.open = [open = std::move(source.open), from, to] {
            return std::make_unique<TransferReader>(open(), from, to);
        };
    }
    return source;
}

std::unique_ptr<RowWriter> with_transfer(std::unique_ptr<RowWriter> writer, const Form& form,
                                         ColourCurve from, ColourCurve to) {
    return from == to ? std::move(writer)
                      : std::make_unique<TransferWriter>(std::move(writer), form.channels, from, to);
}

} // namespace glproc
