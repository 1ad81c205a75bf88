#include "job/picture/picture_job.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/findings.hpp"
#include "job/budget.hpp"
#include "job/picture/by_rows.hpp"
#include "job/stream/series_run.hpp"

#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

PictureJob::PictureJob(const Call& call, const std::string& in, Outputs outputs)
    : call_(call), input_(call, in), out_(std::move(outputs)) {}

PictureJob::~PictureJob() = default;

void PictureJob::open(bool alone, bool for_gpu) {
    may_go_alone_ = alone;
    if (out_.picture) {
        series_ = begin_series(call_, input_.name(), input_.file(), *out_.picture);
        if (series_) {
            return;
        }
    } else if (call_.volume) {
        throw Error(ErrorCode::usage, out_.array ? "a volume is written as images, to a TIFF"
                                                 : "a report of a volume is of one file");
    }
    rows_ = input_.open_in_rows(picture(), alone && !for_gpu);
    if (rows_) {
        writes_rows_ = input_.is_large();
    } else {
        bytes_ = input_.read();
    }
}

void PictureJob::open(std::vector<std::byte> file) {
    bytes_ = std::move(file);
    input_.look_at(bytes_);
}

void PictureJob::write_to(RowWriter& stream) {
    if (out_.picture) {
        out_.picture->share(stream);
    }
}

void PictureJob::read_ahead() {
    if (!std::exchange(reads_ahead_, true)) {
        rows_ = start_reading(std::move(*rows_), call_.stages, waited_);
    }
}

void PictureJob::decode() {
    if (series_) {
        return series_->look();
    }
    if (rows_) {
        call_.stages.run(Stage::decode, [&] {
            Image image(rows_->form);
            rows_->open()->read(image.bytes());
            source_ = std::move(image);
        });
        rows_.reset();
    } else {
        source_ = input_.decode(bytes_, picture());
        bytes_ = {};
    }
    check_budget();
}

/// An operation may make much of little.
void PictureJob::check_budget() const {
    if (call_.reading.budget.any() && out_.picture && form().width > 0) {
        const Plan* known = out_.picture->plan();
        const Plan plan = known != nullptr ? *known : operation().plan(form());
        for (const Form& made : forms_made(plan)) {
            check_made(call_.reading.budget, made, input_.name());
        }
    }
}

Form PictureJob::form() const {
    const auto* image = source_ ? std::get_if<Image>(&*source_) : nullptr;
    return rows_ ? rows_->form : image != nullptr ? image->form() : input_.form().value_or(Form{});
}

std::vector<std::size_t> PictureJob::texture_bytes() const {
    const Form form = this->form();
    std::vector<std::size_t> sizes;
    const auto add = [&](const Form& one) {
        sizes.push_back(static_cast<std::size_t>(texels_per_row(one)) * Texture::texel_bytes *
                        static_cast<std::size_t>(one.height));
    };
    if (form.width > 0) {
        add(form);
    }
    if (form.width > 0 && out_.picture) {
        try {
            add(call_.operation.result_form(form)); // decoding may be under way, and give a fraction
        } catch (const Error&) {                    // NOLINT(bugprone-empty-catch): decoding will say it
        }
    }
    return sizes;
}

/// Software renderers have the processor to themselves instead. Of reports only those that need no device are
/// rehearsed: on one they begin with kernels too, while others first look at pixels.
void PictureJob::rehearse(Context& gpu) const {
    const Form form = this->form();
    if (form.width == 0 || gpu.device().software || !(out_.picture || needs_no_device(false))) {
        return;
    }
    gpu.rehearse(form, [&](const GpuImage& image) {
        const Image no_pixels;
        if (call_.operation.takes_whole(gpu, form)) { // likewise
            call_.operation.run(gpu, ImageInput{input_.name(), no_pixels, image});
        }
    });
}

void PictureJob::note_size() {
    const auto note = [&](const Form& form) {
        const Form named =
            out_.picture ? out_.picture->plan()->shape.result : form; // the size of what is named
        size_text_ = fmt::format("{}x{}", named.width, named.height);
        millions_ = static_cast<double>(form.width) * form.height / 1e6;
    };
    if (rows_) {
        note(rows_->form);
    } else if (scan_) {
        note(scan_->form);
    } else if (const auto* image = std::get_if<Image>(&*source_)) {
        note(image->form());
    } else {
        const std::size_t count = std::get<Array>(*source_).count();
        size_text_ = counted(count, "value");
        millions_ = static_cast<double>(count) / 1e6;
    }
}

/// Some operations decide the size once they have seen the pixels.
void PictureJob::note_result(const Form& result) {
    size_text_ = fmt::format("{}x{}", result.width, result.height);
}

void PictureJob::process(Context& gpu) {
    if (scan_for(gpu) != nullptr) {
        process_decoded(gpu, decode_alone(gpu));
    } else {
        process_decoded(gpu, std::nullopt);
    }
    if (product_) {
        encode_alone(gpu);
    }
}

/// Picture by picture, from the file to the other. Without a device one is started for a picture that needs
/// it after all.
void PictureJob::go_through_series(Context* gpu) {
    std::optional<Context> own;
    while (const std::unique_ptr<StreamFrame> frame = series_->next()) {
        if (gpu == nullptr && !frame->needs_no_device(true)) {
            gpu = &own.emplace(call_.device);
        }
        frame->process(gpu);
        frame->write();
        millions_ += frame->millions();
        call_.advance(0);
    }
    findings_ = series_->findings();
    size_text_ = series_->size_text();
}

void PictureJob::process_decoded(Context& gpu, std::optional<GpuImage> image) {
    if (series_) {
        return go_through_series(&gpu);
    }
    want_findings(call_.wants_findings);
    if (image) {
        note_size();
        scan_.reset();
        const Image no_pixels;
        Products product = compute(gpu, ImageInput{input_.name(), no_pixels, *image});
        image.reset();
        fetch(gpu, std::move(product), Image());
    } else {
        if (std::exchange(scan_, std::nullopt)) {
            decode();
        }
        work_on(gpu);
    }
    note_findings();
}

void PictureJob::note_findings() {
    const Notes more = take_findings();
    findings_.insert(findings_.end(), more.begin(), more.end());
}

void PictureJob::work_on(Context& gpu) {
    note_size();
    if (rows_) {
        return process_rows(gpu);
    }
    Source source = *std::exchange(source_, std::nullopt);
    const auto* image = std::get_if<Image>(&source);
    if (image != nullptr && !operation().takes_whole(gpu, image->form())) {
        process_tiles(gpu, rows_of(*image), writes_rows_);
    } else {
        process_whole(gpu, std::move(source));
    }
}

/// The GPU works in the background: with --timing a stage ends when its work does, otherwise nothing waits.
void PictureJob::settle(Context& gpu) const {
    if (call_.is_timed) {
        gpu.finish();
    }
}

void PictureJob::process_whole(Context& gpu, Source source) {
    const Uploaded uploaded = run_on(gpu, Stage::upload, [&] {
        Uploaded on_gpu =
            std::visit([&](const auto& data) -> Uploaded { return gpu.upload(data, "input"); }, source);
        settle(gpu);
        return on_gpu;
    });
    Products product = compute(gpu, op_input(input_.name(), source, uploaded));
    fetch(gpu, std::move(product), std::move(source));
}

Products PictureJob::compute(Context& gpu, const OpInput& input) {
    return run_on(gpu, Stage::compute, [&] {
        const auto* image = std::get_if<ImageInput>(&input);
        Products computed = image == nullptr
                                ? operation().run(gpu, input)
                                : operation().run(gpu, ImageInput{image->name, image->pixels, image->image,
                                                                  call_.wants_report});
        settle(gpu);
        return computed;
    });
}

/// `memory` is no longer needed: it may take the product.
void PictureJob::fetch(Context& gpu, Products product, Source memory) {
    if (product.report) {
        fetch_report(gpu, std::move(*product.report));
    }
    if (product.array) {
        result_ = run_on(gpu, Stage::download, [&] { return gpu.download(*product.array); });
    } else if (product.picture) {
        note_result(product.picture->form());
        if (!keep_for_encoding(gpu, *product.picture)) {
            result_ = run_on(gpu, Stage::download, [&] {
                return gpu.download(*product.picture, std::get<Image>(std::move(memory)));
            });
        }
    }
}

void PictureJob::fetch_report(Context& gpu, Report report) {
    if (out_.report && out_.report->pixels) {
        plot_ = run_on(gpu, Stage::download, [&] { return gpu.download(report.picture.value()); });
    }
    report.picture.reset(); // it belongs to this thread
    report_ = std::move(report);
}

void PictureJob::write() {
    call_.stages.run(Stage::encode, [&] {
        if (series_) {
            series_->finish();
        } else if (files_) {
            out_.picture->write_file(files_->file(file_).value());
        } else if (auto* image = std::get_if<Image>(&result_)) {
            if (writes_rows_) {
                const std::unique_ptr<RowWriter> writer = out_.picture->open(image->form());
                writer->write(image->bytes());
                writer->finish();
            } else {
                out_.picture->write(std::move(*image));
            }
        } else if (const auto* array = std::get_if<Array>(&result_)) {
            out_.array->write(*array);
        }
        if (report_) {
            write_report();
        }
    });
    result_ = {};
    files_.reset();
    bytes_ = {};
}

/// The picture first: where it cannot be written, the call has failed and stdout stays empty.
void PictureJob::write_report() {
    if (plot_) {
        out_.report->pixels->take_meaning(report_->picture_meaning);
        out_.report->pixels->write(std::move(*plot_));
    }
    if (out_.report->drawing) {
        out_.report->drawing->write(std::as_bytes(std::span(report_->drawing)));
    }
    if (out_.report->file) {
        const std::unique_ptr<RowWriter> writer = out_.report->file->open();
        report_->file(out_.report->file_format,
                      [&](std::string_view part) { writer->write(std::as_bytes(std::span(part))); });
        writer->finish();
    } else {
        text_ = out_.report->text(*report_, input_.name());
    }
    failure_ = report_->failure;
}

const Notes& PictureJob::input_notes() const {
    return series_ ? series_->input_notes() : input_.notes();
}

const Notes& PictureJob::output_notes() const {
    static const Notes none;
    return series_ ? series_->output_notes() : out_.picture ? out_.picture->notes() : none;
}

std::string PictureJob::output_name() const {
    const bool is_file = out_.report && out_.report->file;
    return out_.picture ? out_.picture->name()
           : out_.array ? out_.array->name()
           : is_file    ? out_.report->file->name()
                        : "stdout";
}

} // namespace glproc::job
