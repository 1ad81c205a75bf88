#include "view/engine/preview.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "glproc/files/codec.hpp"

namespace glproc::view {

namespace {

/// Whether a text has numbers that change with the picture's size by other powers of it than 1, which is that
/// of lengths.
bool has_powers(const FieldInfo& field, const std::string& text) {
    return field.size_powers.powers != SizePowers{}.powers && text.ends_with(field.size_powers.ending);
}

/// The numbers of a text, each replaced by what `by` makes of its word, its value and its place among them.
/// What is no number stays, such as a unit, and so do numbers of percent and, unless `in_words`, those in a
/// word.
template <class By>
std::string with_numbers(const std::string& text, bool in_words, const By& by) {
    std::string result;
    std::size_t count = 0;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        double value = 0;
        const auto [next, error] =
            std::from_chars(at, end, value, in_words ? std::chars_format::fixed : std::chars_format::general);
        const bool is_in_word =
            !in_words && at > text.data() && std::isalpha(static_cast<unsigned char>(at[-1])) != 0;
        if (error != std::errc{} || next == at || is_in_word) {
            result += *at++;
            continue;
        }
        const std::string word(at, next);
        result += next < end && *next == '%' ? word : by(word, value, count);
        at = next;
        ++count;
    }
    return result;
}

/// Lengths: whole ones stay whole, and at least 1 if they were. A number with a fraction may get one: sigma 2
/// at a quarter is 0.5.
std::string scaled(const FieldInfo& field, const std::string& text, double factor) {
    const bool is_broken = field.kind == FieldKind::number && text.find_first_of(".%") == std::string::npos;
    return with_numbers(text, true, [&](const std::string& word, double value, std::size_t) {
        const bool is_whole = !is_broken && word.find('.') == std::string::npos;
        const double least = is_whole && value > 0 ? 1 : -std::numeric_limits<double>::infinity();
        const double now = is_whole ? std::max(least, std::round(value * factor)) : value * factor;
        return value == 0 ? word + (is_broken ? ".0" : "") : fmt::format("{:.{}f}", now, is_whole ? 0 : 6);
    });
}

/// Each number of a list times its power of `factor`.
std::string grown(const FieldInfo& field, const std::string& text, double factor) {
    const auto& powers = field.size_powers.powers;
    return with_numbers(text, false, [&](const std::string&, double value, std::size_t at) {
        const double now = value * std::pow(factor, at < powers.size() ? powers[at] : 0);
        return field.kind != FieldKind::whole
                   ? fmt::format("{}", now)
                   : fmt::format("{:.0f}", value > 0 ? std::max(1.0, std::round(now)) : now);
    });
}

} // namespace

Steps scaled(const Steps& steps, double factor) {
    Steps result = steps;
    for (Step& step : result) {
        for (const FieldInfo& field : step.op->fields) {
            const std::string text = step.value_of(field);
            if (has_powers(field, text)) {
                if (step.has(field)) {
                    step.given[field.name] = grown(field, text, factor);
                }
            } else if (field.unit == "pixels" && !text.empty() &&
                       (step.has(field) || field.kind != FieldKind::text)) {
                step.given[field.name] = scaled(field, text, factor);
            }
        }
    }
    return result;
}

bool can_scale(const Steps& steps) {
    return std::ranges::none_of(steps, [](const Step& step) {
        return std::ranges::any_of(step.op->fields, [&](const FieldInfo& field) {
            return field.holds_places && field.kind != FieldKind::picture && step.has(field);
        });
    });
}

int halvings(double megapixels, double rate, double budget) {
    constexpr double least = 0.25;
    int count = 0;
    while (megapixels * rate > budget && megapixels / 4 >= least) {
        megapixels /= 4;
        ++count;
    }
    return count;
}

std::string Pace::key(const Steps& steps) {
    std::string words;
    for (const Step& step : steps) {
        if (step.on) {
            words += step.op->name + " ";
            for (const auto& [name, text] :
                 step.given) { // choices make other kernels; numbers cost about the same
                words += field_called(*step.op, name)->kind == FieldKind::choice ? text + " " : "";
            }
        }
    }
    return words;
}

void Pace::note(const Steps& steps, double megapixels, double milliseconds) {
    const double rate = milliseconds / std::max(megapixels, 0.01);
    const auto [known, is_new] = rates_.emplace(key(steps), rate);
    known->second = is_new ? rate : (known->second + rate) / 2;
}

double Pace::rate(const Steps& steps) const {
    const auto known = rates_.find(key(steps));
    const auto count = std::ranges::count(steps, true, &Step::on);
    return known != rates_.end() ? known->second : first_rate_ * static_cast<double>(count);
}

std::shared_ptr<const Image> Pictures::get(const std::string& path) {
    std::error_code fault;
    const auto written = std::filesystem::last_write_time(path, fault);
    const std::uintmax_t size = fault ? 0 : std::filesystem::file_size(path, fault);
    const auto known = std::ranges::find(kept_, path, &Kept::path);
    if (known != kept_.end()) {
        if (!fault && known->written == written && known->size == size) {
            kept_.splice(kept_.begin(), kept_, known);
            return known->image;
        }
        kept_.erase(known);
    }
    auto image = std::make_shared<const Image>(load(path));
    if (!fault) {
        kept_.push_front({path, written, size, image});
        if (kept_.size() > most) {
            kept_.pop_back();
        }
    }
    return image;
}

Image thinned(const Image& image, int halved) {
    const auto side = [&](int n) { return std::max(1, n >> halved); };
    Image result(side(image.width()), side(image.height()), image.channels(), image.depth());
    const std::size_t size = image.pixel_bytes();
    const int middle = (1 << halved) / 2;
    for (int y = 0; y < result.height(); ++y) {
        const std::byte* from = image.row(std::min((y << halved) + middle, image.height() - 1));
        std::byte* to = result.row(y);
        for (int x = 0; x < result.width(); ++x, to += size) {
            const int column = std::min((x << halved) + middle, image.width() - 1);
            std::memcpy(to, from + static_cast<std::size_t>(column) * size, size);
        }
    }
    return result;
}

Image thinned_places(const Image& map, int halved) {
    Image result = thinned(map, halved);
    if (map.depth() != Depth::f32) { // no map at all, as the operation will say
        return result;
    }
    const auto channels = static_cast<std::size_t>(result.channels());
    auto values = result.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % channels < 2 ? std::ldexp(values[i], -halved) : values[i];
    }
    return result;
}

} // namespace glproc::view
