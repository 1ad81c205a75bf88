// The part of an operation's description that does not depend on the type of its parameters: describe.hpp has the rest.
#pragma once

#include "glproc/op/field.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/op/tiles.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace glproc {

/// The parts of a switch's description that cannot be derived.
struct SwitchSpec {
    std::string_view help;
    std::string_view contradicts = {}; ///< another switch that excludes this one, and names it in turn
    std::string_view needs = {};       ///< another field, without which this one has no effect
    std::string_view alias = {};       ///< another name that is understood
};

/// The type of a field, as functions on a value of that type.
struct FieldType {
    void (*parse)(void* value, const FieldContext& context, std::string_view text);
    std::string (*print)(const void* value);
    std::string (*range)(const Limit& limit);
    std::vector<Choice> (*choices)();
    FieldKind kind;
    int values; ///< as FieldInfo::values
    bool is_level;
    void (*into_light)(void* value); ///< null for types without colours
};

template <class T>
constexpr auto into_light() -> void (*)(void*) {
    if constexpr (HasColour<T>) {
        return [](void* value) { *static_cast<T*>(value) = FieldText<T>::in_light(*static_cast<const T*>(value)); };
    } else {
        return nullptr;
    }
}

template <class T>
inline constexpr FieldType field_type{
    [](void* value, const FieldContext& context, std::string_view text) {
        *static_cast<T*>(value) = FieldText<T>::parse(context, text);
    },
    [](const void* value) { return FieldText<T>::print(*static_cast<const T*>(value)); },
    [](const Limit& limit) { return FieldText<T>::range(limit); },
    &choices_of<T>,
    ValueKind<T>::kind,
    ValueKind<T>::values,
    std::is_base_of_v<ValueKind<Level>, ValueKind<T>>,
    into_light<T>(),
};

/// The type of a parameter struct, likewise.
struct OpType {
    void* (*make)();
    void* (*copy)(const void* op);
    void (*destroy)(void* op);
};

template <class Op>
inline constexpr OpType op_type{
    []() -> void* { return new Op{}; },
    [](const void* op) -> void* { return new Op(*static_cast<const Op*>(op)); },
    [](void* op) { delete static_cast<Op*>(op); },
};

/// The part of Describe that does not depend on the type of the parameter struct; otherwise every operation
/// would compile it again. Parameter structs are passed by address, and their members are offsets in bytes.
class DescribeAny {
  protected:
    struct Described;

    using PlanOf = Plan (*)(const void* op, const Form& form);
    using Run = std::function<Products(const void* op, Context&, const OpInput&)>;
    /// Gives an enum the value of a row of its table.
    using Choose = void (*)(void* value, std::size_t row);
    using Unavailable = std::function<std::optional<std::string>(const void* op, Context&, const OpInput&)>;
    using Make = std::function<Workload(const void* op, Context&, const OpInput&)>;
    struct Rows {
        std::function<TileGrid(const void* op, Context&, const Form&)> grid;
        std::function<std::optional<Report>(const void* op, Context&, const RowsInput&, RowWriter*)> run;
        std::function<ArrayForm(const void* op, const Form&)> array;
        std::function<Form(const void* op, const Form&)> form = {}; ///< as Operation::result_form()
    };
    struct Shrinking {
        std::function<Extent(const void* op)> box;
        std::function<void(void* op, const Fraction& fraction)> take;
    };
    struct Profiling {
        std::function<void(void* op, std::vector<std::byte> icc)> take;
        std::function<std::vector<std::byte>(const void* op, const Form&)> after;
    };
    /// Without a device, for calls for which can() is true: to the device's bits, or `at_need` as method cpu does it.
    struct Alone {
        std::function<bool(const void* op, const Form&, bool at_need)> can = {};
        std::function<MadeAlone(const void* op, const std::string& name, const Image& pixels)> make = {};
        std::function<Array(const void* op, const Array&)> make_array = {}; ///< of an operation on vectors, whose form is empty
    };
    /// Of an operation that goes over its picture in sweeps.
    struct Sweeping {
        std::function<SweepPlan(const void* op, const Form&)> plan;
        /// Calls run() with the plan of a method that is right on this driver.
        std::function<void(const void* op, Context&, const Form&, const std::function<void(const SweepPlan&)>& run)> by_method;
        Alone alone = {};
    };
    /// The variants of an enum, which `bench` measures.
    struct Variants {
        std::ptrdiff_t member = 0;
        Choose choose = nullptr;
        Unavailable unavailable = {};
        Make make = {};
    };

    DescribeAny(const OpType& type, std::string name, std::string summary, std::string example);
    ~DescribeAny();
    DescribeAny(const DescribeAny&) = delete;
    DescribeAny& operator=(const DescribeAny&) = delete;

    OpInfo& info();
    void add_field(std::string_view name, std::ptrdiff_t member, const FieldType& type,
                   const FieldSpec& spec);
    void add_toggle(std::string_view name, std::ptrdiff_t member, std::function<void(void* value)> set,
                    const SwitchSpec& spec);
    /// Adds the field that chooses the method, and completes `bench`.
    void add_method(std::ptrdiff_t member, const FieldType& type, BenchInfo& bench);
    void begin_bench(BenchInfo bench, std::string_view field);
    void add_variant(const Variants& of, std::size_t row, std::string_view name, std::string_view when,
                     bool is_automatic);
    /// The functions of variants that have a plan.
    static Variants variants_by(PlanOf plan);
    void add_rows(Rows rows);
    void add_box(Shrinking shrinking);
    void add_joined(std::ptrdiff_t member);
    void add_profiling(Profiling profiling);
    void add_numbers(std::function<bool(const void* op)> does);
    void add_srgb(std::function<bool(const void* op)> does);
    void add_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants);
    void add_joined_facts(std::ptrdiff_t member, std::function<bool(const void* op)> wants);
    void add_alone(Alone alone);
    OpInfo finish(Input input, Product product, Run run);
    OpInfo finish(PlanOf plan);
    OpInfo finish(Product product, Sweeping sweeping);
    void add_other(Product product, std::string example, Sweeping sweeping);
    static Plan plan_by(const std::shared_ptr<const Sweeping>& of, const void* op, const Form& form);
    static Rows rows_by(const std::shared_ptr<const Sweeping>& of);
    static Run run_by(const std::shared_ptr<const Sweeping>& of);

  private:
    std::shared_ptr<Described> described_;
};

} // namespace glproc
