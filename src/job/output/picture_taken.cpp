// What an output finds out about the picture that comes in, and how the operation gets it.
#include "job/output/picture_output.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace glproc::job {

const Plan& PictureOutput::plan_for(const std::string& name, const Form& form, const Metadata& metadata,
                                    const Operation& any) {
    if (metadata.format) {
        follow_format(*metadata.format);
    }
    choose_only_depth(form);
    Form working = form;
    working.depth = working_depth(form.depth, any.takes_floats());
    const PictureFacts facts{.path = name == "-" ? "" : name,
                             .exif = metadata.exif,
                             .icc = metadata.icc,
                             .curve = curve_of(form, metadata),
                             .fraction = metadata.fraction};
    if (!planned_ || planned_->plan.shape.source != working || planned_->facts != facts) {
        const auto planned = std::make_shared<Planned>(Planned{.facts = facts, .made = facts});
        planned->special = any.on(planned->made, working);
        planned->plan = (planned->special ? *planned->special : any).plan(working);
        planned_ = planned;
    }
    return planned_->plan;
}

Depth PictureOutput::take_form(const std::string& name, const Form& form, const Metadata& metadata,
                               const Operation& any) {
    const Plan& plan = plan_for(name, form, metadata, any);
    const PictureFacts& facts = planned_->made;
    std::for_each(facts.notes.begin(), facts.notes.end(),
                  [this](const std::string& what) { note_once(what); });
    const ColourCurve curve = planned_->facts.curve;
    const Form& working = plan.shape.source;
    const Form& result = plan.shape.result;
    choose_mask_depth(plan);
    // A depth that the operation keeps is that of the input again, unless another is asked for. Where it
    // makes floats of codes, as they may be negative, codes would lose what it was called for.
    const bool is_kept = result.depth == working.depth;
    check(result.channels, is_kept ? form.depth : result.depth, !is_kept && result.depth == Depth::f32);
    keep(metadata, plan.shape.pixels);
    const bool is_explained =
        curve == ColourCurve::unknown && facts.icc != metadata.icc; // by the profile that it gets
    transfer_ = is_explained ? ColourCurve::srgb : curve;
    source_ = form;
    moves_ = plan.moves() || plan.look.sets_size || std::holds_alternative<ByChain>(plan.work.cutting) ||
             form.width != result.width || form.height != result.height;
    keeps_range_ = plan.shape.keeps_range || (moves_ && !std::holds_alternative<ByChain>(plan.work.cutting));
    is_unit_ = plan.shape.meaning != Meaning::numbers;
    is_mask_ = plan.shape.makes_mask;
    meaning_ = plan.shape.meaning;
    if (facts.icc != metadata.icc && told_.strip != Strip::all) {
        metadata_.icc = facts.icc;
    }
    return working.depth;
}

/// Numbers are looked at before they become codes. That is the last thing that happens to them, unless the
/// operation needs codes.
template <class Picture>
Picture PictureOutput::in_depth(Picture picture, const Form& form, Depth depth) {
    if (needs_range(form, written(form).depth)) {
        const Interval range = range_in(picture);
        is_unit_ = is_unit_ && range == Interval{};
        if (depth != Depth::f32 && range != Interval{}) {
            say_range(range, depth);
            picture = keeps_values() ? std::move(picture) : from_range(std::move(picture), range);
            range_.reset();
        }
    }
    if (depth != Depth::f32 && !keeps_values()) { // codes mean sRGB
        picture =
            with_transfer(std::move(picture), std::exchange(transfer_, ColourCurve::srgb), ColourCurve::srgb);
    }
    if (is_cut(form.depth, depth)) {
        picture = watched(std::move(picture), [this] { say_cut(); });
    }
    forget_input();
    return with_depth(std::move(picture), depth);
}

Image PictureOutput::take_input(const std::string& name, Image image, const Operation& operation) {
    const Form form = image.form();
    const Depth depth = take_form(name, form, image.metadata(), operation);
    return in_depth(std::move(image), form, depth);
}

bool PictureOutput::takes_as_it_is(const std::string& name, const Form& form, const Metadata& metadata,
                                   const Operation& operation) {
    const bool is_kept = take_form(name, form, metadata, operation) == form.depth;
    forget_input();
    return is_kept && form.depth != Depth::f32;
}

RowSource PictureOutput::take_input(const std::string& name, RowSource source, const Operation& operation) {
    const Form form = source.form;
    const Depth depth = take_form(name, form, source.metadata, operation);
    return in_depth(std::move(source), form, depth);
}

} // namespace glproc::job
