#include "job/channel_change.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace glproc::job {

namespace {

Form with_count(Form form, int channels) {
    form.channels = channels;
    return form;
}

std::vector<std::byte> changed_pixels(std::span<const std::byte> pixels, Form form,
                                      const ChannelChange& change) {
    const std::size_t count = pixels.size() / form.pixel_bytes();
    std::vector<std::byte> result(pixels.begin(), pixels.end());
    const auto pass = [&](int channels, const auto& convert) {
        const Form next = with_count(form, channels);
        std::vector<std::byte> values(count * next.pixel_bytes());
        convert(std::span<std::byte>(values));
        result = std::move(values);
        form = next;
    };
    if (change.background && form.has_alpha()) {
        pass(opaque_channels(form.channels),
             [&](auto out) { flatten(result, form, *change.background, out); });
    }
    if (change.to_grey && form.channels >= 3) {
        pass(grey_channels(form.channels), [&](auto out) { to_grey(result, form, out); });
    }
    if (change.to_colour && form.channels < 3) {
        pass(colour_channels(form.channels), [&](auto out) { to_colour(result, form, out); });
    }
    return result;
}

class ChangedRows final : public RowWriter {
  public:
    ChangedRows(std::unique_ptr<RowWriter> next, const Form& form, ChannelChange change)
        : next_(std::move(next)), form_(form), change_(change) {}

    void write(std::span<const std::byte> rows) override {
        next_->write(changed_pixels(rows, form_, change_));
    }
    void finish() override { next_->finish(); }

  private:
    std::unique_ptr<RowWriter> next_;
    Form form_;
    ChannelChange change_;
};

} // namespace

int ChannelChange::of(int channels) const {
    channels = background ? opaque_channels(channels) : channels;
    channels = to_grey ? grey_channels(channels) : channels;
    return to_colour ? colour_channels(channels) : channels;
}

Image with_channels(Image image, const ChannelChange& change) {
    const int channels = change.of(image.channels());
    if (channels == image.channels()) {
        return image;
    }
    Image changed(with_count(image.form(), channels));
    std::ranges::copy(changed_pixels(image.bytes(), image.form(), change), changed.bytes().begin());
    return changed;
}

std::unique_ptr<RowWriter> with_channels(std::unique_ptr<RowWriter> next, const Form& form,
                                         ChannelChange change) {
    if (change.of(form.channels) == form.channels) {
        return next;
    }
    return std::make_unique<ChangedRows>(std::move(next), form, change);
}

} // namespace glproc::job
