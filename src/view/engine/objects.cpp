// The table of objects: the measures of the last operation that gives a row for each object.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/table.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

namespace glproc::view {

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
Measured measured(Context& gpu, const Step& step, Pictures& pictures, const Image& picture, const GpuImage* image) {
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
    if (std::none_of(steps.begin(), steps.end(), measures)) {
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
