#include "cli/bench/memory_bench.hpp"

#include "glproc/base/random_words.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/workload.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

struct Copy {
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return gpu.copy(src); }
};

Image noise(const Form& form) {
    Image image(form);
    RandomWords words;
    for (std::byte& byte : image.bytes()) {
        byte = static_cast<std::byte>(words() >> 24U);
    }
    return image;
}

Verdict verdict(const Image& got, const Image& sent) {
    return {std::ranges::equal(got.bytes(), sent.bytes()) ? "" : "other pixels came back than were sent"};
}

/// A transfer is over when the last byte has arrived, so the CPU's clock measures it.
Workload upload_workload(Context& gpu, const Form& form) {
    const auto pixels = std::make_shared<const Image>(noise(form));
    const auto image = std::make_shared<std::optional<GpuImage>>();
    return {.run =
                [=, &gpu] {
                    image->reset();
                    image->emplace(gpu.upload(*pixels));
                    gpu.finish();
                },
            .check = [=, &gpu] { return verdict(gpu.download(image->value()), *pixels); },
            .least_bytes = static_cast<double>(form.bytes()),
            .on_cpu = true};
}

Workload download_workload(Context& gpu, const Form& form) {
    const auto pixels = std::make_shared<const Image>(noise(form));
    const auto image = std::make_shared<const GpuImage>(gpu.upload(*pixels));
    const auto back = std::make_shared<Image>();
    return {.run = [=, &gpu] { *back = gpu.download(*image, std::move(*back)); },
            .check = [=] { return verdict(*back, *pixels); },
            .least_bytes = static_cast<double>(form.bytes()),
            .on_cpu = true};
}

Workload copy_workload(Context& gpu, const ImageInput& input) {
    const auto image = std::make_shared<std::optional<GpuImage>>();
    return {.run =
                [=, &gpu, &source = input.image] {
                    image->reset();
                    image->emplace(gpu.copy(source));
                },
            .check = [=, &gpu, &pixels = input.pixels] { return verdict(gpu.download(image->value()), pixels); },
            .least_bytes = 2.0 * static_cast<double>(input.image.form().bytes())};
}

std::optional<std::string> always(const Operation& /*any*/, Context& /*gpu*/, const OpInput& /*input*/) {
    return std::nullopt;
}

BenchVariant transfer_variant(bool up, Depth depth, int channels) {
    constexpr std::array<std::string_view, 4> names{"grey", "ga", "rgb", "rgba"};
    const std::string_view name = names.at(static_cast<std::size_t>(channels - 1));
    const std::string_view direction = up ? "up" : "down";
    return {.name = fmt::format("{}-{}-{}", direction, name, static_cast<int>(depth)),
            .when = fmt::format("{} of {} bits a channel, {} the GPU", name, static_cast<int>(depth),
                                up ? "to" : "from"),
            .unavailable = always,
            .make = [=](const Operation& /*any*/, Context& gpu, const OpInput& input) {
                Form form = std::get<ImageInput>(input).image.form();
                form.channels = channels;
                form.depth = depth;
                return up ? upload_workload(gpu, form) : download_workload(gpu, form);
            }};
}

OpInfo transfer_info() {
    OpInfo info = Describe<Copy>("transfer", "pixels to the GPU and back", "").runs(
        Product::image, [](const Copy& op, Context& gpu, const ImageInput& input) -> Products { return op(gpu, input.image); });
    info.bench.size = "2448x1505";
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            info.bench.variants.push_back(transfer_variant(true, depth, channels));
            info.bench.variants.push_back(transfer_variant(false, depth, channels));
        }
    }
    return info;
}

OpInfo copy_info() {
    OpInfo info = Describe<Copy>("copy", "pixels from texture to texture", "").runs(
        Product::image, [](const Copy& op, Context& gpu, const ImageInput& input) -> Products { return op(gpu, input.image); });
    info.bench.size = "2448x1505";
    info.bench.variants.push_back({.name = "gpu",
                                   .when = "a kernel that reads and writes texels",
                                   .unavailable = always,
                                   .make = [](const Operation& /*any*/, Context& gpu, const OpInput& input) {
                                       return copy_workload(gpu, std::get<ImageInput>(input));
                                   }});
    return info;
}

} // namespace

const std::vector<const OpInfo*>& memory_benches() {
    static const OpInfo transfer = transfer_info();
    static const OpInfo copy = copy_info();
    static const std::vector<const OpInfo*> all{&copy, &transfer};
    return all;
}

} // namespace glproc
