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
            budget_ = device_.software ? 100 : 12;
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
        if (jobs_.empty() && !order_) {
            is_working_ = false;
            news_.busy.clear();
            changed_.notify_all();
            changed_.wait(lock);
            continue;
        }
        is_working_ = true;
        const bool is_job = !jobs_.empty();
        Job job = is_job ? std::exchange(jobs_.front(), {})
                         : [this, order = *order_](Context& on) { show_now(on, order); };
        is_job ? jobs_.pop_front() : order_.reset();
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

void Engine::open_now(Context& gpu, const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    tell([&](News& news) { news.busy = "Opening " + name; });
    Image picture = load(path);
    sources_.clear();
    picture_.emplace(std::move(picture));
    path_ = path;
    const Form form = picture_->form();
    int halved = 0; // until it fits
    while (source_at(gpu, halved) == nullptr) {
        ++halved;
    }
    const auto shown = source_at(gpu, halved);
    const auto small = megapixels(form) > 8 ? source_at(gpu, std::max(halved, 2)) : nullptr;
    gpu.finish();
    tell([&](News& news) {
        news.name = name;
        news.source = {shown, small, form};
        news.result = news.source;
        news.fault.clear();
        news.version = 0;
    });
    say("", false);
}

/// Null where it does not fit as a whole.
std::shared_ptr<const GpuImage> Engine::source_at(Context& gpu, int halved) {
    const auto at = static_cast<std::size_t>(halved);
    sources_.resize(std::max(sources_.size(), at + 1));
    if (sources_[at] != nullptr) {
        return sources_[at];
    }
    const Form form = picture_->form();
    if (halved == 0) {
        try {
            sources_[at] = std::make_shared<GpuImage>(gpu.upload(*picture_, "source"));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::operation && error.code() != ErrorCode::gpu) {
                throw;
            }
        }
        return sources_[at];
    }
    const Plan plan = reduction_plan(form, halved);
    if (const auto whole = source_at(gpu, 0)) {
        sources_[at] = std::make_shared<GpuImage>(run_whole(gpu, plan, *whole));
    } else {
        sources_[at] = std::make_shared<GpuImage>(gpu.upload(make_rows(gpu, plan, {}), "source"));
    }
    return sources_[at];
}

Image Engine::make_rows(Context& gpu, const Plan& plan, const std::function<void(double)>& progress) const {
    ImageRows rows(plan.result);
    run_rows(gpu, plan, rows_of(*picture_), rows, progress);
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
    const Form whole = exact->plan(picture_->form()).result;
    if (halved > 0) {
        const auto source = source_at(gpu, halved);
        const double factor = static_cast<double>(source->width()) / picture_->width();
        const std::unique_ptr<Operation> chain = chain_for(scaled(steps, factor));
        return {std::make_shared<GpuImage>(run_whole(gpu, chain->plan(source->form()), *source)), nullptr,
                whole};
    }
    const Plan plan = exact->plan(picture_->form());
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
    if (!picture_) {
        return;
    }
    const Steps steps = active(order.steps);
    const Form form = picture_->form();
    try {
        if (steps.empty()) {
            const auto source = news().source;
            publish(gpu, order, source, 0, true);
            return;
        }
        const double size = megapixels(form);
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
    if (!picture_) {
        throw Error(ErrorCode::usage, "there is no picture to save");
    }
    check_encodable(path);
    tell([](News& news) { news.busy = "Saving"; });
    const Steps steps = active(all);
    Image result;
    if (steps.empty()) {
        result = *picture_;
    } else {
        const std::unique_ptr<Operation> chain = chain_for(steps);
        const Plan plan = chain->plan(picture_->form());
        check_encodable(path, plan.result.channels, plan.result.depth);
        const auto source = source_at(gpu, 0);
        result = source != nullptr && takes_whole(gpu, plan) ? gpu.download(run_whole(gpu, plan, *source))
                                                             : make_rows(gpu, plan, {});
        result.set_metadata(picture_->metadata());
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
