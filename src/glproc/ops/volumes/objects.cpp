#include "glproc/ops/volumes/objects.hpp"

#include "glproc/arrays/labels/labels.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/volumes/volume.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

using Labels = std::vector<std::int32_t>;

/// Along planes, columns and rows.
struct VolumeObject {
    std::int64_t count = 0;
    PerVolumeAxis<std::int64_t> first{};
    PerVolumeAxis<std::int64_t> last{};
    PerVolumeAxis<std::int64_t> sums{};

    void add_run(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t length) {
        const PerVolumeAxis<std::int64_t> at{z, y, x};
        const PerVolumeAxis<std::int64_t> end{z, y, x + length - 1};
        for (std::size_t i = 0; i < at.size(); ++i) {
            first[i] = count == 0 ? at[i] : std::min(first[i], at[i]);
            last[i] = std::max(last[i], end[i]);
            sums[i] += length * (at[i] + end[i]) /
                       2; // exact: the sum of both ends is odd only where the length is even
        }
        count += length;
    }
    bool touches(const PerVolumeAxis<std::int64_t>& size) const {
        bool any = false;
        for (std::size_t i = 0; i < size.size(); ++i) {
            any = any || first[i] == 0 || last[i] == size[i] - 1;
        }
        return any;
    }
};

struct LabelledVolume {
    PerVolumeAxis<std::int64_t> size{};
    Labels labels{}; ///< those that are left
    std::vector<VolumeObject> objects{};
};

/// All planes under one another: a threshold's rule sees their pixels together.
Image tall_image(const VolumePart& part) {
    Form form = part.planes.front()->form();
    form.height *= static_cast<int>(part.planes.size());
    Image tall(form);
    std::byte* to = tall.bytes().data();
    for (const Image* plane : part.planes) {
        to = std::ranges::copy(plane->bytes(), to).out;
    }
    return tall;
}

std::vector<std::byte> mask_of(const Components& op, const VolumePart& part) {
    const HostMask mask = objects_of(op, tall_image(part));
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height));
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            bytes.push_back(std::byte{mask.is_set(x, y)});
        }
    }
    return bytes;
}

/// 26 neighbours, or the 6 at sides.
std::vector<std::uint8_t> structure_of(Connectivity connectivity) {
    std::vector<std::uint8_t> structure(27, 1);
    for (int i = 0; i < 27 && connectivity == Connectivity::four; ++i) {
        const int away = std::abs(i / 9 - 1) + std::abs(i / 3 % 3 - 1) + std::abs(i % 3 - 1);
        structure[static_cast<std::size_t>(i)] = away <= 1;
    }
    return structure;
}

LabelledVolume labelled(const VolumeCall& volume, const std::vector<std::byte>& mask,
                        const PerVolumeAxis<std::int64_t>& size, Connectivity connectivity) {
    LabelledVolume made{size, Labels(mask.size()), {}};
    const LabelJob job{{Number::u8, {size.begin(), size.end()}}, structure_of(connectivity), Number::i32};
    const std::int64_t found =
        run_array_job(volume, job, mask, std::as_writable_bytes(std::span(made.labels)));
    made.objects.resize(static_cast<std::size_t>(found));
    const std::int32_t* at = made.labels.data();
    for (std::int64_t z = 0; z < size[0]; ++z) {
        for (std::int64_t y = 0; y < size[1]; ++y, at += size[2]) {
            for (std::int64_t x = 0; x < size[2];) {
                const std::int32_t label = at[x];
                const std::int64_t begin = x;
                while (x < size[2] && at[x] == label) {
                    ++x;
                }
                if (label != 0) {
                    made.objects[static_cast<std::size_t>(label) - 1].add_run(z, y, begin, x - begin);
                }
            }
        }
    }
    return made;
}

/// The background that no way leads out of becomes part of the objects.
void fill_holes(const VolumeCall& volume, const Components& op, const PerVolumeAxis<std::int64_t>& size,
                std::vector<std::byte>& mask) {
    std::vector<std::byte> background(mask.size());
    std::ranges::transform(mask, background.begin(), [](std::byte value) { return value ^ std::byte{1}; });
    const LabelledVolume parts = labelled(volume, background, size, other(op.connectivity));
    for (std::size_t i = 0; i < mask.size(); ++i) {
        const std::int32_t label = parts.labels[i];
        if (label != 0 && !parts.objects[static_cast<std::size_t>(label) - 1].touches(size)) {
            mask[i] = std::byte{1};
        }
    }
}

/// The objects that a call keeps, numbered anew.
void choose(const Components& op, LabelledVolume& volume) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < volume.objects.size(); ++i) {
        const VolumeObject& object = volume.objects[i];
        if (object.count >= op.min_area.value_or(1) && object.count <= op.max_area.value_or(INT32_MAX) &&
            !(op.clear_border && object.touches(volume.size))) {
            kept.push_back(i);
        }
    }
    if (op.largest && kept.size() > static_cast<std::size_t>(*op.largest)) {
        std::ranges::stable_sort(kept, std::greater(),
                                 [&](std::size_t i) { return volume.objects[i].count; });
        kept.resize(static_cast<std::size_t>(*op.largest));
        std::ranges::sort(kept);
    }
    std::vector<std::int32_t> numbers(volume.objects.size() + 1);
    std::vector<VolumeObject> left;
    for (const std::size_t i : kept) {
        left.push_back(volume.objects[i]);
        numbers[i + 1] = static_cast<std::int32_t>(left.size());
    }
    for (std::int32_t& label : volume.labels) {
        label = numbers[static_cast<std::size_t>(label)];
    }
    volume.objects = std::move(left);
}

LabelledVolume objects_in(const Components& op, const VolumeCall& volume, const VolumePart& part) {
    const Form& plane = part.planes.front()->form();
    const PerVolumeAxis<std::int64_t> size{static_cast<std::int64_t>(part.planes.size()), plane.height,
                                           plane.width};
    std::vector<std::byte> mask = mask_of(op, part);
    if (op.fill_holes) {
        fill_holes(volume, op, size, mask);
    }
    LabelledVolume made = labelled(volume, mask, size, op.connectivity);
    choose(op, made);
    return made;
}

std::vector<Image> painted_planes(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Components>(call);
    const LabelledVolume made = objects_in(op, volume, part);
    const Form form = painted_form(op, part.planes.front()->form());
    if (op.output == ComponentsOutput::labels) {
        check_16_bits(made.objects.size());
    }
    const double white = op.output == ComponentsOutput::labels ? 0
                         : form.depth == Depth::f32            ? 1
                                                               : max_code(form.depth);
    std::vector<double> values(made.labels.size());
    std::ranges::transform(made.labels, values.begin(),
                           [&](std::int32_t label) { return white == 0 || label == 0 ? label : white; });
    return rounded_planes(values, part, form.depth);
}

struct ColumnOfObjects {
    TableColumn as;
    std::function<TableCell(const VolumeObject&)> cell;
};

/// In voxels, or in the unit of the file.
std::vector<ColumnOfObjects> columns_of(ComponentMeasure measure, const VolumeCall& volume,
                                        const PerVolumeAxis<std::int64_t>& size) {
    const PerVolumeAxis<double> step = volume.spacing;
    const bool is_whole = step == PerVolumeAxis<double>{1, 1, 1};
    const auto number = [is_whole](double value) {
        return is_whole ? TableCell(static_cast<std::int64_t>(value)) : TableCell(value);
    };
    const ColumnType type = is_whole ? ColumnType::whole : ColumnType::real;
    std::vector<ColumnOfObjects> columns;
    const auto add_axes = [&](std::array<const char*, 3> names, ColumnType of, const auto& cell) { // x first
        for (std::size_t i = 0; i < 3; ++i) {
            columns.push_back({{names[i], of, volume.unit},
                               [cell, axis = 2 - i](const VolumeObject& o) { return cell(o, axis); }});
        }
    };
    switch (measure) {
    case ComponentMeasure::area:
        columns.push_back({{"volume", type, volume.unit.empty() ? "voxels" : volume.unit + "³"},
                           [=](const VolumeObject& o) {
                               return number(static_cast<double>(o.count) * step[0] * step[1] * step[2]);
                           }});
        break;
    case ComponentMeasure::box:
        add_axes({"left", "top", "front"}, type, [=](const VolumeObject& o, std::size_t axis) {
            return number(static_cast<double>(o.first[axis]) * step[axis]);
        });
        add_axes({"width", "height", "depth"}, type, [=](const VolumeObject& o, std::size_t axis) {
            return number(static_cast<double>(o.last[axis] - o.first[axis] + 1) * step[axis]);
        });
        break;
    case ComponentMeasure::centroid:
        add_axes({"x", "y", "z"}, ColumnType::real, [=](const VolumeObject& o, std::size_t axis) {
            return TableCell(static_cast<double>(o.sums[axis]) / static_cast<double>(o.count) * step[axis]);
        });
        break;
    case ComponentMeasure::touches:
        columns.push_back(
            {{"touches"}, [=](const VolumeObject& o) { return TableCell(std::int64_t{o.touches(size)}); }});
        break;
    default:
        throw Error(ErrorCode::usage, fmt::format("--volume does not measure {}", name_of(measure)),
                    "--measure area,box,centroid,touches");
    }
    return columns;
}

Report objects_report(const Operation& call, const VolumeCall& volume, const VolumePart& part,
                      const std::string& name) {
    const auto& op = parameters_of<Components>(call);
    const auto made = std::make_shared<const std::vector<VolumeObject>>(objects_in(op, volume, part).objects);
    const Form& plane = part.planes.front()->form();
    const PerVolumeAxis<std::int64_t> size{static_cast<std::int64_t>(part.planes.size()), plane.height,
                                           plane.width};
    std::vector<ColumnOfObjects> columns;
    for (const ComponentMeasure measure : op.measure) {
        std::ranges::move(columns_of(measure, volume, size), std::back_inserter(columns));
    }
    Table table{{{"label"}}, {}};
    for (const ColumnOfObjects& column : columns) {
        table.columns.push_back(column.as);
    }
    table.rows = [made, columns](const TakeRow& take) {
        std::vector<TableCell> row(columns.size() + 1);
        for (std::size_t i = 0; i < made->size(); ++i) {
            row[0] = static_cast<std::int64_t>(i + 1);
            std::ranges::transform(columns, row.begin() + 1,
                                   [&](const auto& column) { return column.cell((*made)[i]); });
            take(row);
        }
    };
    return report_of(
        {{"schema", {"glproc.components-volume/1"}},
         {"input", {name}},
         {"width", {size[2]}},
         {"height", {size[1]}},
         {"depth", {size[0]}},
         {"count", {static_cast<std::int64_t>(made->size())}}},
        "components", std::move(table),
        fmt::format("{}  {}x{}x{}  {}", name, size[2], size[1], size[0], counted(made->size(), "component")));
}

/// Parameters that only images have.
void refuse_others(const Components& op) {
    const auto refuse = [](const char* flag) {
        throw Error(ErrorCode::usage, fmt::format("--{} is for single images", flag),
                    "leave --volume or it out");
    };
    if (op.overlay.image || !op.overlay.path.empty()) {
        refuse("overlay");
    }
    if (op.with.image || !op.with.path.empty()) {
        refuse("with");
    }
    if (op.keep) {
        refuse("keep");
    }
}

} // namespace

const InVolume& components_in_volume() {
    static const InVolume made{.around = [](const Operation& call, const VolumeCall& volume,
                                            const Form& plane) -> std::optional<int> {
                                   const auto& op = parameters_of<Components>(call);
                                   check_volume(plane, {});
                                   refuse_others(op);
                                   for (const ComponentMeasure measure : op.measure) {
                                       columns_of(measure, volume, {});
                                   }
                                   return std::nullopt;
                               },
                               .run = &painted_planes,
                               .report = &objects_report,
                               .knows_spacing = true};
    return made;
}

} // namespace glproc
