#include "glproc/op/describe.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/op/swept.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace glproc {

namespace {

void* member_at(void* op, std::ptrdiff_t offset) {
    return static_cast<std::byte*>(op) + offset;
}

/// A parameter struct of any type.
using AnyOp = std::unique_ptr<void, void (*)(void*)>;

} // namespace

struct DescribeAny::Described {
    OpType type;
    OpInfo info;
    std::vector<std::function<void(void* op, std::string_view text)>> setters; ///< one for each field
    std::vector<std::ptrdiff_t> pictures; ///< the fields that are second pictures
    std::vector<std::ptrdiff_t> arrays;   ///< the fields that are files for arrays
    std::optional<std::ptrdiff_t> joined; ///< the member that gets the pictures after the first one
    std::optional<std::ptrdiff_t> facts;  ///< the member for facts of the picture's file
    bool knows_each = false;              ///< it has one of these for each picture that is joined
    std::function<bool(const void* op)> wants_facts = {};
    Rows rows;
    Shrinking shrinking;
    Profiling profiling;
    Measure measure;
    std::function<Plan(const void* op, const Form&)> plan = {}; ///< of operations that turn one picture into another
    Run run; ///< of all others, and where it makes more than the plan

    class Call;
};

class DescribeAny::Described::Call final : public Operation {
  public:
    explicit Call(std::shared_ptr<const Described> described)
        : described_(std::move(described)), op_(described_->type.make(), described_->type.destroy) {}

    void set(std::string_view field, std::string_view text) override {
        const std::vector<FieldInfo>& fields = described_->info.fields;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const FieldInfo& info = fields[i];
            if (info.name == field || (!info.alias.empty() && info.alias == field)) {
                refuse_contradiction(info);
                described_->setters[i](op_.get(), text);
                given_.push_back(info.name);
                return;
            }
        }
        throw Error(ErrorCode::usage, fmt::format("{} has no --{}", described_->info.name, field));
    }

    Products run(Context& gpu, const OpInput& input) const override {
        if (!described_->run) {
            const auto& source = std::get<ImageInput>(input);
            const Plan plan = settled(gpu, described_->plan(op(), source.image.form()), &source.image);
            Products made(run_whole(gpu, plan, source.image));
            if (source.wants_report && plan.report) {
                made.report = plan.report(source.name);
            }
            return made;
        }
        return described_->run(op(), gpu, input);
    }

    std::vector<PictureInput*> pictures() override {
        return named<PictureInput>(described_->pictures);
    }

    std::vector<ArrayFile*> arrays() override {
        return named<ArrayFile>(described_->arrays);
    }

    std::vector<PictureFacts*> facts() override {
        if (!described_->facts || !described_->wants_facts(op_.get())) {
            return {};
        }
        void* member = member_at(op_.get(), *described_->facts);
        if (!described_->knows_each) {
            return {static_cast<PictureFacts*>(member)};
        }
        auto& each = *static_cast<std::vector<PictureFacts>*>(member);
        each.resize(1 + joined()->size());
        std::vector<PictureFacts*> all;
        std::transform(each.begin(), each.end(), std::back_inserter(all), [](PictureFacts& one) { return &one; });
        return all;
    }

    std::vector<RowSource>* joined() override {
        return described_->joined ? static_cast<std::vector<RowSource>*>(member_at(op_.get(), *described_->joined)) : nullptr;
    }

    Plan plan(const Form& form) const override {
        if (!described_->plan) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} makes no image of an image", described_->info.name));
        }
        return described_->plan(op(), form);
    }

    bool by_processor(const Form& form) const override {
        if (!described_->plan) {
            return described_->measure.can && described_->measure.can(op());
        }
        const Plan plan = described_->plan(op(), form);
        return (plan.by_processor && !plan.processor_differs) || plan.look_by_processor;
    }

    bool by_processor_at_need(const Form& form) const override {
        return described_->plan && described_->plan(op(), form).processor_differs;
    }

    Report measure(const std::string& name, const Image& pixels) const override {
        return described_->measure.run(op(), name, pixels);
    }

    std::optional<Extent> box() const override {
        return described_->shrinking.box ? std::optional(described_->shrinking.box(op())) : std::nullopt;
    }

    std::unique_ptr<Operation> on_fraction(const Fraction& fraction) const override {
        auto call = std::make_unique<Call>(described_);
        call->op_.reset(described_->type.copy(op()));
        described_->shrinking.take(call->op_.get(), fraction);
        return call;
    }

    std::unique_ptr<Operation> on_profile(std::vector<std::byte>& icc, const Form& form) const override {
        const Profiling& profiling = described_->profiling;
        if (!profiling.after) {
            return nullptr;
        }
        auto call = std::make_unique<Call>(described_);
        call->op_.reset(described_->type.copy(op()));
        profiling.take(call->op_.get(), std::move(icc));
        icc = profiling.after(call->op(), form);
        return call;
    }

    bool takes_floats() const override { return described_->info.takes_floats; }

    Form result_form(const Form& form) const override {
        if (described_->rows.form) {
            return described_->rows.form(op(), form);
        }
        return described_->plan ? described_->plan(op(), form).result : form;
    }

    bool takes_whole(Context& gpu, const Form& form) const override {
        const auto& grid = described_->rows.grid;
        if (!grid && described_->plan) {
            return glproc::takes_whole(gpu, described_->plan(op(), form));
        }
        return !grid || grid(op(), gpu, form).is_whole(form);
    }

    std::optional<Report> run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const override {
        if (!described_->rows.run && described_->plan) {
            glproc::run_rows(gpu, described_->plan(op(), input.source.form), input.source, *to,
                             input.progress);
            return std::nullopt;
        }
        if (!described_->rows.run) {
            throw Error(ErrorCode::operation, described_->info.name + " takes whole images only");
        }
        return described_->rows.run(op(), gpu, input, to);
    }

    ArrayForm array_form(const Form& form) const override { return described_->rows.array(op(), form); }

    const void* op() const { return op_.get(); }
    bool is_of(const OpType& type) const { return described_->type.make == type.make; }

    /// Its parameters with the method of a variant.
    AnyOp with(const Variants& of, std::size_t row) const {
        AnyOp op(described_->type.copy(op_.get()), described_->type.destroy);
        if (of.choose) {
            of.choose(member_at(op.get(), of.member), row);
        }
        return op;
    }

  private:
    /// Of fields of one type those whose value names a file.
    template <class File>
    std::vector<File*> named(const std::vector<std::ptrdiff_t>& fields) {
        std::vector<File*> files;
        for (const std::ptrdiff_t offset : fields) {
            auto* file = static_cast<File*>(member_at(op_.get(), offset));
            if (!file->path.empty()) {
                files.push_back(file);
            }
        }
        return files;
    }

    void refuse_contradiction(const FieldInfo& info) const {
        if (std::find(given_.begin(), given_.end(), info.contradicts) != given_.end()) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} and --{} cannot be given together", info.contradicts, info.name));
        }
    }

    std::shared_ptr<const Described> described_;
    AnyOp op_;
    std::vector<std::string> given_; ///< names of the fields set so far
};

namespace {

/// Names what is hidden from other code.
class Inside : public DescribeAny {
  public:
    using DescribeAny::Described;
};

} // namespace

const void* parameters_of(const Operation& call, const OpType& type) {
    const auto* described = dynamic_cast<const Inside::Described::Call*>(&call);
    return described != nullptr && described->is_of(type) ? described->op() : nullptr;
}

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
                             .is_level = type.is_level});
    described_->setters.push_back([member, parse = type.parse, name = std::string(name),
                                   unit = std::string(spec.unit), limit = spec.limit,
                                   implied = std::string(spec.implied)](void* op, std::string_view text) {
        parse(member_at(op, member), {name, unit, limit}, text.empty() ? implied : text);
    });
    if (&type == &field_type<PictureInput>) {
        described_->pictures.push_back(member);
    }
    if (&type == &field_type<ArrayFile>) {
        described_->arrays.push_back(member);
    }
}

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
    const bool is_taken = std::any_of(fields.begin(), fields.end(),
                                      [](const FieldInfo& known) { return known.name == "method"; });
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

void DescribeAny::add_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants) {
    described_->facts = member;
    described_->wants_facts = std::move(wants);
}

void DescribeAny::add_joined_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants) {
    add_facts(member, std::move(wants));
    described_->knows_each = true;
}

void DescribeAny::add_measure(Measure measure) {
    described_->measure = std::move(measure);
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
    return swept_plan(form, {.sweeps = [of, op](const Form& any) { return of->plan(op, any); }});
}

OpInfo DescribeAny::finish(Product product, Sweeping sweeping) {
    const auto of = std::make_shared<const Sweeping>(std::move(sweeping));
    add_rows(rows_by(of));
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
