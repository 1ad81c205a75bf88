#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"
#include "view/folder.hpp"

#include "cli/many/input_list.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "job/input_file.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// Pictures without a mark at their beginning are known by their name; for all else it counts why it is no
/// video.
Image load_picture(const std::string& place, const std::exception_ptr& no_video) {
    const auto& [path, page] = cli::named_page(place);
    try {
        DecodeOptions options;
        options.page = page;
        return page == 0 ? load(path) : decode(read_file(path), place, options);
    } catch (const Error&) {
        if (no_video && !format_of(std::filesystem::path(path).extension().string())) {
            std::rethrow_exception(no_video);
        }
        throw;
    }
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
            budget_ = device_.software ? 80 : 12;
            pace_.emplace(device_.software ? 15 : 0.05);
            work(gpu);
            sources_.clear();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        is_working_ = false;
    }
    surface_.release_worker();
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
}

bool Engine::ends_within(std::chrono::seconds patience) {
    std::unique_lock lock(mutex_);
    ends_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [this] { return has_ended_; });
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

/// What was asked for first, then what is to be shown, then the video.
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

void Engine::compare_with(const std::string& path) {
    post([this, path](Context& gpu) { compare_now(gpu, path); });
}

void Engine::save(const Steps& steps, const std::string& path, std::optional<int> quality) {
    post([this, steps, path, quality](Context& gpu) { save_now(gpu, steps, path, quality); });
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

namespace {

/// "page 1 of 3": of a file with several pictures the window shows the first, or the one that is named. Empty
/// of others.
std::string one_of_several(const std::string& place) {
    const auto& [path, page] = cli::named_page(place);
    try {
        const std::vector<std::byte> file =
            may_hold_series(path) ? read_file(path) : std::vector<std::byte>{};
        const auto info = file.empty() ? std::nullopt : inspect_series(file, path);
        return info && info->count > 1
                   ? fmt::format("{} {} of {}", info->kind == SeriesKind::pages ? "page" : "frame",
                                 std::max(page, 1), info->count)
                   : "";
    } catch (const Error&) { // what is broken after the first picture does not matter here
        return "";
    }
}

} // namespace

/// A picture is known by its first bytes; what is not may be a video.
void Engine::open_now(Context& gpu, const std::string& path) {
    const std::string name = std::filesystem::path(cli::file_of(path)).filename().string();
    if (is_folder(path)) {
        throw Error(ErrorCode::input, path + ": this folder holds no image or video");
    }
    cli::refuse_special(path, !is_camera(path)); // a window cannot wait for who writes to a pipe
    tell([&](News& news) { news.busy = "Opening " + name; });
    std::unique_ptr<Video> video;
    std::exception_ptr no_video;
    if (is_camera(path) || !sniff(job::peek_input(cli::file_of(path)))) {
        try {
            video = open_video(path);
        } catch (const Error&) {
            if (is_camera(path)) {
                throw;
            }
            no_video = std::current_exception();
        }
    }
    if (video == nullptr) {
        open_picture(gpu, load_picture(path, no_video), path);
        if (const std::string part = one_of_several(path); !part.empty()) {
            tell([&](News& news) { news.name = fmt::format("{}, {}", name, part); });
            say(fmt::format("{} holds several images: this is {}", name, part), false);
        }
        return;
    }
    video_ = std::move(video);
    video_->show_as_sdr(as_sdr_);
    tell([&](News& news) {
        news.name = name;
        news.path = path;
        news.jpeg = {};
        news.playing = {video_->facts(), {}, true, false, as_sdr_};
        news.forget_objects();
        news.fault.clear();
    });
    next_frame(gpu);
    tell([](News& news) { news.result = news.source; });
    plays_ = is_camera(path);
    due_ = Clock::now();
    say("", false);
}

void Engine::open_picture(Context& gpu, Image picture, const std::string& path) {
    video_.reset();
    plays_ = false;
    ++source_number_;
    sources_.clear();
    form_ = picture.form();
    const Metadata& said = picture.metadata();
    facts_ = {path, said.exif, said.icc};
    facts_.curve = curve_of(form_, said);
    pixel_aspect_ = picture.metadata().density.value_or(Density{}).pixel_aspect();
    picture_.emplace(std::move(picture));
    int halved = 0; // until it fits
    while (source_at(gpu, halved) == nullptr) {
        ++halved;
    }
    const auto shown = source_at(gpu, halved);
    const auto small = megapixels(form_) > 8 ? source_at(gpu, std::max(halved, 2)) : nullptr;
    const auto icc = shared_icc(picture_->metadata().icc);
    gpu.finish();
    tell([&](News& news) {
        news.name = std::filesystem::path(cli::file_of(path)).filename().string();
        news.path = path;
        news.jpeg = picture_->metadata().jpeg;
        news.playing = {};
        news.source = {shown, small, form_, pixel_aspect_, icc};
        news.before = {};
        news.result = news.source;
        news.forget_objects();
        news.fault.clear();
        news.version = 0;
    });
    say("", false);
}

} // namespace glproc::view
