// How an operation describes itself: once, for the command line, help, the reference and `bench`.
#pragma once

#include "glproc/op/field.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/tiles.hpp"
#include "glproc/op/workload.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc {

/// The same of a switch.
struct SwitchSpec {
    std::string help;
    std::string contradicts = {}; ///< another switch that excludes this one, and names it in turn
    std::string needs = {};       ///< another field, without which this one has no effect
    std::string alias = {};       ///< another name that is understood
};

/// How an operation works on pictures of any size.
template <class Op>
struct RowsSpec {
    std::function<TileGrid(const Op&, Context&, const Form&)> grid;
    /// As Operation::run_rows().
    std::function<std::optional<Report>(const Op&, Context&, const RowsInput&, RowWriter*)> run;
    std::function<ArrayForm(const Op&, const Form&)> array = {}; ///< as Operation::array_form()
};

/// Builds an OpInfo for the parameter struct Op.
template <class Op>
class Describe {
  public:
    Describe(std::string name, std::string summary, std::string example) {
        info_.name = std::move(name);
        info_.summary = std::move(summary);
        info_.example = std::move(example);
    }

    Describe& alias(std::string name) {
        info_.aliases.push_back(std::move(name));
        return *this;
    }

    /// For operations that refuse floats.
    Describe& integers_only() {
        info_.takes_floats = false;
        return *this;
    }

    /// One parameter, of Op or of a base of it; its default is what a default-constructed Op holds.
    template <class T, class Owner>
    requires std::derived_from<Op, Owner> Describe& field(const std::string& name, T Owner::*member,
                                                          const FieldSpec& spec) {
        info_.fields.push_back({.name = name,
                                .value = spec.value,
                                .unit = spec.unit,
                                .range = FieldText<T>::range(spec.limit),
                                .default_value = spec.required           ? ""
                                                 : spec.standard.empty() ? FieldText<T>::print(Op{}.*member)
                                                                         : spec.standard,
                                .help = spec.help,
                                .required = spec.required,
                                .alias = spec.alias,
                                .contradicts = spec.contradicts,
                                .choices = choices_of<T>(),
                                .needs = spec.needs,
                                .reads_picture = std::is_same_v<T, PictureInput>,
                                .names_picture = std::is_same_v<T, PictureFile>,
                                .is_place = spec.place,
                                .implied = spec.implied,
                                .kind = ValueKind<T>::kind,
                                .values = ValueKind<T>::values,
                                .limit = spec.limit,
                                .slider = slider_of(spec, ValueKind<T>::kind),
                                .is_level = std::is_base_of_v<ValueKind<Level>, ValueKind<T>>});
        setters_.push_back([=](Op& op, std::string_view text) {
            op.*member =
                FieldText<T>::parse({name, spec.unit, spec.limit}, text.empty() ? spec.implied : text);
        });
        if constexpr (std::is_same_v<T, PictureInput>) {
            pictures_.push_back([=](Op& op) { return &(op.*member); });
        }
        return *this;
    }

    /// The same, in the words that all fields of its type have.
    template <class T, class Owner>
    requires std::derived_from<Op, Owner> Describe& field(const std::string& name, T Owner::*member) {
        return field(name, member, FieldWords<T>::spec());
    }

    /// The field `method`, also `variant`: the variants of an operation with a plan, each of which `bench`
    /// measures. Where `method` is a parameter of another kind it is `variant` alone. Without ladders `bench`
    /// measures the example.
    template <class E, class Owner>
    requires std::derived_from<Op, Owner> Describe& method(E Owner::*member, BenchInfo info = {}) {
        const bool is_taken = std::any_of(info_.fields.begin(), info_.fields.end(),
                                          [](const FieldInfo& known) { return known.name == "method"; });
        const std::string name = is_taken ? "variant" : "method";
        field(name, member, {.value = "M", .help = "the algorithm", .alias = is_taken ? "" : "variant"});
        const bool needs_file =
            std::any_of(info_.fields.begin(), info_.fields.end(), [](const FieldInfo& known) {
                return known.required && known.value == "FILE"; // which `bench` has not
            });
        if (info.ladders.empty()) {
            info.size = "2448x1505";
        }
        if (info.ladders.empty() && !needs_file) {
            info.ladders = {{.title = fmt::format("{} of a random {} RGBA8 image, ms", info_.name, info.size),
                             .columns = {{info.size, info.size, settings_in(info_.example)}}}};
        }
        return bench<ImageInput>(
            name, member, std::move(info),
            [](const Op& op, Context& gpu, const ImageInput& input) {
                return why_not_measured(gpu, input, plan(op, input.image.form()));
            },
            [](const Op& op, Context& gpu, const ImageInput& input) {
                return plan_workload(gpu, input, plan(op, input.image.form()));
            });
    }

    /// A parameter that takes no text: the switch alone gives `member` this value.
    template <class T>
    Describe& toggle(const std::string& name, T Op::*member, const T& value, const SwitchSpec& spec) {
        FieldInfo& field = info_.fields.emplace_back();
        field.name = name;
        field.help = spec.help;
        field.contradicts = spec.contradicts;
        field.needs = spec.needs;
        field.alias = spec.alias;
        field.kind = FieldKind::toggle;
        setters_.push_back([=](Op& op, std::string_view text) {
            if (!text.empty()) {
                throw Error(ErrorCode::usage, fmt::format("--{} takes no value", name));
            }
            op.*member = value;
        });
        return *this;
    }

    /// How it is measured: each value of `member`, the field `name`, but `automatic` is a variant, with
    /// BenchVariant::unavailable and ::make of (op, gpu, input). `In` is ImageInput or ArrayInput.
    template <class In, class E, class Base, class Unavailable, class Make>
    Describe& bench(const std::string& name, E Base::*member, BenchInfo bench, Unavailable unavailable,
                    Make make) {
        info_.bench = std::move(bench);
        info_.bench.field = name;
        for (const EnumRow<E>& row : enum_rows<E>) {
            const auto variant = variant_of<In>(
                row.name, row.when, [=](Op& op) { op.*member = row.value; }, unavailable, make);
            (row.value == E::automatic ? info_.bench.automatic : info_.bench.variants).push_back(variant);
        }
        return *this;
    }

    /// One more variant, which cannot be chosen for a result.
    template <class In, class Make>
    Describe& bench_also(std::string_view name, std::string_view when, Make make) {
        const auto always = [](const Op&, Context&, const In&) { return std::optional<std::string>(); };
        info_.bench.variants.push_back(variant_of<In>(
            name, when, [](Op&) {}, always, make));
        return *this;
    }

    /// How it works on pictures of any size.
    Describe& by_rows(RowsSpec<Op> rows) {
        rows_ = std::move(rows);
        return *this;
    }

    /// `run(op, gpu, input)` gives the operation's product.
    OpInfo runs(Product product, std::function<OpOutput(const Op&, Context&, const ImageInput&)> run) {
        return runs_on<ImageInput>(Input::image, product, std::move(run));
    }

    /// The same for an operation on vectors.
    OpInfo runs(Product product, std::function<OpOutput(const Op&, Context&, const ArrayInput&)> run) {
        return runs_on<ArrayInput>(Input::vector, product, std::move(run));
    }

    /// An operation that makes a picture of a picture, by its plan.
    OpInfo runs() {
        plan_ = [](const Op& op, const Form& form) { return plan(op, form); };
        by_rows({.grid = {},
                 .run = [](const Op& op, Context& gpu, const RowsInput& input,
                           RowWriter* to) -> std::optional<Report> {
                     glproc::run(op, gpu, input.source, *to, input.progress);
                     return std::nullopt;
                 }});
        return runs(Product::image, [](const Op& op, Context& gpu, const ImageInput& input) -> OpOutput {
            return glproc::run(op, gpu, input.image);
        });
    }

  private:
    using Setter = std::function<void(Op&, std::string_view)>;
    struct Shared {
        OpInfo info;
        std::vector<Setter> setters;
        std::function<OpOutput(const Op&, Context&, const OpInput&)> run;
        RowsSpec<Op> rows;
        std::function<Plan(const Op&, const Form&)> plan;
        std::vector<std::function<PictureInput*(Op&)>> pictures;
    };

    template <class In, class Choose, class Unavailable, class Make>
    static BenchVariant variant_of(std::string_view name, std::string_view when, Choose choose,
                                   Unavailable unavailable, Make make) {
        const auto chosen = [choose](const Operation& any) {
            Op op = static_cast<const Erased&>(any).op();
            choose(op);
            return op;
        };
        return {std::string(name), std::string(when),
                [=](const Operation& any, Context& gpu, const OpInput& input) -> std::optional<std::string> {
                    return unavailable(chosen(any), gpu, std::get<In>(input));
                },
                [=](const Operation& any, Context& gpu, const OpInput& input) -> Workload {
                    return make(chosen(any), gpu, std::get<In>(input));
                }};
    }

    template <class In>
    OpInfo runs_on(Input input, Product product,
                   std::function<OpOutput(const Op&, Context&, const In&)> run) {
        info_.input = input;
        info_.product = product;
        auto shared = std::make_shared<const Shared>(
            Shared{info_, std::move(setters_),
                   [run = std::move(run)](const Op& op, Context& gpu, const OpInput& any) {
                       return run(op, gpu, std::get<In>(any));
                   },
                   std::move(rows_), std::move(plan_), std::move(pictures_)});
        info_.make = [shared] { return std::make_unique<Erased>(shared); };
        return std::move(info_);
    }

    class Erased final : public Operation {
      public:
        explicit Erased(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

        void set(std::string_view field, std::string_view text) override {
            for (std::size_t i = 0; i < shared_->info.fields.size(); ++i) {
                const FieldInfo& info = shared_->info.fields[i];
                if (info.name == field || (!info.alias.empty() && info.alias == field)) {
                    refuse_contradiction(info);
                    shared_->setters[i](op_, text);
                    given_.push_back(info.name);
                    return;
                }
            }
            throw Error(ErrorCode::usage, fmt::format("{} has no --{}", shared_->info.name, field));
        }

        OpOutput run(Context& gpu, const OpInput& input) const override {
            return shared_->run(op_, gpu, input);
        }

        std::vector<PictureInput*> pictures() override {
            std::vector<PictureInput*> named;
            for (const auto& picture : shared_->pictures) {
                PictureInput* input = picture(op_);
                if (!input->path.empty()) {
                    named.push_back(input);
                }
            }
            return named;
        }

        Plan plan(const Form& form) const override {
            if (!shared_->plan) {
                throw Error(ErrorCode::usage,
                            fmt::format("{} makes no picture of a picture", shared_->info.name));
            }
            return shared_->plan(op_, form);
        }

        bool takes_floats() const override { return shared_->info.takes_floats; }

        Form result_form(const Form& form) const override {
            return shared_->plan ? shared_->plan(op_, form).result : form;
        }

        bool takes_whole(Context& gpu, const Form& form) const override {
            if (shared_->plan) {
                return glproc::takes_whole(gpu, shared_->plan(op_, form));
            }
            return !shared_->rows.grid || shared_->rows.grid(op_, gpu, form).is_whole(form);
        }

        std::optional<Report> run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const override {
            if (!shared_->rows.run) {
                throw Error(ErrorCode::operation, shared_->info.name + " takes whole pictures only");
            }
            return shared_->rows.run(op_, gpu, input, to);
        }

        ArrayForm array_form(const Form& form) const override { return shared_->rows.array(op_, form); }

        const Op& op() const { return op_; }

      private:
        void refuse_contradiction(const FieldInfo& info) const {
            if (std::find(given_.begin(), given_.end(), info.contradicts) != given_.end()) {
                throw Error(ErrorCode::usage, fmt::format("--{} and --{} cannot be given together",
                                                          info.contradicts, info.name));
            }
        }

        std::shared_ptr<const Shared> shared_;
        Op op_{};
        std::vector<std::string> given_; ///< names of the fields set so far
    };

    OpInfo info_;
    std::vector<Setter> setters_;
    RowsSpec<Op> rows_;
    std::function<Plan(const Op&, const Form&)> plan_;
    std::vector<std::function<PictureInput*(Op&)>> pictures_;
};

} // namespace glproc
