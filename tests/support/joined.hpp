// Images that become one: the same bits on every road.
#pragma once

#include "glproc/files/memory_rows.hpp"
#include "support/operation_cases.hpp"

namespace glproc::test {

/// On the GPU, by the processor alone, and in bands; `first` is the first of the images.
template <class Op>
void check_joined(const Op& op, const Image& first, const Image& answer) {
    CHECK_THAT(whole(op, first), IsBitwise(answer));
    const Plan planned = plan(op, first.form());
    ImageRows alone(planned.shape.result);
    planned.twin.run(*rows_of(first).open(), alone);
    alone.finish();
    CHECK_THAT(alone.image(), IsBitwise(answer));
    const ScopedLimits small("texture_size:16", plenty);
    ImageRows rows(planned.shape.result);
    run(op, gpu(), rows_of(first), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(answer));
}

} // namespace glproc::test
