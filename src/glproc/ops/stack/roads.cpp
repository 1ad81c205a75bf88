#include "glproc/ops/stack/roads.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/ops/stack/combine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace glproc {

namespace {

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

template <class T>
std::vector<std::byte> combined(const Stack& op, const StackedImages& images) {
    const Form& form = images.front()->form();
    const auto rows = static_cast<std::size_t>(form.height);
    const std::size_t values = static_cast<std::size_t>(form.width) * static_cast<std::size_t>(form.channels);
    const Form result = stack_form(op, form);
    std::vector<std::byte> made(rows * result.row_bytes());
    parallel_for(
        rows, [&] { return std::vector<double>(values); },
        [&](std::vector<double>& row, std::size_t y) {
            StackedRows<T> stacked;
            for (const Image* image : images) {
                stacked.push_back(image->values<T>().subspan(y * values, values));
            }
            if (form.has_alpha()) {
                combine_shown(op, stacked, static_cast<std::size_t>(form.channels), row);
            } else {
                combine(op, stacked, row);
            }
            store(row, form.depth, result.depth, made.data() + y * result.row_bytes());
        });
    return made;
}

/// Rows of a pile of images, row by row.
class PileReader final : public RowReader {
  public:
    PileReader(const StackedImages& images, const Form& pile, std::size_t column_bytes)
        : images_(images), form_(pile), column_bytes_(column_bytes) {}

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        const auto height = static_cast<std::size_t>(images_.front()->height());
        const std::size_t row_bytes = images_.front()->form().row_bytes();
        const std::size_t columns = form_.row_bytes() / column_bytes_;
        for (std::size_t at = 0; at < rows.size(); at += form_.row_bytes(), ++row_) {
            const std::size_t first = row_ / height * columns;
            for (std::size_t k = first; k < std::min(first + columns, images_.size()); ++k) {
                std::copy_n(images_[k]->row(static_cast<int>(row_ % height)), row_bytes,
                            rows.data() + at + (k - first) * column_bytes_);
            }
        }
    }

  private:
    const StackedImages& images_;
    Form form_;
    Metadata metadata_ = {};
    std::size_t column_bytes_;
    std::size_t row_ = 0;
};

int pile_columns(const Context& gpu, const Form& form, std::size_t images) {
    const std::int64_t most = gpu.limits().texture_size / texels_per_row(form);
    return static_cast<int>(std::clamp<std::int64_t>(most, 1, static_cast<std::int64_t>(images)));
}

int rounded_up(std::size_t images, int columns) {
    return static_cast<int>((images - 1) / static_cast<std::size_t>(columns)) + 1;
}

Form pile_form(const Form& form, std::size_t images, int columns) {
    return {columns * texels_per_row(form) * pixels_per_texel(form), rounded_up(images, columns) * form.height,
            form.channels, form.depth};
}

/// Where a percentile lies: a rank, and the share of the way to the next.
struct RankPlace {
    std::size_t rank;
    double share;
};

RankPlace place_of(const StackBy& by, std::size_t images) {
    const double percent = by.measure == StackMeasure::median ? 50 : by.amount;
    const double place = percent / 100 * static_cast<double>(images - 1);
    return {static_cast<std::size_t>(place), place - std::floor(place)};
}

Uint4 words_of(double value, bool flag = false) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U), flag ? 1U : 0U, 0U};
}

/// MEASURE of glsl/stack.comp.
const char* kernel_measure(StackMeasure measure) {
    switch (measure) {
    case StackMeasure::mean:
        return "0";
    case StackMeasure::sum:
        return "1";
    case StackMeasure::min:
    case StackMeasure::max:
        return "2";
    case StackMeasure::median:
    case StackMeasure::percentile:
    case StackMeasure::stddev:
    case StackMeasure::clip:
        break;
    }
    return "3";
}

void set_measure(Pass& pass, const Stack& op, const StackPile& pile) {
    switch (op.by.measure) {
    case StackMeasure::sum:
        pass.set("u_scale", words_of(1 / max_code(pile.form.depth)));
        break;
    case StackMeasure::min:
    case StackMeasure::max:
        pass.set("u_flip", op.by.measure == StackMeasure::max ? ~0U : 0U);
        break;
    case StackMeasure::median:
    case StackMeasure::percentile: {
        const auto [rank, share] = place_of(op.by, static_cast<std::size_t>(pile.images));
        const bool from_high = share >= 0.5;
        pass.set("u_rank", static_cast<int>(rank))
            .set("u_next", share > 0 ? 1 : 0)
            .set("u_share", words_of(from_high ? 1 - share : share, from_high));
        break;
    }
    case StackMeasure::mean:
    case StackMeasure::stddev:
    case StackMeasure::clip:
        break;
    }
}

} // namespace

Form stack_form(const Stack& op, const Form& form) {
    const bool is_float = op.by.measure == StackMeasure::sum || op.by.measure == StackMeasure::stddev;
    return {form.width, form.height, form.channels, is_float ? Depth::f32 : form.depth};
}

std::vector<std::byte> stack_on_cpu(const Stack& op, const StackedImages& images) {
    switch (images.front()->depth()) {
    case Depth::u8:
        return combined<std::uint8_t>(op, images);
    case Depth::u16:
        return combined<std::uint16_t>(op, images);
    case Depth::f32:
        break;
    }
    return combined<float>(op, images);
}

bool has_kernel(const Stack& op, const Form& form, std::size_t images) {
    if (form.has_alpha()) {
        return false;
    }
    switch (op.by.measure) {
    case StackMeasure::mean:
    case StackMeasure::sum:
        return op.weights.empty() && form.depth != Depth::f32;
    case StackMeasure::min:
    case StackMeasure::max:
        return true;
    case StackMeasure::median:
    case StackMeasure::percentile:
        return form.depth != Depth::f32 || place_of(op.by, images).share == 0;
    case StackMeasure::stddev:
    case StackMeasure::clip:
        break;
    }
    return false;
}

StackPile pile_of(Context& gpu, const StackedImages& images) {
    const Form& form = images.front()->form();
    const int columns = pile_columns(gpu, form, images.size());
    const Form pile = pile_form(form, images.size(), columns);
    PileReader rows(images, pile, pile.row_bytes() / static_cast<std::size_t>(columns));
    return {gpu.upload(rows, "stack"), form, static_cast<int>(images.size()), columns};
}

StackPile pile_of(Context& gpu, const std::vector<const GpuImage*>& images) {
    const Form& form = images.front()->form();
    const int columns = pile_columns(gpu, form, images.size());
    StackPile pile{gpu.make_image(pile_form(form, images.size(), columns), "stack"), form,
                   static_cast<int>(images.size()), columns};
    const Int2 texels{texels_per_row(form), form.height};
    for (int k = 0; k < pile.images; ++k) {
        gpu.pass("stack.copy", "copy.comp")
            .reads("i_src", *images[static_cast<std::size_t>(k)])
            .writes("i_dst", pile.texture)
            .set("u_first", Int2{k % columns * texels[0], k / columns * texels[1]})
            .over(texels[0], texels[1]);
    }
    return pile;
}

std::int64_t most_pile_rows(const Context& gpu, const Form& form, std::size_t images) {
    return std::max<std::int64_t>(
        gpu.limits().texture_size / rounded_up(images, pile_columns(gpu, form, images)), 1);
}

GpuImage stack_on_gpu(Context& gpu, const Stack& op, const StackPile& pile) {
    GpuImage result = gpu.make_image(stack_form(op, pile.form), "stacked");
    const int texels = texels_per_row(pile.form);
    Pass pass = gpu.pass("stack", "stack.comp",
                         {{"SRC_DEPTH", std::to_string(static_cast<int>(pile.form.depth))},
                          {"MEASURE", kernel_measure(op.by.measure)},
                          {"FETCHED", fetched(gpu.device())}});
    pass.reads("i_src", pile.texture)
        .writes("i_dst", result)
        .set("u_images", pile.images)
        .set("u_columns", pile.columns)
        .set("u_texels", Int2{texels, pile.form.height});
    set_measure(pass, op, pile);
    pass.over(texels, pile.form.height);
    return result;
}

} // namespace glproc
