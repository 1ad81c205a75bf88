#include "view/engine.hpp"

#include "glproc/error.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/image/memory_rows.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/kinds/gather/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc::view {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double megapixels(const Form& form) {
    return 1e-6 * form.width * form.height;
}

/// Something newer is wanted.
struct Outdated {};

/// The picture at another size, each pixel the mean of those it stands for.
Resample reduction(const Form& form, int width, int height) {
    const auto along = [](int from, int to) {
        return Stretch{from, to, 0, static_cast<double>(from), ResampleFilter::box};
    };
    return {along(form.width, width), along(form.height, height)};
}

Plan reduction_plan(const Form& form, int halved) {
    const auto of = [&](int n) { return std::max(1, n >> halved); };
    const int width = of(form.width);
    const int height = of(form.height);
    return resample_plan(form, reduction(form, width, height), "preview", GatherMethod::gpu);
}

/// A text of one line.
std::string text_of(const Error& error) {
    return error.hint().empty() ? error.what() : fmt::format("{} ({})", error.what(), error.hint());
}

bool is_picture(const std::string& path) {
    std::array<char, 64> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    return sniff(std::as_bytes(std::span(start)).first(static_cast<std::size_t>(file.gcount()))).has_value();
}

Steps active(const Steps& steps) {
    Steps result;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(result),
                 [](const Step& step) { return step.on && missing_file(step) == nullptr; });
    return result;
}

} // namespace

Engine::Engine(Surface& surface, const ContextOptions& options)
    : surface_(surface), thread_([this, options] { run(options); }) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_working_ || failure_; });
    if (failure_) {
        lock.unlock();
        thread_.join();
        std::rethrow_exception(failure_);
    }
}

Engine::~Engine() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Engine::run(ContextOptions options) {
    try {
        surface_.take_worker();
        options.adopt = surface_.get_proc();
        {
            Context gpu(options);
            device_ = gpu.device();
            // A frame of a screen, or what still feels like one answer to one movement.
            budget_ = device_.software ? 50 : 12;
            pace_.emplace(device_.software ? 15 : 0.05);
            work(gpu);
            sources_.clear();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        is_working_ = false;
    }
    changed_.notify_all();
    surface_.release_worker();
}

void Engine::work(Context& gpu) {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        if (jobs_.empty() && !order_ && plays_ && Clock::now() < due_) {
            changed_.wait_until(lock, due_);
            continue;
        }
        if (jobs_.empty() && !order_ && !plays_) {
            is_working_ = false;
            news_.busy.clear();
            changed_.notify_all();
            changed_.wait(lock);
            continue;
        }
        is_working_ = true;
        const Job job = next_job();
        lock.unlock();
        try {
            job(gpu);
        } catch (const Outdated&) { // the newer order comes next
        } catch (const Error& error) {
            say(text_of(error), true);
        } catch (const std::bad_alloc&) {
            say("out of memory", true);
        } catch (const std::exception& error) {
            say(std::string("internal: ") + error.what(), true);
        }
        lock.lock();
        news_.busy.clear();
        lock.unlock();
        surface_.wake();
        lock.lock();
    }
}

/// What was asked for first, then what is to be shown, then the film.
Engine::Job Engine::next_job() {
    if (!jobs_.empty()) {
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        return job;
    }
    if (order_) {
        return [this, order = *std::exchange(order_, std::nullopt)](Context& gpu) { show_now(gpu, order); };
    }
    return [this](Context& gpu) { play_on(gpu); };
}

void Engine::post(Job job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        is_working_ = true;
    }
    changed_.notify_all();
}

void Engine::tell(const std::function<void(News&)>& change) {
    {
        const std::lock_guard lock(mutex_);
        change(news_);
        ++news_.number;
    }
    changed_.notify_all();
    surface_.wake();
}

void Engine::say(const std::string& what, bool is_fault) {
    tell([&](News& news) {
        news.message = what;
        news.message_is_fault = is_fault;
        ++news.message_number;
    });
}

News Engine::news() const {
    const std::lock_guard lock(mutex_);
    return news_;
}

void Engine::wait_for_news(const News& known) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return news_.number != known.number || !is_working_; });
}

void Engine::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_working_; });
}

void Engine::open(const std::string& path) {
    post([this, path](Context& gpu) { open_now(gpu, path); });
}

void Engine::save(const Steps& steps, const std::string& path) {
    post([this, steps, path](Context& gpu) { save_now(gpu, steps, path); });
}

void Engine::show(const Steps& steps, std::uint64_t version) {
    {
        const std::lock_guard lock(mutex_);
        order_ = {steps, version};
        is_working_ = true;
    }
    changed_.notify_all();
}

bool Engine::is_outdated() const {
    const std::lock_guard lock(mutex_);
    return ends_ || order_.has_value() || !jobs_.empty();
}

/// A picture is known by its first bytes; what is not may be a film.
void Engine::open_now(Context& gpu, const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    tell([&](News& news) { news.busy = "Opening " + name; });
    std::unique_ptr<Film> film;
    if (is_camera(path) || !is_picture(path)) {
        try {
            film = open_film(path);
        } catch (const Error&) {
            if (is_camera(path)) {
                throw;
            }
        }
    }
    if (film == nullptr) {
        open_picture(gpu, load(path), path);
        return;
    }
    film_ = std::move(film);
    path_ = path;
    tell([&](News& news) {
        news.name = name;
        news.playing = {true, false, 0, film_->duration(), film_->rate()};
        news.fault.clear();
    });
    next_frame(gpu);
    tell([](News& news) { news.result = news.source; });
    plays_ = is_camera(path);
    due_ = Clock::now();
    say("", false);
}

void Engine::open_picture(Context& gpu, Image picture, const std::string& path) {
    film_.reset();
    plays_ = false;
    sources_.clear();
    form_ = picture.form();
    picture_.emplace(std::move(picture));
    path_ = path;
    int halved = 0; // until it fits
    while (source_at(gpu, halved) == nullptr) {
        ++halved;
    }
    const auto shown = source_at(gpu, halved);
    const auto small = megapixels(form_) > 8 ? source_at(gpu, std::max(halved, 2)) : nullptr;
    gpu.finish();
    tell([&](News& news) {
        news.name = std::filesystem::path(path).filename().string();
        news.playing = {};
        news.source = {shown, small, form_};
        news.result = news.source;
        news.fault.clear();
        news.version = 0;
    });
    say("", false);
}

/// False at the end.
bool Engine::next_frame(Context& gpu) {
    std::optional<FilmImage> frame = film_->next(gpu);
    if (!frame) {
        return false;
    }
    seconds_ = frame->seconds;
    picture_.reset();
    form_ = frame->image.form();
    sources_.assign(1, std::make_shared<GpuImage>(std::move(frame->image)));
    gpu.finish();
    tell([&](News& news) {
        news.source = {sources_[0], nullptr, form_};
        news.playing.seconds = seconds_;
    });
    return true;
}

/// One frame of a film that plays, and when it is time for the next.
void Engine::play_on(Context& gpu) {
    try {
        play_frame(gpu);
    } catch (const Error&) {
        plays_ = false;
        tell([](News& news) { news.playing.plays = false; });
        throw;
    }
}

void Engine::play_frame(Context& gpu) {
    const double before = seconds_;
    const double frame = film_->rate() > 0 ? 1 / film_->rate() : 1.0 / 25;
    // Where the work takes longer than a frame lasts, some are passed over.
    const int late = film_->duration() > 0 ? static_cast<int>(milliseconds_since(due_) / 1000 / frame) : 0;
    for (int i = 0; i < late && film_->skip(); ++i) {
        due_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(frame));
    }
    if (!next_frame(gpu)) {
        film_->seek(0);
        plays_ = loops_ && next_frame(gpu);
        due_ = Clock::now();
    }
    show_now(gpu, last_);
    const double lasts = seconds_ > before ? std::min(seconds_ - before, 1.0) : frame;
    due_ +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(late > 0 ? frame : lasts));
    const Clock::time_point now = Clock::now();
    due_ = film_->duration() == 0 ? now : std::max(due_, now - std::chrono::milliseconds(500));
    tell([&](News& news) { news.playing.plays = plays_; });
}

void Engine::play(bool on) {
    post([this, on](Context&) {
        plays_ = on && film_ != nullptr;
        due_ = Clock::now();
        tell([&](News& news) { news.playing.plays = plays_; });
    });
}

void Engine::seek(double seconds) {
    post([this, seconds](Context& gpu) {
        if (film_ != nullptr) {
            film_->seek(std::clamp(seconds, 0.0, film_->duration()));
            next_frame(gpu);
            due_ = Clock::now();
            show_now(gpu, last_);
        }
    });
}

void Engine::step() {
    post([this](Context& gpu) {
        plays_ = false;
        tell([](News& news) { news.playing.plays = false; });
        if (film_ != nullptr && next_frame(gpu)) {
            show_now(gpu, last_);
        }
    });
}

const Image& Engine::pixels(Context& gpu) {
    if (!picture_) {
        picture_.emplace(gpu.download(*sources_.at(0)));
    }
    return *picture_;
}

/// Null where it does not fit as a whole.
std::shared_ptr<const GpuImage> Engine::source_at(Context& gpu, int halved) {
    const auto at = static_cast<std::size_t>(halved);
    sources_.resize(std::max(sources_.size(), at + 1));
    if (sources_[at] != nullptr) {
        return sources_[at];
    }
    if (halved == 0) {
        try {
            sources_[at] = std::make_shared<GpuImage>(gpu.upload(pixels(gpu), "source"));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::operation && error.code() != ErrorCode::gpu) {
                throw;
            }
        }
        return sources_[at];
    }
    const Plan plan = reduction_plan(form_, halved);
    if (const auto whole = source_at(gpu, 0)) {
        sources_[at] = std::make_shared<GpuImage>(run_whole(gpu, plan, *whole));
    } else {
        sources_[at] = std::make_shared<GpuImage>(gpu.upload(make_rows(gpu, plan, {}), "source"));
    }
    return sources_[at];
}

Image Engine::make_rows(Context& gpu, const Plan& plan, const std::function<void(double)>& progress) {
    ImageRows rows(plan.result);
    run_rows(gpu, plan, rows_of(pixels(gpu)), rows, progress);
    rows.finish();
    return std::move(rows.image());
}

std::unique_ptr<Operation> Engine::chain_for(const Steps& steps) const {
    std::vector<std::unique_ptr<Operation>> operations;
    for (const Step& step : steps) {
        operations.push_back(operation_of(step));
        for (PictureInput* other : operations.back()->pictures()) {
            other->image = std::make_shared<Image>(load(other->path));
        }
    }
    return chain_of(std::move(operations));
}

Shown Engine::make(Context& gpu, const Steps& steps, int halved) {
    const std::unique_ptr<Operation> exact = chain_for(steps);
    const Form whole = exact->plan(form_).result;
    if (halved > 0) {
        const auto source = source_at(gpu, halved);
        const double factor = static_cast<double>(source->width()) / form_.width;
        const std::unique_ptr<Operation> chain = chain_for(scaled(steps, factor));
        return {std::make_shared<GpuImage>(run_whole(gpu, chain->plan(source->form()), *source)), nullptr,
                whole};
    }
    const Plan plan = exact->plan(form_);
    const auto source = source_at(gpu, 0);
    if (source != nullptr && takes_whole(gpu, plan)) {
        return {std::make_shared<GpuImage>(run_whole(gpu, plan, *source)), nullptr, whole};
    }
    const Image result = make_rows(gpu, plan, [this](double share) {
        tell([&](News& news) { news.busy = fmt::format("Whole picture: {:.0f} %", 100 * share); });
        if (is_outdated()) {
            throw Outdated{};
        }
    });
    try {
        return {std::make_shared<GpuImage>(gpu.upload(result, "result")), nullptr, whole};
    } catch (const Error&) { // larger than a texture: the smaller one stays, and save() makes the whole
        return {};
    }
}

void Engine::show_now(Context& gpu, const Order& order) {
    last_ = order;
    if (form_.width == 0) {
        return;
    }
    const Steps steps = active(order.steps);
    try {
        if (steps.empty()) {
            const auto source = news().source;
            publish(gpu, order, source, 0, true);
            return;
        }
        const double size = megapixels(form_);
        const int halved = source_at(gpu, 0) == nullptr ? 2 : halvings(size, pace_->rate(steps), budget_);
        if (halved > 0) {
            const Clock::time_point begin = Clock::now();
            try {
                const Shown small = make(gpu, steps, halved);
                gpu.finish();
                publish(gpu, order, small, milliseconds_since(begin), false);
            } catch (
                const Error&) { // such as a part that lies beyond the smaller picture: the whole will tell
            }
            if (plays_) {
                return;
            }
            if (is_outdated()) {
                throw Outdated{};
            }
            tell([](News& news) { news.busy = "Whole picture"; });
        }
        const Clock::time_point begin = Clock::now();
        Shown shown = make(gpu, steps, 0);
        if (shown.image == nullptr) {
            return;
        }
        gpu.finish();
        const double took = milliseconds_since(begin);
        pace_->note(steps, size, took);
        if (megapixels(shown.form) > 8) {
            const Plan plan = reduction_plan(shown.form, 2);
            shown.small = std::make_shared<GpuImage>(run_whole(gpu, plan, *shown.image));
        }
        publish(gpu, order, shown, took, true);
    } catch (const Error& error) {
        tell([&](News& news) {
            news.fault = text_of(error);
            news.version = order.version;
        });
    }
}

void Engine::publish(Context& gpu, const Order& order, const Shown& shown, double milliseconds,
                     bool is_whole) {
    const Clock::time_point begin = Clock::now();
    const GpuImage& counted = shown.small != nullptr ? *shown.small : *shown.image;
    const Histogram histogram{.bins = 256,
                              .channels = {HistogramChannel::luma, HistogramChannel::red,
                                           HistogramChannel::green, HistogramChannel::blue}};
    const auto counts = std::make_shared<const std::vector<ChannelCounts>>(histogram(gpu, counted));
    gpu.finish();
    tell([&](News& news) {
        news.result = shown;
        news.version = order.version;
        news.counts = counts;
        news.milliseconds = milliseconds + milliseconds_since(begin);
        news.is_whole = is_whole;
        news.fault.clear();
    });
}

void Engine::save_now(Context& gpu, const Steps& all, const std::string& path) {
    if (form_.width == 0) {
        throw Error(ErrorCode::usage, "there is no picture to save");
    }
    check_encodable(path);
    tell([](News& news) { news.busy = "Saving"; });
    const Steps steps = active(all);
    Image result;
    if (steps.empty()) {
        result = pixels(gpu);
    } else {
        const std::unique_ptr<Operation> chain = chain_for(steps);
        const Plan plan = chain->plan(form_);
        check_encodable(path, plan.result.channels, plan.result.depth);
        const auto source = source_at(gpu, 0);
        result = source != nullptr && takes_whole(gpu, plan) ? gpu.download(run_whole(gpu, plan, *source))
                                                             : make_rows(gpu, plan, {});
        result.set_metadata(pixels(gpu).metadata());
    }
    Notes notes;
    EncodeOptions options;
    options.notes = &notes;
    glproc::save(result, path, options);
    say(fmt::format("Saved {}: {}x{}{}", path, result.width(), result.height(),
                    notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, "; "))),
        false);
}

} // namespace glproc::view
