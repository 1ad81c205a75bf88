#include "glproc/ops/stack.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/stack/roads.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::size_t most_images = 16384; // sums of squares of 16 bits then fit 60 bits
constexpr Limit percent_limit{0, 100};
constexpr Limit clip_limit{1, 100}; // below 1 there may be no value left
constexpr Limit weight_limit{-1e6, 1e6};

constexpr auto stack_methods =
    tuning<StackMethod>({{"llvmpipe", any_radius, StackMethod::cpu,
                          "16 images of 2448x1505 RGBA8: mean cpu 272 ms, gpu 399; median 216 and 4076 "
                          "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-26)"},
                         {"", any_radius, StackMethod::gpu,
                          "the images are read once, and ranks found in them; not measured there"}});

bool takes_amount(StackMeasure measure) {
    return measure == StackMeasure::percentile || measure == StackMeasure::clip;
}

/// "clip" of "clip:K".
std::string_view word_of(const EnumRow<StackMeasure>& row) {
    return row.name.substr(0, row.name.find(':'));
}

std::string name_of_form(const Form& form) {
    return fmt::format("{}x{}, {} of {} bits", form.width, form.height, counted(form.channels, "channel"),
                       static_cast<int>(form.depth));
}

/// The other images, with the depth of the first one where theirs has fewer bits.
std::vector<RowSource> widened(const Stack& op, Depth depth) {
    std::vector<RowSource> others;
    for (const RowSource& other : op.more) {
        others.push_back(bytes_of(other.form.depth) < bytes_of(depth) ? with_depth(other, depth) : other);
    }
    return others;
}

void check(const Stack& op, const Form& form) {
    for (std::size_t k = 0; k < op.more.size(); ++k) {
        Form other = op.more[k].form;
        other.depth = bytes_of(other.depth) < bytes_of(form.depth) ? form.depth : other.depth;
        if (other != form) {
            throw Error(ErrorCode::usage,
                        fmt::format("image {} of the stack is {}, the first one {}", k + 2,
                                    name_of_form(op.more[k].form), name_of_form(form)),
                        "resize, crop or convert it first");
        }
    }
    const std::size_t images = op.more.size() + 1;
    check_joined("stack", images, most_images);
    if (op.weights.empty()) {
        return;
    }
    if (op.by.measure != StackMeasure::mean && op.by.measure != StackMeasure::sum) {
        throw Error(ErrorCode::usage, "weights are for mean and sum");
    }
    if (op.weights.size() != images) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} for {}", counted(op.weights.size(), "weight"), counted(images, "image")));
    }
    double sum = 0;
    for (const double weight : op.weights) {
        sum += weight;
    }
    if (op.by.measure == StackMeasure::mean && sum == 0) {
        throw Error(ErrorCode::usage, "the weights of a mean add up to 0");
    }
}

bool is_for_gpu(const Context& gpu, const Stack& op, const Form& form, std::size_t images) {
    const bool is_automatic = op.method == StackMethod::automatic;
    const StackMethod method = is_automatic ? tuned(stack_methods, gpu.device()) : op.method;
    return method == StackMethod::gpu && has_kernel(op, form, images);
}

StackedImages pointers_to(const std::vector<Image>& pictures) {
    StackedImages pointers;
    for (const Image& picture : pictures) {
        pointers.push_back(&picture);
    }
    return pointers;
}

/// Rows of all images at a time, by the processor.
void stack_rows(const Stack& op, RowReader& source, RowWriter& to) {
    constexpr std::size_t at_once = std::size_t{1} << 25U; // bytes of all images
    const Form& form = source.form();
    std::vector<std::unique_ptr<RowReader>> others;
    for (const RowSource& other : widened(op, form.depth)) {
        others.push_back(other.open());
    }
    const std::size_t most = std::max<std::size_t>(at_once / (form.row_bytes() * (others.size() + 1)), 1);
    for (int y = 0; y < form.height;) {
        const int rows = static_cast<int>(std::min<std::size_t>(most, static_cast<std::size_t>(form.height - y)));
        std::vector<Image> bands;
        for (std::size_t k = 0; k <= others.size(); ++k) {
            Image& band = bands.emplace_back(Form{form.width, rows, form.channels, form.depth});
            (k == 0 ? source : *others[k - 1]).read(band.bytes());
        }
        to.write(stack_on_cpu(op, pointers_to(bands)));
        y += rows;
    }
}

class StackSweep final : public SweepState {
  public:
    StackSweep(Stack op, bool on_gpu) : op_(std::move(op)), on_gpu_(on_gpu) {}

    RowsMade next(Context& gpu, Band& band) override {
        StackedImages images;
        for (std::size_t k = 0; k <= op_.more.size(); ++k) {
            images.push_back(&band.pixels(k));
        }
        if (on_gpu_) {
            return stack_on_gpu(gpu, op_, pile_of(gpu, images));
        }
        return stack_on_cpu(op_, images);
    }

  private:
    Stack op_;
    bool on_gpu_;
};

/// Pictures that differ, from one: its rows, moved on and on.
std::vector<Image> moved_pictures(const Image& first, std::size_t count) {
    std::vector<Image> pictures(count, first);
    for (std::size_t k = 1; k < count; ++k) {
        const auto rows = static_cast<std::ptrdiff_t>(k * 5 % static_cast<std::size_t>(first.height()));
        const auto bytes = first.bytes();
        std::rotate_copy(bytes.begin(),
                         bytes.begin() + rows * static_cast<std::ptrdiff_t>(first.form().row_bytes()),
                         bytes.end(), pictures[k].bytes().begin());
    }
    return pictures;
}

/// Of as many pictures as measurements are made with. They lie on the GPU before.
Workload stack_workload(const Stack& op, Context& gpu, const ImageInput& input) {
    const std::size_t images = input.pixels.depth() == Depth::f32 ? 17 : 16; // of floats the kernel finds no values between two
    const auto pictures = std::make_shared<const std::vector<Image>>(moved_pictures(input.pixels, images));
    const auto on_cpu = [op, pictures] { return stack_on_cpu(op, pointers_to(*pictures)); };
    const Form result = stack_form(op, input.pixels.form());
    Workload work;
    work.least_bytes = static_cast<double>(images * input.pixels.form().bytes() + result.bytes());
    if (!is_for_gpu(gpu, op, input.pixels.form(), images)) {
        work.run = [on_cpu] { (void)on_cpu(); };
        work.check = [] { return Verdict{}; };
        work.on_cpu = true;
        return work;
    }
    const auto pile = std::make_shared<const StackPile>(pile_of(gpu, pointers_to(*pictures)));
    const auto got = std::make_shared<std::optional<GpuImage>>();
    work.run = [=, &gpu] { got->emplace(stack_on_gpu(gpu, op, *pile)); };
    work.check = [=, &gpu] {
        const Image image = gpu.download(got->value());
        return Verdict{std::ranges::equal(image.bytes(), on_cpu()) ? "" : "the values differ"};
    };
    return work;
}

std::optional<std::string> why_unavailable(const Stack& op, const Form& form) {
    if (op.method == StackMethod::gpu && !has_kernel(op, form, op.more.size() + 1)) {
        return fmt::format("{}{} has no kernel", FieldText<StackBy>::print(op.by),
                           form.has_alpha()         ? " of images with alpha"
                           : form.depth == Depth::f32 ? " of floats"
                           : op.weights.empty()     ? ""
                                                    : " with weights");
    }
    return std::nullopt;
}

BenchInfo bench_of_stacks() {
    const std::string size = "2448x1505";
    return {.size = size,
            .channels = 3,
            .ladders = {{.title = fmt::format("16 random {} RGB8 images become one, ms", size),
                         .columns = {{"mean", size, {{"by", "mean"}}},
                                     {"median", size, {{"by", "median"}}},
                                     {"largest", size, {{"by", "max"}}}}}}};
}

/// Bands of all images, and on the GPU a texture that holds them all.
TileNeeds needs_of(const Context& gpu, const Stack& op, const Form& form) {
    const auto images = static_cast<double>(op.more.size() + 1);
    const auto bytes = [](const Form& of) { return double(bytes_of(of.depth)) * of.channels; };
    const bool on_gpu = is_for_gpu(gpu, op, form, op.more.size() + 1);
    const double pile_bytes = on_gpu ? double(bytes_of(form.depth)) * stored_channels(form.channels) : 0;
    TileNeeds needs{.what = "stack",
                    .texel_pixels = pixels_per_texel(form),
                    .pixel_bytes = images * (bytes(form) + pile_bytes) + bytes(stack_form(op, form)),
                    .pixel_work = images};
    if (on_gpu) {
        needs.most_rows = most_pile_rows(gpu, form, op.more.size() + 1);
    }
    return needs;
}

} // namespace

/// Its programs know neither the number of the images nor the rank, nor how many channels there are.
void prove_stack(Context& gpu, Stack op, Form form) {
    form.channels = opaque_channels(form.channels);
    op.more.clear();
    op.method = StackMethod::gpu;
    if (op.by.measure == StackMeasure::percentile) {
        op.by = {StackMeasure::median}; // which is a whole rank of the workload's floats
    }
    prove_on_picture(gpu, form, [&](const ImageInput& probe) { return stack_workload(op, gpu, probe); });
}

StackBy FieldText<StackBy>::parse(const FieldContext& context, std::string_view text) {
    const std::size_t colon = text.find(':');
    std::vector<std::string> words;
    for (const EnumRow<StackMeasure>& row : enum_rows<StackMeasure>) {
        words.emplace_back(word_of(row));
    }
    const StackMeasure measure =
        enum_rows<StackMeasure>[parse_choice(context.name, text.substr(0, colon), words)].value;
    const std::string_view word = text.substr(0, colon);
    if (takes_amount(measure) != (colon != std::string_view::npos)) {
        throw Error(ErrorCode::usage,
                    takes_amount(measure) ? fmt::format("--{} {} lacks its number", context.name, word)
                                          : fmt::format("--{} {} takes no number", context.name, word),
                    fmt::format("write --{} {}", context.name,
                                measure == StackMeasure::percentile ? "percentile:90"
                                : measure == StackMeasure::clip     ? "clip:2.5"
                                                                    : word));
    }
    if (!takes_amount(measure)) {
        return {measure};
    }
    const bool is_percent = measure == StackMeasure::percentile;
    const std::string name = fmt::format("{} {}", context.name, word);
    return {measure,
            parse_number({name, is_percent ? "percent" : "", is_percent ? percent_limit : clip_limit},
                         text.substr(colon + 1))};
}

std::string FieldText<StackBy>::print(const StackBy& by) {
    for (const EnumRow<StackMeasure>& row : enum_rows<StackMeasure>) {
        if (row.value == by.measure) {
            return takes_amount(by.measure) ? fmt::format("{}:{}", word_of(row), print_number(by.amount))
                                            : std::string(row.name);
        }
    }
    return {};
}

std::vector<Choice> FieldText<StackBy>::choices() {
    std::vector<Choice> all;
    for (const EnumRow<StackMeasure>& row : enum_rows<StackMeasure>) {
        all.push_back({std::string(row.name), std::string(row.when)});
    }
    return all;
}

SweepPlan sweeps(const Stack& op, const Form& form) {
    check(op, form);
    return {.source = form,
            .more = widened(op, form.depth),
            .needs = [op, form](Context& gpu) { return needs_of(gpu, op, form); },
            .sweeps = {{.makes = stack_form(op, form),
                        .begin =
                            [op, form](Context& gpu, const BandCut& cut, SweepState*) {
                                const bool on_gpu = !cut.is_wide && is_for_gpu(gpu, op, form, op.more.size() + 1);
                                return std::make_unique<StackSweep>(op, on_gpu);
                            }}},
            .prove = [op, form](Context& gpu) { prove_stack(gpu, op, form); }};
}

Plan plan(const Stack& op, const Form& form) {
    Plan plan = swept_plan(form, {.sweeps = [op](const Form& of) { return sweeps(op, of); }});
    plan.twin.run = [op](RowReader& source, RowWriter& to) { stack_rows(op, source, to); };
    const bool makes_numbers = op.by.measure == StackMeasure::sum || op.by.measure == StackMeasure::stddev;
    plan.shape.meaning = makes_numbers ? Meaning::numbers : Meaning::kept;
    plan.twin.work = 4.0 * static_cast<double>(op.more.size() + 1);
    plan.work.on_cpu = op.method == StackMethod::cpu;
    plan.twin.only_proves = op.method == StackMethod::gpu;
    plan.work.why_unavailable = [op, form](Context&) { return why_unavailable(op, form); };
    return plan;
}

const OpInfo& stack_info() {
    static const OpInfo info =
        Describe<Stack>("stack", "combine several images of one size: mean, median, brightest",
                        "a.png b.png c.png out.png --by median")
            .example("Take whoever walks through a few of the images out of all of them",
                     "photos empty.jpg --by median")
            .example("Average images, but leave out values more than 2.5 standard deviations away",
                     "photos clean.tif --by clip:2.5")
            .found_by({"average"}, "INS OUT")
            .found_by({"z project", "zproject", "projection", "hyperstack"}, "INS OUT --by max")
            .cost({.alone = 6})
            .field("by", &Stack::by, {.value = "HOW", .help = "how to combine the values at each pixel"})
            .field("weights", &Stack::weights,
                   {.value = "W,W",
                    .limit = weight_limit,
                    .help = "how much each image counts in a mean or sum"})
            .field("method", &Stack::method, {.value = "M", .help = "algorithm"})
            .bench<ImageInput>(
                "method", &Stack::method, bench_of_stacks(),
                [](const Stack& op, Context&, const ImageInput& input) {
                    return why_unavailable(op, input.pixels.form());
                },
                stack_workload)
            .joins(&Stack::more)
            .joins_at_most(most_images)
            .runs();
    return info;
}

} // namespace glproc
