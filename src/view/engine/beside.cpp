// What the engine shows beside the result: the levels that steps get, a picture to compare with, and the
// table of objects: the measures of the last operation that gives a row for each object.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"
#include "view/panels/levels.hpp"
#include "view/tools/second.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/table.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::view {

/// What the result is compared with: the source in the same frame. Steps that change the size do so before as
/// after.
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
        before = framing.empty()                  ? before
                 : framing.size() == steps.size() ? news().result
                                                  : make(gpu, framing, 0);
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
        const auto made = [&](int halved) {
            return before.empty() ? source_at(gpu, halved) : make(gpu, before, halved).image;
        };
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
    return std::make_shared<const Waveform>(
        gpu.download(shown.small != nullptr ? *shown.small : *shown.image));
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
                 picture.metadata().density.value_or(Density{}).pixel_aspect(),
                 shared_icc(picture.metadata().icc)};
        gpu.finish();
    }
    tell([&](News& news) {
        news.other = other;
        news.other_name = std::filesystem::path(path).filename().string();
    });
}

namespace {

/// Whether it makes a report beside its picture.
bool measures(const Step& step) {
    const OpInfo* op = find_operation(step.op->name);
    return op != nullptr && making(*op, Product::report).product == Product::report;
}

/// What an operation says of the objects of a picture.
struct Measured {
    std::optional<Report> report;
    std::optional<GpuArray> labels;
};

/// The step as it makes the label of each pixel; nothing where it makes none. Such an array has no other
/// content, so that fields that choose among several are left out.
std::optional<Step> labelling(const Step& step) {
    const OpInfo* op = find_operation(step.op->name);
    if (op == nullptr || making(*op, Product::array).product != Product::array) {
        return std::nullopt;
    }
    Step result = step;
    result.op = &making(*op, Product::array);
    for (const FieldInfo& field : step.op->fields) {
        if (!field.contradicts.empty()) {
            result.given.erase(field.name);
        }
    }
    return result;
}

/// Whether the window's shader reaches all labels of a picture.
bool reaches_labels(const Context& gpu, const Form& form) {
    return 4.0 * form.width * form.height <= static_cast<double>(gpu.limits().storage_block_bytes);
}

Measured measured_whole(Context& gpu, const Step& step, Pictures& pictures, const ImageInput& input) {
    const auto labels = reaches_labels(gpu, input.pixels.form()) ? labelling(step) : std::nullopt;
    const std::unique_ptr<Operation> operation = loaded_operation_of(labels.value_or(step), pictures);
    Products made = operation->run(gpu, input);
    Measured result{std::move(made.report), std::nullopt};
    if (made.array) {
        result.labels = made.array->in_blocks() ? gpu.in_words(*made.array) : std::move(*made.array);
    }
    return result;
}

/// What the step measures of the picture. `image`: the same on the GPU, where it lies there already.
Measured measured(Context& gpu, const Step& step, Pictures& pictures, const Image& picture,
                  const GpuImage* image) {
    const std::unique_ptr<Operation> operation = loaded_operation_of(step, pictures);
    const std::string name;
    if (operation->takes_whole(gpu, picture.form())) {
        std::optional<GpuImage> uploaded;
        if (image == nullptr) {
            image = &uploaded.emplace(gpu.upload(picture, "measured"));
        }
        return measured_whole(gpu, step, pictures, ImageInput{name, picture, *image, true});
    }
    const RowSource rows = rows_of(picture);
    ImageRows made(operation->result_form(picture.form())); // which comes with the report
    std::optional<Report> report =
        operation->run_rows(gpu, {.name = name, .source = rows, .wants_report = true}, &made);
    made.finish();
    return {std::move(report), std::nullopt};
}

} // namespace

Engine::Objects Engine::objects_of(Context& gpu, const Order& order, const Steps& steps) {
    const auto last = std::find_if(steps.rbegin(), steps.rend(), measures);
    const Steps before(steps.begin(), std::prev(last.base()));
    Image made;
    if (!before.empty()) {
        const KnowingChain chain = chain_for(before);
        made = make_image(gpu, chain->plan(form_));
    }
    const Image& input = before.empty() ? pixels(gpu) : made;
    const auto source = before.empty() ? source_at(gpu, 0) : nullptr;
    Measured found = measured(gpu, *last, pictures_, input, source.get());
    if (!found.report || found.report->table == nullptr) {
        return {};
    }
    gpu.finish();
    return {std::make_shared<const ObjectTable>(*found.report->table, found.report->table_key, input.form(),
                                                order.version, last == steps.rbegin()),
            found.labels ? std::make_shared<const GpuArray>(std::move(*found.labels)) : nullptr};
}

/// After the picture, which a person waits for.
void Engine::publish_table(Context& gpu, const Order& order, const Steps& steps) {
    if (std::ranges::none_of(steps, measures)) {
        if (news().table != nullptr) {
            tell([](News& news) { news.forget_objects(); });
        }
        return;
    }
    if (is_outdated()) {
        throw Outdated{};
    }
    const Objects objects = objects_of(gpu, order, steps);
    tell([&](News& news) {
        news.table = objects.table;
        news.labels = objects.labels;
    });
}

} // namespace glproc::view
