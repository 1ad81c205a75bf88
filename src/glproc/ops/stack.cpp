#include "glproc/ops/stack.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/stack/combine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::size_t most_images = 16384; // sums of squares of 16 bits then fit 60 bits
constexpr Limit percent_limit{0, 100};
constexpr Limit clip_limit{1, 100}; // below 1 there may be no value left
constexpr Limit weight_limit{-1e6, 1e6};

bool takes_amount(StackMeasure measure) {
    return measure == StackMeasure::percentile || measure == StackMeasure::clip;
}

/// "clip" of "clip:K".
std::string_view word_of(const EnumRow<StackMeasure>& row) {
    return row.name.substr(0, row.name.find(':'));
}

Form result_form(const Stack& op, const Form& form) {
    const bool is_float = op.by.measure == StackMeasure::sum || op.by.measure == StackMeasure::stddev;
    return {form.width, form.height, form.channels, is_float ? Depth::f32 : form.depth};
}

std::string name_of_form(const Form& form) {
    return fmt::format("{}x{}, {} channel{} of {} bits", form.width, form.height, form.channels,
                       form.channels == 1 ? "" : "s", static_cast<int>(form.depth));
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
    if (images > most_images) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} images are more than a stack takes, {}", images, most_images));
    }
    if (op.weights.empty()) {
        return;
    }
    if (op.by.measure != StackMeasure::mean && op.by.measure != StackMeasure::sum) {
        throw Error(ErrorCode::usage, "weights are for mean and sum");
    }
    if (op.weights.size() != images) {
        throw Error(ErrorCode::usage, fmt::format("{} weights for {} images", op.weights.size(), images));
    }
    double sum = 0;
    for (const double weight : op.weights) {
        sum += weight;
    }
    if (op.by.measure == StackMeasure::mean && sum == 0) {
        throw Error(ErrorCode::usage, "the weights of a mean add up to 0");
    }
}

/// The result's values from unrounded ones in code units of the source.
void store(std::span<const double> values, Depth source, Depth depth, std::byte* to) {
    const auto put = [&]<class T>(T*, const auto& of) {
        T* out = reinterpret_cast<T*>(to);
        std::transform(values.begin(), values.end(), out,
                       [&](double value) { return static_cast<T>(of(value)); });
    };
    const double white = max_code(source);
    const auto code = [&](double value) { return std::nearbyint(std::clamp(value, 0.0, white)); };
    switch (depth) {
    case Depth::u8:
        return put(static_cast<std::uint8_t*>(nullptr), code);
    case Depth::u16:
        return put(static_cast<std::uint16_t*>(nullptr), code);
    case Depth::f32:
        return put(static_cast<float*>(nullptr), [&](double value) { return value / white; });
    }
}

class StackOnCpu final : public SweepState {
  public:
    StackOnCpu(Stack op, const Form& form) : op_(std::move(op)), form_(form), images_(op_.more.size() + 1) {}

    RowsMade next(Context&, Band& band) override {
        switch (form_.depth) {
        case Depth::u8:
            return combined<std::uint8_t>(band);
        case Depth::u16:
            return combined<std::uint16_t>(band);
        case Depth::f32:
            return combined<float>(band);
        }
        return {};
    }

  private:
    template <class T>
    std::vector<std::byte> combined(Band& band) const {
        const auto rows = static_cast<std::size_t>(band.rows());
        const std::size_t values =
            static_cast<std::size_t>(form_.width) * static_cast<std::size_t>(form_.channels);
        const Form result = result_form(op_, form_);
        std::vector<std::span<const T>> images;
        for (std::size_t k = 0; k < images_; ++k) {
            images.push_back(band.pixels(k).values<T>());
        }
        std::vector<std::byte> made(rows * result.row_bytes());
        parallel_for(
            rows, [&] { return std::vector<double>(values); },
            [&](std::vector<double>& row, std::size_t y) {
                StackedRows<T> stacked;
                for (const auto& image : images) {
                    stacked.push_back(image.subspan(y * values, values));
                }
                combine(op_, stacked, row);
                store(row, form_.depth, result.depth, made.data() + y * result.row_bytes());
            });
        return made;
    }

    Stack op_;
    Form form_;
    std::size_t images_;
};

} // namespace

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
    const Form result = result_form(op, form);
    const auto images = static_cast<double>(op.more.size() + 1);
    return {.source = form,
            .more = widened(op, form.depth),
            .needs =
                [form, result, images](Context&) {
                    const auto bytes = [](const Form& of) {
                        return double(bytes_of(of.depth)) * of.channels;
                    };
                    return TileNeeds{.what = "stack",
                                     .texel_pixels = pixels_per_texel(form),
                                     .pixel_bytes = images * bytes(form) + bytes(result),
                                     .pixel_work = images};
                },
            .sweeps = {{.makes = result, .begin = [op, form](Context&, const BandCut&, SweepState*) {
                            return std::make_unique<StackOnCpu>(op, form);
                        }}}};
}

Plan plan(const Stack& op, const Form& form) {
    return swept_plan(form, {.sweeps = [op](const Form& of) { return sweeps(op, of); }});
}

const OpInfo& stack_info() {
    static const OpInfo info =
        Describe<Stack>("stack", "combine several images of one size: mean, median, brightest",
                        "a.png b.png c.png out.png --by median")
            .field("by", &Stack::by, {.value = "HOW", .help = "what becomes of the values at each place"})
            .field("weights", &Stack::weights,
                   {.value = "W,W",
                    .limit = weight_limit,
                    .help = "how much each image counts in a mean or sum"})
            .joins(&Stack::more)
            .runs();
    return info;
}

} // namespace glproc
