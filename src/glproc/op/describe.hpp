// How an operation describes itself: once, for the command line, help, the reference and `bench`.
#pragma once

#include "glproc/op/describe_any.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/workload.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace glproc {

/// How an operation works on pictures of any size.
template <class Op>
struct RowsSpec {
    std::function<TileGrid(const Op&, Context&, const Form&)> grid;
    /// As Operation::run_rows().
    std::function<std::optional<Report>(const Op&, Context&, const RowsInput&, RowWriter*)> run;
    std::function<ArrayForm(const Op&, const Form&)> array = {}; ///< as Operation::array_form()
};

/// Builds an OpInfo for the parameter struct Op. Texts in specs need to live only as long as the call.
template <class Op>
class Describe : DescribeAny {
  public:
    using MakeAlone = MadeAlone (*)(const Op&, const std::string& name, const Image& pixels);

    Describe(std::string name, std::string summary, std::string example)
        : DescribeAny(op_type<Op>, std::move(name), std::move(summary), std::move(example)) {}

    Describe& alias(std::string name) {
        info().aliases.push_back(std::move(name));
        return *this;
    }

    /// Something less obvious that it does, and the call for that, as ExampleCall has them. Help shows the first one.
    Describe& example(std::string_view why, std::string_view call) {
        info().examples.push_back({why, call});
        return *this;
    }

    /// Words of other tools for it, and the arguments of a call that does the same, as OtherName has them.
    Describe& found_by(std::initializer_list<std::string_view> words, std::string_view arguments = {}) {
        for (const std::string_view word : words) {
            info().found_by.push_back({word, arguments});
        }
        return *this;
    }

    /// How long it takes, where that is far from most.
    Describe& cost(const OpCost& cost) {
        info().cost = cost;
        return *this;
    }

    /// Its report is a file in one of these formats; stdout gets the first one unless told.
    Describe& writes(std::vector<Choice> formats) {
        info().files = std::move(formats);
        return *this;
    }

    /// For operations that refuse floats.
    Describe& integers_only() {
        info().takes_floats = false;
        return *this;
    }

    /// It makes one picture of several of the same form; `member` gets those after the first.
    Describe& joins(std::vector<RowSource> Op::*member) {
        add_joined(offset_of(member));
        return *this;
    }

    /// The second picture holds numbers in calls for which `does(op)` is true: PictureInput::holds_numbers.
    Describe& reads_numbers(bool (*does)(const Op&)) {
        add_numbers([does](const void* op) { return does(op_at(op)); });
        return *this;
    }

    /// Colours are taken for sRGB in calls for which `does(op)` is true, which is said of pictures with another profile.
    Describe& takes_srgb(bool (*does)(const Op&)) {
        add_srgb([does](const void* op) { return does(op_at(op)); });
        return *this;
    }

    /// `member` is told what is known of the picture's file, in calls for which `wants(op)` is true.
    Describe& knows(PictureFacts Op::*member, bool (*wants)(const Op&)) {
        add_facts(offset_of(member), [wants](const void* op) { return wants(op_at(op)); });
        return *this;
    }

    /// The same of each picture that it joins, the first one included, in their order.
    Describe& knows_each(std::vector<PictureFacts> Op::*member, bool (*wants)(const Op&)) {
        add_joined_facts(offset_of(member), [wants](const void* op) { return wants(op_at(op)); });
        return *this;
    }

    /// The same for pictures of any form.
    Describe& joins_any(std::vector<RowSource> Op::*member) {
        info().joins_any = true;
        return joins(member);
    }

    /// So many with the first one, and no more: known before they are read.
    Describe& joins_at_most(std::size_t images) {
        info().most_joined = images;
        return *this;
    }

    /// For operations whose results are to be small files.
    Describe& strips_metadata() {
        info().strips = true;
        return *this;
    }

    /// It shrinks pictures to fit the box that `extent(op)` returns, and does nothing else; `member` gets the
    /// part of that that the decoder has done.
    Describe& shrinks(Extent (*extent)(const Op&), std::optional<Fraction> Op::*member) {
        add_box({[extent](const void* op) { return extent(op_at(op)); },
                 [member](void* op, const Fraction& fraction) { static_cast<Op*>(op)->*member = fraction; }});
        return *this;
    }

    /// Its results depend on the picture's ICC profile, which `member` gets; `after` returns the profile of the result.
    Describe& converts_profile(std::vector<std::byte> Op::*member,
                               std::vector<std::byte> (*after)(const Op&, const Form&)) {
        add_profiling({[member](void* op, std::vector<std::byte> icc) {
                           static_cast<Op*>(op)->*member = std::move(icc);
                       },
                       [after](const void* op, const Form& form) { return after(op_at(op), form); }});
        return *this;
    }

    /// One parameter, of Op or of a base of it; its default is what a default-constructed Op holds.
    template <class T, class Owner>
    requires std::derived_from<Op, Owner> Describe& field(std::string_view name, T Owner::*member,
                                                          const FieldSpec& spec) {
        add_field(name, offset_of(member), field_type<T>, spec);
        return *this;
    }

    /// The same, with the texts that all fields of its type share.
    template <class T, class Owner>
    requires std::derived_from<Op, Owner> Describe& field(std::string_view name, T Owner::*member) {
        return field(name, member, FieldWords<T>::spec());
    }

    /// The field `method`, also `variant`: the variants of an operation with a plan; `bench` measures each of
    /// them. If `method` is a parameter of another kind, the field is called `variant` only. Without ladders
    /// `bench` measures the example.
    template <class E, class Owner>
    requires std::derived_from<Op, Owner> Describe& method(E Owner::*member, BenchInfo bench = {}) {
        add_method(offset_of(member), field_type<E>, bench);
        begin_bench(std::move(bench), info().fields.back().name);
        add_variants(member, variants_by(&plan_of));
        return *this;
    }

    /// A parameter that takes no text: the switch alone gives `member` this value.
    template <class T>
    Describe& toggle(std::string_view name, T Op::*member, const T& value, const SwitchSpec& spec) {
        add_toggle(
            name, offset_of(member), [value](void* to) { *static_cast<T*>(to) = value; }, spec);
        return *this;
    }

    /// How it is measured: each value of `member`, the field `name`, except `automatic`, is a variant, with
    /// BenchVariant::unavailable and BenchVariant::make of (op, gpu, input). `In` is ImageInput or ArrayInput.
    template <class In, class E, class Base, class Unavailable, class Make>
    Describe& bench(std::string_view name, E Base::*member, BenchInfo bench, Unavailable unavailable,
                    Make make) {
        begin_bench(std::move(bench), name);
        add_variants(member, {.unavailable =
                                  [unavailable](const void* op, Context& gpu, const OpInput& input) {
                                      return unavailable(op_at(op), gpu, std::get<In>(input));
                                  },
                              .make = maker<In>(make)});
        return *this;
    }

    /// One more variant, which cannot be chosen for a result.
    template <class In, class Make>
    Describe& bench_also(std::string_view name, std::string_view when, Make make) {
        add_variant({.make = maker<In>(make)}, 0, name, when, false);
        return *this;
    }

    /// How the processor alone makes a report, for calls for which `can(op)` is true.
    Describe& by_processor(bool (*can)(const Op&), Report (*measure)(const Op&, const std::string& name, const Image& pixels)) {
        add_alone({[can](const void* op, const Form&, bool) { return can(op_at(op)); },
                   [measure](const void* op, const std::string& name, const Image& pixels) {
                       return MadeAlone{.report = measure(op_at(op), name, pixels)};
                   }});
        return *this;
    }

    /// The same for all products, where `can(op, form, at_need)` is true of the form of the picture; see Alone.
    Describe& by_processor(bool (*can)(const Op&, const Form&, bool at_need), MakeAlone make) {
        add_alone({[can](const void* op, const Form& form, bool at_need) { return can(op_at(op), form, at_need); },
                   [make](const void* op, const std::string& name, const Image& pixels) { return make(op_at(op), name, pixels); }});
        return *this;
    }

    /// Of an operation on vectors, where there is no device, for calls for which `can(op)` is true.
    Describe& at_need(bool (*can)(const Op&), Array (*make)(const Op&, const Array&)) {
        add_alone({.can = [can](const void* op, const Form&, bool at_need) { return at_need && can(op_at(op)); },
                   .make_array = [make](const void* op, const Array& values) { return make(op_at(op), values); }});
        return *this;
    }

    /// How it works on pictures of any size.
    Describe& by_rows(RowsSpec<Op> rows) {
        Rows any;
        if (rows.grid) {
            any.grid = [grid = std::move(rows.grid)](const void* op, Context& gpu, const Form& form) {
                return grid(op_at(op), gpu, form);
            };
        }
        if (rows.run) {
            any.run = [run = std::move(rows.run)](const void* op, Context& gpu, const RowsInput& input,
                                                  RowWriter* to) { return run(op_at(op), gpu, input, to); };
        }
        if (rows.array) {
            any.array = [array = std::move(rows.array)](const void* op, const Form& form) {
                return array(op_at(op), form);
            };
        }
        add_rows(std::move(any));
        return *this;
    }

    /// `run(op, gpu, input)` returns the operation's product.
    OpInfo runs(Product product, Products (*run)(const Op&, Context&, const ImageInput&)) {
        return finish(Input::image, product, runner<ImageInput>(run));
    }

    /// The same for an operation on vectors.
    OpInfo runs(Product product, Products (*run)(const Op&, Context&, const ArrayInput&)) {
        return finish(Input::vector, product, runner<ArrayInput>(run));
    }

    /// It makes this, too, for calls that want it: a picture or an array, by sweeps, after all fields were described.
    /// `example` is a typical call, `member` its method. `alone` makes it without a device, by the methods `automatic` and `cpu`.
    template <class E, class Owner>
    Describe& makes(Product product, std::string example, SweepPlan (*plan)(const Op&, const Form&), E Owner::*member,
                    MakeAlone alone = nullptr) {
        add_other(product, std::move(example), sweeping_by(plan, member, alone));
        return *this;
    }

    /// An operation that goes over its picture in sweeps, whole or in bands.
    OpInfo runs(Product product, SweepPlan (*plan)(const Op&, const Form&)) {
        return finish(product, {.plan = sweeps_of(plan),
                                .by_method = [plan](const void* op, Context&, const Form& form,
                                                    const auto& run) { run(plan(op_at(op), form)); }});
    }

    /// The same; `member` and `alone` as of makes().
    template <class E, class Owner>
    OpInfo runs(Product product, SweepPlan (*plan)(const Op&, const Form&), E Owner::*member, MakeAlone alone = nullptr) {
        return finish(product, sweeping_by(plan, member, alone));
    }

    /// An operation that turns one picture into another, by its plan.
    OpInfo runs() { return finish(&plan_of); }

  private:
    static const Op& op_at(const void* op) { return *static_cast<const Op*>(op); }
    static Plan plan_of(const void* op, const Form& form) { return glproc::plan_of(op_at(op), form); }

    static auto sweeps_of(SweepPlan (*plan)(const Op&, const Form&)) {
        return [plan](const void* op, const Form& form) { return plan(op_at(op), form); };
    }

    template <class E, class Owner>
    static Sweeping sweeping_by(SweepPlan (*plan)(const Op&, const Form&), E Owner::*member, MakeAlone alone) {
        return {.plan = sweeps_of(plan),
                .by_method =
                    [plan, member](const void* op, Context& gpu, const Form& form, const auto& run) {
                        run_by_proved_method(gpu, op_at(op), member, [&](const Op& by) {
                            run(plan(by, form));
                            return true;
                        });
                    },
                .alone = alone_by(alone, member)};
    }

    template <class E, class Owner>
    static Alone alone_by(MakeAlone make, E Owner::*member) {
        if (make == nullptr) {
            return {};
        }
        return {[member](const void* op, const Form&, bool) { return op_at(op).*member == E::automatic || op_at(op).*member == E::cpu; },
                [make](const void* op, const std::string& name, const Image& pixels) { return make(op_at(op), name, pixels); }};
    }

    template <class T, class Owner>
    static std::ptrdiff_t offset_of(T Owner::*member) {
        const Op op{};
        return reinterpret_cast<const char*>(&(op.*member)) - reinterpret_cast<const char*>(&op);
    }

    template <class In, class Function>
    static Make maker(Function make) {
        return [make](const void* op, Context& gpu, const OpInput& input) {
            return make(op_at(op), gpu, std::get<In>(input));
        };
    }

    template <class In>
    static Run runner(Products (*run)(const Op&, Context&, const In&)) {
        return [run](const void* op, Context& gpu, const OpInput& input) {
            return run(op_at(op), gpu, std::get<In>(input));
        };
    }

    template <class E, class Owner>
    void add_variants(E Owner::*member, Variants variants) {
        variants.member = offset_of(member);
        variants.choose = [](void* value, std::size_t row) {
            *static_cast<E*>(value) = enum_rows<E>[row].value;
        };
        for (std::size_t row = 0; row < enum_rows<E>.size(); ++row) {
            const EnumRow<E>& choice = enum_rows<E>[row];
            add_variant(variants, row, choice.name, choice.when, choice.value == E::automatic);
        }
    }
};

} // namespace glproc
