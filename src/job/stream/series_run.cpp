#include "job/stream/series_run.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/image/descriptions.hpp"
#include "glproc/op/plan.hpp"
#include "job/input_file.hpp"
#include "job/notes.hpp"
#include "job/stream/stdin_stream.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

/// The output is a copy of the run's: what one picture decides there is not for the next.
class SeriesRun::Frame final : public SeriesFrame {
  public:
    Frame(SeriesRun& run, SeriesPicture picture)
        : run_(run), place_(run.place()), output_(run.output_), delay_(picture.delay) {
        own_ = run_.with_second_pictures_for(picture.image);
        image_ = output_.take_input(run_.name_, std::move(picture.image), own_ ? *own_ : run_.operation());
        millions_ = static_cast<double>(image_.width()) * image_.height() / 1e6;
        for (const Form& made : forms_made(*output_.plan())) {
            run_.check_room(made);
        }
        const std::lock_guard lock(run_.under_way_.mutex);
        ++run_.under_way_.count;
        is_counted_ = true;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() override {
        image_ = {};
        if (is_counted_) {
            const std::lock_guard lock(run_.under_way_.mutex);
            --run_.under_way_.count;
            run_.under_way_.fewer.notify_all();
        }
    }

    bool needs_no_device(bool) const override { return glproc::needs_no_device(*output_.plan()); }
    std::optional<Plan> plan() const override { return *output_.plan(); }

    void process(Context* gpu) override {
        try {
            process_by(gpu);
        } catch (const Error& error) {
            throw error.code() == ErrorCode::operation ? error_of(place_, error) : error;
        }
    }

    void write() override {
        run_.call_.stages.run(Stage::encode, [&] { run_.write(output_, std::move(image_), delay_); });
    }

    double millions() const override { return millions_; }
    Image& image() override { return image_; }
    const Operation& operation() const override {
        return output_.operation_for(own_ ? *own_ : run_.operation());
    }

  private:
    void process_by(Context* gpu) {
        Stages& stages = run_.call_.stages;
        if (gpu == nullptr) {
            image_ = stages.run(Stage::compute, [&] { return image_by_processor(*output_.plan(), image_); });
        } else if (takes_whole(*gpu, *output_.plan())) {
            process_whole(*gpu);
        } else {
            image_ = stages.run(Stage::compute, [&] { return in_tiles(*gpu); });
        }
    }

    void process_whole(Context& gpu) {
        Stages& stages = run_.call_.stages;
        const GpuImage on_gpu = stages.run(Stage::upload, [&] { return gpu.upload(image_, "input"); });
        const Image no_pixels;
        const Products product = stages.run(Stage::compute, [&] {
            return operation().run(gpu, ImageInput{run_.name_, no_pixels, on_gpu});
        });
        image_ = stages.run(Stage::download,
                            [&] { return gpu.download(product.picture.value(), std::move(image_)); });
    }

    Image in_tiles(Context& gpu) {
        const RowSource source = rows_of(image_);
        ImageRows made(output_.plan()->shape.result);
        operation().run_rows(gpu, RowsInput{run_.name_, source, run_.call_.advance, false}, &made);
        made.finish();
        return std::move(made.image());
    }

    SeriesRun& run_;
    std::string place_;
    PictureOutput output_;
    std::unique_ptr<Operation> own_; ///< where second pictures follow another profile
    Image image_;
    FrameDelay delay_;
    double millions_ = 0;
    bool is_counted_ = false;
};

SeriesRun::SeriesRun(const Call& call, std::string name, SeriesSource file, PictureOutput& output)
    : call_(call), name_(std::move(name)), pages_(named_pages(name_)), file_(std::move(file)),
      output_(output) {}

SeriesRun::~SeriesRun() = default;

bool SeriesRun::begin() {
    const Budget budget = call_.reading.budget;
    std::optional<SeriesInfo> info = file_.inspect(budget, input_name(name_));
    if (!info) {
        return false;
    }
    if (!pages_.is_named()) {
        pages_ = {name_, numbers_to(info->count)};
    } else {
        const NamedPages there = pages_within(pages_, name_, *info, call_.reading.options.keep_partial);
        if (there.count() < pages_.count()) {
            add_once(input_notes_,
                     {fmt::format("{}: {}; {}", name_, info->damage, images_kept(there.count()))});
        }
        pages_ = there;
        ends_behind_ = pages_.numbers.back();
    }
    const int all = std::exchange(info->count, pages_.count());
    output_.follow_format(info->format);
    if (!output_.takes_series(*info, input_name(name_))) {
        static_cast<void>(named_page(name_)); // throws for several
        return false;
    }
    check_count(call_.reading, info->count, input_name(name_));
    output_.take_series(info->count, ends_behind_ < all || pages_.count() < all ? part_of_stack(*info, all)
                                                                               : std::nullopt);
    series_ = file_.open(budget, input_name(pages_.path), call_.reading.with(input_notes_));
    if (series_ && call_.volume) {
        begin_volumes(*info, all);
    }
    return series_ != nullptr;
}

std::size_t SeriesRun::waiting() const {
    constexpr std::size_t room = std::size_t{1} << 29U;
    constexpr std::size_t most = 4;
    if (call_.reading.budget.any()) {
        return 1;
    }
    try {
        const std::size_t bytes = file_.form(input_name(name_)).bytes();
        return std::clamp<std::size_t>(room / 2 / std::max<std::size_t>(bytes, 1), 1, most);
    } catch (const Error&) { // decoding will say it
        return 1;
    }
}

/// The limit on memory is for the file: where it is too small for several pictures of this size, there is one
/// after another.
void SeriesRun::wait_for_room() {
    const std::uint64_t memory = call_.reading.budget.memory;
    if (memory == 0 || last_held_ * 2 <= memory || volumes_) {
        return;
    }
    std::unique_lock lock(under_way_.mutex);
    under_way_.fewer.wait(lock, [this] { return under_way_.count == 0; });
}

/// An operation may enlarge it.
void SeriesRun::check_room(const Form& form) {
    last_held_ = std::max(last_held_, held_in_series(form));
    check_in_series(call_.reading.budget, form, input_name(name_));
}

std::optional<SeriesPicture> SeriesRun::decode_next() {
    try {
        const int wanted = given_ < pages_.numbers.size() ? pages_.numbers[given_] : read_ + 1;
        for (; read_ + 1 < wanted && series_->next(); ++read_) { // a frame may be seen through the next ones
        }
        std::optional<SeriesPicture> picture = read_++ < ends_behind_ ? series_->next() : std::nullopt;
        if (picture && given_ == 0) {
            add_description(picture->image, description_);
        }
        return picture;
    } catch (const Error& error) {
        end_early(error);
        return std::nullopt;
    }
}

/// Throws the error of an image unless those before it are what is wanted, or what there is of a still image.
void SeriesRun::end_early(const Error& error) {
    const std::string_view what = error.what();
    const bool is_png = series_->info().format == Format::png;
    if (error.code() != ErrorCode::input || given_ == 0) {
        throw error;
    }
    if (given_ == 1 && is_png &&
        what.find(": corrupt") != std::string_view::npos) { // as programs take it that know no animations
        add_once(input_notes_, {input_name(name_) + ": its animation is broken; the first image is used"});
    } else if (call_.reading.options.keep_partial) {
        add_once(input_notes_, {fmt::format("{}; {}", what, images_kept(static_cast<int>(given_)))});
    } else {
        throw error.hint().empty()
            ? Error(error.code(), error.what(), "--keep-partial keeps the images before that")
            : error;
    }
}

void SeriesRun::look() {
    first_frame_ = next();
}

std::unique_ptr<StreamFrame> SeriesRun::next() {
    if (first_frame_) {
        return std::move(first_frame_);
    }
    return volumes_ ? volumes_->next() : make_next();
}

std::unique_ptr<SeriesFrame> SeriesRun::make_next() {
    look_at_all();
    wait_for_room();
    std::optional<SeriesPicture> picture = call_.stages.run(Stage::decode, [&] { return decode_next(); });
    if (!picture) {
        return nullptr;
    }
    ++given_;
    last_held_ = 0;
    check_room(picture->image.form());
    return std::make_unique<Frame>(*this, std::move(*picture));
}

/// A page may have another profile than the first one.
std::unique_ptr<Operation> SeriesRun::with_second_pictures_for(const Image& image) {
    if (!call_.fit_second_images) {
        return nullptr;
    }
    FirstProfile own(name_, image);
    if (!first_) {
        first_ = std::move(own);
        return nullptr;
    }
    if (own.is_like(*first_)) {
        return nullptr;
    }
    Notes said;
    std::unique_ptr<Operation> made = call_.fit_second_images(own, said);
    add_once(input_notes_, said);
    return found_ ? found_(*made) : std::move(made);
}

void SeriesRun::write(PictureOutput& output, Image image, FrameDelay delay) {
    image = output.finished(std::move(image));
    add_once(output_notes_, output.notes());
    if (!writer_) {
        SeriesInfo like = series_->info();
        like.count = pages_.count();
        writer_ = output_.open_series(like);
        form_ = image.form();
    }
    writer_->write(image, delay);
    ++written_;
}

void SeriesRun::finish() {
    writer_->finish();
    add_once(output_notes_, output_.notes());
}

namespace {

/// By the first bytes of stdin, of which a pipe may have few.
bool may_be_series(std::span<const std::byte> start) {
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    return text.starts_with("GIF8") || text.starts_with("RIFF") || text.starts_with("II") ||
           text.starts_with("MM") ||
           (text.starts_with("\x89PNG") && text.find("acTL") != std::string_view::npos);
}

/// The file, where it is worth a look. What has limits, or may be damaged, is read as a whole.
std::optional<SeriesSource> read_if_series(const NamedPages& named, InputFile& file, const Reading& reading) {
    const auto read = [&] { return SeriesSource(file.read("image")); };
    if (named.path == "-") {
        const bool may_be =
            ::isatty(STDIN_FILENO) == 0 && (may_be_series(peek_input("-")) || may_be_series(start_of_pipe()));
        return may_be ? std::optional(read()) : std::nullopt;
    }
    try {
        if (!file.opened() || !may_hold_series(*file.opened(), named.path)) {
            return std::nullopt;
        }
        const bool stays_open = !reading.budget.any() && !reading.options.keep_partial &&
                                has_pages_in_file(*file.opened(), named.path);
        return stays_open ? SeriesSource(file.opened()) : read();
    } catch (const Error&) {
        if (named.are_several()) {
            throw;
        }
        return std::nullopt; // decoding will say it
    }
}

} // namespace

namespace {

/// A file that is not there is for decoding to tell.
void refuse_volume(const Call& call, const std::string& name) {
    std::error_code ignored;
    const bool is_read = name == "-" || std::filesystem::exists(file_of(name), ignored);
    if (!call.volume || !is_read || call.reading.budget.untrusted) {
        return;
    }
    throw Error(ErrorCode::usage,
                call.wants_report
                    ? "a volume has a report or an image, each by a call of its own"
                    : input_name(name) +
                          ": --volume takes a file of several images, and OUT must hold as many");
}

} // namespace

std::unique_ptr<SeriesRun> begin_series(const Call& call, const std::string& name, InputFile& file,
                                        PictureOutput& output) {
    const NamedPages named = named_pages(name);
    const bool takes_all = call.op.input == Input::image && !call.op.joins && !call.wants_report;
    if (!takes_all || named.count() == 1) {
        refuse_volume(call, name);
        return nullptr;
    }
    if (std::optional<SeriesSource> source = read_if_series(named, file, call.reading)) {
        auto run = std::make_unique<SeriesRun>(call, name, std::move(*source), output);
        if (run->begin()) {
            return run;
        }
        if (name == "-") {
            give_back_stdin(run->take_bytes());
        }
    }
    if (named.are_several()) {
        throw no_such_page(name, named.numbers.back(), SeriesInfo{.count = 1});
    }
    refuse_volume(call, name);
    return nullptr;
}

std::string SeriesRun::size_text() const {
    return fmt::format("{}x{}, {} {}", form_.width, form_.height, written_,
                       series_->info().kind == SeriesKind::pages ? "pages" : "frames");
}

} // namespace glproc::job
