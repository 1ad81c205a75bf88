#include "glproc/op/described.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/op/over_stack.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/op/picture_facts.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

namespace glproc {

void DescribeAny::Described::Call::set(std::string_view field, std::string_view text) {
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

Products DescribeAny::Described::Call::run(Context& gpu, const OpInput& input) const {
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

std::vector<PictureInput*> DescribeAny::Described::Call::pictures() {
    const std::vector<PictureInput*> pictures = named<PictureInput>(described_->pictures);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        pictures[i]->holds_numbers =
            described_->holds_numbers[i] || (described_->reads_numbers && described_->reads_numbers(op_.get()));
    }
    return pictures;
}

std::vector<ArrayFile*> DescribeAny::Described::Call::arrays() {
    return named<ArrayFile>(described_->arrays);
}

std::vector<PictureFacts*> DescribeAny::Described::Call::joined_facts() {
    if (!described_->knows_each || !wants_facts()) {
        return {};
    }
    auto& each = *static_cast<std::vector<PictureFacts>*>(member_at(op_.get(), *described_->facts));
    each.resize(1 + joined()->size());
    std::vector<PictureFacts*> all;
    std::transform(each.begin(), each.end(), std::back_inserter(all), [](PictureFacts& one) { return &one; });
    return all;
}

std::vector<RowSource>* DescribeAny::Described::Call::joined() {
    return described_->joined ? static_cast<std::vector<RowSource>*>(member_at(op_.get(), *described_->joined)) : nullptr;
}

Plan DescribeAny::Described::Call::plan(const Form& form) const {
    if (!described_->plan) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} makes no image of an image", described_->info.name));
    }
    return described_->plan(op(), form);
}

bool DescribeAny::Described::Call::by_processor(const Form& form, bool at_need) const {
    if (!described_->plan) {
        return described_->alone.can && described_->alone.can(op(), form, at_need);
    }
    return needs_no_device(described_->plan(op(), form));
}

MadeAlone DescribeAny::Described::Call::make_alone(const std::string& name, const Image& pixels) const {
    return described_->alone.make(op(), name, pixels);
}

Array DescribeAny::Described::Call::make_array_alone(const Array& values) const {
    return described_->alone.make_array(op(), values);
}

std::optional<Extent> DescribeAny::Described::Call::box() const {
    return described_->shrinking.box ? std::optional(described_->shrinking.box(op())) : std::nullopt;
}

namespace {

/// The field that says what floats hold, where the file does not.
constexpr std::string_view floats_field = "floats";

} // namespace

/// Whether it is left to the file to say what its floats hold.
bool DescribeAny::Described::Call::leaves_floats_open() const {
    const std::vector<FieldInfo>& fields = described_->info.fields;
    return std::any_of(fields.begin(), fields.end(), [](const FieldInfo& field) { return field.name == floats_field; }) &&
           std::find(given_.begin(), given_.end(), floats_field) == given_.end();
}

std::unique_ptr<DescribeAny::Described::Call> DescribeAny::Described::Call::copy() const {
    auto call = std::make_unique<Call>(described_);
    call->op_.reset(described_->type.copy(op()));
    call->given_ = given_;
    return call;
}

namespace {

bool says_srgb(const std::vector<std::byte>& icc) { return icc.empty() || names_srgb(icc); }

} // namespace

std::unique_ptr<Operation> DescribeAny::Described::Call::on(PictureFacts& facts, const Form& form) const {
    const Profiling& profiling = described_->profiling;
    const bool is_unknown = facts.curve == ColourCurve::unknown;
    const ColourCurve taken = profiling.after && is_unknown ? ColourCurve::srgb : facts.curve; // until a profile says what they are
    const bool tells_floats = form.depth == Depth::f32 && taken != ColourCurve::unknown && leaves_floats_open();
    const bool is_shrunk = facts.fraction && described_->shrinking.take;
    const bool tells_facts = !described_->knows_each && wants_facts();
    const bool has_light = form.depth == Depth::f32 && facts.curve == ColourCurve::linear && !described_->colours.empty();
    if (described_->takes_srgb && described_->takes_srgb(op()) && !says_srgb(facts.icc)) {
        facts.notes.push_back(fmt::format("{}: colours are taken for sRGB, not for what the ICC profile says; first `profile --to srgb` "
                                          "converts them", described_->info.name));
    }
    if (!tells_floats && !is_shrunk && !tells_facts && !profiling.after && described_->pictures.empty() && !has_light) {
        return nullptr;
    }
    std::unique_ptr<Call> call = copy();
    if (tells_floats) {
        call->set(floats_field, taken == ColourCurve::srgb ? "srgb" : "linear");
    }
    for (const auto& into_light : has_light ? described_->colours : std::vector<std::function<void(void*)>>{}) {
        into_light(call->op_.get());
    }
    for (PictureInput* picture : call->pictures()) {
        picture->image = picture->fitted && !picture->holds_numbers ? picture->fitted(facts) : picture->image;
    }
    if (tells_facts) {
        *static_cast<PictureFacts*>(member_at(call->op_.get(), *described_->facts)) = facts;
    }
    if (is_shrunk) {
        described_->shrinking.take(call->op_.get(), *std::exchange(facts.fraction, {}));
    }
    if (profiling.after) {
        profiling.take(call->op_.get(), facts.icc);
        const std::vector<std::byte> before = std::exchange(facts.icc, profiling.after(call->op(), form));
        facts.curve = facts.icc != before ? taken : facts.curve;
    }
    return call;
}

Form DescribeAny::Described::Call::result_form(const Form& form) const {
    if (described_->rows.form) {
        return described_->rows.form(op(), form);
    }
    return described_->plan ? described_->plan(op(), form).shape.result : form;
}

bool DescribeAny::Described::Call::takes_whole(Context& gpu, const Form& form) const {
    const auto& grid = described_->rows.grid;
    if (!grid && described_->plan) {
        return glproc::takes_whole(gpu, described_->plan(op(), form));
    }
    return !grid || grid(op(), gpu, form).is_whole(form);
}

std::optional<Report> DescribeAny::Described::Call::run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const {
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

AnyOp DescribeAny::Described::Call::with(const Variants& of, std::size_t row) const {
    AnyOp op(described_->type.copy(op_.get()), described_->type.destroy);
    if (of.choose) {
        of.choose(member_at(op.get(), of.member), row);
    }
    return op;
}

void DescribeAny::Described::Call::refuse_contradiction(const FieldInfo& info) const {
    if (std::find(given_.begin(), given_.end(), info.contradicts) != given_.end()) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} and --{} cannot be given together", info.contradicts, info.name));
    }
}

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

std::unique_ptr<Operation> changed_call(const Operation& call, const OpType& type,
                                        const std::function<void(void* op)>& change) {
    const auto* described = dynamic_cast<const Inside::Described::Call*>(&call);
    if (described == nullptr || !described->is_of(type)) {
        throw Error(ErrorCode::operation, "parameters of another operation");
    }
    auto changed = described->copy();
    change(changed->op());
    return changed;
}

} // namespace glproc
