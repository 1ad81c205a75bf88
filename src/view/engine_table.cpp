// The table of objects: the measures of the last operation that gives a row for each object.
#include "view/engine.hpp"

#include "view/engine_parts.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
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

/// What the step measures of the picture. `image`: the same on the GPU, where it lies there already.
std::optional<Report> measured(Context& gpu, const Step& step, const Image& picture, const GpuImage* image) {
    const std::unique_ptr<Operation> operation = loaded_operation_of(step);
    const std::string name;
    if (operation->takes_whole(gpu, picture.form())) {
        std::optional<GpuImage> uploaded;
        if (image == nullptr) {
            image = &uploaded.emplace(gpu.upload(picture, "measured"));
        }
        return operation->run(gpu, ImageInput{name, picture, *image, true}).report;
    }
    const RowSource rows = rows_of(picture);
    ImageRows made(operation->result_form(picture.form())); // which comes with the report
    std::optional<Report> report =
        operation->run_rows(gpu, {.name = name, .source = rows, .wants_report = true}, &made);
    made.finish();
    return report;
}

} // namespace

std::shared_ptr<const ObjectTable> Engine::table_of(Context& gpu, const Order& order, const Steps& steps) {
    const auto last = std::find_if(steps.rbegin(), steps.rend(), measures);
    const Steps before(steps.begin(), std::prev(last.base()));
    Image made;
    if (!before.empty()) {
        const ProfiledChain chain = chain_for(before);
        made = make_image(gpu, chain->plan(form_));
    }
    const Image& input = before.empty() ? pixels(gpu) : made;
    const auto source = before.empty() ? source_at(gpu, 0) : nullptr;
    const std::optional<Report> report = measured(gpu, *last, input, source.get());
    if (!report || report->table == nullptr) {
        return nullptr;
    }
    return std::make_shared<const ObjectTable>(*report->table, report->table_key, input.form(), order.version,
                                               last == steps.rbegin());
}

/// After the picture, which a person waits for.
void Engine::publish_table(Context& gpu, const Order& order, const Steps& steps) {
    if (std::none_of(steps.begin(), steps.end(), measures)) {
        if (news().table != nullptr) {
            tell([](News& news) { news.table = nullptr; });
        }
        return;
    }
    if (is_outdated()) {
        throw Outdated{};
    }
    const std::shared_ptr<const ObjectTable> table = table_of(gpu, order, steps);
    tell([&](News& news) { news.table = table; });
}

} // namespace glproc::view
