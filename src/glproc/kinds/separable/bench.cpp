#include "glproc/kinds/separable/bench.hpp"

#include "glproc/kinds/separable/cpu.hpp"

#include <memory>

namespace glproc {

std::optional<std::string> why_not_measured(Context& gpu, const ImageInput& input,
                                            const SeparableFilter& filter) {
    constexpr double most_multiplications = 2e10;
    if (filter.method == FilterMethod::cpu &&
        filter_row_cost(input.pixels, filter) * input.pixels.height() > most_multiplications) {
        return "at this size and radius a loop on the CPU takes too long";
    }
    return why_unavailable(gpu, input.image.form(), filter);
}

Workload separable_workload(Context& gpu, const ImageInput& input, const SeparableFilter& filter) {
    const RowReference reference{
        [=](std::span<const int> rows) { return filter_rows_on_cpu(input.pixels, filter, rows); },
        filter_row_cost(input.pixels, filter),
        !filter.is_box() && chosen_method(gpu, input.image.form(), filter) == FilterMethod::fast};
    if (filter.method == FilterMethod::cpu) {
        return image_workload_on_cpu(
            input, [=] { return filter_on_cpu(input.pixels, filter); }, reference);
    }
    const auto memory = std::make_shared<FilterMemory>();
    return image_workload(
        gpu, input, [=, &gpu] { run_separable(gpu, input.image, filter, *memory); },
        [memory]() -> const GpuImage& { return memory->result.value(); }, reference);
}

} // namespace glproc
