// What tests of operations with a plan have in common: every method, every kind of picture, whole and in
// tiles.
#pragma once

#include "glproc/op/field.hpp"
#include "glproc/op/plan.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <array>
#include <functional>
#include <vector>

namespace glproc::test {

/// Grey to RGBA in 8, 16 bits and float.
std::vector<Shape> all_kinds(const Size& size);

/// The answer of a point operation. `at` gets red, green, blue and alpha, grey three times, as the operation
/// does.
Reference point_reference(const Image& image, int channels, Depth depth,
                          const std::function<std::array<double, 4>(const std::array<double, 4>&)>& at);

/// The answer of a stencil that keeps alpha, in code units. `at` gets the values around a pixel by (dx, dy), and its own
/// instead of those of pixels that are fully transparent, if it `hides` them.
Reference stencil_reference(const Image& image, const Border& border, Depth depth,
                            const std::function<double(const std::function<double(int, int)>&)>& at, bool hides = true);

/// Runs the operation by each of its methods: all must match the answer, with the same bits.
/// Then in tiles that are far smaller than any real ones: the same bits again.
template <class Op>
void check_operation(Op op, const Image& image, const Reference& answer, const Tolerance& tolerance = {},
                     const std::string& limits = "texture_size:16") {
    using Method = decltype(op.method);
    std::optional<Image> first;
    for (const auto& row : enum_rows<Method>) {
        op.method = row.value;
        INFO("method " << row.name << " on " << describe(image));
        const Plan planned = plan(op, image.form());
        if (planned.work.why_unavailable && planned.work.why_unavailable(gpu())) {
            continue;
        }
        const Image result = whole(op, image);
        CHECK_THAT(result, Matches(answer, tolerance));
        if (first) {
            CHECK_THAT(result, IsBitwise(*first));
        }
        first = result;
    }
    REQUIRE(first);
    op.method = Method::automatic;
    const ScopedLimits small(limits, plenty);
    ImageRows rows(plan(op, image.form()).shape.result);
    glproc::run(op, gpu(), rows_of(image), rows);
    rows.finish();
    INFO("in tiles, on " << describe(image));
    CHECK_THAT(rows.image(), IsBitwise(*first));
}

} // namespace glproc::test
