#include "glproc/ops/montage.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/blend/second.hpp"
#include "glproc/ops/draw/items.hpp"
#include "glproc/ops/draw/layers.hpp"
#include "glproc/ops/draw/variables.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

constexpr Limit sheet_gap_limit{0, 100000};
constexpr Limit tile_limit{1, 100000};
constexpr std::int64_t longest_sheet = 10'000'000; // pixels, a side

/// The sheet, whose rows of cells are all alike.
struct Sheet {
    Form result;
    int count = 0; ///< of images
    int columns = 0;
    int rows = 0;
    Int2 cell = {0, 0};
    int label_height = 0;
    int gap = 0;
    std::vector<std::byte> background = {}; ///< a row of it

    int row_height() const { return gap + cell[1] + label_height; }
    int x_of(int column) const { return gap + column * (cell[0] + gap); }
};

bool is_dark(const Colour& colour) {
    constexpr double middle = 0.5;
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue < middle && colour.alpha > 0;
}

Colour label_colour(const Montage& op) {
    return op.color.value_or(is_dark(op.background) ? Colour{1, 1, 1, 1} : Colour{0, 0, 0, 1});
}

SheetTile tile_for(const SheetTile& asked, int count) {
    const auto needed = [count](int other) { return covering(count, other); };
    SheetTile tile = asked;
    if (tile.columns == 0 && tile.rows == 0) {
        tile.columns = static_cast<int>(std::ceil(std::sqrt(count)));
    }
    tile.columns = tile.columns > 0 ? tile.columns : needed(tile.rows);
    tile.rows = tile.rows > 0 ? tile.rows : needed(tile.columns);
    if (std::int64_t{tile.columns} * tile.rows < count) {
        throw Error(ErrorCode::usage,
                    fmt::format("montage: {}x{} has {}, but there are {} images", tile.columns, tile.rows,
                                counted(tile.columns * tile.rows, "cell"), count),
                    fmt::format("--tile {}x takes any number", tile.columns));
    }
    return tile;
}

/// Percent are of the size of the first image.
NewSize cell_for(NewSize cell, const Form& first) {
    if (cell.percent > 0) {
        const auto part = [](int side, double percent) { return std::max(1, static_cast<int>(std::lround(side * percent / 100))); };
        cell.width = part(first.width, cell.percent);
        cell.height = part(first.height, cell.percent_y > 0 ? cell.percent_y : cell.percent);
        cell.percent = cell.percent_y = 0;
    }
    return cell;
}

void check_sheet(const Montage& op) {
    check_limit("gap", op.gap, sheet_gap_limit);
    check_limit("size", op.size, font_size_limit);
    if (op.cell.width < 1 || op.cell.height < 1) {
        throw Error(ErrorCode::usage, "montage needs a width and a height of its cells", "--cell 256x256");
    }
}

Form sheet_form(const Montage& op, const Form& first) {
    std::vector<Form> forms{first};
    std::transform(op.more.begin(), op.more.end(), std::back_inserter(forms),
                   [](const RowSource& source) { return source.form; });
    Form form = common_form(forms, op.background);
    if (!op.label.empty() && !label_colour(op).is_grey()) {
        form.channels = colour_channels(form.channels);
    }
    return form;
}

/// Throws Error(usage) for names that have no value.
double label_lines(const Montage& op) {
    if (op.label.empty()) {
        return 0;
    }
    const std::string one = with_values(op.label, op.files.empty() ? PictureFacts{} : op.files.front());
    return static_cast<double>(1 + std::count(one.begin(), one.end(), '\n'));
}

Sheet sheet_of(const Montage& op, const Form& first) {
    check_sheet(op);
    constexpr double line_height = 1.5; // of the font's size
    Sheet sheet{.result = sheet_form(op, first), .count = static_cast<int>(op.more.size()) + 1};
    const SheetTile tile = tile_for(op.tile, sheet.count);
    sheet.columns = tile.columns;
    sheet.rows = tile.rows;
    sheet.cell = {op.cell.width, op.cell.height};
    sheet.gap = op.gap;
    sheet.label_height = static_cast<int>(std::ceil(line_height * op.size * label_lines(op)));
    const std::int64_t width = op.gap + std::int64_t{sheet.columns} * (sheet.cell[0] + op.gap);
    const std::int64_t height = op.gap + std::int64_t{sheet.rows} * sheet.row_height();
    if (std::max(width, height) > longest_sheet) {
        throw Error(ErrorCode::usage, fmt::format("montage would make an image of {}x{} pixels; the most is {} on a side",
                                                  width, height, longest_sheet));
    }
    sheet.result.width = static_cast<int>(width);
    sheet.result.height = static_cast<int>(height);
    sheet.background = row_in(op.background, sheet.result);
    return sheet;
}

Plan fit_plan(const Montage& op, const Form& form) {
    return plan(Resize{.size = op.cell, .fit = !op.cell.only_shrinks, .filter = op.filter}, form);
}

/// An image in its cell: its rows wait in memory, or in a temporary file.
struct Fitted {
    Form form;
    std::unique_ptr<RowStore> rows;
};

/// Takes rows in the form of the sheet.
class SheetRows final : public RowWriter {
  public:
    SheetRows(RowStore& store, const Form& from, const Form& sheet) : store_(store), from_(from), sheet_(sheet) {}

    void write(std::span<const std::byte> rows) override {
        if (rows.empty()) {
            return;
        }
        Image image(from_.width, static_cast<int>(rows.size() / from_.row_bytes()), from_.channels, from_.depth);
        std::copy(rows.begin(), rows.end(), image.bytes().begin());
        store_.write(in_form(std::move(image), sheet_).bytes());
    }
    void finish() override { store_.finish(); }

  private:
    RowStore& store_;
    Form from_;
    Form sheet_;
};

Fitted fitted(const Montage& op, const Sheet& sheet, RowReader& reader, std::size_t memory_bytes) {
    const Plan fit = fit_plan(op, reader.form());
    Form form = sheet.result;
    form.width = fit.shape.result.width;
    form.height = fit.shape.result.height;
    Fitted made{form, std::make_unique<RowStore>(form, memory_bytes)};
    SheetRows rows(*made.rows, fit.shape.result, sheet.result);
    if (fit.twin.run) {
        fit.twin.run(reader, rows);
    } else {
        Image whole(reader.form());
        reader.read(whole.bytes());
        rows.write(image_by_processor(fit, whole).bytes());
    }
    rows.finish();
    return made;
}

Image background_rows(const Sheet& sheet, int width, int height) {
    Image image(width, height, sheet.result.channels, sheet.result.depth);
    for (int y = 0; y < height; ++y) {
        std::copy_n(sheet.background.begin(), image.row_bytes(), image.row(y));
    }
    return image;
}

/// The label of an image, as wide as a cell.
Image label_of_cell(const Montage& op, const Sheet& sheet, int image) {
    const auto at = static_cast<std::size_t>(image);
    DrawItem item{.font = op.font, .size = op.size, .color = label_colour(op), .gravity = Gravity::center, .margin = 0};
    const PictureFacts facts = at < op.files.size() ? op.files[at] : PictureFacts{};
    try {
        std::istringstream lines(with_values(op.label, facts));
        std::vector<std::string> written;
        for (std::string line; std::getline(lines, line);) {
            written.push_back(shortened(item, line, sheet.cell[0]));
        }
        item.text = fmt::format("{}", fmt::join(written, "\n"));
        Image strip = background_rows(sheet, sheet.cell[0], sheet.label_height);
        return item.text.empty() ? std::move(strip)
                                 : image_by_processor(blend_plan({}, strip.form(), drawn_on({item}, strip.form())), strip);
    } catch (const Error& error) {
        throw Error(error.code(), facts.path.empty() ? std::string(error.what()) : fmt::format("{}: {}", facts.path, error.what()),
                    error.hint());
    }
}

/// Makes a sheet from top to bottom, one row of cells at a time.
class SheetMaker {
  public:
    SheetMaker(const Montage& op, const Sheet& sheet, RowReader& first, RowWriter& to)
        : op_(op), sheet_(sheet), first_(first), to_(to) {}

    void run(const TileProgress& progress) {
        for (int row = 0; row < sheet_.rows; ++row) {
            const int begin = row * sheet_.columns;
            const int count = std::clamp(sheet_.count - begin, 0, sheet_.columns);
            make_row(begin, count);
            if (progress) {
                progress(double(row + 1) / sheet_.rows);
            }
        }
        write_background(sheet_.gap);
    }

  private:
    /// The first image is read by whoever calls: its reader may keep to a thread.
    std::vector<Fitted> fitted_cells(int begin, int count) const {
        constexpr std::size_t store_bytes = std::size_t{256} << 20U; // of a row of cells, in memory
        const std::size_t memory_bytes = store_bytes / static_cast<std::size_t>(std::max(count, 1));
        std::vector<Fitted> cells(static_cast<std::size_t>(count));
        if (begin == 0) {
            cells[0] = fitted(op_, sheet_, first_, memory_bytes);
        }
        const std::size_t done = begin == 0 ? 1 : 0;
        parallel_for(cells.size() - std::min(done, cells.size()), [&](std::size_t i) {
            const auto reader = op_.more[static_cast<std::size_t>(begin) + i + done - 1].open();
            cells[i + done] = fitted(op_, sheet_, *reader, memory_bytes);
        });
        return cells;
    }

    void make_row(int begin, int count) {
        const std::vector<Fitted> cells = fitted_cells(begin, count);
        write_background(sheet_.gap);
        const int most = rows_at_once(sheet_.result);
        for (int y = 0; y < sheet_.cell[1]; y += most) {
            const int rows = std::min(most, sheet_.cell[1] - y);
            Image made = background_rows(sheet_, sheet_.result.width, rows);
            for (int column = 0; column < count; ++column) {
                put_cell(cells[static_cast<std::size_t>(column)], column, y, made);
            }
            to_.write(made.bytes());
        }
        if (sheet_.label_height > 0) {
            Image labels = background_rows(sheet_, sheet_.result.width, sheet_.label_height);
            for (int column = 0; column < count; ++column) {
                put_rows(label_of_cell(op_, sheet_, begin + column), sheet_.x_of(column), 0, labels);
            }
            to_.write(labels.bytes());
        }
    }

    /// The rows of an image that lie in `made`, whose first row is row y of the cell.
    void put_cell(const Fitted& cell, int column, int y, Image& made) const {
        const Int2 place = place_of(Gravity::center, sheet_.cell[0] - cell.form.width, sheet_.cell[1] - cell.form.height);
        const int from = std::max(place[1], y);
        const int to = std::min(place[1] + cell.form.height, y + made.height());
        if (from < to) {
            Image rows(cell.form.width, to - from, cell.form.channels, cell.form.depth);
            cell.rows->get(from - place[1], rows.bytes());
            put_rows(rows, sheet_.x_of(column) + place[0], from - y, made);
        }
    }

    void write_background(int rows) {
        const Image row = background_rows(sheet_, sheet_.result.width, 1);
        for (int y = 0; y < rows; ++y) {
            to_.write(row.bytes());
        }
    }

    const Montage& op_;
    const Sheet& sheet_;
    RowReader& first_;
    RowWriter& to_;
};

} // namespace

SheetTile FieldText<SheetTile>::parse(const FieldContext& c, std::string_view text) {
    const std::size_t cross = text.find('x');
    const auto number = [&](std::string_view part) {
        return part.empty() ? 0 : parse_integer({c.name, "cells", tile_limit}, part);
    };
    if (cross == std::string_view::npos || text.size() == 1) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} does not say how many cells", c.name, text),
                    "5x for five columns, x4 for four rows, 5x4 for both");
    }
    return {number(text.substr(0, cross)), number(text.substr(cross + 1))};
}

std::string FieldText<SheetTile>::print(const SheetTile& tile) {
    const auto side = [](int n) { return n == 0 ? "" : std::to_string(n); };
    return tile.columns == 0 && tile.rows == 0 ? "" : side(tile.columns) + "x" + side(tile.rows);
}

Plan plan(const Montage& given, const Form& form) {
    Montage op = given;
    op.cell = cell_for(op.cell, form);
    op.size = op.size.in(op.cell.width);
    op.gap = op.gap.in(op.cell.width);
    const auto sheet = std::make_shared<const Sheet>(sheet_of(op, form));
    static_cast<void>(fit_plan(op, form)); // finds what is wrong with the size
    return row_copy_plan(form, sheet->result, "montage",
                         [op, sheet](RowReader& first, RowWriter& to, const TileProgress& progress) {
                             SheetMaker(op, *sheet, first, to).run(progress);
                         });
}

const OpInfo& montage_info() {
    static const OpInfo info =
        Describe<Montage>("montage", "put small images on a sheet, with labels", "a.png b.png c.png out.png --tile 3x")
            .example("Make a contact sheet of a folder, with names and dates below the images",
                     "photos sheet.png --tile 5x --cell 40x30 --size 8 --label '{stem}, "
                     "{exif:DateTimeOriginal}'")
            .found_by({"contact-sheet", "collage", "arrayjoin"}, "INS OUT")
            .found_by({"montage --geometry"}, "INS OUT --cell {200x200} --gap 10")
            .found_by({"-label N", "-mosaic", "-tile N"})
            .field("tile", &Montage::tile,
                   {.value = "CxR", .help = "how many images beside and above each other; by default about as many"})
            .field("cell", &Montage::cell,
                   {.value = "WxH", .unit = "pixels", .help = "the box that each image fits into; '256x256>' only shrinks, 20% is of the first image"})
            .field("label", &Montage::label,
                   {.value = "TEXT",
                    .help = "what to write below each; {name}, {stem}, {date} and {exif:KEY} stand for their "
                            "values"})
            .field("font", &Montage::font,
                   {.value = "FONT",
                    .help = "the font: its family, and its style after it, such as DejaVu Serif Bold"})
            .field("size", &Montage::size,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = font_size_limit,
                    .slider = {4, 200, 1},
                    .help = "size of the font; 5% is of a cell's width"})
            .field("color", &Montage::color,
                   {.value = "COLOUR", .help = "of labels; by default black, or white on a dark background", .alias = "colour"})
            .field("gap", &Montage::gap,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = sheet_gap_limit,
                    .slider = {0, 100, 1},
                    .help = "space between images, and around them; 5% is of a cell's width"})
            .field("background", &Montage::background,
                   {.value = "COLOUR", .help = "colour behind images and labels"})
            .field("filter", &Montage::filter, {.value = "F", .help = "how to interpolate"})
            .joins_any(&Montage::more)
            .joins_at_most(16384)
            .knows_each(&Montage::files, [](const Montage& op) { return has_variables(op.label); })
            .runs();
    return info;
}

} // namespace glproc
