#include "glproc/kinds/point.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/point_stage.hpp"
#include "glproc/kinds/point_twin.hpp"
#include "glproc/kinds/twin.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

namespace {

/// Whether parameters that a kernel searches are uniforms, or lie in a buffer.
constexpr auto searches_uniforms = tuning<bool>(
    {{"llvmpipe", any_radius, true,
      "2048x2048, 16 bits, curve of four points: from a buffer 152 ms, from uniforms 102 (llvmpipe, Mesa "
      "22.3.6, two cores, 2026-11-23)"},
     {"", any_radius, false,
      "8192x8192, 16 bits, curve of four points: from a buffer 0.83 ms, from uniforms 1.15, as the lanes of "
      "a warp read different uniforms one at a time (NVIDIA H200, driver 580.159.04, 2026-11-23)"}});

/// Rows of an invocation of kinds/table.comp.
constexpr auto rows_looked_up =
    tuning<int>({{"llvmpipe", any_radius, 1,
                  "2048x2048 RGBA8, levels: 26 ms with 1 row an invocation in groups of 32 x 8, 39 in groups "
                  "of 8 x 32 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-23)"},
                 {"", any_radius, 8,
                  "8192x8192 RGBA8, levels: 1, 2, 4 and 8 rows an invocation take 0.206, 0.179, 0.175 and "
                  "0.166 ms (NVIDIA H200, driver 580.159.04, 2026-11-23)"}});

/// The parameters of a point operation on the GPU.
class Parameters {
  public:
    Parameters(Context& gpu, const Point& point) : gpu_(gpu), point_(point), values_(point.params) {
        for (const Point& step : point.steps) {
            values_.insert(values_.end(), step.params.begin(), step.params.end());
            values_.resize(values_.size() + params_room(step) - step.params.size());
        }
        constexpr std::size_t most_uniforms = 128; // eight operations of 16
        if (!values_.empty() && values_.size() <= most_uniforms && can_be_uniforms()) {
            uniforms_ = std::max(params_room(point), values_.size());
        }
    }

    /// PARAMS of kinds/point.comp and kinds/point_table.comp: how many uniforms, none where they are in a
    /// buffer.
    std::string uniforms() const { return text(static_cast<int>(uniforms_)); }

    void supply(Pass& pass) {
        if (uniforms_ > 0) {
            pass.set("u_params", values_);
        } else {
            pass.reads("b_params", buffer());
        }
    }

  private:
    bool can_be_uniforms() const {
        const bool searched = tuned(searches_uniforms, gpu_.device());
        const auto can = [&](const Point& step) { return !step.computed && (searched || !step.searches); };
        return can(point_) && std::all_of(point_.steps.begin(), point_.steps.end(), can);
    }

    const Buffer& buffer() {
        if (point_.computed) {
            return *point_.computed;
        }
        if (!buffer_) {
            fill_buffer();
        }
        return *buffer_;
    }

    void fill_buffer() {
        std::vector<float> values = values_;
        values.resize(std::max<std::size_t>(values.size(), 1)); // a buffer has at least one value
        buffer_.emplace(gpu_.make_buffer(values.size() * sizeof(float), "parameters"));
        buffer_->write(values);
        std::size_t first = 0;
        for (const Point& step : point_.steps) {
            if (step.computed) {
                buffer_->copy_from(*step.computed, 0, first * sizeof(float), step.computed->bytes());
            }
            first += params_room(step);
        }
    }

    Context& gpu_;
    const Point& point_;
    std::vector<float> values_;
    std::size_t uniforms_ = 0;
    std::optional<Buffer> buffer_;
};

/// How colours come in: ENTRY of kinds/point.comp.
std::string entry_of(const Point& point, Depth source) {
    return text(!point.enters ? 0 : source == Depth::u8 ? 1 : 2);
}

constexpr std::size_t table_bytes = 256 * sizeof(std::uint32_t);

/// The tables in which the operation looks up its results, one after another.
Buffer make_tables(Context& gpu, const Point& point, Parameters& params) {
    Buffer tables = gpu.make_buffer(point.tables.size() * table_bytes, "point.tables");
    for (std::size_t i = 0; i < point.tables.size(); ++i) {
        Pass pass = gpu.pass(point.name + ".table", "kinds/point_table.comp",
                             {{"OPERATION", point.tables[i]},
                              {"SRC_DEPTH", "8"},
                              {"DST_DEPTH", "8"},
                              {"ENTRY", point.enters && point.steps.empty() ? "2" : "0"},
                              {"PARAMS", params.uniforms()}});
        params.supply(pass);
        pass.writes("b_codes", tables, {i * table_bytes, table_bytes}).groups(1);
    }
    return tables;
}

void look_up(Context& gpu, const Point& point, const GpuImage& source, const Buffer& tables, GpuImage& dst) {
    const int rows = tuned(rows_looked_up, gpu.device());
    gpu.pass(point.name, "kinds/table.comp",
             {{"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", "8"},
              {"ROWS", text(rows)},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .reads("b_codes", tables)
        .writes("i_dst", dst)
        .over(source.texture().width(), covering(source.height(), rows));
}

bool is_placed(const Point& point) {
    return point.placed || std::ranges::any_of(point.steps, &Point::placed);
}

/// As many pixels as fill whole texels of all images: an invocation makes them.
int pixels_of_unit(const Form& source, const Form& result, const Point& point) {
    const int second = point.second ? pixels_per_texel(point.second->image->form()) : 1;
    return std::max({pixels_per_texel(source), pixels_per_texel(result), second});
}

/// The units of a part that are to be computed.
struct Units {
    Int2 first{0, 0};
    Int2 count{0, 0};
    bool leaves_rest = false; ///< which is as the source
};

/// Where a second image covers little, as a watermark does, the rest is copied.
Units units_of(const Point& point, const Part& part, const Form& result, const Rect& covered) {
    const GpuImage& source = part.image;
    const int pixels = pixels_of_unit(source.form(), result, point);
    const Int2 all{covering(source.width(), pixels), source.height()};
    const bool keeps_form = source.form().channels == result.channels && source.depth() == result.depth;
    if (!point.second || !point.steps.empty() || !keeps_form) {
        return {.count = all};
    }
    const Int2 first{(covered.x - part.rect.x) / pixels, covered.y - part.rect.y};
    const int end = covering(covered.right() - part.rect.x, pixels);
    const Int2 count = covered.width == 0 ? Int2{0, 0} : Int2{end - first[0], covered.height};
    const bool is_small = std::int64_t{2} * count[0] * count[1] < std::int64_t{all[0]} * all[1];
    return is_small ? Units{first, count, true} : Units{.count = all};
}

GpuImage run_point(Context& gpu, const Part& part, const Form& result, const Point& point) {
    const GpuImage& source = part.image;
    std::optional<SecondPart> second;
    if (point.second) {
        second.emplace(second_part(gpu, *point.second, part.rect)); // it refers to what the context keeps
    }
    const Units units = units_of(point, part, result, second ? second->covered : part.rect);
    const Form form{source.width(), source.height(), result.channels, result.depth};
    GpuImage dst = units.leaves_rest ? gpu.copy(source, "result") : gpu.make_image(form, "result");
    if (units.count[0] == 0 || units.count[1] == 0) {
        return dst;
    }
    Parameters params(gpu, point);
    std::optional<Buffer> tables;
    if (!point.tables.empty()) {
        tables.emplace(make_tables(gpu, point, params));
    }
    if (point.glsl.empty()) {
        look_up(gpu, point, source, *tables, dst);
        return dst;
    }
    Defines defines = point.defines;
    defines.merge(Defines{
        {"OPERATION", point.glsl},
        {"CHANNELS", text(source.stored_channels())},
        {"DST_CHANNELS", text(dst.stored_channels())},
        {"SRC_DEPTH", text(static_cast<int>(source.depth()))},
        {"DST_DEPTH", text(static_cast<int>(dst.depth()))},
        {"FETCHED", fetched(gpu.device())},
        {"PARAMS", params.uniforms()},
        {"ENTRY", entry_of(point, source.depth())},
        {"NANS", text(point.finite && source.depth() != Depth::f32 && dst.depth() != Depth::f32 ? 0 : 1)},
        {"TABLES", text(static_cast<int>(point.tables.size()))},
        {"SECOND", text(point.second ? stored_channels(point.second->image->channels()) : 0)}});
    Pass pass = gpu.pass(point.name, "kinds/point.comp", defines);
    if (is_placed(point) || point.second) {
        pass.set("u_first", Int2{part.rect.x, part.rect.y});
    }
    if (point.second) {
        pass.reads("i_second", second->image)
            .set("u_second_first", second->first)
            .set("u_first_unit", units.first)
            .set("u_covered_first", Int2{second->covered.x, second->covered.y})
            .set("u_covered_end", Int2{second->covered.right(), second->covered.bottom()});
    }
    if (tables) {
        pass.reads("b_codes", *tables);
    }
    params.supply(pass);
    pass.reads("i_src", source)
        .writes("i_dst", dst)
        .over(units.count[0], units.count[1]);
    return dst;
}

/// By the processor.
GpuImage run_twin(Context& gpu, const Part& part, const Form& result, const std::shared_ptr<const Point>& point) {
    const Image source = gpu.download(part.image);
    ImageRows made({source.width(), source.height(), result.channels, result.depth});
    point_by_processor(source.form(), point, {part.rect.x, part.rect.y})(*rows_of(source).open(), made);
    return gpu.upload(made.image(), "result");
}

/// Whether a table can do it.
bool is_table(const Point& point, const Form& source, const Form& result) {
    return point.channelwise && source.depth == Depth::u8 && result.depth == Depth::u8 &&
           stored_channels(source.channels) == stored_channels(result.channels);
}

} // namespace

float code_unit(const Form& form) {
    return form.depth == Depth::f32 ? 0 : static_cast<float>(max_code(form.depth));
}

void add_two_floats(std::vector<float>& params, double value) {
    const auto high = static_cast<float>(value);
    params.insert(params.end(), {high, static_cast<float>(value - double{high})});
}

Form point_result(const Form& form, const Point& point) {
    return {form.width, form.height, point.channels == 0 ? form.channels : point.channels, point.depth.value_or(form.depth)};
}

Plan point_plan(const Form& form, Point point) {
    const Form result = point_result(form, point);
    const auto shared = std::make_shared<const Point>(point);
    Plan plan{.shape = {.source = form, .result = result}, .twin = {.run = point_by_processor(form, shared)}};
    plan.work.needs = [form, result, point = shared](Context&) {
        const Form& second = point->second ? point->second->image->form() : form;
        const double second_bytes = point->second ? 16.0 / pixels_per_texel(second) : 0;
        return TileNeeds{
            .what = point->name,
            .grain = {pixels_of_unit(form, result, *point), 1},
            .texel_pixels =
                std::min({pixels_per_texel(form), pixels_per_texel(result), pixels_per_texel(second)}),
            .pixel_bytes = 16.0 / pixels_per_texel(form) + 16.0 / pixels_per_texel(result) + second_bytes,
            .pixel_work = 8};
    };
    if (point.method == PointMethod::cpu) {
        if (!plan.twin.run) {
            fail_without_twin(point.glsl);
        }
        plan.work.on_cpu = true;
        plan.work.run = [result, shared](Context& gpu, const Part& source, const Rect&) {
            return run_twin(gpu, source, result, shared);
        };
        return plan;
    }
    plan.work.point = shared;
    plan.twin.only_proves = point.method == PointMethod::gpu;
    if (point.steps.empty() && !point.quick && is_table(point, form, result)) {
        point.tables = {std::exchange(point.glsl, "")};
    }
    plan.work.run = [result, point = std::move(point)](Context& gpu, const Part& source, const Rect&) {
        return run_point(gpu, source, result, point);
    };
    return plan;
}

Plan point_plan(const Form& form, Point point,
                std::function<Point(Context&, const Look&, const TileProgress&)> look) {
    Plan plan = point_plan(form, std::move(point));
    plan.look.at = [form, look = std::move(look)](Context& gpu, const Look& picture,
                                                  const TileProgress& progress) {
        return point_plan(form, look(gpu, picture, progress));
    };
    return plan;
}

namespace {

/// Defines hold for a whole kernel, so only one way of one file may be chosen by them.
bool choose_alike(const Point& a, const Point& b) {
    return a.defines.empty() || b.defines.empty() || (a.glsl == b.glsl && a.defines == b.defines);
}

} // namespace

bool can_join(const std::vector<Plan>& before, const Plan& next) {
    const Plan& last = before.back();
    if (!last.work.point || !next.work.point || last.look.at || next.look.at) {
        return false;
    }
    return last.shape.source.depth == last.shape.result.depth &&
           last.shape.source.depth == next.shape.result.depth &&
           std::all_of(before.begin(), before.end(), [&](const Plan& plan) {
               return plan.work.point && choose_alike(*plan.work.point, *next.work.point) &&
                      !(plan.work.point->second && next.work.point->second);
           });
}

Plan joined_plan(const std::vector<Plan>& plans) {
    if (plans.size() == 1) {
        return plans.front();
    }
    const Form& form = plans.front().shape.source;
    Point run;
    run.channels = plans.back().shape.result.channels;
    std::vector<PointStep> steps;
    for (const Plan& plan : plans) {
        const Point& point = *plan.work.point;
        run.name += (run.name.empty() ? "" : "+") + point.name;
        run.steps.push_back(point);
        run.second = point.second ? point.second : run.second;
        run.defines.insert(point.defines.begin(), point.defines.end());
        steps.push_back({point.glsl, params_room(point), stored_channels(plan.shape.result.channels),
                         is_table(point, plan.shape.source, plan.shape.result), point.quick, point.enters});
    }
    run.finite =
        std::all_of(run.steps.begin(), run.steps.end(), [](const Point& step) { return step.finite; });
    const PointStages stages = register_stages(steps, form.depth == Depth::u8);
    run.glsl = stages.pixels;
    run.enters = stages.enters;
    run.tables = stages.tables;
    return point_plan(form, std::move(run));
}

} // namespace glproc
