// How an operation describes its parameters: a member pointer, a name, a range and a sentence each.
#pragma once

#include "glproc/error.hpp"
#include "glproc/ops/op.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

namespace glproc {

/// A pair of values, one for each axis. A single value stands for both.
template <class T>
struct PerAxis {
    T x{};
    T y{};
    constexpr PerAxis() = default;
    constexpr PerAxis(T both) : x(both), y(both) {} // implicit, so that Blur{.sigma = 2} reads as it should
    constexpr PerAxis(T x_, T y_) : x(x_), y(y_) {}
    bool operator==(const PerAxis&) const = default;
};

/// The values from `low` to `high`.
struct Interval {
    double low = 0;
    double high = 1;
    bool operator==(const Interval&) const = default;
};

/// One value of an enum: how people type it, and when to use it.
template <class E>
struct EnumRow {
    E value;
    std::string_view name;
    std::string_view when;
};

template <class E>
EnumRow(E, std::string_view, std::string_view) -> EnumRow<E>; // clang 14 does not find it by itself

/// Every enum that is a parameter specialises this with a std::array<EnumRow<E>, N>.
template <class E>
inline constexpr std::array<EnumRow<E>, 0> enum_rows{};

template <>
inline constexpr std::array<EnumRow<ArrayType>, 3> enum_rows<ArrayType>{
    EnumRow{ArrayType::u32, "u32", "unsigned integers of 32 bits"},
    EnumRow{ArrayType::i32, "i32", "integers of 32 bits in two's complement"},
    EnumRow{ArrayType::f32, "f32", "floats of 32 bits"},
};

/// The name people type for `value`.
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view name_of(E value) {
    for (const auto& row : enum_rows<E>) {
        if (row.value == value) {
            return row.name;
        }
    }
    return "?";
}

/// The inclusive range of a number, as far as it is limited.
struct Limit {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// What a parser needs to know to write a good error.
struct FieldContext {
    std::string_view name;
    std::string_view unit;
    Limit limit;
};

/// One number in `context.limit`. Throws Error(usage).
double parse_number(const FieldContext& context, std::string_view text);
int parse_integer(const FieldContext& context, std::string_view text);
/// "A" or "A,B" cut at the comma. Throws Error(usage) for more than two parts.
std::vector<std::string_view> split_pair(const FieldContext& context, std::string_view text);
/// "A,B,C" cut at the commas: at least one part.
std::vector<std::string_view> split_list(std::string_view text);
/// The index of `text` in `choices`. Throws Error(usage) with the nearest choice.
std::size_t parse_choice(std::string_view field, std::string_view text,
                         const std::vector<std::string>& choices);
std::string print_limit(const Limit& limit);
/// For values that came from C++, not from text. Throws Error(usage).
void check_limit(std::string_view name, double value, const Limit& limit);

/// How a type is read from and written as text. Types of an operation's own specialise it, with the same
/// three.
template <class T>
struct FieldText;

template <>
struct FieldText<double> {
    static double parse(const FieldContext& c, std::string_view text) { return parse_number(c, text); }
    static std::string print(double value) { return fmt::format("{}", value); }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

template <>
struct FieldText<int> {
    static int parse(const FieldContext& c, std::string_view text) { return parse_integer(c, text); }
    static std::string print(int value) { return fmt::format("{}", value); }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

template <class T>
struct FieldText<PerAxis<T>> {
    static PerAxis<T> parse(const FieldContext& c, std::string_view text) {
        const auto parts = split_pair(c, text);
        const T x = FieldText<T>::parse(c, parts.front());
        return {x, FieldText<T>::parse(c, parts.back())};
    }
    static std::string print(const PerAxis<T>& value) {
        return value.x == value.y ? FieldText<T>::print(value.x)
                                  : FieldText<T>::print(value.x) + "," + FieldText<T>::print(value.y);
    }
    static std::string range(const Limit& limit) { return FieldText<T>::range(limit); }
};

template <class T>
struct FieldText<std::optional<T>> {
    static std::optional<T> parse(const FieldContext& c, std::string_view text) {
        return FieldText<T>::parse(c, text);
    }
    static std::string print(const std::optional<T>& value) {
        return value ? FieldText<T>::print(*value) : std::string{};
    }
    static std::string range(const Limit& limit) { return FieldText<T>::range(limit); }
};

template <class E>
requires std::is_enum_v<E>
struct FieldText<E> {
    static std::vector<std::string> names() {
        std::vector<std::string> result(enum_rows<E>.size());
        std::transform(enum_rows<E>.begin(), enum_rows<E>.end(), result.begin(),
                       [](const EnumRow<E>& row) { return std::string(row.name); });
        return result;
    }
    static std::vector<Choice> choices() {
        std::vector<Choice> result(enum_rows<E>.size());
        std::transform(enum_rows<E>.begin(), enum_rows<E>.end(), result.begin(), [](const EnumRow<E>& row) {
            return Choice{std::string(row.name), std::string(row.when)};
        });
        return result;
    }
    static E parse(const FieldContext& c, std::string_view text) {
        return enum_rows<E>[parse_choice(c.name, text, names())].value;
    }
    static std::string print(E value) { return std::string(name_of(value)); }
    static std::string range(const Limit&) { return fmt::format("{}", fmt::join(names(), "|")); }
};

/// "LO,HI". Throws Error(usage) unless LO < HI.
template <>
struct FieldText<Interval> {
    static Interval parse(const FieldContext& c, std::string_view text);
    static std::string print(const Interval& value) { return fmt::format("{},{}", value.low, value.high); }
    static std::string range(const Limit&) { return "LO below HI"; }
};

/// "a,b,c": some of an enum's values, each at most once, in the order given.
template <class E>
requires std::is_enum_v<E>
struct FieldText<std::vector<E>> {
    static std::vector<E> parse(const FieldContext& c, std::string_view text) {
        std::vector<E> values;
        for (const std::string_view part : split_list(text)) {
            const E value = FieldText<E>::parse(c, part);
            if (std::find(values.begin(), values.end(), value) != values.end()) {
                throw Error(ErrorCode::usage, fmt::format("--{} {} names {} twice", c.name, text, part));
            }
            values.push_back(value);
        }
        return values;
    }
    static std::string print(const std::vector<E>& values) {
        std::string text;
        for (const E value : values) {
            text += text.empty() ? "" : ",";
            text += name_of(value);
        }
        return text;
    }
    static std::string range(const Limit&) {
        return fmt::format("any of {}", fmt::join(FieldText<E>::names(), ","));
    }
    static std::vector<Choice> choices() { return FieldText<E>::choices(); }
};

/// The named values of a type that has them.
template <class T>
std::vector<Choice> choices_of() {
    if constexpr (requires { FieldText<T>::choices(); }) {
        return FieldText<T>::choices();
    } else {
        return {};
    }
}

/// The parts of a field's description that cannot be derived.
struct FieldSpec {
    std::string value;
    std::string unit = {};
    Limit limit = {};
    std::string help;
    bool required = false;
};

/// The same of a switch.
struct SwitchSpec {
    std::string help;
    std::string contradicts = {}; ///< another switch, which cannot be given as well; it says so, too
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

    /// One parameter; its default is what a default-constructed Op holds.
    template <class T>
    Describe& field(const std::string& name, T Op::*member, const FieldSpec& spec) {
        info_.fields.push_back({.name = name,
                                .value = spec.value,
                                .unit = spec.unit,
                                .range = FieldText<T>::range(spec.limit),
                                .default_value = spec.required ? "" : FieldText<T>::print(Op{}.*member),
                                .help = spec.help,
                                .required = spec.required,
                                .choices = choices_of<T>()});
        setters_.push_back([=](Op& op, std::string_view text) {
            op.*member = FieldText<T>::parse({name, spec.unit, spec.limit}, text);
        });
        return *this;
    }

    /// A parameter that takes no text: the switch alone gives `member` this value.
    template <class T>
    Describe& toggle(const std::string& name, T Op::*member, const T& value, const SwitchSpec& spec) {
        FieldInfo& field = info_.fields.emplace_back();
        field.name = name;
        field.help = spec.help;
        field.contradicts = spec.contradicts;
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
    template <class In, class E, class Unavailable, class Make>
    Describe& bench(const std::string& name, E Op::*member, BenchInfo bench, Unavailable unavailable,
                    Make make) {
        info_.bench = std::move(bench);
        info_.bench.field = name;
        for (const EnumRow<E>& row : enum_rows<E>) {
            if (row.value != E::automatic) {
                add_variant<In>(
                    row.name, row.when, [=](Op& op) { op.*member = row.value; }, unavailable, make);
            }
        }
        return *this;
    }

    /// One more variant, which cannot be chosen for a result.
    template <class In, class Make>
    Describe& bench_also(std::string_view name, std::string_view when, Make make) {
        const auto always = [](const Op&, Context&, const In&) { return std::optional<std::string>(); };
        add_variant<In>(
            name, when, [](Op&) {}, always, make);
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

    /// An operation that turns one image into another by its call operator.
    OpInfo image_filter() {
        return runs(Product::image, [](const Op& op, Context& gpu, const ImageInput& input) -> OpOutput {
            return op(gpu, input.image);
        });
    }

  private:
    using Setter = std::function<void(Op&, std::string_view)>;
    struct Shared {
        OpInfo info;
        std::vector<Setter> setters;
        std::function<OpOutput(const Op&, Context&, const OpInput&)> run;
    };

    template <class In, class Choose, class Unavailable, class Make>
    void add_variant(std::string_view name, std::string_view when, Choose choose, Unavailable unavailable,
                     Make make) {
        const auto chosen = [choose](const Operation& any) {
            Op op = static_cast<const Erased&>(any).op();
            choose(op);
            return op;
        };
        info_.bench.variants.push_back(
            {std::string(name), std::string(when),
             [=](const Operation& any, Context& gpu, const OpInput& input) -> std::optional<std::string> {
                 return unavailable(chosen(any), gpu, std::get<In>(input));
             },
             [=](const Operation& any, Context& gpu, const OpInput& input) -> Workload {
                 return make(chosen(any), gpu, std::get<In>(input));
             }});
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
                   }});
        info_.make = [shared] { return std::make_unique<Erased>(shared); };
        return std::move(info_);
    }

    class Erased final : public Operation {
      public:
        explicit Erased(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

        void set(std::string_view field, std::string_view text) override {
            for (std::size_t i = 0; i < shared_->info.fields.size(); ++i) {
                const FieldInfo& info = shared_->info.fields[i];
                if (info.name == field) {
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

        const Op& op() const { return op_; }

      private:
        void refuse_contradiction(const FieldInfo& info) const {
            if (std::find(given_.begin(), given_.end(), info.contradicts) != given_.end()) {
                throw Error(ErrorCode::usage,
                            fmt::format("--{} and --{} contradict each other", info.contradicts, info.name));
            }
        }

        std::shared_ptr<const Shared> shared_;
        Op op_{};
        std::vector<std::string> given_; ///< names of the fields set so far
    };

    OpInfo info_;
    std::vector<Setter> setters_;
};

} // namespace glproc
