#include "glproc/image/ink.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glproc {

namespace {

/// A character's strokes: pairs of digits are points (x, y), y upwards; a space lifts the pen. The baseline
/// is y = 2, small letters reach 6 and capitals 8, and what goes below the line 0.
struct Glyph {
    char character;
    std::string_view strokes;
};

constexpr std::array glyphs{
    Glyph{'0', "123243473818070312"},
    Glyph{'1', "072822 0242"},
    Glyph{'2', "07183847460242"},
    Glyph{'3', "07183847463525 354443321203"},
    Glyph{'4', "3238040444"},
    Glyph{'5', "480805354443321203"},
    Glyph{'6', "473818070312324344351504"},
    Glyph{'7', "084812"},
    Glyph{'8', "15060718384746351504031232434435"},
    Glyph{'9', "031232434738180706153546"},
    Glyph{'a', "4642 4536160503123243"},
    Glyph{'b', "0802 0516364543321203"},
    Glyph{'c', "4536160503123243"},
    Glyph{'d', "4842 4536160503123243"},
    Glyph{'e', "04444536160503123243"},
    Glyph{'f', "38281712 0626"},
    Glyph{'g', "4641301001 4536160503123243"},
    Glyph{'h', "0802 0516364542"},
    Glyph{'i', "0602 0808"},
    Glyph{'j', "16110000 1818"},
    Glyph{'k', "0802 3604 1532"},
    Glyph{'l', "0802"},
    Glyph{'m', "0602 0516263532 3546566562"},
    Glyph{'n', "0602 0516364542"},
    Glyph{'o', "123243453616050312"},
    Glyph{'p', "0600 0516364543321203"},
    Glyph{'q', "4640 4536160503123243"},
    Glyph{'r', "0602 04152636"},
    Glyph{'s', "45361605143443321203"},
    Glyph{'t', "18132232 0626"},
    Glyph{'u', "0603123243 4642"},
    Glyph{'v', "062246"},
    Glyph{'w', "0612365266"},
    Glyph{'x', "0642 0246"},
    Glyph{'y', "0622 461000"},
    Glyph{'z', "06460242"},
    Glyph{'A', "022842 1434"},
    Glyph{'B', "02083847463505 3544433202"},
    Glyph{'C', "4738180703123243"},
    Glyph{'D', "02083847433202"},
    Glyph{'E', "48080242 0535"},
    Glyph{'F', "480802 0535"},
    Glyph{'G', "47381807031232434525"},
    Glyph{'H', "0802 4842 0545"},
    Glyph{'I', "0802"},
    Glyph{'J', "3833221203"},
    Glyph{'K', "0802 4804 1542"},
    Glyph{'L', "080242"},
    Glyph{'M', "0208254842"},
    Glyph{'N', "02084248"},
    Glyph{'O', "123243473818070312"},
    Glyph{'P', "02083847463505"},
    Glyph{'Q', "123243473818070312 2442"},
    Glyph{'R', "02083847463505 2542"},
    Glyph{'S', "473818070615354443321203"},
    Glyph{'T', "0848 2822"},
    Glyph{'U', "080312324348"},
    Glyph{'V', "082248"},
    Glyph{'W', "0812365268"},
    Glyph{'X', "0842 0248"},
    Glyph{'Y', "082548 2522"},
    Glyph{'Z', "08480242"},
    Glyph{'.', "0202"},
    Glyph{',', "1201"},
    Glyph{':', "0202 0505"},
    Glyph{'\'', "0806"},
    Glyph{'-', "0535"},
    Glyph{'+', "0545 2723"},
    Glyph{'=', "0444 0646"},
    Glyph{'/', "0138"},
    Glyph{'%', "0248 0808 4242"},
    Glyph{'(', "28171322"},
    Glyph{')', "08171302"},
    Glyph{'[', "28080222"},
    Glyph{']', "08282202"},
    Glyph{'_', "0141"},
    Glyph{'?', "07183847462524 2222"},
};

constexpr double unit_of_size = capital_height / 6; // capitals are 6 units high
constexpr double gap = 2.2;                         // units between characters
constexpr double space = 3;                         // units
constexpr double pen = 0.1;                         // of the size
constexpr int base_line = 2;

const Glyph* find_glyph(char character) {
    const auto of = [](char c) {
        return std::find_if(glyphs.begin(), glyphs.end(), [c](const Glyph& g) { return g.character == c; });
    };
    const auto found = of(character);
    return found != glyphs.end() ? &*found : &*of('?');
}

/// Units from the left end of a character to that of the next.
double advance_of(char character) {
    if (character == ' ') {
        return space;
    }
    const std::string_view strokes = find_glyph(character)->strokes;
    int widest = 0;
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        if (strokes[i] == ' ') {
            continue;
        }
        widest = std::max(widest, strokes[i] - '0');
        ++i; // y
    }
    return widest + gap;
}

double distance(Position p, Position from, Position to) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = dx * dx + dy * dy;
    const double along = ((p.x - from.x) * dx + (p.y - from.y) * dy) / (length > 0 ? length : 1);
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(p.x - from.x - t * dx, p.y - from.y - t * dy);
}

} // namespace

Ink::Ink(int width, int height) : width_(width), height_(height), ink_(index(0, height)) {}

void Ink::line(Position from, Position to, double width) {
    const double reach = width / 2 + 1;
    const auto pixel = [](double place, int end) {
        return static_cast<int>(std::clamp(std::floor(place), 0.0, double(end)));
    };
    const int right = pixel(std::max(from.x, to.x) + reach + 1, width_);
    const int bottom = pixel(std::max(from.y, to.y) + reach + 1, height_);
    for (int y = pixel(std::min(from.y, to.y) - reach, height_); y < bottom; ++y) {
        for (int x = pixel(std::min(from.x, to.x) - reach, width_); x < right; ++x) {
            const double from_edge = width / 2 + 0.5 - distance({x + 0.5, y + 0.5}, from, to);
            const auto ink = static_cast<std::uint8_t>(std::lround(255 * std::clamp(from_edge, 0.0, 1.0)));
            ink_[index(x, y)] = std::max(ink_[index(x, y)], ink);
        }
    }
}

void Ink::text(std::string_view text, Position at, double size) {
    const double unit = size * unit_of_size;
    for (const char character : text) {
        const std::string_view strokes = character == ' ' ? "" : find_glyph(character)->strokes;
        const auto point = [&](std::size_t i) {
            return Position{at.x + (strokes[i] - '0') * unit,
                            at.y - (strokes[i + 1] - '0' - base_line) * unit};
        };
        for (std::size_t i = 0; i + 3 < strokes.size(); i += 2) {
            if (strokes[i + 2] == ' ') {
                ++i; // the pen goes on to the next stroke
                continue;
            }
            line(point(i), point(i + 2), size * pen);
        }
        at.x += advance_of(character) * unit;
    }
}

double text_width(std::string_view text, double size) {
    double units = 0;
    for (const char character : text) {
        units += advance_of(character);
    }
    return text.empty() ? 0 : (units - gap) * size * unit_of_size;
}

} // namespace glproc
