#include "glproc/ops/threshold/stack.hpp"

#include "glproc/op/over_time.hpp"
#include "glproc/ops/histogram/measured.hpp"

#include <fmt/format.h>

namespace glproc {

namespace {

bool wants_stack(const Operation& call) {
    return parameters_of<Threshold>(call).stack;
}

Form first_form(const EachImage& images) {
    Form form;
    images([&](const Image& image) {
        form = image.form();
        return false;
    });
    return form;
}

GiveFound look_at_stack(const Operation& call, const EachImage& images) {
    const auto& op = parameters_of<Threshold>(call);
    const Form form = first_form(images);
    const Measure measure = measure_of(op, form);
    const EachImage of_one_depth = [&](const std::function<bool(const Image&)>& goes_on) {
        images([&](const Image& image) {
            if (image.depth() != form.depth) {
                throw Error(
                    ErrorCode::operation,
                    fmt::format("is {}, and the first image {}", name_of(image.depth()), name_of(form.depth)),
                    "--depth 16 gives all of them one depth, which --stack needs");
            }
            return goes_on(image);
        });
    };
    const auto counted = std::make_shared<const Counted>(counted_over(of_one_depth, form.depth, measure));
    static_cast<void>(measure.point(*counted)); // which tells the threshold, or why there is none
    return [counted](const Operation& other) {
        return changed_call(other, op_type<Threshold>,
                            [&](void* changed) { static_cast<Threshold*>(changed)->counted = counted; });
    };
}

} // namespace

const OverStack& threshold_over_stack() {
    static const OverStack over_stack{&wants_stack, &look_at_stack};
    return over_stack;
}

} // namespace glproc
