#include "glproc/ops/append.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit gap_limit{0, 100000};
constexpr std::int64_t longest_side = 10'000'000;

/// The images and their places.
struct Layout {
    Form result;
    std::vector<Rect> places = {};
    std::vector<std::byte> background = {}; ///< a row of it
};

std::vector<Form> forms_of(const Append& op, const Form& first) {
    std::vector<Form> forms = {first};
    for (const RowSource& source : op.more) {
        forms.push_back(source.form);
    }
    return forms;
}

/// Without its size.
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

/// How far an image of `size` lies from the start of `room`.
int aligned(AppendAlign align, int room, int size) {
    return align == AppendAlign::start ? 0 : align == AppendAlign::end ? room - size : (room - size) / 2;
}

std::vector<std::byte> row_of(const Colour& colour, const Form& form) {
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

Layout layout_of(const Append& op, const Form& first) {
    check_limit("gap", op.gap, gap_limit);
    const std::vector<Form> forms = forms_of(op, first);
    const bool right = op.direction == AppendDirection::right;
    Layout layout{.result = common_form(forms, op.background)};
    std::int64_t along = -std::int64_t{op.gap};
    int across = 0;
    for (const Form& form : forms) {
        along += std::int64_t{op.gap} + (right ? form.width : form.height);
        across = std::max(across, right ? form.height : form.width);
    }
    if (along > longest_side) {
        throw Error(ErrorCode::usage,
                    fmt::format("append would make an image of {} pixels in a row; the most is {}", along,
                                longest_side));
    }
    layout.result.width = right ? static_cast<int>(along) : across;
    layout.result.height = right ? across : static_cast<int>(along);
    int next = 0;
    for (const Form& form : forms) {
        const int aside = aligned(op.align, across, right ? form.height : form.width);
        layout.places.push_back({right ? next : aside, right ? aside : next, form.width, form.height});
        next += op.gap + (right ? form.width : form.height);
    }
    const Colour none{0, 0, 0, layout.result.has_alpha() ? 0.0 : 1.0};
    layout.background = row_of(op.background.value_or(none), layout.result);
    return layout;
}

template <class T>
void add_alpha(const Image& image, Image& to) {
    const auto from = image.values<T>();
    const auto out = to.values<T>();
    const auto colours = static_cast<std::size_t>(image.channels());
    const T opaque = static_cast<T>(max_code(image.depth()));
    for (std::size_t i = 0; i < from.size() / colours; ++i) {
        std::copy_n(&from[i * colours], colours, &out[i * (colours + 1)]);
        out[i * (colours + 1) + colours] = opaque;
    }
}

/// Rows with the channels and the depth of the result.
Image in_form(Image rows, const Form& result) {
    rows = with_depth(std::move(rows), result.depth);
    if (rows.channels() < 3 && result.channels >= 3) {
        Image coloured(rows.width(), rows.height(), colour_channels(rows.channels()), rows.depth());
        to_colour(rows.bytes(), rows.form(), coloured.bytes());
        rows = std::move(coloured);
    }
    if (rows.channels() == result.channels) {
        return rows;
    }
    Image opaque(rows.width(), rows.height(), result.channels, rows.depth());
    switch (rows.depth()) {
    case Depth::u8:
        add_alpha<std::uint8_t>(rows, opaque);
        break;
    case Depth::u16:
        add_alpha<std::uint16_t>(rows, opaque);
        break;
    case Depth::f32:
        add_alpha<float>(rows, opaque);
        break;
    }
    return opaque;
}

/// Makes rows of the result from top to bottom. An image is open only while its rows are read.
class Appending {
  public:
    Appending(const Append& op, const Layout& layout, RowReader& first)
        : op_(op), layout_(layout), first_(first), readers_(op.more.size()) {}

    Image next(int first_row, int rows) {
        Image made(layout_.result.width, rows, layout_.result.channels, layout_.result.depth);
        for (int y = 0; y < rows; ++y) {
            std::memcpy(made.row(y), layout_.background.data(), layout_.background.size());
        }
        for (std::size_t i = 0; i < layout_.places.size(); ++i) {
            const Rect& place = layout_.places[i];
            const int from = std::max(place.y, first_row);
            const int to = std::min(place.bottom(), first_row + rows);
            if (from < to) {
                put(read(i, to - from), place.x, from - first_row, made);
                close(i, to == place.bottom());
            }
        }
        return made;
    }

  private:
    Image read(std::size_t i, int rows) {
        if (i > 0 && !readers_[i - 1]) {
            readers_[i - 1] = op_.more[i - 1].open();
        }
        RowReader& reader = i == 0 ? first_ : *readers_[i - 1];
        Form form = reader.form();
        form.height = rows;
        Image image(form);
        reader.read(image.bytes());
        return in_form(std::move(image), layout_.result);
    }

    static void put(const Image& rows, int x, int y, Image& to) {
        for (int row = 0; row < rows.height(); ++row) {
            std::memcpy(to.row(y + row) + static_cast<std::size_t>(x) * to.pixel_bytes(), rows.row(row),
                        rows.row_bytes());
        }
    }

    void close(std::size_t i, bool is_done) {
        if (is_done && i > 0) {
            readers_[i - 1].reset();
        }
    }

    const Append& op_;
    const Layout& layout_;
    RowReader& first_;
    std::vector<std::unique_ptr<RowReader>> readers_;
};

void append(const Append& op, const Layout& layout, RowReader& first, RowWriter& to,
            const TileProgress& progress = {}) {
    constexpr std::size_t enough = std::size_t{1} << 22U; // bytes: many rows for each call of a codec
    const int rows = static_cast<int>(std::max<std::size_t>(enough / layout.result.row_bytes(), 1));
    Appending appending(op, layout, first);
    for (int y = 0; y < layout.result.height; y += rows) {
        const int count = std::min(rows, layout.result.height - y);
        to.write(appending.next(y, count).bytes());
        if (progress) {
            progress(double(y + count) / layout.result.height);
        }
    }
}

bool fits(Context& gpu, const Form& form) {
    const TileRoom room = room_of(gpu);
    return texels_per_row(form) <= room.texture_size && form.height <= room.texture_size &&
           16.0 * texels_per_row(form) * form.height <= room.bytes / 2;
}

} // namespace

Plan plan(const Append& op, const Form& form) {
    const auto layout = std::make_shared<const Layout>(layout_of(op, form));
    Plan plan{.source = form, .result = layout->result};
    plan.needs = [](Context&) { return TileNeeds{.what = "append"}; };
    plan.source_of = [form](const Rect&) { return whole_of(form); };
    plan.by_processor = [op, layout](RowReader& source, RowWriter& to) { append(op, *layout, source, to); };
    plan.run = [op, layout](Context& gpu, const Part& source, const Rect&) {
        const Image first = gpu.download(source.image);
        ImageRows rows(layout->result);
        append(op, *layout, *rows_of(first).open(), rows);
        rows.finish();
        return gpu.upload(rows.image(), "result");
    };
    const auto grid = [layout, form](Context& gpu) {
        return fits(gpu, form) && fits(gpu, layout->result)
                   ? TileGrid{{layout->result.width, layout->result.height}}
                   : TileGrid{};
    };
    const auto by_rows = [op, layout](Context&, const RowSource& source, RowWriter& to,
                                      const TileProgress& progress) {
        append(op, *layout, *source.open(), to, progress);
    };
    plan.cutting = ByChain{grid, by_rows};
    return plan;
}

const OpInfo& append_info() {
    static const OpInfo info =
        Describe<Append>("append", "put images side by side, or below each other",
                         "a.png b.png c.png out.png --gap 10")
            .field("direction", &Append::direction, {.value = "D", .help = "where the next image goes"})
            .field("align", &Append::align, {.value = "A", .help = "where smaller images lie"})
            .field("gap", &Append::gap,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = gap_limit,
                    .slider = {0, 100, 1},
                    .help = "space between images"})
            .field("background", &Append::background,
                   {.value = "COLOUR",
                    .help = "colour between and beside them; transparent by default if an image has alpha",
                    .standard = "black"})
            .joins_any(&Append::more)
            .runs();
    return info;
}

} // namespace glproc
