#include "video/chain/video_chain.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/files/video_command.hpp"
#include "cli/files/second_pictures.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/profile.hpp"
#include "video/chain/machine.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

SecondVideo::SecondVideo(PictureInput& input, const VideoOptions& options)
    : input_(&input), reader_(input.path, options) {
    input.image = std::make_shared<const Image>(reader_.info().picture_form());
}

void SecondVideo::advance(const Machine& machine) {
    const VideoInfo& info = reader_.info();
    if (const std::optional<FrameData> frame = reader_.next()) {
        Picture shown = frame_image(machine, frame->planes, info, is_grey(info.pixels));
        input_->image = std::make_shared<const Image>(machine.give(std::move(shown)));
    }
}

Form VideoChain::Link::result_form(const Form& form) const {
    const auto now = [&] {
        return over_time != nullptr ? over_time->result_form(*operation, frames, form)
                                    : operation->result_form(form);
    };
    const Form at_first = now();
    for (const Moving& one : moving) {
        for (const std::string& text : one.change.texts()) {
            one.operation->set(one.change.name(), text);
            if (now() != at_first) {
                throw Error(ErrorCode::usage,
                            fmt::format("--{} {} changes the size of the result, and all frames have one",
                                        one.change.name(), text));
            }
        }
        one.operation->set(one.change.name(), one.change.texts().front());
    }
    return at_first;
}

void VideoChain::Link::set_moment(const Machine& machine, const cli::VideoMoment& at) {
    for (const Moving& one : moving) {
        one.change.apply(*one.operation, at);
    }
    for (SecondVideo& video : videos) {
        video.advance(machine);
    }
}

namespace {

/// Videos hold codes, which every operation takes for granted. Returns what the results of files are.
ColourCurve tell_light(std::vector<cli::VideoStep>& steps, const FrameColours& frames) {
    if (frames.form.depth != Depth::f32) {
        return ColourCurve::unknown;
    }
    PictureFacts facts{.curve = frames.colours.curve()};
    Form at = frames.form;
    for (cli::VideoStep& step : steps) {
        std::unique_ptr<Operation> told = step.operation->on(facts, at);
        step.operation = told ? std::move(told) : std::move(step.operation);
        facts.curve = step.over_time == nullptr
                          ? curve_after(step.operation->plan(at).shape.meaning, facts.curve)
                          : facts.curve;
        at = step.over_time == nullptr ? step.operation->result_form(at)
                                       : step.over_time->result_form(*step.operation, step.frames, at);
    }
    return facts.curve;
}

/// Opens the second pictures that are videos, and reads all others, as read_second_pictures() for frames of
/// these colours; its notes are added.
std::vector<SecondVideo> read_second_videos(Operation& operation, const cli::Arguments& arguments,
                                            const cli::FirstProfile& frames, Notes& notes) {
    std::vector<std::pair<PictureInput*, std::string>> videos;
    for (PictureInput* input : operation.pictures()) {
        if (cli::names_video(input->path)) {
            videos.emplace_back(input, std::exchange(input->path, {})); // so that it is not read as a picture
        }
    }
    const Notes said = cli::read_second_pictures(operation, arguments, frames);
    notes.insert(notes.end(), said.begin(), said.end());
    VideoOptions options;
    options.max_pixels = cli::decode_options(arguments, nullptr).max_pixels;
    std::vector<SecondVideo> opened;
    for (auto& [input, path] : videos) {
        input->path = std::move(path);
        opened.emplace_back(*input, options);
    }
    return opened;
}

} // namespace

VideoChain::VideoChain(const cli::Arguments& arguments, const FrameColours& frames) {
    std::vector<std::unique_ptr<Operation>> alone;
    std::vector<Moving> moving;
    const auto end_link = [&] {
        if (!alone.empty()) {
            links_.push_back(
                {.operation = chain_of(std::exchange(alone, {})), .moving = std::exchange(moving, {})});
        }
    };
    std::vector<cli::VideoStep> steps = cli::configure_video(arguments);
    curve_ = tell_light(steps, frames);
    for (cli::VideoStep& step : steps) {
        if (step.over_time != nullptr) {
            end_link();
        }
        for (cli::Change& change : step.changes) {
            moving.push_back({step.operation.get(), std::move(change)});
        }
        if (step.over_time == nullptr) {
            alone.push_back(std::move(step.operation));
        } else {
            links_.push_back({.operation = std::move(step.operation),
                              .over_time = step.over_time,
                              .frames = step.frames,
                              .moving = std::exchange(moving, {})});
        }
    }
    end_link();
    for (Link& link : links_) {
        link.videos = read_second_videos(*link.operation, arguments, frames.colours, notes_);
    }
}

int VideoChain::reach() const {
    return std::accumulate(links_.begin(), links_.end(), 0,
                           [](int sum, const Link& link) { return sum + link.reach(); });
}

bool VideoChain::changes() const {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) { return !link.moving.empty(); });
}

bool VideoChain::has_colours() {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) {
        const std::vector<PictureInput*> pictures = link.operation->pictures();
        return std::any_of(pictures.begin(), pictures.end(), [](const PictureInput* one) {
            return one->image != nullptr && one->image->channels() >= 3;
        });
    });
}

bool VideoChain::needs_length() const {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) {
        return std::any_of(link.moving.begin(), link.moving.end(),
                           [](const Moving& one) { return one.change.needs_length(); });
    });
}

Form VideoChain::result_form(const Form& form) const {
    return std::accumulate(links_.begin(), links_.end(), form,
                           [](const Form& at, const Link& link) { return link.result_form(at); });
}

Form VideoChain::form_for_all(const Form& form) const {
    return std::accumulate(links_.begin(), links_.end(), form, [](const Form& at, const Link& link) {
        refuse_profile_of_frames(*link.operation, at);
        return link.over_time == nullptr ? glproc::form_for_all(link.operation->plan(at))
                                         : link.result_form(at);
    });
}

PixelShape VideoChain::pixel_shape(const Form& form) const {
    PixelShape shape;
    Form at = form;
    for (const Link& link : links_) {
        if (link.over_time == nullptr) {
            shape = shape.then(link.operation->plan(at).shape.pixels);
        }
        at = link.result_form(at);
    }
    return shape;
}

bool VideoChain::makes_mask(const Form& form) const {
    Form at = form; // of the last link
    bool is_mask = false;
    for (const Link& link : links_) {
        is_mask = link.over_time == nullptr && link.operation->plan(at).shape.makes_mask;
        at = link.result_form(at);
    }
    return is_mask;
}

std::optional<Plan> VideoChain::plan(const Form& form) const {
    const bool is_one = links_.size() == 1 && links_.front().over_time == nullptr;
    return is_one ? std::optional(links_.front().operation->plan(form)) : std::nullopt;
}

void VideoChain::give(std::int64_t number, Picture frame, double seconds) {
    given_.emplace(number, std::move(frame));
    seconds_.emplace(number, seconds);
}

Picture VideoChain::made(const Machine& machine, std::int64_t number, std::int64_t last) {
    Picture result = after(machine, links_.size(), number, last);
    seconds_.erase(seconds_.begin(), seconds_.upper_bound(number));
    return result;
}

Picture VideoChain::after(const Machine& machine, std::size_t links, std::int64_t number, std::int64_t last) {
    if (links == 0) {
        return std::move(given_.extract(number).mapped());
    }
    Link& link = links_[links - 1];
    if (link.over_time != nullptr) {
        return look_around(machine, links - 1, number, last);
    }
    const Picture before = after(machine, links - 1, number, last);
    link.set_moment(machine, moment_of(number));
    return machine.run(*link.operation, before);
}

Picture VideoChain::look_around(const Machine& machine, std::size_t at, std::int64_t number,
                                std::int64_t last) {
    Link& link = links_[at];
    const std::int64_t first = std::max<std::int64_t>(number - link.reach(), 0);
    link.window.erase(link.window.begin(), link.window.lower_bound(first));
    FrameWindow window{{}, static_cast<std::size_t>(number - first)};
    for (std::int64_t i = first; i <= std::min(number + link.reach(), last); ++i) {
        if (!link.window.contains(i)) {
            link.window.emplace(i, after(machine, at, i, last));
        }
        window.frames.push_back(&link.window.at(i).on_device());
    }
    link.set_moment(machine, moment_of(number));
    return link.over_time->run(*machine.device(), *link.operation, link.frames, window);
}

} // namespace glproc::video
