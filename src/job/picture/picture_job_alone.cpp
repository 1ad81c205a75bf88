// What the processor does for a picture where no device is needed.
#include "job/named_memory.hpp"
#include "job/picture/by_rows.hpp"
#include "job/picture/picture_job.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/plan.hpp"

#include <memory>
#include <utility>

namespace glproc::job {

namespace {

/// What is wrong with such a picture is said later.
template <class Ask>
bool is_true(const Ask& ask) {
    try {
        return ask();
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::optional<Plan> PictureJob::plan() const {
    if (series_) {
        return series_->first() != nullptr ? series_->first()->plan() : std::nullopt;
    }
    if (out_.picture && out_.picture->plan() != nullptr) {
        return *out_.picture->plan();
    }
    std::optional<Plan> plan;
    static_cast<void>(out_.picture && form().width > 0 &&
                      is_true([&] { return plan.emplace(operation().plan(form())), true; }));
    return plan;
}

/// Whether the processor alone can do it.
bool PictureJob::needs_no_device(bool at_need) const {
    if (series_) {
        return series_->first() != nullptr && series_->first()->needs_no_device(at_need);
    }
    if (out_.picture && form().width > 0) {
        const std::optional<Plan> plan = this->plan();
        return plan && glproc::needs_no_device(*plan);
    }
    return is_true([&] { return operation().by_processor(form(), at_need); });
}

bool PictureJob::may_go_alone() const {
    const Form form = this->form();
    return may_go_alone_ && (form.width > 0 ? needs_no_device(false) : operation().box().has_value());
}

bool PictureJob::goes_alone() const {
    const bool is_image = series_ || (source_ && std::holds_alternative<Image>(*source_));
    if (in_large_rows() &&
        (!out_.picture || out_.picture->plan()->twin.holds_picture)) { // which a device takes in parts
        return false;
    }
    return may_go_alone_ && (rows_ || is_image) && needs_no_device(false);
}

bool PictureJob::goes_alone_quickly() const {
    return goes_alone() && (!out_.picture || plan()->twin.work == 0);
}

bool PictureJob::goes_alone_at_need() const {
    return (series_ || rows_ || source_) && needs_no_device(true);
}

std::unique_ptr<RowReader> PictureJob::open_rows() {
    return rows_ ? rows_->open() : rows_of(std::get<Image>(*source_)).open();
}

void PictureJob::process_alone() {
    if (series_) {
        return go_through_series(nullptr);
    }
    note_size();
    want_findings(call_.wants_findings);
    if (!out_.picture) {
        return make_alone();
    }
    Plan plan = *out_.picture->plan();
    if (plan.look.alone) {
        plan = call_.stages.run(Stage::compute, [&] {
            return plan.look.alone(rows_ ? *rows_ : rows_of(std::get<Image>(*source_)));
        });
        note_result(plan.shape.result);
        note_findings();
        if (call_.wants_report && plan.report) {
            report_ = plan.report(input_.name());
        }
    } else if (call_.wants_report) {
        return make_alone();
    }
    if (rows_ && !reads_ahead_) {
        rows_ = thread_limit() == 1 ? timed_source(std::move(*rows_), call_.stages, waited_)
                                    : start_reading(std::move(*rows_), call_.stages, waited_);
    }
    with_named_memory(plan.shape.result, [&] { run_alone(plan); });
    note_findings();
    call_.stages.add(Stage::compute, -waited_);
    rows_.reset();
    source_.reset();
}

void PictureJob::run_alone(const Plan& plan) {
    if (writes_rows_ || out_.picture->is_same_in_rows()) {
        const std::unique_ptr<RowWriter> writer = out_.picture->open(plan.shape.result);
        const std::unique_ptr<RowWriter> timed = timed_writer(*writer, call_.stages);
        call_.stages.run(Stage::compute, [&] { plan.twin.run(*open_rows(), *timed); });
        call_.stages.run(Stage::encode, [&] { writer->finish(); });
    } else {
        ImageRows made(plan.shape.result);
        call_.stages.run(Stage::compute, [&] { plan.twin.run(*open_rows(), made); });
        result_ = std::move(made.image());
    }
}

/// Not only a picture, of pixels or values in memory.
void PictureJob::make_alone() {
    if (source_ && std::holds_alternative<Array>(*source_)) {
        result_ = call_.stages.run(Stage::compute,
                                   [&] { return operation().make_array_alone(std::get<Array>(*source_)); });
        source_.reset();
        return;
    }
    if (rows_) {
        Image image(rows_->form);
        call_.stages.run(Stage::decode, [&] { rows_->open()->read(image.bytes()); });
        source_ = std::move(image);
    }
    MadeAlone made = call_.stages.run(
        Stage::compute, [&] { return operation().make_alone(input_.name(), std::get<Image>(*source_)); });
    report_ = call_.wants_report ? std::move(made.report) : std::nullopt;
    if (made.array) {
        result_ = std::move(*made.array);
    } else if (made.picture) {
        result_ = std::move(*made.picture);
    }
    note_findings();
    rows_.reset();
    source_.reset();
}

} // namespace glproc::job
