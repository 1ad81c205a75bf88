#include "glproc/op/describe.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/described.hpp"
#include "glproc/op/swept.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace glproc {

DescribeAny::DescribeAny(const OpType& type, std::string name, std::string summary, std::string example)
    : described_(std::make_shared<Described>()) {
    described_->type = type;
    info().name = std::move(name);
    info().summary = std::move(summary);
    info().example = std::move(example);
}

DescribeAny::~DescribeAny() = default;

OpInfo& DescribeAny::info() {
    return described_->info;
}

void DescribeAny::add_field(std::string_view name, std::ptrdiff_t member, const FieldType& type,
                            const FieldSpec& spec) {
    std::string standard(spec.standard);
    if (!spec.required && standard.empty()) {
        const AnyOp op(described_->type.make(), described_->type.destroy);
        standard = type.print(member_at(op.get(), member));
    }
    info().fields.push_back({.name = std::string(name),
                             .value = std::string(spec.value),
                             .unit = std::string(spec.unit),
                             .range = type.range(spec.limit),
                             .default_value = spec.required ? "" : std::move(standard),
                             .help = std::string(spec.help),
                             .required = spec.required,
                             .alias = std::string(spec.alias),
                             .contradicts = std::string(spec.contradicts),
                             .choices = type.choices(),
                             .needs = std::string(spec.needs),
                             .reads_picture = &type == &field_type<PictureInput>,
                             .names_picture = &type == &field_type<PictureFile>,
                             .names_array = &type == &field_type<ArrayFile>,
                             .is_place = spec.place,
                             .implied = std::string(spec.implied),
                             .kind = type.kind,
                             .values = type.values,
                             .limit = spec.limit,
                             .slider = slider_of(spec, type.kind),
                             .is_level = type.is_level,
                             .holds_places = spec.holds_places,
                             .size_powers = spec.size_powers});
    described_->setters.push_back([member, parse = type.parse, name = std::string(name),
                                   unit = std::string(spec.unit), limit = spec.limit,
                                   implied = std::string(spec.implied)](void* op, std::string_view text) {
        parse(member_at(op, member), {name, unit, limit}, text.empty() ? implied : text);
    });
    if (&type == &field_type<PictureInput>) {
        described_->pictures.push_back(member);
        described_->holds_numbers.push_back(spec.holds_numbers);
    }
    if (&type == &field_type<ArrayFile>) {
        described_->arrays.push_back(member);
    }
    if (type.into_light != nullptr) {
        described_->colours.push_back([member, into_light = type.into_light](void* op) { into_light(member_at(op, member)); });
    }
}

void DescribeAny::add_srgb(std::function<bool(const void* op)> does) { described_->takes_srgb = std::move(does); }

void DescribeAny::add_toggle(std::string_view name, std::ptrdiff_t member,
                             std::function<void(void* value)> set, const SwitchSpec& spec) {
    FieldInfo& field = info().fields.emplace_back();
    field.name = name;
    field.help = spec.help;
    field.contradicts = spec.contradicts;
    field.needs = spec.needs;
    field.alias = spec.alias;
    field.kind = FieldKind::toggle;
    described_->setters.push_back(
        [member, set = std::move(set), name = std::string(name)](void* op, std::string_view text) {
            if (!text.empty()) {
                throw Error(ErrorCode::usage, fmt::format("--{} takes no value", name));
            }
            set(member_at(op, member));
        });
}

void DescribeAny::add_method(std::ptrdiff_t member, const FieldType& type, BenchInfo& bench) {
    const std::vector<FieldInfo>& fields = info().fields;
    const bool is_taken = std::any_of(fields.begin(), fields.end(), [](const FieldInfo& known) {
        return known.name == "method" || known.alias == "method";
    });
    add_field(is_taken ? "variant" : "method", member, type,
              {.value = "M", .help = "algorithm", .alias = is_taken ? "" : "variant"});
    if (!bench.ladders.empty()) {
        return;
    }
    bench.size = "2448x1505";
    const bool needs_file = std::any_of(fields.begin(), fields.end(), [](const FieldInfo& known) {
        return known.required && known.value == "FILE"; // which `bench` does not have
    });
    if (!needs_file) {
        bench.ladders = {{.title = fmt::format("{} of a random {} RGBA8 image, ms", info().name, bench.size),
                          .columns = {{bench.size, bench.size, settings_in(info().example)}}}};
    }
}

void DescribeAny::begin_bench(BenchInfo bench, std::string_view field) {
    info().bench = std::move(bench);
    info().bench.field = field;
}

void DescribeAny::add_variant(const Variants& of, std::size_t row, std::string_view name,
                              std::string_view when, bool is_automatic) {
    using Call = Described::Call;
    BenchVariant variant;
    variant.name = name;
    variant.when = when;
    variant.unavailable = [of, row](const Operation& call, Context& gpu,
                                    const OpInput& input) -> std::optional<std::string> {
        if (!of.unavailable) {
            return std::nullopt;
        }
        const AnyOp op = static_cast<const Call&>(call).with(of, row);
        return of.unavailable(op.get(), gpu, input);
    };
    variant.make = [of, row](const Operation& call, Context& gpu, const OpInput& input) {
        const AnyOp op = static_cast<const Call&>(call).with(of, row);
        return of.make(op.get(), gpu, input);
    };
    (is_automatic ? info().bench.automatic : info().bench.variants).push_back(std::move(variant));
}

DescribeAny::Variants DescribeAny::variants_by(PlanOf plan) {
    return {.unavailable =
                [plan](const void* op, Context& gpu, const OpInput& any) {
                    const auto& input = std::get<ImageInput>(any);
                    return why_not_measured(gpu, input, plan(op, input.image.form()));
                },
            .make =
                [plan](const void* op, Context& gpu, const OpInput& any) {
                    const auto& input = std::get<ImageInput>(any);
                    return plan_workload(gpu, input, plan(op, input.image.form()));
                }};
}

void DescribeAny::add_rows(Rows rows) {
    described_->rows = std::move(rows);
}

void DescribeAny::add_box(Shrinking shrinking) {
    described_->shrinking = std::move(shrinking);
}

void DescribeAny::add_joined(std::ptrdiff_t member) {
    described_->joined = member;
    described_->info.joins = true;
}

void DescribeAny::add_profiling(Profiling profiling) {
    described_->profiling = std::move(profiling);
}

void DescribeAny::add_numbers(std::function<bool(const void* op)> does) {
    described_->reads_numbers = std::move(does);
}

void DescribeAny::add_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants) {
    described_->facts = member;
    described_->wants_facts = std::move(wants);
}

void DescribeAny::add_joined_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants) {
    add_facts(member, std::move(wants));
    described_->knows_each = true;
}

void DescribeAny::add_alone(Alone alone) {
    described_->alone = std::move(alone);
}

OpInfo DescribeAny::finish(Input input, Product product, Run run) {
    info().input = input;
    info().product = product;
    described_->run = std::move(run);
    OpInfo result = info();
    result.make = [described = std::shared_ptr<const Described>(described_)] {
        return std::make_unique<Described::Call>(described);
    };
    return result;
}

OpInfo DescribeAny::finish(PlanOf plan) {
    described_->plan = plan;
    return finish(Input::image, Product::image, nullptr);
}

DescribeAny::Rows DescribeAny::rows_by(const std::shared_ptr<const Sweeping>& of) {
    return {.grid =
                [of](const void* op, Context& gpu, const Form& form) {
                    return plan_grid(gpu, form, of->plan(op, form).needs(gpu));
                },
            .run =
                [of](const void* op, Context& gpu, const RowsInput& input, RowWriter* to) {
                    std::optional<Report> report;
                    of->by_method(op, gpu, input.source.form, [&](const SweepPlan& plan) {
                        const SweepResult result = run_sweeps(gpu, plan, input.source, to, input.progress);
                        if (plan.report && (to == nullptr || input.wants_report)) {
                            report = plan.report(gpu, *result.states.back(), input.name);
                        }
                    });
                    return report;
                },
            .array = [of](const void* op, const Form& form) { return of->plan(op, form).array.value(); },
            .form = [of](const void* op, const Form& form) {
                return of->plan(op, form).sweeps.back().makes.value_or(form);
            }};
}

DescribeAny::Run DescribeAny::run_by(const std::shared_ptr<const Sweeping>& of) {
    return [of](const void* op, Context& gpu, const OpInput& any) {
        const auto& input = std::get<ImageInput>(any);
        Products made;
        of->by_method(op, gpu, input.image.form(), [&](const SweepPlan& plan) {
            SweepResult result = run_sweeps(gpu, plan, input.image, &input.pixels);
            made.array = std::move(result.array);
            made.picture = std::move(result.picture);
            if (plan.report && (input.wants_report || !(made.array || made.picture))) {
                made.report = plan.report(gpu, *result.states.back(), input.name);
            }
        });
        return made;
    };
}

/// For chains. `op` outlives the plan.
Plan DescribeAny::plan_by(const std::shared_ptr<const Sweeping>& of, const void* op, const Form& form) {
    Swept swept{.sweeps = [of, op](const Form& any) { return of->plan(op, any); }};
    if (of->alone.make && of->alone.can(op, form, false)) {
        swept.by_processor = [of, op](const Image& source) { return std::move(of->alone.make(op, {}, source).picture.value()); };
    }
    return swept_plan(form, std::move(swept));
}

OpInfo DescribeAny::finish(Product product, Sweeping sweeping) {
    const auto of = std::make_shared<const Sweeping>(std::move(sweeping));
    add_rows(rows_by(of));
    if (of->alone.make) {
        add_alone(of->alone);
    }
    return finish(Input::image, product, run_by(of));
}

void DescribeAny::add_other(Product product, std::string example, Sweeping sweeping) {
    const auto of = std::make_shared<const Sweeping>(std::move(sweeping));
    const auto other = std::make_shared<Described>(*described_);
    other->info.product = product;
    other->info.example = std::move(example);
    other->info.others.clear();
    other->rows = rows_by(of);
    other->run = run_by(of);
    if (of->alone.make) {
        other->alone = of->alone;
    }
    if (product == Product::image) {
        other->plan = [of](const void* op, const Form& form) { return plan_by(of, op, form); };
    }
    OpInfo as = other->info;
    as.make = [described = std::shared_ptr<const Described>(other)] {
        return std::make_unique<Described::Call>(described);
    };
    info().others.push_back(std::move(as));
}

} // namespace glproc
