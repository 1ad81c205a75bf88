// What the engine shows beside the result: the levels that steps get, and a picture to compare with.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"
#include "view/panels/levels.hpp"
#include "view/tools/second.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::view {

/// What the result is compared with: the source in the same frame. Steps that change the size do so before as after.
void Engine::publish_before(Context& gpu, const Steps& steps) {
    Steps framing;
    Form form = form_;
    for (const Step& step : steps) {
        const Form after = loaded_operation_of(step, pictures_, 0)->result_form(form);
        if (after.width != form.width || after.height != form.height) {
            framing.push_back(step);
        }
        form = {after.width, after.height, form.channels, form.depth};
    }
    Shown before;
    try {
        before = framing.empty() ? before : framing.size() == steps.size() ? news().result : make(gpu, framing, 0);
    } catch (const Error&) { // they need what others of the steps do: the source stands for it
    }
    tell([&](News& news) { news.before = before; });
}

/// The levels of what each step gets.
void Engine::publish_inputs(Context& gpu, const Steps& steps) {
    StepCounts inputs = news().inputs;
    bool is_new = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].on || !wants_counts(*steps[i].op)) {
            continue;
        }
        const Steps before = active(Steps(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i)));
        std::string key = fmt::format("{}: {}", source_number_, fmt::join(words_of(before), " "));
        if (counted_inputs_[steps[i].id] == key) {
            continue;
        }
        if (is_outdated()) {
            throw Outdated{};
        }
        const auto made = [&](int halved) { return before.empty() ? source_at(gpu, halved) : make(gpu, before, halved).image; };
        const auto whole = made(0); // null where it is larger than the device takes
        const auto image = whole != nullptr ? whole : made(halvings(megapixels(form_), 1, 1));
        if (image != nullptr) {
            const Histogram histogram{.bins = 256, .channels = {HistogramChannel::luma}};
            inputs[steps[i].id] = std::make_shared<const std::vector<ChannelCounts>>(histogram(gpu, *image));
            counted_inputs_[steps[i].id] = std::move(key);
            is_new = true;
        }
    }
    if (is_new) {
        tell([&](News& news) { news.inputs = std::move(inputs); });
    }
}

/// Null where nobody looks at it. Of large images a smaller one does, as for the histogram.
std::shared_ptr<const Waveform> Engine::waveform_of(Context& gpu, const Shown& shown) const {
    if (!wants_waveform_ || shown.image == nullptr) {
        return nullptr;
    }
    return std::make_shared<const Waveform>(gpu.download(shown.small != nullptr ? *shown.small : *shown.image));
}

void Engine::want_waveform(bool on) {
    wants_waveform_ = on;
    post([this](Context& gpu) {
        const auto waveform = waveform_of(gpu, news().result);
        tell([&](News& news) { news.waveform = waveform; });
    });
}

void Engine::publish_seconds(const Steps& steps) {
    StepForms seconds;
    for (const Step& step : active(steps)) {
        if (const std::string file = second_file(step); !file.empty()) {
            seconds[step.id] = pictures_.get(file)->form();
        }
    }
    if (seconds != news().seconds) {
        tell([&](News& news) { news.seconds = std::move(seconds); });
    }
}

void Engine::compare_now(Context& gpu, const std::string& path) {
    Shown other;
    if (!path.empty()) {
        const Image picture = load(path);
        other = {std::make_shared<GpuImage>(gpu.upload(picture, "other")), nullptr, picture.form(),
                 picture.metadata().density.value_or(Density{}).pixel_aspect(), shared_icc(picture.metadata().icc)};
        gpu.finish();
    }
    tell([&](News& news) {
        news.other = other;
        news.other_name = std::filesystem::path(path).filename().string();
    });
}

} // namespace glproc::view
