// What a file holds beneath alpha 0 changes nothing that can be seen, and no measure: every operation on
// pictures, by every choice that its fields have, on every road.
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/matchers.hpp"

#include "glproc/files/memory_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// What no sum bears, in turn with a value.
double hostile(int turn, double value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::array<double, 5> values{std::nan(""), infinity, -infinity, 3e38, value};
    return values[static_cast<std::size_t>(turn % 5)];
}

/// The same picture twice: what can be seen is equal, what is hidden differs.
struct Pair {
    Image one;
    Image other;
};

Pair pair_of(const Shape& shape) {
    Image one = with_hidden_pixels(photo_like_image(shape, 3), 5);
    Image other = one;
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            for (int c = 0; c + 1 < shape.channels && is_hidden(one, x, y); ++c) {
                const double value = one.at(x, y, c) / max_code(shape.depth);
                const double moved = value > 0.5 ? value - 0.5 : value + 0.5;
                set_value(other, x, y, c, shape.depth == Depth::f32 ? hostile(x + y + c, moved) : moved);
            }
        }
    }
    return {std::move(one), std::move(other)};
}

std::string text_of(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : settings) {
        text += " --" + name + (value.empty() ? "" : " " + value);
    }
    return text;
}

/// What asks for hidden colours, by the operation's name and the setting.
bool asks_for_them(const std::string& name, const std::string& field, const std::string& text) {
    static const std::set<std::string> all{"alpha straight", "alpha ignore", "hidden ",
                                           "overlay same.png"};       // drawn on, and opaque
    static const std::set<std::string> ranks{"median", "morphology"}; // whose straight alpha counts no colour
    return all.contains(field + " " + text) && !ranks.contains(name);
}

/// Whether its result is of channels as they are stored.
bool takes_channels(const std::string& name) {
    static const std::set<std::string> all{"channels", "integral", "split"};
    return all.contains(name);
}

/// What a call needs where the example says it by a place.
Settings usual_settings(const OpInfo& op) {
    Settings settings = settings_in(op.example);
    const std::map<std::string, Settings> others{{"resize", {{"max", "20"}}}, {"draw", {{"text", "a"}}}};
    return others.contains(op.name) ? others.at(op.name) : settings;
}

/// Steps of `morphology` that do not take the usual settings.
const std::map<std::string, Settings>& steps_of_objects() {
    static const std::map<std::string, Settings> all{{"fill", {}},
                                                     {"clear-border", {}},
                                                     {"hitmiss", {{"pattern", "0 0 0; - 1 -; 1 1 1"}}},
                                                     {"reconstruct", {{"with", "same.png"}}}};
    return all;
}

/// The example's settings, then each of the choices that its fields have.
std::vector<Settings> all_settings(const OpInfo& op) {
    const Settings usual = usual_settings(op);
    std::vector<Settings> all{usual};
    for (const FieldInfo& field : op.fields) {
        const auto with = [&](const std::string& text) {
            const auto step = steps_of_objects().find(text);
            Settings settings = step == steps_of_objects().end() ? Settings() : step->second;
            std::ranges::copy_if(step == steps_of_objects().end() ? usual : Settings(),
                                 std::back_inserter(settings),
                                 [&](const auto& one) { return one.first != field.name; });
            settings.emplace_back(field.name, text);
            if (!asks_for_them(op.name, field.name, text)) {
                all.push_back(std::move(settings));
            }
        };
        for (const Choice& choice : field.choices) {
            with(choice.name);
        }
        if (field.kind == FieldKind::toggle) {
            with("");
        }
        if (field.reads_picture) {
            with("same.png");
        }
        if (field.name == "sigma") {
            with("1.5");
        }
    }
    return all;
}

/// Turned by half, so that it hides other places.
Image turned(const Image& image) {
    Image result = image;
    const std::size_t pixel = image.pixel_bytes();
    const std::size_t bytes = image.bytes().size();
    for (std::size_t i = 0; i < bytes; i += pixel) {
        std::ranges::copy(image.bytes().subspan(i, pixel), result.bytes().begin() + static_cast<std::ptrdiff_t>(bytes - pixel - i));
    }
    return result;
}

/// A call on one picture; further ones are the same, turned.
class Call {
  public:
    Call(const OpInfo& info, const Settings& settings, const Image& image)
        : image_(std::make_shared<const Image>(image)), further_(std::make_shared<const Image>(turned(image))), operation_(info.make()) {
        for (const auto& [name, text] : settings) {
            const auto field =
                std::ranges::find_if(info.fields, [&](const FieldInfo& one) { return one.name == name; });
            if (field == info.fields.end() ||
                (!field->reads_picture && !field->names_picture && !field->names_array)) {
                operation_->set(name, text);
            } else if (field->reads_picture) {
                operation_->set(name, "same.png");
            }
        }
        for (const FieldInfo& field : info.fields) {
            if (field.reads_picture && (field.required || field.is_place)) {
                operation_->set(field.name, "same.png");
            }
        }
        for (PictureInput* picture : operation_->pictures()) {
            if (!picture->path.empty()) {
                picture->image = further_;
            }
        }
        if (info.joins) {
            *operation_->joined() = {rows_of(*further_), rows_of(*image_)};
        }
    }

    Products on_device() const {
        const GpuImage source = gpu().upload(*image_);
        const std::string name = "x";
        return operation_->run(gpu(), ImageInput{.name = name, .pixels = *image_, .image = source});
    }

    /// Nothing where the plan has no such road.
    std::optional<Image> by_processor() const {
        const Plan plan = operation_->plan(image_->form());
        if (!plan.twin.run && !plan.look.alone) {
            return std::nullopt;
        }
        return image_by_processor(plan, *image_);
    }

  private:
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const Image> further_;
    std::unique_ptr<Operation> operation_;
};

/// How many visible pixels differ, or what else does.
std::string difference_seen(const Image& one, const Image& other) {
    if (one.form() != other.form()) {
        return "other form";
    }
    int count = 0;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            const bool hides = is_hidden(one, x, y);
            const int first = hides ? one.channels() - 1 : 0;
            bool is_same = true;
            for (int c = first; c < one.channels(); ++c) {
                is_same = is_same && same(one.at(x, y, c), other.at(x, y, c));
            }
            count += is_same ? 0 : 1;
        }
    }
    return count == 0
               ? ""
               : std::to_string(count) + " of " + std::to_string(one.width() * one.height()) + " pixels";
}

std::string difference_of(const Products& one, const Products& other) {
    if (one.picture) {
        return difference_seen(gpu().download(*one.picture), gpu().download(*other.picture));
    }
    if (one.report) {
        return one.report->text({}) == other.report->text({}) && one.report->csv == other.report->csv
                   ? ""
                   : "reports differ";
    }
    return one.array && gpu().download(*one.array).bytes != gpu().download(*other.array).bytes
               ? "arrays differ"
               : "";
}

/// Whether the operation takes such pictures with these settings.
bool check(const OpInfo& info, const Settings& settings, const Shape& shape) {
    const Pair pair = pair_of(shape);
    const auto make = [&](const Image& image) -> std::optional<std::pair<Call, Products>> {
        try {
            Call call(info, settings, image);
            Products made = call.on_device();
            return std::pair(std::move(call), std::move(made));
        } catch (const Error&) {
            return {};
        }
    };
    const auto one = make(pair.one);
    const auto other = make(pair.other);
    INFO(info.name << text_of(settings) << " on " << describe(shape));
    CHECK(one.has_value() == other.has_value());
    if (!one || !other) {
        return false;
    }
    CHECK(difference_of(one->second, other->second) == "");
    if (one->second.picture) {
        const std::optional<Image> alone = one->first.by_processor();
        INFO("by the processor");
        CHECK((!alone || difference_seen(*alone, *other->first.by_processor()).empty()));
    }
    return true;
}

/// Every depth with the usual settings, and one with each of the others.
void check_all(const OpInfo& info, const std::vector<Settings>& all) {
    const std::vector<Shape> shapes{{45, 37, 4, Depth::u8}, {45, 37, 2, Depth::u16}, {45, 37, 4, Depth::f32}};
    std::size_t taken = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < (i == 0 ? shapes.size() : 1); ++k) {
            bool is_taken = check(info, all[i], shapes[(i + k) % shapes.size()]);
            is_taken = is_taken || (i > 0 && check(info, all[i], shapes[0]));
            is_taken = is_taken || (i > 0 && check(info, {all[i].back()}, shapes[0])); // without what contradicts it
            taken += is_taken ? 1 : 0;
        }
    }
    static const std::set<std::string> others{"draw", "lut", "merge",
                                              "profile"}; // that need a file, a list or grey pictures
    UNSCOPED_INFO(info.name);
    CHECK((taken > 0 || others.contains(info.name)));
}

} // namespace

TEST_CASE("hidden: colours beneath alpha 0 change no pixel that can be seen, and no measure") {
    for (const OpInfo* op : operations()) {
        if (op->input != Input::image || takes_channels(op->name)) {
            continue;
        }
        const std::vector<Settings> all = all_settings(*op);
        check_all(*op, all);
        for (const OpInfo& other : op->others) {
            check_all(other, all);
        }
    }
}
