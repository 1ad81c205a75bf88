#include "video/film_chain.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/profile.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

Form FilmChain::Link::result_form(const Form& form) const {
    const auto now = [&] {
        return over_time != nullptr ? over_time->result_form(*operation, frames, form) : operation->result_form(form);
    };
    const Form at_first = now();
    for (const Moving& one : moving) {
        for (const std::string& text : one.change.texts()) {
            one.operation->set(one.change.name(), text);
            if (now() != at_first) {
                throw Error(ErrorCode::usage,
                            fmt::format("--{} {} changes the size of the result, and all frames have one", one.change.name(), text));
            }
        }
        one.operation->set(one.change.name(), one.change.texts().front());
    }
    return at_first;
}

void FilmChain::Link::set_moment(const Machine& machine, const cli::FilmMoment& at) {
    for (const Moving& one : moving) {
        one.change.apply(*one.operation, at);
    }
    for (SecondFilm& film : films) {
        film.advance(machine);
    }
}

namespace {

/// Films hold codes, which every operation takes for granted. Returns what the results of files are.
ColourCurve tell_light(std::vector<cli::FilmStep>& steps, const FrameColours& frames) {
    if (frames.form.depth != Depth::f32) {
        return ColourCurve::unknown;
    }
    PictureFacts facts{.curve = frames.colours.curve()};
    Form at = frames.form;
    for (cli::FilmStep& step : steps) {
        std::unique_ptr<Operation> told = step.operation->on(facts, at);
        step.operation = told ? std::move(told) : std::move(step.operation);
        facts.curve = step.over_time == nullptr ? curve_after(step.operation->plan(at).meaning, facts.curve) : facts.curve;
        at = step.over_time == nullptr ? step.operation->result_form(at)
                                       : step.over_time->result_form(*step.operation, step.frames, at);
    }
    return facts.curve;
}

} // namespace

FilmChain::FilmChain(const cli::Arguments& arguments, const FrameColours& frames) {
    std::vector<std::unique_ptr<Operation>> alone;
    std::vector<Moving> moving;
    const auto end_link = [&] {
        if (!alone.empty()) {
            links_.push_back({.operation = chain_of(std::exchange(alone, {})), .moving = std::exchange(moving, {})});
        }
    };
    std::vector<cli::FilmStep> steps = cli::configure_film(arguments);
    curve_ = tell_light(steps, frames);
    for (cli::FilmStep& step : steps) {
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
        link.films = read_second_films(*link.operation, arguments, frames.colours, notes_);
    }
}

int FilmChain::reach() const {
    return std::accumulate(links_.begin(), links_.end(), 0,
                           [](int sum, const Link& link) { return sum + link.reach(); });
}

bool FilmChain::changes() const {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) { return !link.moving.empty(); });
}

bool FilmChain::has_colours() {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) {
        const std::vector<PictureInput*> pictures = link.operation->pictures();
        return std::any_of(pictures.begin(), pictures.end(), [](const PictureInput* one) {
            return one->image != nullptr && one->image->channels() >= 3;
        });
    });
}

bool FilmChain::needs_length() const {
    return std::any_of(links_.begin(), links_.end(), [](const Link& link) {
        return std::any_of(link.moving.begin(), link.moving.end(),
                           [](const Moving& one) { return one.change.needs_length(); });
    });
}

Form FilmChain::result_form(const Form& form) const {
    return std::accumulate(links_.begin(), links_.end(), form,
                           [](const Form& at, const Link& link) { return link.result_form(at); });
}

Form FilmChain::form_for_all(const Form& form) const {
    return std::accumulate(links_.begin(), links_.end(), form, [](const Form& at, const Link& link) {
        refuse_profile_of_frames(*link.operation, at);
        return link.over_time == nullptr ? glproc::form_for_all(link.operation->plan(at)) : link.result_form(at);
    });
}

PixelShape FilmChain::pixel_shape(const Form& form) const {
    PixelShape shape;
    Form at = form;
    for (const Link& link : links_) {
        if (link.over_time == nullptr) {
            shape = shape.then(link.operation->plan(at).pixel_shape);
        }
        at = link.result_form(at);
    }
    return shape;
}

bool FilmChain::makes_mask(const Form& form) const {
    Form at = form; // of the last link
    bool is_mask = false;
    for (const Link& link : links_) {
        is_mask = link.over_time == nullptr && link.operation->plan(at).makes_mask;
        at = link.result_form(at);
    }
    return is_mask;
}

std::optional<Plan> FilmChain::plan(const Form& form) const {
    const bool is_one = links_.size() == 1 && links_.front().over_time == nullptr;
    return is_one ? std::optional(links_.front().operation->plan(form)) : std::nullopt;
}

void FilmChain::give(std::int64_t number, Picture frame, double seconds) {
    given_.emplace(number, std::move(frame));
    seconds_.emplace(number, seconds);
}

Picture FilmChain::made(const Machine& machine, std::int64_t number, std::int64_t last) {
    Picture result = after(machine, links_.size(), number, last);
    seconds_.erase(seconds_.begin(), seconds_.upper_bound(number));
    return result;
}

Picture FilmChain::after(const Machine& machine, std::size_t links, std::int64_t number, std::int64_t last) {
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

Picture FilmChain::look_around(const Machine& machine, std::size_t at, std::int64_t number, std::int64_t last) {
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
