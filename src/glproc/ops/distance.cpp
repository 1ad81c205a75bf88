#include "glproc/ops/distance.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/distance/indices.hpp"
#include "glproc/ops/distance/sweeps.hpp"
#include "glproc/ops/threshold.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit threshold_limit{-1e30, 1e30};

/// The distances, and in their file the indices, if they are asked for.
Image distances_of(const Distance& op, const Image& source) {
    constexpr std::size_t memory_bytes = std::size_t{1} << 28U;
    HostDistances made = measure_on_cpu(op, source);
    if (op.indices.to != nullptr) {
        IndexWriter writer(source.form(), *op.indices.to, memory_bytes);
        writer.add(std::move(made.sites));
        writer.end();
    }
    Image image(source.width(), source.height(), 1, Depth::f32);
    std::ranges::copy(made.values, image.values<float>().begin());
    return image;
}

/// Beyond a few columns of noise hardly any sites, so that distances are far larger than in noise.
template <class T>
Image with_few_sites(const Distance& op, Image image, T white) {
    constexpr int noise = 24;
    const T common = op.nearest == NearestKind::background ? white : T{0};
    T* value = image.values<T>().data();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool is_site = (x * 7 + y * 13) % 3001 == 0;
            for (int c = 0; c < image.channels(); ++c, ++value) {
                *value = x < noise ? *value : is_site ? static_cast<T>(white - common) : common;
            }
        }
    }
    return image;
}

Image probe_of(const Distance& op, Image noise) {
    switch (noise.depth()) {
    case Depth::u8:
        return with_few_sites<std::uint8_t>(op, std::move(noise), 255);
    case Depth::u16:
        return with_few_sites<std::uint16_t>(op, std::move(noise), 65535);
    case Depth::f32:
        break;
    }
    return with_few_sites<float>(op, std::move(noise), 1);
}

/// The bytes of a file.
class BytesWriter final : public RowWriter {
  public:
    void write(std::span<const std::byte> bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void finish() override {}
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

/// The results of a run with indices.
struct Indexed {
    Image distances = {};
    std::vector<std::byte> indices = {};
};

Indexed indexed_on_gpu(Context& gpu, Distance op, const GpuImage& picture) {
    BytesWriter indices;
    op.indices.to = &indices;
    Image distances =
        gpu.download(run_sweeps(gpu, distance_sweeps(op, picture.form()), picture).picture.value());
    return {std::move(distances), indices.bytes()};
}

Indexed indexed_on_cpu(Distance op, const Image& picture) {
    BytesWriter indices;
    op.indices.to = &indices;
    Image distances = distances_of(op, picture);
    return {std::move(distances), indices.bytes()};
}

/// A proof must not write to where the indices of the call go.
void prove_with_indices(Context& gpu, const Distance& op, const Form& form) {
    prove_on_picture(gpu, form, [&](const ImageInput& noise) {
        const auto probe = std::make_shared<const Image>(probe_of(op, noise.pixels));
        const auto got = std::make_shared<Indexed>();
        return Workload{.run = [=, &gpu] { *got = indexed_on_gpu(gpu, op, gpu.upload(*probe, "probe")); },
                        .check =
                            [=, &gpu] {
                                const Indexed right = indexed_on_cpu(op, *probe);
                                const bool is_right =
                                    std::ranges::equal(got->distances.bytes(), right.distances.bytes()) &&
                                    got->indices == right.indices;
                                return Verdict{is_right ? "" : "the distances or their indices differ"};
                            },
                        .least_bytes = static_cast<double>(probe->bytes().size())};
    });
}

SweepPlan sweeps_of(const Distance& op, const Form& form) {
    SweepPlan plan = distance_sweeps(op, form);
    if (op.indices.to != nullptr) {
        plan.prove = [op, form](Context& gpu) { prove_with_indices(gpu, op, form); };
    }
    return plan;
}

BenchInfo bench_of_masks() {
    const std::string size = "2448x1505";
    return {.size = size,
            .channels = 1,
            .ladders = {{.title = fmt::format("Distances in a random {} grey image, ms", size),
                         .columns = {{"half of it sites", size, {{"threshold", "0.5"}}},
                                     {"few sites", size, {{"threshold", "1/255"}}}}}}};
}

} // namespace

Plan plan(const Distance& op, const Form& form) {
    if (op.threshold) {
        check_level("threshold", *op.threshold, form, between_black_and_white, threshold_limit);
    }
    if (op.indices.to != nullptr && op.is_signed) {
        throw Error(ErrorCode::usage, "indices are those of distances without a sign");
    }
    Swept swept{.sweeps = [op](const Form& any) { return sweeps_of(op, any); },
                .by_processor = [op](const Image& source) { return distances_of(op, source); },
                .row_cost = 20.0 * form.width};
    swept.probe = [op](Image noise) { return probe_of(op, std::move(noise)); };
    Plan plan = swept_plan(form, std::move(swept));
    plan.shape.meaning = Meaning::numbers;
    plan.work.on_cpu = op.method == DistanceMethod::cpu;
    plan.twin.only_proves = op.method == DistanceMethod::gpu;
    plan.work.why_unavailable = [op, form](Context& gpu) -> std::optional<std::string> {
        if (op.method == DistanceMethod::gpu && !has_turns_for(gpu, form)) {
            return fmt::format("rows of {} pixels are too long for the loops of {}", form.width,
                               gpu.device().renderer);
        }
        return std::nullopt;
    };
    return plan;
}

const OpInfo& distance_info() {
    static const OpInfo info =
        Describe<Distance>("distance", "measure how far each pixel is from the nearest background",
                           "in.png out.tif --threshold 50%")
            .example("Show as grey levels how deep each pixel lies in its object",
                     "glproc pipe photo.jpg depth.png distance --threshold 50% then levels --white 60 "
                     "--depth 8")
            .example("Measure to the outline of the objects, negative outside them",
                     "photo.jpg outline.tif --threshold 50% --signed")
            .found_by({"edt", "distance-transform"}, "IN out.tif --threshold 50%")
            .cost({.llvmpipe = 60, .alone = 10})
            .field(
                "threshold", &Distance::threshold,
                {.value = "V",
                 .limit = threshold_limit,
                 .slider = {0, 1, 0.005},
                 .help =
                     "pixels with luma above this are objects, the others background; without it, black is "
                     "background",
                 .standard = "0"})
            .field("nearest", &Distance::nearest,
                   {.value = "KIND", .help = "which pixels to measure the distance to"})
            .toggle("signed", &Distance::is_signed, true,
                    {.help = "also measure from the other side of the outline: those distances are negative",
                     .contradicts = "indices"})
            .field("metric", &Distance::metric, {.value = "M", .help = "how to measure distances"})
            .field("max-distance", &Distance::most,
                   {.value = "D",
                    .unit = "pixels",
                    .limit = distance_limit,
                    .slider = {0, 100},
                    .help = "larger distances become infinity; up to 32 this is fast even where few pixels "
                            "are near"})
            .field("indices", &Distance::indices,
                   {.value = "OUT.npy",
                    .help = "also write where the nearest pixel is: rows, then columns, as int32; the first "
                            "of several",
                    .contradicts = "signed"})
            .method(&Distance::method, bench_of_masks())
            .runs();
    return info;
}

} // namespace glproc
