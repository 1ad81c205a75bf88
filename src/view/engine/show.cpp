// What the engine shows and saves: the chain on the picture, at a smaller size first where that takes long.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/kinds/gather/plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::view {

namespace {

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

/// Whether a picture that the step reads has places of the step's image as its values.
bool holds_places(const Step& step, const std::string& path) {
    return std::ranges::any_of(step.op->fields, [&](const FieldInfo& field) {
        return field.holds_places && step.has(field) && step.given.at(field.name) == path;
    });
}

} // namespace

Steps active(const Steps& steps) {
    Steps result;
    std::ranges::copy_if(steps, std::back_inserter(result),
                         [](const Step& step) { return step.on && missing_file(step) == nullptr; });
    return result;
}

std::unique_ptr<Operation> loaded_operation_of(const Step& step, Pictures& pictures, int halved) {
    std::unique_ptr<Operation> operation = operation_of(step);
    for (PictureInput* other : operation->pictures()) {
        other->image = pictures.get(other->path);
        if (halved > 0) {
            other->image = std::make_shared<const Image>(holds_places(step, other->path)
                                                             ? thinned_places(*other->image, halved)
                                                             : thinned(*other->image, halved));
        }
    }
    return operation;
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
    const auto whole = source_at(gpu, 0);
    sources_[at] = std::make_shared<GpuImage>(
        whole != nullptr ? run_whole(gpu, plan, *whole) : gpu.upload(make_rows(gpu, plan, {}), "source"));
    return sources_[at];
}

/// All of the result, in CPU memory.
Image Engine::make_image(Context& gpu, const Plan& plan) {
    const auto source = source_at(gpu, 0);
    return source != nullptr && takes_whole(gpu, plan) ? gpu.download(run_whole(gpu, plan, *source))
                                                       : make_rows(gpu, plan, {});
}

Image Engine::make_rows(Context& gpu, const Plan& plan, const std::function<void(double)>& progress) {
    const RowSource source = rows_of(pixels(gpu));
    const Plan sized = settled(gpu, plan, &source, progress);
    ImageRows rows(sized.shape.result);
    run_rows(gpu, sized, source, rows, progress);
    rows.finish();
    return std::move(rows.image());
}

Engine::KnowingChain Engine::chain_for(const Steps& steps, int halved) {
    std::vector<std::unique_ptr<Operation>> operations;
    for (const Step& step : steps) {
        operations.push_back(loaded_operation_of(step, pictures_, halved));
    }
    KnowingChain chain{.any = chain_of(std::move(operations)), .special = nullptr, .facts = facts_};
    chain.special = chain.any->on(chain.facts, form_);
    return chain;
}

Shown Engine::make(Context& gpu, const Steps& steps, int halved) {
    const KnowingChain exact = chain_for(steps);
    const Plan plan = exact->plan(form_);
    Form whole = plan.shape.result;
    const double pixel_aspect = pixel_aspect_ > 0 ? plan.shape.pixels.of(pixel_aspect_) : 0;
    if (halved > 0) {
        const auto source = source_at(gpu, halved);
        const double factor = static_cast<double>(source->width()) / form_.width;
        const KnowingChain chain = chain_for(scaled(steps, factor), halved);
        auto small = std::make_shared<GpuImage>(run_whole(gpu, chain->plan(source->form()), *source));
        if (plan.look.sets_size) { // nearly
            whole.width = static_cast<int>(std::lround(small->width() / factor));
            whole.height = static_cast<int>(std::lround(small->height() / factor));
        }
        return {std::move(small), nullptr, whole, pixel_aspect, shared_icc(chain.facts.icc)};
    }
    const auto source = source_at(gpu, 0);
    if (source != nullptr && takes_whole(gpu, plan)) {
        auto made = std::make_shared<GpuImage>(run_whole(gpu, plan, *source));
        const Form form = made->form();
        return {std::move(made), nullptr, form, pixel_aspect, shared_icc(exact.facts.icc)};
    }
    const Image result = make_rows(gpu, plan, [this](double share) {
        tell([&](News& news) { news.busy = fmt::format("Whole image: {:.0f} %", 100 * share); });
        if (is_outdated()) {
            throw Outdated{};
        }
    });
    try {
        return {std::make_shared<GpuImage>(gpu.upload(result, "result")), nullptr, result.form(),
                pixel_aspect, shared_icc(exact.facts.icc)};
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
            publish(gpu, order, news().source, 0, true);
        } else if (!show_result(gpu, order, steps)) {
            return;
        }
        publish_before(gpu, steps);
        if (!steps.empty()) {
            publish_inputs(gpu, order.steps);
            publish_seconds(order.steps);
        }
        publish_table(gpu, order, steps);
    } catch (const Error& error) {
        tell([&](News& news) {
            news.fault = text_of(error);
            news.version = order.version;
            news.forget_objects();
        });
    }
}

/// At a smaller size first where that takes long; false where that is all that is shown.
bool Engine::show_result(Context& gpu, const Order& order, const Steps& steps) {
    const double size = megapixels(form_);
    const int halved = !can_scale(steps)              ? 0
                       : source_at(gpu, 0) == nullptr ? 2
                                                      : halvings(size, pace_->rate(steps), budget_);
    if (halved > 0) {
        const Clock::time_point begin = Clock::now();
        try {
            const Shown small = make(gpu, steps, halved);
            gpu.finish();
            publish(gpu, order, small, milliseconds_since(begin), false);
        } catch (const Error&) { // such as a part that lies beyond the smaller picture: the whole will tell
        }
        if (plays_) { // the objects of an earlier frame lie elsewhere
            tell([](News& news) { news.forget_objects(); });
            return false;
        }
        if (is_outdated()) {
            throw Outdated{};
        }
    }
    const Clock::time_point begin = Clock::now();
    Shown shown = make(gpu, steps, 0);
    if (shown.image == nullptr) {
        if (halved == 0) { // there is no smaller one either
            throw Error(ErrorCode::operation, "the result is larger than the window can show",
                        "it can be saved");
        }
        return false;
    }
    gpu.finish();
    const double took = milliseconds_since(begin);
    pace_->note(steps, size, took);
    if (megapixels(shown.form) > 8) {
        shown.small = std::make_shared<GpuImage>(run_whole(gpu, reduction_plan(shown.form, 2), *shown.image));
    }
    publish(gpu, order, shown, took, true);
    return true;
}

void Engine::publish(Context& gpu, const Order& order, const Shown& shown, double milliseconds,
                     bool is_whole) {
    const Clock::time_point begin = Clock::now();
    // Never of a smaller copy: means hide noise, and what is clipped.
    const GpuImage& counted = *shown.image;
    const Histogram histogram{.bins = 256,
                              .channels = {HistogramChannel::luma, HistogramChannel::red,
                                           HistogramChannel::green, HistogramChannel::blue}};
    const auto counts = std::make_shared<const std::vector<ChannelCounts>>(histogram(gpu, counted));
    const auto waveform = waveform_of(gpu, shown);
    gpu.finish();
    tell([&](News& news) {
        news.result = shown;
        news.version = order.version;
        news.counts = counts;
        news.waveform = waveform;
        news.milliseconds = milliseconds + milliseconds_since(begin);
        news.is_whole = is_whole;
        // Not news of its own: the window would be drawn twice, on the cores that compute the whole.
        news.busy = is_whole || plays_ ? "" : "Whole image";
        news.fault.clear();
    });
}

void Engine::save_now(Context& gpu, const Steps& all, const std::string& path, std::optional<int> quality) {
    if (form_.width == 0) {
        throw Error(ErrorCode::usage, "there is no image to save");
    }
    check_encodable(path);
    tell([](News& news) { news.busy = "Saving"; });
    const Steps steps = active(all);
    Image result;
    if (steps.empty()) {
        result = pixels(gpu);
    } else {
        const KnowingChain chain = chain_for(steps);
        const Plan plan = chain->plan(form_);
        check_encodable(path, plan.shape.result.channels, plan.shape.result.depth);
        result = make_image(gpu, plan);
        Metadata metadata = pixels(gpu).metadata();
        metadata.icc = chain.facts.icc;
        if (metadata.density) {
            metadata.density = plan.shape.pixels.of(*metadata.density);
        }
        result.set_metadata(std::move(metadata));
    }
    Notes notes;
    EncodeOptions options;
    options.notes = &notes;
    options.quality = quality;
    glproc::save(result, path, options);
    tell([&](News& news) {
        news.saved = all;
        ++news.saved_number;
    });
    say(fmt::format("Saved {}: {}x{}{}", path, result.width(), result.height(),
                    notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, "; "))),
        false);
}

} // namespace glproc::view
