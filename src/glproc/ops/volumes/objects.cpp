#include "glproc/ops/volumes/objects.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/runs.hpp"
#include "glproc/ops/volumes/volume.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Along planes, columns and rows.
struct VolumeObject {
    std::int64_t count = 0;
    PerVolumeAxis<std::int64_t> first{};
    PerVolumeAxis<std::int64_t> last{};
    PerVolumeAxis<std::int64_t> sums{};

    void add_run(std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end) {
        const PerVolumeAxis<std::int64_t> at{z, y, begin};
        const PerVolumeAxis<std::int64_t> to{z, y, end - 1};
        for (std::size_t i = 0; i < at.size(); ++i) {
            first[i] = count == 0 ? at[i] : std::min(first[i], at[i]);
            last[i] = std::max(last[i], to[i]);
            sums[i] += (end - begin) * (at[i] + to[i]) /
                       2; // exact: both ends add up to an odd number in even runs alone
        }
        count += end - begin;
    }
    bool touches(const PerVolumeAxis<std::int64_t>& size) const {
        bool any = false;
        for (std::size_t i = 0; i < size.size(); ++i) {
            any = any || first[i] == 0 || last[i] == size[i] - 1;
        }
        return any;
    }
};

/// The objects of a volume, whose planes are kept as runs.
class VolumeObjects {
  public:
    VolumeObjects(const Components& op, const VolumePart& part)
        : size_{static_cast<std::int64_t>(part.planes.size()), part.planes.front()->height(),
                part.planes.front()->width()} {
        HostMask mask = objects_of(op, part.planes);
        if (op.fill_holes) {
            fill_holes(op, mask);
        }
        const int planes = static_cast<int>(size_[0]);
        runs_ = std::make_unique<MaskRuns>(mask, op.connectivity, planes);
        choose(op, measured(*runs_));
    }

    const PerVolumeAxis<std::int64_t>& size() const { return size_; }
    /// Those that are kept, in the order of their labels.
    const std::vector<VolumeObject>& kept() const { return kept_; }

    /// The values of a plane, value_of(i) for label i.
    template <class T, class ValueOf>
    void paint(std::size_t plane, std::span<T> values, const ValueOf& value_of) const {
        const auto rows = static_cast<int>(size_[1]);
        std::vector<std::uint32_t> labels(values.size());
        runs_->write_labels(labels, static_cast<int>(plane) * rows, rows, numbers_);
        std::ranges::transform(labels, values.begin(), [&](std::uint32_t label) {
            return static_cast<T>(label == 0 ? 0 : value_of(label));
        });
    }

  private:
    std::vector<VolumeObject> measured(const MaskRuns& runs) const {
        std::vector<VolumeObject> objects(runs.count());
        runs.for_runs([&](std::int64_t row, std::int32_t begin, std::int32_t end, std::int32_t label) {
            objects[static_cast<std::size_t>(label) - 1].add_run(row / size_[1], row % size_[1], begin, end);
        });
        return objects;
    }

    /// All that is not background outside.
    void fill_holes(const Components& op, HostMask& mask) const {
        const MaskRuns background(inverted(std::move(mask)), other(op.connectivity),
                                  static_cast<int>(size_[0]));
        std::vector<std::uint32_t> outside;
        for (const VolumeObject& part : measured(background)) {
            outside.push_back(part.touches(size_) ? 1 : 0);
        }
        mask = inverted(background.mask(outside));
    }

    /// The objects that a call keeps, numbered anew.
    void choose(const Components& op, const std::vector<VolumeObject>& found) {
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i].count >= op.min_area.value_or(1) &&
                found[i].count <= op.max_area.value_or(INT32_MAX) &&
                !(op.clear_border && found[i].touches(size_))) {
                kept.push_back(i);
            }
        }
        if (op.largest && kept.size() > static_cast<std::size_t>(*op.largest)) {
            std::ranges::stable_sort(kept, std::greater(), [&](std::size_t i) { return found[i].count; });
            kept.resize(static_cast<std::size_t>(*op.largest));
            std::ranges::sort(kept);
        }
        numbers_.resize(found.size());
        for (const std::size_t i : kept) {
            kept_.push_back(found[i]);
            numbers_[i] = static_cast<std::uint32_t>(kept_.size());
        }
    }

    PerVolumeAxis<std::int64_t> size_;
    std::unique_ptr<MaskRuns> runs_;
    std::vector<std::uint32_t> numbers_; ///< for all objects, or 0
    std::vector<VolumeObject> kept_;
};

MakePlane painted_planes(const Operation& call, const VolumeCall& /*volume*/, const VolumePart& part) {
    const auto& op = parameters_of<Components>(call);
    const auto objects = std::make_shared<const VolumeObjects>(op, part);
    const Form form = painted_form(op, part.planes.front()->form());
    const bool has_labels = op.output == ComponentsOutput::labels;
    if (has_labels) {
        check_16_bits(objects->kept().size());
    }
    return [objects, form, has_labels](std::size_t plane) {
        Image painted(form);
        const auto code = [&](std::uint32_t label) {
            return has_labels ? label : static_cast<std::uint32_t>(max_code(form.depth));
        };
        switch (form.depth) {
        case Depth::u8:
            objects->paint(plane, painted.values<std::uint8_t>(), code);
            break;
        case Depth::u16:
            objects->paint(plane, painted.values<std::uint16_t>(), code);
            break;
        case Depth::f32:
            objects->paint(plane, painted.values<float>(), [](std::uint32_t) { return 1; });
            break;
        }
        return painted;
    };
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
    const VolumeObjects objects(op, part);
    const PerVolumeAxis<std::int64_t> size = objects.size();
    const auto made = std::make_shared<const std::vector<VolumeObject>>(objects.kept());
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
