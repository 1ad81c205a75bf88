// How an operation processes pictures of one form. Whole pictures, tiles, `bench`, `cpu` as a method and the
// command line follow from it.
//
//   Plan plan(const Sobel& op, const Form& form);   // beside each operation
//   glproc::run(Sobel{.scale = 2}, gpu, photo);     // what its call operator does
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/meaning.hpp"
#include "glproc/op/pixel_shape.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/op/tiles.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace glproc {

/// Part of a picture in GPU memory: an image, and where its pixels lie in the picture.
struct Part {
    const GpuImage& image;
    Rect rect;
};

struct Plan;
struct Point;

/// Replaces a plan whose programs the driver computes wrongly.
struct Fallback {
    /// The names of the other methods, `cpu` last, and their plans.
    std::function<std::vector<std::pair<std::string, Plan>>()> plans;
    std::shared_ptr<const Plan> chosen = {}; ///< once one was needed
};

/// How often values occur in a picture, as numbers that add up over its parts.
using Counts = std::vector<std::uint64_t>;

/// An operation that only needs counts to analyse its picture. A cluster relies on that, because each machine
/// sees a part of the picture.
struct Counting {
    std::function<Counts(Context&, const GpuImage& part)> count;
    /// Returns the same as the look, from the counts of the whole picture.
    std::function<Plan(Context&, const Counts&)> plan;
    /// Of floats: the same over another range than 0 to 1. Without it counts need none.
    std::function<std::shared_ptr<const Counting>(const Interval&)> over = {};
};

/// A whole picture to be analysed: on the GPU, or larger than that.
using Look = std::variant<const GpuImage*, const RowSource*>;

/// Pictures too large for the GPU are cut into tiles, which run() makes one by one, each from the same place
/// of the source and a halo around it.
struct LocalTiles {};

/// Tiles of a result that has other coordinates than the source.
struct GatheredTiles {
    /// The rectangle of the source that a rectangle of the result depends on. It is not empty, and within the
    /// source. If the source repeats beyond its edges it may lie anywhere, and is then no larger than the
    /// source.
    std::function<Rect(const Rect& result)> source_of;
    /// For a plan made of several: how pictures are cut, as needs() does not say it.
    std::function<TileGrid(Context&)> grid = {};
};

/// Sweeps go over such pictures in bands of rows. run() takes whole pictures only: see op/swept.hpp.
struct BySweeps {
    std::function<SweepPlan(const Form&)> plan; ///< for pictures of any form
};

/// A chain processes such pictures in its own way. run() takes whole pictures only.
struct ByChain {
    /// Whole, or nothing that can be used.
    std::function<TileGrid(Context&)> grid;
    std::function<void(Context&, const RowSource&, RowWriter&, const TileProgress&)> run;
    bool moves = false; ///< whether a part of the result comes from anywhere in the source
};

using Cutting = std::variant<LocalTiles, GatheredTiles, BySweeps, ByChain>;

/// The forms of a picture and its result, and the meaning of its values.
struct PlanShape {
    Form source;
    Form result;
    std::vector<Form> between = {}; ///< of a chain: what is made before the result
    PixelShape pixels = {};
    Meaning meaning = Meaning::kept; ///< of the values of the result
    bool keeps_range = false; ///< whether none of them can lie outside of the range of the source's type
    bool makes_mask = false; ///< whether the result is black and white, which codes of every depth hold alike
};

/// How a device makes the result.
struct PlanWork {
    /// How pictures are cut into tiles.
    std::function<TileNeeds(Context&)> needs = {};
    /// `result`, computed from the given part of the source. With GatheredTiles the image covers `result`;
    /// else the part is treated like a picture of its own, and the image covers all of it.
    std::function<GpuImage(Context&, const Part& source, const Rect& result)> run = {};
    Cutting cutting = {};
    /// Why the device cannot run it by the chosen method, as a sentence; nothing if it can.
    std::function<std::optional<std::string>(Context&)> why_unavailable = {};
    bool on_cpu = false; ///< whether run() does its work there
    /// For a point operation: several in a row become one kernel.
    std::shared_ptr<const Point> point = {};
};

/// How the processor alone makes the same result, bit for bit, for whole pictures.
struct PlanTwin {
    std::function<void(RowReader& source, RowWriter& to)> run = {}; ///< row by row, and without a context
    bool holds_picture = false; ///< whether it, or PlanLook::alone, keeps all of the picture in memory
    bool only_proves = false;   ///< a kernel was asked for by its name, and this only says what is right
    double work = 0;            ///< multiplications a value, where these take most of its time
    double row_cost = 0;        ///< multiplications a row, which decides how many rows a check compares
};

/// For an operation that analyses the whole picture first: makes the plan that results, with the same forms
/// and needs, but for sets_size.
struct PlanLook {
    std::function<Plan(Context&, const Look&, const TileProgress&)> at = {};
    std::function<Plan(const RowSource&)> alone = {}; ///< by the processor: a plan that has a twin
    /// Whether it also decides the size of the result, which is then no larger than PlanShape::result says:
    /// see settled().
    bool sets_size = false;
    std::shared_ptr<const Counting> counting = {};
};

/// How the programs of a driver are checked before their result is used.
struct PlanProof {
    /// For a plan that moves pixels, and for one that a look made: a small plan that runs the same programs;
    /// see op/proof.hpp.
    std::function<Plan()> probe = {};
    std::shared_ptr<Fallback> fallback = {}; ///< of a plan whose method is `automatic`
};

/// Made without a context: it checks everything that can be checked before a picture is read. Throws
/// Error(usage) for values out of range, and for pictures that the operation does not take.
struct Plan {
    PlanShape shape;
    PlanWork work = {}; ///< its run() may be left out where there is a look
    PlanTwin twin = {};
    PlanLook look = {};
    PlanProof proof = {};
    /// Of a plan that a look made: what it found, for calls that want a report beside the picture.
    std::function<Report(const std::string& name)> report = {};

    /// Whether parts of a result can be made one by one, as a cluster does.
    bool has_tiles() const { return std::holds_alternative<LocalTiles>(work.cutting) || gathered(); }
    /// Where its tiles come from, if the result has other coordinates than the source; else null.
    const GatheredTiles* gathered() const { return std::get_if<GatheredTiles>(&work.cutting); }
    /// Whether a pixel of the result comes from elsewhere in the source than its own place and those around
    /// it.
    bool moves() const {
        const auto* chain = std::get_if<ByChain>(&work.cutting);
        return gathered() || (chain && chain->moves);
    }
};

/// The operation on a whole picture.
GpuImage run_whole(Context& gpu, const Plan& plan, const GpuImage& source);

/// The operation on a picture of any size, tile by tile where needed. `to` gets the rows of the result; the
/// caller calls finish().
void run_rows(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
              const TileProgress& progress = {});

/// The plan whose `result` is what becomes of this picture: itself, unless its size depends on the pixels.
/// Who writes rows needs that before run_rows().
Plan settled(Context& gpu, const Plan& plan, const Look& picture, const TileProgress& progress = {});

/// The form of the result for all pictures of a form. Throws Error(usage) if its size depends on the pixels.
Form form_for_all(const Plan& plan);

/// All that is made on the way to the result, and that.
std::vector<Form> forms_made(const Plan& plan);

/// The rows of the result as a source of their own. Tiles are made as their rows are read, on the context's
/// thread; sweeps make all rows when the source is first opened, and keep them. The source that it reads must
/// outlive it. The plan must not look, and is not a chain.
RowSource result_rows(Context& gpu, const Plan& plan, const RowSource& source);

/// Whether pictures fit on the GPU as a whole and do not take long. Throws Error(operation) where not even
/// tiles fit.
bool takes_whole(Context& gpu, const Plan& plan);

/// A whole picture in memory by the processor.
using OnImage = std::function<Image(const Image& source)>;

/// Makes that the plan's twin. A plan that a look makes has none, since it may work on a part.
/// `row_cost`: multiplications a row of the result.
void set_by_processor(Plan& plan, OnImage make, double row_cost);

/// The same plan by the processor instead of a kernel: the method `cpu`.
Plan on_cpu(Plan plan);

/// The result by the processor alone.
Image image_by_processor(const Plan& plan, const Image& source);

/// Whether the processor alone makes what it is asked for.
bool needs_no_device(const Plan& plan);

/// PlanTwin::run for plans one after another, with whole pictures between them. Those after the first may
/// look at theirs, unless that decides its size. Empty where one has none. Whoever takes it sets
/// PlanTwin::holds_picture.
std::function<void(RowReader& source, RowWriter& to)> one_after_another(const std::vector<Plan>& plans);

/// The plan, with the plans that replace it if the driver computes it wrongly.
Plan with_fallback(Plan plan, std::function<std::vector<std::pair<std::string, Plan>>()> others);

/// The plan, whose look makes plans that are proved by `probe`.
Plan with_probe(Plan plan, std::function<Plan()> probe);
/// The form of probes of pictures of such a form.
Form probe_form(const Form& form);

/// The plan of an operation, with a probe if it analyses its picture. One that sets the size by that proves
/// its analysis itself.
template <class Op>
Plan probed_plan(const Op& op, const Form& form) {
    Plan made = plan(op, form);
    return made.look.at && !made.look.sets_size
               ? with_probe(std::move(made), [op, form] { return plan(op, probe_form(form)); })
               : made;
}

/// The plan of `op`, by each of its other methods.
template <class E, class Op, class Owner>
std::vector<std::pair<std::string, Plan>> plans_by_other_methods(Op op, E Owner::*method, const Form& form) {
    std::vector<std::pair<std::string, Plan>> plans;
    const auto add = [&](const EnumRow<E>& row) {
        op.*method = row.value;
        plans.emplace_back(row.name, probed_plan(op, form));
    };
    for (const EnumRow<E>& row : enum_rows<E>) {
        if (row.value != E::automatic && row.value != E::cpu) {
            add(row);
        }
    }
    for (const EnumRow<E>& row : enum_rows<E>) {
        if (row.value == E::cpu) {
            add(row);
        }
    }
    return plans;
}

/// The plan of an operation, with a fallback where its method is `automatic`.
template <class Op>
Plan plan_of(const Op& op, const Form& form) {
    Plan made = probed_plan(op, form);
    const auto add_fallback = [&](auto method) {
        if (op.*method == std::remove_cvref_t<decltype(op.*method)>::automatic) {
            made = with_fallback(std::move(made),
                                 [op, form, method] { return plans_by_other_methods(op, method, form); });
        }
    };
    if constexpr (requires { std::remove_cvref_t<decltype(Op::method)>::automatic; }) {
        add_fallback(&Op::method);
    } else if constexpr (requires { std::remove_cvref_t<decltype(Op::variant)>::automatic; }) {
        add_fallback(&Op::variant);
    }
    return made;
}

/// The call operators of operations; plan() is found beside the operation.
template <class Op>
GpuImage run(const Op& op, Context& gpu, const GpuImage& source) {
    return run_whole(gpu, plan_of(op, source.form()), source);
}
template <class Op>
void run(const Op& op, Context& gpu, const RowSource& source, RowWriter& to,
         const TileProgress& progress = {}) {
    run_rows(gpu, plan_of(op, source.form), source, to, progress);
}

} // namespace glproc
