#include "job/confined/decoder_process.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "job/confined/decoder_call.hpp"
#include "job/confined/decoder_line.hpp"
#include "job/confined/picture_packet.hpp"
#include "job/input_file.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

namespace glproc::job {

namespace {

using std::chrono::steady_clock;

/// What the loader and sanitizers need, and modules: a decoder that was taken over finds no secret of the caller's there.
std::vector<char*> needed_environment() {
    std::vector<char*> needed;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text(*one);
        const std::string_view name = text.substr(0, text.find('='));
        if (name == "LD_LIBRARY_PATH" || name == "GLPROC_MODULES" || name.ends_with("SAN_OPTIONS")) {
            needed.push_back(*one);
        }
    }
    needed.push_back(nullptr);
    return needed;
}

} // namespace

/// A process that decodes one file, and answers once for a picture, once and then for each picture of a
/// series, or for each that is asked for.
class DecoderProcess {
  public:
    DecoderProcess(const Budget& budget, std::span<const std::byte> file, std::string_view name,
                   const DecodeOptions& options, Answers answers)
        : budget_(budget), name_(name), left_(budget.seconds),
          end_(answers == Answers::series ? deadline_of(budget) : std::nullopt) {
        DecoderCall call{.name = name_, .budget = budget, .options = options, .answers = answers};
        std::vector<std::string> words = words_of(call);
        std::vector<char*> argv;
        for (std::string& word : words) {
            argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions{};
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, line_.theirs(), decoder_descriptor);
        std::vector<char*> environment = needed_environment();
        const int failed =
            ::posix_spawn(&child_, "/proc/self/exe", &actions, nullptr, argv.data(), environment.data());
        ::posix_spawn_file_actions_destroy(&actions);
        if (failed != 0) {
            throw Error(ErrorCode::operation, "the decoder's process cannot be started");
        }
        within([&](const Deadline& deadline) { line_.send_file(file, deadline); });
    }
    DecoderProcess(const DecoderProcess&) = delete;
    DecoderProcess& operator=(const DecoderProcess&) = delete;
    ~DecoderProcess() {
        if (child_ > 0) {
            end_child(child_);
        }
    }

    /// Asks for an image, which has the time of the budget for itself but for the first: the file takes a part of that.
    void ask_for(int page, const std::string& name) {
        left_ = std::exchange(has_asked_, true) ? budget_.seconds : left_;
        name_ = name;
        within([&](const Deadline& deadline) { line_.ask_for(page, name, deadline); });
    }

    /// Whether it has worked for so long that a limit on the time of all its work may be near.
    bool is_old() const {
        constexpr double times = 16; // a quarter of RLIMIT_CPU, which counts every core
        return budget_.seconds > 0 && waited_ > times * budget_.seconds;
    }

    /// Whether it was ended because an answer took too long.
    bool was_late() const { return was_late_; }

    /// Throws Error(input) where there is none.
    Packet answer() {
        std::optional<Packet> packet;
        within([&](const Deadline& deadline) { packet = line_.receive(deadline, budget_.memory); });
        if (!packet) {
            finish();
            throw Error(ErrorCode::input, fmt::format("{}: the decoder gave no answer", name_));
        }
        return std::move(*packet);
    }

    /// After the last answer. Throws Error(input) if the process did not end well.
    void finish() {
        line_.close();
        std::optional<int> ended;
        within([&](const Deadline& deadline) { ended = wait_for(std::exchange(child_, 0), deadline); });
        was_late_ = !ended;
        if (!ended && end_) {
            throw Error(ErrorCode::input,
                        fmt::format("{}: its images were not decoded and written within {:g} s", name_, budget_.seconds),
                        hint_for(budget_, "--max-seconds"));
        }
        const int status = checked(ended, budget_, name_);
        if (status != 0) {
            throw Error(ErrorCode::input, fmt::format("{}: the decoder ended with status {}", name_, status));
        }
    }

  private:
    /// Of a single picture the time counts that is spent waiting. Of a series all of it does, until the last picture is asked for:
    /// a few bytes can ask for thousands of canvases, which cost more to process and to write than to decode.
    template <class Work>
    void within(Work work) {
        if (end_) {
            work(end_);
            return;
        }
        const steady_clock::time_point start = steady_clock::now();
        using Seconds = std::chrono::duration<double>;
        work(budget_.seconds > 0
                 ? Deadline(start + std::chrono::duration_cast<steady_clock::duration>(Seconds(left_)))
                 : std::nullopt);
        const double waited = Seconds(steady_clock::now() - start).count();
        left_ -= waited;
        waited_ += waited;
    }

    Budget budget_;
    std::string name_;
    double left_;  ///< seconds
    double waited_ = 0; ///< seconds, of all images
    bool has_asked_ = false;
    bool was_late_ = false;
    Deadline end_; ///< of a series
    DecoderLine line_;
    pid_t child_ = 0;
};

namespace {

Image picture_in(Packet packet, const DecodeOptions& options, std::string_view name) {
    Image image = unpack_picture(packet.bytes(), options.max_pixels, options.notes);
    const std::optional<Fraction>& fraction = image.metadata().fraction;
    if (fraction && (!options.box || !is_enough(extent_of(*fraction), *options.box, fraction->whole))) {
        throw Error(ErrorCode::input, fmt::format("{}: the decoder's process answered with nonsense", name));
    }
    return image;
}

/// In a process of its own.
Image decode_elsewhere(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                       DecodeOptions options) {
    check_allowed(budget, bytes, name);
    options.max_pixels = allowed_pixels(budget, options.max_pixels);
    DecoderProcess decoder(budget, bytes, name, options, Answers::image);
    Packet packet = decoder.answer();
    decoder.finish();
    return picture_in(std::move(packet), options, name);
}

/// A series whose structure, frames and canvas another process knows.
class SeriesElsewhere final : public PictureSeries {
  public:
    SeriesElsewhere(const Budget& budget, std::span<const std::byte> file, std::string_view name,
                    const DecodeOptions& options)
        : options_(options), name_(name), decoder_(budget, file, name, options, Answers::series) {
        std::optional<SeriesInfo> info = unpack_series(decoder_.answer().bytes(), options.notes);
        is_series_ = info.has_value();
        info_ = std::move(info).value_or(SeriesInfo{});
    }

    bool is_series() const { return is_series_; }
    const SeriesInfo& info() const override { return info_; }

    std::optional<SeriesPicture> next() override {
        decoder_.ask_for(++asked_, name_);
        Packet packet = decoder_.answer();
        std::span<const std::byte> rest = packet.bytes();
        const FrameDelay delay = take_delay(rest);
        if (rest.empty()) {
            decoder_.finish();
            return std::nullopt;
        }
        return SeriesPicture{unpack_picture(rest, options_.max_pixels, options_.notes), delay};
    }

    Image at(int /*number*/, std::string_view /*name*/, Notes* /*notes*/) override {
        throw Error(ErrorCode::operation, "pages are decoded one by one"); // decode() of DecodeOptions::page
    }

  private:
    DecodeOptions options_;
    std::string name_;
    DecoderProcess decoder_;
    int asked_ = 0;
    bool is_series_ = false;
    SeriesInfo info_;
};

/// Of an image whose format can be kept in part, the same with the way to that.
Error with_way_of(std::span<const std::byte> file, const DecodeOptions& options, const Error& error) {
    const auto format = sniff(file);
    return format && keeps_partial(*format) ? with_way_on(error, options) : error;
}

} // namespace

Image decode_within(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                    const DecodeOptions& options) {
    const auto format = sniff(bytes);
    const bool is_elsewhere = budget.any() || (format && is_fragile(*format)); // a crash is then one failed file
    try {
        return is_elsewhere ? decode_elsewhere(budget, bytes, name, options) : decode(bytes, name, options);
    } catch (const Error& error) {
        throw with_way_of(bytes, options, error);
    }
}

PagesWithin::PagesWithin(const Budget& budget, std::span<const std::byte> file, const DecodeOptions& options)
    : budget_(budget), file_(file), options_(options), reader_(file, options) {
    options_.page = 0;
    options_.max_pixels = allowed_pixels(budget, options.max_pixels);
}

PagesWithin::PagesWithin(std::shared_ptr<const OpenFile> file, const DecodeOptions& options)
    : options_(options), reader_(std::move(file), options) {
    options_.page = 0;
}

PagesWithin::~PagesWithin() = default;

bool PagesWithin::is_for(const DecodeOptions& options) const {
    return options_.max_pixels == allowed_pixels(budget_, options.max_pixels) && options_.keep_partial == options.keep_partial;
}

Image PagesWithin::read(int number, const std::string& name, Notes* notes) {
    try {
        return budget_.any() ? read_elsewhere(number, name, notes) : reader_.read(number, name, notes);
    } catch (const Error& error) {
        throw file_.empty() ? with_way_on(error, options_) : with_way_of(file_, options_, error); // an open TIFF
    }
}

Image PagesWithin::read_elsewhere(int number, const std::string& name, Notes* notes) {
    check_allowed(budget_, file_, name);
    if (late_ != 0 && number >= late_) {
        checked(std::nullopt, budget_, name);
    }
    if (!decoder_ || decoder_->is_old()) {
        decoder_ = std::make_unique<DecoderProcess>(budget_, file_, name, options_, Answers::pages);
    }
    Packet packet;
    try {
        decoder_->ask_for(number, name);
        packet = decoder_->answer();
    } catch (...) { // it has ended
        if (decoder_->was_late() && sniff(file_) != Format::tiff) { // whose pages need none before them
            late_ = number;
        }
        decoder_.reset();
        throw;
    }
    DecodeOptions options = options_;
    options.notes = notes;
    return picture_in(std::move(packet), options, name);
}

std::unique_ptr<PictureSeries> open_series_within(const Budget& budget, std::span<const std::byte> file,
                                                  std::string_view name, DecodeOptions options) {
    if (!budget.any()) {
        return open_series(file, name, options);
    }
    check_allowed(budget, file, name);
    options.max_pixels = allowed_pixels(budget, options.max_pixels);
    const bool is_for_library = sniff(file) == Format::tiff;
    if (!is_for_library && !inspect_series(file, name)) {
        return nullptr; // as most are: that costs no process
    }
    auto series = std::make_unique<SeriesElsewhere>(budget, file, name, options);
    return series->is_series() ? std::move(series) : nullptr;
}

std::optional<SeriesInfo> inspect_series_within(const Budget& budget, std::span<const std::byte> file,
                                                std::string_view name) {
    if (!budget.any() || sniff(file) != Format::tiff) {
        return inspect_series(file, name);
    }
    const auto series = open_series_within(budget, file, name, {});
    return series == nullptr ? std::nullopt : std::optional(series->info());
}

} // namespace glproc::job
