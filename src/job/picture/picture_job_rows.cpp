// What the GPU does with a picture whose rows come one after another: at once, or in tiles.
#include "job/named_memory.hpp"
#include "job/picture/by_rows.hpp"
#include "job/picture/picture_job.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/files/overlap.hpp"
#include "glproc/op/plan.hpp"

#include <memory>
#include <utility>

namespace glproc::job {

void PictureJob::process_rows(Context& gpu) {
    read_ahead();
    if (!operation().takes_whole(gpu, rows_->form)) {
        process_tiles(gpu, *rows_, true);
    } else if (out_.picture) {
        go_through(gpu);
    } else { // what is measured or summed may look at the pixels in CPU memory, too
        Image image(rows_->form);
        call_.stages.run(Stage::upload, [&] { rows_->open()->read(image.bytes()); });
        process_whole(gpu, std::move(image));
    }
}

/// From rows to rows, the whole picture on the GPU in between, and nowhere else.
void PictureJob::go_through(Context& gpu) {
    const GpuImage on_gpu = run_on(gpu, Stage::upload, [&] {
        GpuImage uploaded = gpu.upload(*rows_->open(), "input");
        settle(gpu);
        return uploaded;
    });
    const Image no_pixels;
    Products product = compute(gpu, ImageInput{input_.name(), no_pixels, on_gpu});
    const GpuImage& result = product.picture.value();
    note_result(result.form());
    const std::unique_ptr<RowWriter> writer = out_.picture->open(result.form());
    double waited = 0;
    run_on(gpu, Stage::download, [&] {
        const auto timed = timed_writer(*writer, call_.stages);
        const auto behind = write_behind(*timed, result.form().row_bytes(), &waited);
        gpu.download(result, *behind);
        const Clock::time_point begin = Clock::now();
        behind->finish();
        waited += milliseconds_since(begin);
    });
    call_.stages.run(Stage::encode, [&] { writer->finish(); });
    if (product.report) {
        fetch_report(gpu, std::move(*product.report));
    }
    call_.stages.add(Stage::upload, -waited_);
    call_.stages.add(Stage::download, -waited);
}

/// `little_memory`: the result is not to lie in memory as a whole.
void PictureJob::process_tiles(Context& gpu, const RowSource& source, bool little_memory) {
    in_tiles_ = true;
    std::unique_ptr<RowWriter> writer;
    std::optional<Plan> sized;
    if (out_.picture) {
        const Plan& plan = *out_.picture->plan();
        Form result = plan.shape.result;
        if (plan.look.sets_size) {
            sized = run_on(gpu, Stage::compute, [&] { return settled(gpu, plan, &source, call_.advance); });
            result = sized->shape.result;
        }
        note_result(result);
        writer = with_named_memory(result, [&] {
            return little_memory ? out_.picture->open(result) : out_.picture->gather(result);
        });
    } else if (out_.array) {
        writer = out_.array->open(operation().array_form(source.form));
    }
    const std::unique_ptr<RowWriter> timed = writer ? timed_writer(*writer, call_.stages) : nullptr;
    const RowsInput input{input_.name(), source, call_.advance, call_.wants_report};
    std::optional<Report> report = run_on(gpu, Stage::compute, [&]() -> std::optional<Report> {
        if (sized) {
            run_rows(gpu, *sized, source, *timed, call_.advance);
            return call_.wants_report && sized->report ? std::optional(sized->report(input_.name()))
                                                       : std::nullopt;
        }
        return operation().run_rows(gpu, input, timed.get());
    });
    call_.stages.add(Stage::compute, -waited_);
    if (writer) {
        call_.stages.run(Stage::encode, [&] { writer->finish(); });
    }
    if (report) {
        fetch_report(gpu, std::move(*report));
    }
}

} // namespace glproc::job
