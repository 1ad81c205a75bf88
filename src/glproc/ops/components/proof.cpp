#include "glproc/ops/components/proof.hpp"

#include "glproc/op/proof.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace glproc {

namespace {

/// The components of a whole picture and their labels, whose programs are proved by nobody.
struct FoundComponents {
    std::vector<ComponentSums> sums = {};
    Array labels = {};
};

/// The same call, for all that is found.
Components with_moments(Components op) {
    op.with = op.overlay = {};
    op.output = {};
    op.keep = {};
    op.measure = {ComponentMeasure::axes};
    return op;
}

FoundComponents found_in(const Components& op, Context& gpu, const ImageInput& input) {
    SweepPlan unproved = labels_plan(with_moments(op), input.image.form());
    unproved.prove = {};
    SweepResult result = run_sweeps(gpu, unproved, input.image, &input.pixels);
    return {result.last<ComponentsSweep>().run()->components(), gpu.download(result.array.value())};
}

Verdict verdict(const FoundComponents& got, const FoundComponents& wanted) {
    return {got.sums != wanted.sums                   ? "the components differ"
            : got.labels.bytes != wanted.labels.bytes ? "the labels differ"
                                                      : ""};
}

FoundComponents found_alone(const Components& op, const Image& picture) {
    const ComponentsAlone components = components_alone(with_moments(op), picture);
    return {components.kept(), labels_array(components, picture.form())};
}

Workload components_workload(const Components& op, Context& gpu, const ImageInput& input) {
    const auto got = std::make_shared<FoundComponents>();
    return {.run = [=, &gpu] { *got = found_in(op, gpu, input); },
            .check = [=, &gpu] { return verdict(*got, found_alone(op, input.pixels)); },
            .least_bytes = static_cast<double>(input.pixels.bytes().size()),
            .on_cpu = op.method == ComponentsMethod::cpu};
}

Workload runs_workload(const Components& op, Context& gpu, const ImageInput& input) {
    const auto got = std::make_shared<std::pair<std::vector<ComponentSums>, std::vector<std::uint32_t>>>();
    Workload workload = components_workload(op, gpu, input);
    workload.run = [=, &gpu] { *got = label_on_cpu(gpu, op, input.image); };
    workload.check = [=, &gpu] {
        const auto bytes = std::as_bytes(std::span(got->second));
        const FoundComponents found{got->first, {ArrayType::u32, {}, {bytes.begin(), bytes.end()}}};
        return verdict(found, found_alone(op, input.pixels));
    };
    workload.on_cpu = true;
    return workload;
}

} // namespace

Workload timed_workload(const Components& op, Context& gpu, const ImageInput& input) {
    const bool is_plain =
        !op.fill_holes && !op.clear_border && !op.min_area && !op.max_area && !op.keep && !op.largest;
    if (op.method == ComponentsMethod::cpu || !is_plain || (op.threshold && op.threshold->rule)) {
        return components_workload(op, gpu, input);
    }
    if (op.method == ComponentsMethod::runs) {
        return runs_workload(op, gpu, input);
    }
    const auto got = std::make_shared<std::optional<LabelledPicture>>();
    const auto check = [=, &gpu] {
        LabelledPicture& made = **got;
        const FoundComponents wanted = found_alone(op, input.pixels);
        Array labels = wanted.labels;
        made.labels.read(std::span(labels.bytes));
        return verdict({made.components.sums(true), std::move(labels)}, wanted);
    };
    Workload workload = components_workload(op, gpu, input);
    workload.run = [=, &gpu] {
        got->reset(); // its memory is used again
        got->emplace(label_on_gpu(gpu, op, input.image));
    };
    workload.check = check;
    return workload;
}

void prove_components(Context& gpu, const Components& op, const Form& form) {
    Components half = op; // of the probe, whose pixels are hardly ever black
    half.threshold = op.threshold.value_or(MaskThreshold{});
    prove_on_picture(gpu, form,
                     [&](const ImageInput& probe) { return components_workload(half, gpu, probe); });
}

} // namespace glproc
