#include "glproc/ops/append.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit gap_limit{0, 100000};
constexpr std::int64_t longest_side = 10'000'000;

/// The images and their places.
struct AppendLayout {
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

/// How far an image of `size` lies from the start of `room`.
int aligned(AppendAlign align, int room, int size) {
    return align == AppendAlign::start ? 0 : align == AppendAlign::end ? room - size : (room - size) / 2;
}

AppendLayout layout_of(const Append& op, const Form& first) {
    const int gap = op.gap.in(first.width);
    check_limit("gap", gap, gap_limit);
    const std::vector<Form> forms = forms_of(op, first);
    const bool right = op.direction == AppendDirection::right;
    AppendLayout layout{.result = common_form(forms, op.background)};
    std::int64_t along = -std::int64_t{gap};
    int across = 0;
    for (const Form& form : forms) {
        along += std::int64_t{gap} + (right ? form.width : form.height);
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
        next += gap + (right ? form.width : form.height);
    }
    const Colour none{0, 0, 0, layout.result.has_alpha() ? 0.0 : 1.0};
    layout.background = row_in(op.background.value_or(none), layout.result);
    return layout;
}

/// Makes rows of the result from top to bottom. An image is open only while its rows are read.
class Appending {
  public:
    Appending(const Append& op, const AppendLayout& layout, RowReader& first)
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
                put_rows(read(i, to - from), place.x, from - first_row, made);
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

    void close(std::size_t i, bool is_done) {
        if (is_done && i > 0) {
            readers_[i - 1].reset();
        }
    }

    const Append& op_;
    const AppendLayout& layout_;
    RowReader& first_;
    std::vector<std::unique_ptr<RowReader>> readers_;
};

} // namespace

Plan plan(const Append& op, const Form& form) {
    const auto layout = std::make_shared<const AppendLayout>(layout_of(op, form));
    return row_copy_plan(form, layout->result, "append",
                         [op, layout](RowReader& first, RowWriter& to, const TileProgress& progress) {
                             const int rows = rows_at_once(layout->result);
                             Appending appending(op, *layout, first);
                             for (int y = 0; y < layout->result.height; y += rows) {
                                 const int count = std::min(rows, layout->result.height - y);
                                 to.write(appending.next(y, count).bytes());
                                 if (progress) {
                                     progress(double(y + count) / layout->result.height);
                                 }
                             }
                         });
}

const OpInfo& append_info() {
    static const OpInfo info =
        Describe<Append>("append", "put images side by side, or below each other",
                         "a.png b.png c.png out.png --gap 10")
            .example("Put images below each other on white, with some space between",
                     "photo.jpg others/a.jpg out.png --direction down --gap 8 --background white")
            .example("Compare an image with a sharpened one, side by side",
                     "photo.jpg others/a.jpg both.jpg --align center")
            .found_by({"join", "concat", "hstack"}, "INS OUT")
            .found_by({"vstack"}, "INS OUT --direction down")
            .field("direction", &Append::direction, {.value = "D", .help = "where the next image goes"})
            .field("align", &Append::align, {.value = "A", .help = "where smaller images go"})
            .field("gap", &Append::gap,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = gap_limit,
                    .slider = {0, 100, 1},
                    .help = "space between images; 5% is of the first image's width"})
            .field("background", &Append::background,
                   {.value = "COLOUR",
                    .help = "colour between and beside them; transparent by default if an image has alpha",
                    .standard = "black"})
            .joins_any(&Append::more)
            .joins_at_most(16384)
            .runs();
    return info;
}

} // namespace glproc
