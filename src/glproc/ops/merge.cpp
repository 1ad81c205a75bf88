#include "glproc/ops/merge.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

void check_merged(const Merge& op, const Form& first) {
    const std::size_t count = op.more.size() + 1;
    if (count < 2 || count > 4) {
        throw Error(ErrorCode::usage, fmt::format("merge takes 2 to 4 images, one for each channel, not {}", count),
                    "glproc merge red.png green.png blue.png out.png");
    }
    std::vector<Form> forms{first};
    std::transform(op.more.begin(), op.more.end(), std::back_inserter(forms),
                   [](const RowSource& source) { return source.form; });
    for (const Form& form : forms) {
        if (form.channels != 1) {
            throw Error(ErrorCode::usage, fmt::format("merge takes grey images, not {} channels in one", form.channels),
                        "glproc split in.png out_{channel}.png makes grey images of the channels; glproc gray makes "
                        "one of all");
        }
        if (form.width != first.width || form.height != first.height) {
            throw Error(ErrorCode::usage,
                        fmt::format("merge takes images of one size, not {}x{} and {}x{}", first.width, first.height,
                                    form.width, form.height),
                        "resize or crop one of them first");
        }
    }
}

Form merged_form(const Merge& op, const Form& first) {
    check_merged(op, first);
    Form form = first;
    form.channels = static_cast<int>(op.more.size()) + 1;
    for (const RowSource& source : op.more) {
        form.depth = std::max(form.depth, source.form.depth);
    }
    return form;
}

template <class T>
void put_channel(const Image& grey, std::size_t channel, Image& to) {
    const auto from = grey.values<T>();
    const auto out = to.values<T>();
    const auto channels = static_cast<std::size_t>(to.channels());
    for (std::size_t i = 0; i < from.size(); ++i) {
        out[i * channels + channel] = from[i];
    }
}

void put_channel(Image grey, std::size_t channel, Image& to) {
    grey = with_depth(std::move(grey), to.depth());
    switch (to.depth()) {
    case Depth::u8:
        return put_channel<std::uint8_t>(grey, channel, to);
    case Depth::u16:
        return put_channel<std::uint16_t>(grey, channel, to);
    case Depth::f32:
        return put_channel<float>(grey, channel, to);
    }
}

Image rows_from(RowReader& reader, int count) {
    Form form = reader.form();
    form.height = count;
    Image rows(form);
    reader.read(rows.bytes());
    return rows;
}

void merge(const Merge& op, const Form& form, RowReader& first, RowWriter& to, const TileProgress& progress) {
    std::vector<std::unique_ptr<RowReader>> others;
    for (const RowSource& source : op.more) {
        others.push_back(source.open());
    }
    const int rows = rows_at_once(form);
    for (int y = 0; y < form.height; y += rows) {
        const int count = std::min(rows, form.height - y);
        Image made(form.width, count, form.channels, form.depth);
        put_channel(rows_from(first, count), 0, made);
        for (std::size_t i = 0; i < others.size(); ++i) {
            put_channel(rows_from(*others[i], count), i + 1, made);
        }
        to.write(made.bytes());
        if (progress) {
            progress(double(y + count) / form.height);
        }
    }
}

} // namespace

Plan plan(const Merge& op, const Form& form) {
    const Form result = merged_form(op, form);
    return row_copy_plan(form, result, "merge",
                         [op, result](RowReader& first, RowWriter& to, const TileProgress& progress) {
                             merge(op, result, first, to, progress);
                         });
}

const OpInfo& merge_info() {
    static const OpInfo info =
        Describe<Merge>("merge", "make one image of grey images, a channel each", "red.png green.png blue.png out.png")
            .example("Put the channels that split has written together, with red as alpha, too",
                     "photo_r.png photo_g.png photo_b.png photo_r.png rgba.png")
            .found_by({"combine", "bandjoin"}, "INS OUT")
            .joins(&Merge::more)
            .runs();
    return info;
}

} // namespace glproc
