#include "glproc/ops/channels.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view known_letters = "rgba01"; // numbered as in channels.glsl
constexpr int from_second = 6;

/// The letters of an image's own channels, with one more that is set.
std::string own_letters(const Form& form, const std::optional<ImageChannel>& set) {
    const bool has_colour = form.channels >= 3 || (set && *set != ImageChannel::alpha);
    const bool has_alpha = form.has_alpha() || set == ImageChannel::alpha;
    return std::string(has_colour ? "rgb" : "r") + (has_alpha ? "a" : "");
}

std::string letters_of(const Channels& op, const Form& form) {
    if (op.order && op.extract) {
        throw Error(ErrorCode::usage, "channels takes --order or --extract, not both");
    }
    if (!op.order && !op.extract && !op.set) {
        throw Error(ErrorCode::usage, "channels needs to know which: --order, --extract, --set or --stains",
                    "glproc channels in.png out.png --order bgr");
    }
    return op.order     ? op.order->letters
           : op.extract ? std::string(name_of(*op.extract))
                        : own_letters(form, op.set);
}

/// Where red, green, blue and alpha of the result come from.
std::array<int, 4> sources_of(const Channels& op, const Form& form) {
    const std::string letters = letters_of(op, form);
    std::array<int, 4> from{};
    const auto source = [&](char letter) {
        const auto at = static_cast<int>(known_letters.find(letter));
        return op.set && at == static_cast<int>(*op.set) ? from_second : at;
    };
    const bool has_alpha = letters.size() % 2 == 0;
    for (std::size_t c = 0; c < 3; ++c) {
        from[c] = source(letters.size() < 3 ? letters.front() : letters[c]);
    }
    from[3] = has_alpha ? source(letters.back()) : static_cast<int>(known_letters.find('1'));
    return from;
}

/// A grey image in the depth of the form, of one channel or two.
Image grey_of(Image image, Depth depth) {
    image = with_depth(std::move(image), depth);
    if (image.channels() < 3) {
        return image;
    }
    Image grey(image.width(), image.height(), grey_channels(image.channels()), depth);
    to_grey(image.bytes(), image.form(), grey.bytes());
    return grey;
}

/// Whether all colours of the result are alpha of the source, which is on no curve.
bool shows_alpha(const std::array<int, 4>& from) {
    const auto alpha = static_cast<int>(known_letters.find('a'));
    return std::all_of(from.begin(), from.begin() + 3, [alpha](int source) { return source == alpha; });
}

Plan plan_with(const Channels& op, const Form& form, const Image& other) {
    const auto second = op.set ? std::make_shared<const SecondImage>(SecondImage{
                                     .image = std::make_shared<const Image>(grey_of(other, form.depth))})
                               : nullptr;
    const std::array<int, 4> from = sources_of(op, form);
    std::vector<float> params(from.begin(), from.end());
    Plan made = point_plan(form, {.name = "channels",
                                  .glsl = "channels.glsl",
                                  .params = std::move(params),
                                  .second = second,
                                  .channels = static_cast<int>(letters_of(op, form).size()),
                                  .quick = true,
                                  .finite = true,
                                  .method = op.method});
    made.shape.meaning = shows_alpha(from) ? Meaning::numbers : Meaning::kept;
    return made;
}

Plan stains_plan(const Channels& op, const Form& form) {
    if (op.order || op.extract || op.set) {
        throw Error(
            ErrorCode::usage, "channels takes --stains alone",
            "glproc pipe in.png out.png channels --stains he --output light then channels --extract r");
    }
    const bool is_light = op.output == StainOutput::light;
    Plan made = point_plan(form, {.name = "channels.stains",
                                  .glsl = is_light ? "channels/light.glsl" : "channels/density.glsl",
                                  .params = stain_params(*op.stains, is_light),
                                  .channels = form.has_alpha() ? 4 : 3,
                                  .depth = is_light ? form.depth : Depth::f32,
                                  .finite = true,
                                  .method = op.method});
    made.shape.meaning = Meaning::numbers;
    return made;
}

} // namespace

ChannelOrder FieldText<ChannelOrder>::parse(const FieldContext& context, std::string_view text) {
    const bool is_known = std::all_of(text.begin(), text.end(),
                                      [](char c) { return known_letters.find(c) != std::string_view::npos; });
    if (text.empty() || text.size() > 4 || !is_known) {
        throw Error(ErrorCode::usage, fmt::format("--{} takes {}, not '{}'", context.name, range({}), text),
                    fmt::format("write --{} bgr to exchange red and blue", context.name));
    }
    return {std::string(text)};
}

Plan plan(const Channels& op, const Form& form) {
    if (op.stains) {
        return stains_plan(op, form);
    }
    if (!op.set || !op.with.image) { // its form alone is asked for
        return plan_with(op, form, Image(1, 1, 1, form.depth));
    }
    const Image& other = *op.with.image;
    if (other.width() != form.width || other.height() != form.height) {
        throw Error(
            ErrorCode::usage,
            fmt::format("channels needs images of one size: the first has {}x{} pixels, the second {}x{}",
                        form.width, form.height, other.width(), other.height()),
            "resize one of them first");
    }
    Plan made = plan_with(op, form, other);
    made.proof.probe = [op, form] {
        const Form small = probe_form(form);
        return plan_with(op, small, probe_picture({small.width, small.height, 1, form.depth}));
    };
    return made;
}

const OpInfo& channels_info() {
    static const OpInfo info =
        Describe<Channels>("channels", "reorder, extract, drop or replace channels; separate stains",
                           "in.png out.png --order bgr")
            .example("Exchange red and blue", "photo.jpg out.jpg --order bgr")
            .example("Make an image as transparent as another one is dark",
                     "photo.jpg out.png --set a --with photo.jpg")
            .example("Separate haematoxylin and eosin, as images of each stain",
                     "photo.jpg stains.png --stains he --output light")
            .found_by({"extract-channel"}, "IN OUT --extract r")
            .found_by({"swap-channels", "bgr"}, "IN OUT --order bgr")
            .found_by({"colour-deconvolution", "color-deconvolution", "separate-stains", "unmix"},
                      "IN OUT --stains he --output light")
            .field("order", &Channels::order,
                   {.value = "LETTERS",
                    .help = "where each channel of the result comes from",
                    .contradicts = "extract"})
            .field("extract", &Channels::extract,
                   {.value = "C", .help = "the channel that becomes a grey image", .contradicts = "order"})
            .field("set", &Channels::set,
                   {.value = "C", .help = "the channel that --with replaces", .needs = "with"})
            .field("with", &Channels::with,
                   {.value = "FILE", .help = "an image whose grey is the new channel", .needs = "set"})
            .field("stains", &Channels::stains,
                   {.value = "STAINS",
                    .help = "the amounts of three stains as red, green and blue: he, hdab, hed, or a file with "
                            "a row for each"})
            .field("output", &Channels::output, {.value = "P", .help = "what --stains gives"})
            .reads_numbers([](const Channels& op) { return op.set == ImageChannel::alpha; })
            .method(&Channels::method)
            .runs();
    return info;
}

} // namespace glproc
