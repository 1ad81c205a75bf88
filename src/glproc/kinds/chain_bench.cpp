// Chains as `bench` measures them: as one, and one operation after another. Each is the reference of the
// other.
#include "glproc/kinds/chain.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace glproc {

namespace {

using Run = GpuImage (*)(Context& gpu, const Chain& chain, const GpuImage& source);

GpuImage run_as_one(Context& gpu, const Chain& chain, const GpuImage& source) {
    return chain(gpu, source);
}

GpuImage run_steps(Context& gpu, const Chain& chain, const GpuImage& source) {
    std::optional<GpuImage> last;
    for (const Chain::Step& step : chain.steps()) {
        const GpuImage& from = last ? *last : source;
        GpuImage next = run_whole(gpu, step(from.form()), from);
        last.emplace(std::move(next));
    }
    return std::move(*last);
}

Workload workload(Context& gpu, const Chain& chain, const GpuImage& source, Run run, Run other) {
    const auto result = std::make_shared<std::optional<GpuImage>>();
    return {.run =
                [=, &gpu, &chain, &source] {
                    result->reset();
                    result->emplace(run(gpu, chain, source));
                },
            .check =
                [=, &gpu, &chain, &source] {
                    const Image got = gpu.download(result->value());
                    const Image expected = gpu.download(other(gpu, chain, source));
                    const bool equal = std::ranges::equal(got.bytes(), expected.bytes());
                    return Verdict{equal ? "" : "as one and one after another are not the same"};
                },
            .least_bytes =
                static_cast<double>(source.form().bytes() + plan(chain, source.form()).shape.result.bytes())};
}

std::optional<std::string> always(const Operation& /*any*/, Context& /*gpu*/, const OpInput& /*input*/) {
    return std::nullopt;
}

BenchVariant variant(std::string name, std::string when, Run run, Run other) {
    return {.name = std::move(name),
            .when = std::move(when),
            .unavailable = always,
            .make = [=](const Operation& operation, Context& gpu, const OpInput& input) {
                return workload(gpu, chain_in(operation), std::get<ImageInput>(input).image, run, other);
            }};
}

} // namespace

std::vector<BenchVariant> chain_variants() {
    return {
        variant("chain", "as one: neighbours that are point operations are one pass", run_as_one, run_steps),
        variant("steps", "one operation after another", run_steps, run_as_one)};
}

} // namespace glproc
