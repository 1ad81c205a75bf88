#include "glproc/kinds/row_copy.hpp"

#include "glproc/files/memory_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace glproc {

namespace {

bool fits_gpu(Context& gpu, const Form& form) {
    const TileRoom room = room_of(gpu);
    return texels_per_row(form) <= room.texture_size && form.height <= room.texture_size &&
           16.0 * texels_per_row(form) * form.height <= room.bytes / 2;
}

template <class T>
void put_opaque(const Image& image, Image& to) {
    const auto from = image.values<T>();
    const auto out = to.values<T>();
    const auto colours = static_cast<std::size_t>(image.channels());
    const T opaque = static_cast<T>(max_code(image.depth()));
    for (std::size_t i = 0; i < from.size() / colours; ++i) {
        std::copy_n(&from[i * colours], colours, &out[i * (colours + 1)]);
        out[i * (colours + 1) + colours] = opaque;
    }
}

} // namespace

Image in_form(Image rows, const Form& form) {
    rows = with_depth(std::move(rows), form.depth);
    if (rows.channels() < 3 && form.channels >= 3) {
        Image coloured(rows.width(), rows.height(), colour_channels(rows.channels()), rows.depth());
        to_colour(rows.bytes(), rows.form(), coloured.bytes());
        rows = std::move(coloured);
    }
    if (rows.channels() == form.channels) {
        return rows;
    }
    Image opaque(rows.width(), rows.height(), form.channels, rows.depth());
    switch (rows.depth()) {
    case Depth::u8:
        put_opaque<std::uint8_t>(rows, opaque);
        break;
    case Depth::u16:
        put_opaque<std::uint16_t>(rows, opaque);
        break;
    case Depth::f32:
        put_opaque<float>(rows, opaque);
        break;
    }
    return opaque;
}

Form common_form(const std::vector<Form>& forms, const std::optional<Colour>& background) {
    bool has_colour = background && !background->is_grey();
    bool has_alpha = background && background->alpha < 1;
    Depth depth = Depth::u8;
    for (const Form& form : forms) {
        has_colour = has_colour || form.channels >= 3;
        has_alpha = has_alpha || form.has_alpha();
        depth = std::max(depth, form.depth);
    }
    return {0, 0, (has_colour ? 3 : 1) + (has_alpha ? 1 : 0), depth};
}

std::vector<std::byte> row_in(const Colour& colour, const Form& form) {
    Image row(form.width, 1, form.channels, form.depth);
    const bool is_grey = form.channels < 3;
    for (int c = 0; c < form.channels; ++c) {
        const bool is_alpha = form.has_alpha() && c == form.channels - 1;
        const double value = is_alpha            ? colour.alpha
                             : is_grey || c == 0 ? colour.red
                             : c == 1            ? colour.green
                                                 : colour.blue;
        const double code = value * max_code(form.depth);
        for (std::size_t i = static_cast<std::size_t>(c);
             i < static_cast<std::size_t>(form.width * form.channels);
             i += static_cast<std::size_t>(form.channels)) {
            switch (form.depth) {
            case Depth::u8:
                row.values<std::uint8_t>()[i] =
                    static_cast<std::uint8_t>(std::nearbyint(std::clamp(code, 0.0, 255.0)));
                break;
            case Depth::u16:
                row.values<std::uint16_t>()[i] =
                    static_cast<std::uint16_t>(std::nearbyint(std::clamp(code, 0.0, 65535.0)));
                break;
            case Depth::f32:
                row.values<float>()[i] = static_cast<float>(code);
                break;
            }
        }
    }
    return {row.bytes().begin(), row.bytes().end()};
}

void put_rows(const Image& rows, int x, int y, Image& to) {
    for (int row = 0; row < rows.height(); ++row) {
        std::memcpy(to.row(y + row) + static_cast<std::size_t>(x) * to.pixel_bytes(), rows.row(row), rows.row_bytes());
    }
}

int rows_at_once(const Form& form) {
    constexpr std::size_t enough = std::size_t{1} << 22U; // bytes
    return static_cast<int>(std::max<std::size_t>(enough / form.row_bytes(), 1));
}

Plan row_copy_plan(const Form& form, const Form& result, std::string name, RowCopy copy) {
    Plan plan{.shape = {.source = form, .result = result}};
    plan.work.needs = [name = std::move(name)](Context&) { return TileNeeds{.what = name}; };
    plan.twin.run = [copy](RowReader& source, RowWriter& to) { copy(source, to, {}); };
    plan.work.run = [copy, result](Context& gpu, const Part& source, const Rect&) {
        const Image first = gpu.download(source.image);
        ImageRows rows(result);
        copy(*rows_of(first).open(), rows, {});
        rows.finish();
        return gpu.upload(rows.image(), "result");
    };
    const auto grid = [form, result](Context& gpu) {
        return fits_gpu(gpu, form) && fits_gpu(gpu, result) ? TileGrid{{result.width, result.height}} : TileGrid{};
    };
    const auto by_rows = [copy](Context&, const RowSource& source, RowWriter& to, const TileProgress& progress) {
        copy(*source.open(), to, progress);
    };
    plan.work.cutting = ByChain{grid, by_rows, true};
    return plan;
}

} // namespace glproc
