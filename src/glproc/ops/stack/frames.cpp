#include "glproc/ops/stack/frames.hpp"

#include "glproc/op/proof.hpp"
#include "glproc/ops/stack/roads.hpp"

#include <algorithm>
#include <vector>

namespace glproc {

namespace {

/// As many frames as the window has where none is missing.
std::vector<const GpuImage*> repeated(const FrameWindow& window, int frames) {
    const auto reach = static_cast<std::ptrdiff_t>(frames / 2);
    const auto own = static_cast<std::ptrdiff_t>(window.own);
    const auto last = static_cast<std::ptrdiff_t>(window.frames.size()) - 1;
    std::vector<const GpuImage*> all;
    for (std::ptrdiff_t i = own - reach; i <= own + reach; ++i) {
        all.push_back(window.frames[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))]);
    }
    return all;
}

/// The operation knows how many images it has.
Stack with_images(Stack op, int frames, const Form& form) {
    op.more.assign(static_cast<std::size_t>(frames) - 1, RowSource{form, {}, {}});
    return op;
}

GpuImage by_processor(Context& gpu, const Stack& op, const std::vector<const GpuImage*>& frames) {
    std::vector<Image> images;
    for (const GpuImage* frame : frames) {
        images.push_back(gpu.download(*frame));
    }
    StackedImages pointers;
    for (const Image& image : images) {
        pointers.push_back(&image);
    }
    Image result(stack_form(op, images.front().form()));
    std::ranges::copy(stack_on_cpu(op, pointers), result.bytes().begin());
    return gpu.upload(result, "stacked");
}

} // namespace

GpuImage stack_frames(Context& gpu, const Stack& op, int frames, const FrameWindow& window) {
    const std::vector<const GpuImage*> all = repeated(window, frames);
    const Form form = all.front()->form();
    const Stack stack = with_images(op, frames, form);
    if (const auto why = plan(stack, form).work.why_unavailable(gpu)) {
        throw Error(ErrorCode::operation, *why, "use --method auto");
    }
    return run_by_proved_method(
        gpu, stack, &Stack::method,
        [&](const Stack& by) {
            const bool on_gpu = by.method != StackMethod::cpu && has_kernel(by, form, all.size());
            return on_gpu ? stack_on_gpu(gpu, by, pile_of(gpu, all)) : by_processor(gpu, by, all);
        },
        [&](const Stack& by) { prove_stack(gpu, by, form); });
}

const OverTime& stack_over_time() {
    static const OverTime over_time{
        .result_form =
            [](const Operation& call, int frames, const Form& form) {
                const Stack stack = with_images(parameters_of<Stack>(call), frames, form);
                (void)sweeps(stack, form); // which checks it
                return stack_form(stack, form);
            },
        .run =
            [](Context& gpu, const Operation& call, int frames, const FrameWindow& window) {
                return stack_frames(gpu, parameters_of<Stack>(call), frames, window);
            }};
    return over_time;
}

} // namespace glproc
