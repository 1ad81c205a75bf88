#include "cli/stream/series_run.hpp"

#include "cli/configure.hpp"
#include "cli/confined/decoder_process.hpp"
#include "cli/files/input.hpp"
#include "cli/files/run_input.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/stream/stream.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// At most, in this process and in the decoder's: the canvas, the image before and after the work on it, and
/// in the writer those of two frames and what is made of one. tests/cli/untrusted_test.cpp weighs them. Grey
/// ones become colours in some writers.
constexpr std::size_t copies_of_one = 7;

std::uint64_t held_for(const Form& form) {
    const Form colour{form.width, form.height, std::max(form.channels, 3), form.depth};
    return colour.bytes() * copies_of_one;
}

/// Throws Error(input) for a picture of which not even one at a time fits into the limit.
void check_room(const Budget& budget, const Form& form, const std::string& name) {
    if (budget.memory > 0 && held_for(form) > budget.memory) {
        throw Error(
            ErrorCode::input,
            fmt::format(
                "{}: an image of {}x{} pixels is too large for {} MiB of memory where it is one of several",
                name, form.width, form.height, budget.memory >> 20U),
            hint_for(budget, "--max-memory"));
    }
}

/// Of a software renderer, whose memory is that of this process: a part of the limit. Tiles that are smaller
/// cost more than they save.
Settings within(Settings settings, const Budget& budget) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20U;
    settings.context.host_bytes = budget.memory == 0 ? 0 : std::max(budget.memory / 8, least);
    return settings;
}

} // namespace

/// The output is a copy of the run's: what one picture decides there is not for the next.
class SeriesRun::Frame final : public StreamFrame {
  public:
    Frame(SeriesRun& run, SeriesPicture picture) : run_(run), output_(run.output_), delay_(picture.delay) {
        own_ = run_.with_second_pictures_for(picture.image);
        image_ = output_.take_input(std::move(picture.image), own_ ? *own_ : run_.call_.operation);
        millions_ = static_cast<double>(image_.width()) * image_.height() / 1e6;
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

    void process(Context& gpu) override {
        Stages& stages = run_.call_.stages;
        if (!operation().takes_whole(gpu, image_.form())) {
            image_ = stages.run(Stage::compute, [&] { return in_tiles(gpu); });
            return;
        }
        const GpuImage on_gpu = stages.run(Stage::upload, [&] { return gpu.upload(image_, "input"); });
        const Image no_pixels;
        const Products product = stages.run(Stage::compute, [&] {
            return operation().run(gpu, ImageInput{run_.name_, no_pixels, on_gpu});
        });
        image_ = stages.run(Stage::download,
                            [&] { return gpu.download(product.picture.value(), std::move(image_)); });
    }

    void write() override {
        run_.call_.stages.run(Stage::encode, [&] { run_.write(output_, std::move(image_), delay_); });
    }

    double millions() const override { return millions_; }

  private:
    const Operation& operation() const { return output_.operation_for(own_ ? *own_ : run_.call_.operation); }

    Image in_tiles(Context& gpu) {
        const RowSource source = rows_of(image_);
        ImageRows made(operation().result_form(image_.form()));
        operation().run_rows(gpu, RowsInput{run_.name_, source, run_.call_.advance, false}, &made);
        made.finish();
        return std::move(made.image());
    }

    SeriesRun& run_;
    PictureOutput output_;
    std::unique_ptr<Operation> own_; ///< where second pictures follow another profile
    Image image_;
    FrameDelay delay_;
    double millions_ = 0;
    bool is_counted_ = false;
};

SeriesRun::SeriesRun(const Call& call, std::string name, std::vector<std::byte> file, PictureOutput& output)
    : call_(call), name_(std::move(name)), pages_(named_pages(name_)), file_(std::move(file)), output_(output) {}

SeriesRun::~SeriesRun() = default;

bool SeriesRun::begin() {
    const Budget budget = read_budget(call_.arguments);
    std::optional<SeriesInfo> info = inspect_series_within(budget, file_, input_name(name_));
    if (!info) {
        return false;
    }
    if (pages_.first == 0) {
        pages_ = {name_, 1, info->count};
    } else {
        ends_behind_ = pages_.last;
    }
    if (pages_.last > info->count) {
        throw no_such_page(name_, pages_.last, *info);
    }
    info->count = pages_.count();
    output_.follow_input(name_, file_);
    if (!output_.takes_series(*info, input_name(name_))) {
        return false;
    }
    output_.take_series();
    has_second_pictures_ = !configure(call_.arguments)->pictures().empty();
    check_count(info->count, call_.arguments, input_name(name_));
    series_ = open_series_within(budget, file_, input_name(pages_.path),
                                 decode_options(call_.arguments, &input_notes_));
    return series_ != nullptr;
}

std::size_t SeriesRun::waiting() const {
    constexpr std::size_t room = std::size_t{1} << 29U;
    constexpr std::size_t most = 4;
    if (read_budget(call_.arguments).any()) {
        return 1;
    }
    try {
        const std::size_t bytes = inspect(file_, input_name(name_)).form.bytes();
        return std::clamp<std::size_t>(room / 2 / std::max<std::size_t>(bytes, 1), 1, most);
    } catch (const Error&) { // decoding will say it
        return 1;
    }
}

/// The limit on memory is for the file: where it is too small for several pictures of this size, there is one after another.
void SeriesRun::wait_for_room() {
    const std::uint64_t memory = read_budget(call_.arguments).memory;
    if (memory == 0 || last_held_ * 2 <= memory) {
        return;
    }
    std::unique_lock lock(under_way_.mutex);
    under_way_.fewer.wait(lock, [this] { return under_way_.count == 0; });
}

namespace {

/// All frames may have the same to say.
void add_once(Notes& notes, const Notes& more) {
    for (const std::string& note : more) {
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
            notes.push_back(note);
        }
    }
}

} // namespace

std::optional<SeriesPicture> SeriesRun::decode_next() {
    try {
        for (; read_ + 1 < pages_.first && series_->next();
             ++read_) { // a frame may be seen through the next ones
        }
        return read_++ < ends_behind_ ? series_->next() : std::nullopt;
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
    } else if (call_.arguments.has("keep-partial")) {
        const std::string kept =
            given_ == 1 ? "image before that is" : fmt::format("{} images before that are", given_);
        add_once(input_notes_, {fmt::format("{}; the {} kept", what, kept)});
    } else {
        throw error.hint().empty()
            ? Error(error.code(), error.what(), "--keep-partial keeps the images before that")
            : error;
    }
}

std::unique_ptr<StreamFrame> SeriesRun::next() {
    wait_for_room();
    std::optional<SeriesPicture> picture = call_.stages.run(Stage::decode, [&] { return decode_next(); });
    if (!picture) {
        return nullptr;
    }
    ++given_;
    check_room(read_budget(call_.arguments), picture->image.form(), input_name(name_));
    last_held_ = held_for(picture->image.form());
    return std::make_unique<Frame>(*this, std::move(*picture));
}

/// A page may have another profile than the first one.
std::unique_ptr<Operation> SeriesRun::with_second_pictures_for(const Image& image) {
    if (!has_second_pictures_) {
        return nullptr;
    }
    FirstProfile own(name_, image, series_->info().format);
    if (!first_) {
        first_ = std::move(own);
        return nullptr;
    }
    if (own.is_like(*first_)) {
        return nullptr;
    }
    std::unique_ptr<Operation> made = configure(call_.arguments);
    add_once(input_notes_, read_second_pictures(*made, call_.arguments, own));
    return made;
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

std::string SeriesRun::size_text() const {
    return fmt::format("{}x{}, {} {}", form_.width, form_.height, written_,
                       series_->info().kind == SeriesKind::pages ? "pages" : "frames");
}

namespace {

/// Whether a call takes all pictures of a file that has several.
bool takes_all(const Arguments& arguments) {
    const OpInfo& op = *arguments.command->op;
    return op.input == Input::image && op.product == Product::image && !op.joins && !prints_report(arguments);
}

class SeriesCall {
  public:
    SeriesCall(const Arguments& arguments, const Settings& settings, const std::string& in,
               std::vector<std::byte> file)
        : settings_(within(settings, read_budget(arguments))), operation_(configure(arguments)),
          stages_(false), line_(settings_, stages_),
          output_(arguments, arguments.output()), call_{arguments, settings_,     arguments.op(), *operation_,
                                                        stages_,   [](double) {}},
          run_(call_, in, std::move(file), output_) {}

    std::vector<std::byte> take_file() { return run_.take_file(); }

    bool go() {
        if (!run_.begin()) {
            return false;
        }
        const Arguments& arguments = call_.arguments;
        warn(read_second_pictures(*operation_, arguments, arguments.inputs().front()));
        line_.run({[this] { return run_.next(); }, {}, run_.count(), run_.waiting()});
        end();
        return true;
    }

  private:
    void end() {
        warn(run_.input_notes());
        line_.rethrow();
        run_.finish();
        warn(run_.output_notes());
        line_.say_done(output_.name(), call_.op.name);
    }

    void warn(const Notes& notes) const {
        for (const std::string& what : settings_.silent ? Notes{} : notes) {
            print_warning(what);
        }
    }

    const Settings settings_;
    std::unique_ptr<Operation> operation_;
    Stages stages_;
    FrameLine line_;
    PictureOutput output_;
    Call call_;
    SeriesRun run_;
};

/// By the first bytes of stdin, of which a pipe may have few.
bool may_be_series(std::span<const std::byte> start) {
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    return text.starts_with("GIF8") || text.starts_with("RIFF") || text.starts_with("II") ||
           text.starts_with("MM") ||
           (text.starts_with("\x89PNG") && text.find("acTL") != std::string_view::npos);
}

/// The file, where it is worth a look.
std::optional<std::vector<std::byte>> read_if_series(const std::string& path) {
    if (path != "-") {
        try {
            return may_hold_series(path) ? std::optional(read_input(path, "image")) : std::nullopt;
        } catch (const Error&) { // decoding will say it
            return std::nullopt;
        }
    }
    if (is_terminal(STDIN_FILENO) || !(may_be_series(peek_input(path)) || may_be_series(start_of_pipe()))) {
        return std::nullopt;
    }
    return read_input(path, "image");
}

} // namespace

std::unique_ptr<SeriesRun> begin_series(const Call& call, const std::string& in, PictureOutput& output) {
    if (!takes_all(call.arguments) || named_pages(in).first != 0) {
        return nullptr;
    }
    std::optional<std::vector<std::byte>> file = read_if_series(in);
    auto run = file ? std::make_unique<SeriesRun>(call, in, std::move(*file), output) : nullptr;
    return run && run->begin() ? std::move(run) : nullptr;
}

bool operate_on_series(const Arguments& arguments, const Settings& settings) {
    if (!takes_all(arguments) || arguments.inputs().size() != 1) {
        return false;
    }
    const std::string in = arguments.inputs().front();
    const NamedPages named = named_pages(in);
    const bool is_one = named.first != 0 && !named.is_row();
    std::optional<std::vector<std::byte>> file = is_one ? std::nullopt : read_if_series(named.path);
    if (!file || !inspect_series_within(read_budget(arguments), *file, input_name(in))) {
        if (named.is_row()) {
            throw no_such_page(in, named.last, SeriesInfo{.count = 1});
        }
        if (file && in == "-") {
            give_back_stdin(std::move(*file));
        }
        return false;
    }
    SeriesCall call(arguments, settings, in, std::move(*file));
    if (call.go()) {
        return true;
    }
    if (in == "-") {
        give_back_stdin(call.take_file());
    }
    return false;
}

} // namespace glproc::cli
