// Letters and figures, through Pango and Cairo.
#include "glproc/files/modules/drawing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>
#include <string_view>

#include <pango/pangocairo.h>

namespace {

using glproc::modules::Area;
using glproc::modules::Cover;
using glproc::modules::Lettering;
using glproc::modules::Letters;
using glproc::modules::Outline;
using glproc::modules::Sides;

struct Free {
    void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
    void operator()(void* object) const { g_object_unref(object); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

/// What draws into a cover.
class Pen {
  public:
    explicit Pen(Cover& cover)
        : surface_(cairo_image_surface_create_for_data(cover.shares, CAIRO_FORMAT_A8, cover.part.width,
                                                       cover.part.height, cover.stride)),
          cairo_(cairo_create(surface_.get())) {
        if (cairo_status(cairo_.get()) != CAIRO_STATUS_SUCCESS)
            throw std::bad_alloc();
        cairo_translate(cairo_.get(), -cover.part.x, -cover.part.y);
        cairo_set_antialias(cairo_.get(), CAIRO_ANTIALIAS_BEST);
        cairo_set_tolerance(cairo_.get(), 0.01);
        cairo_set_line_cap(cairo_.get(), CAIRO_LINE_CAP_SQUARE);
    }
    Pen(const Pen&) = delete;
    Pen& operator=(const Pen&) = delete;
    ~Pen() { cairo_surface_flush(surface_.get()); }

    cairo_t* get() const { return cairo_.get(); }

  private:
    Owned<cairo_surface_t> surface_;
    Owned<cairo_t> cairo_;
};

/// In lower case.
std::string folded(std::string_view name) {
    std::string result(name);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Names that stand for whichever font there is.
bool is_generic(std::string_view family) {
    constexpr std::array<std::string_view, 7> names{"sans", "sans-serif", "serif",    "monospace",
                                                    "mono", "cursive",    "system-ui"};
    return std::find(names.begin(), names.end(), folded(family)) != names.end();
}

class Laid final : public Lettering {
  public:
    explicit Laid(const Letters& letters)
        : context_(pango_font_map_create_context(pango_cairo_font_map_get_default())),
          font_(pango_font_description_from_string(letters.font.c_str())) {
        pango_font_description_set_absolute_size(font_.get(), letters.size * PANGO_SCALE);
        // No hints: letters look alike at every place.
        const std::unique_ptr<cairo_font_options_t, void (*)(cairo_font_options_t*)> plain(
            cairo_font_options_create(), cairo_font_options_destroy);
        cairo_font_options_set_antialias(plain.get(), CAIRO_ANTIALIAS_GRAY);
        cairo_font_options_set_hint_style(plain.get(), CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(plain.get(), CAIRO_HINT_METRICS_OFF);
        pango_cairo_context_set_font_options(context_.get(), plain.get());
        layout_.reset(pango_layout_new(context_.get()));
        pango_layout_set_font_description(layout_.get(), font_.get());
        pango_layout_set_alignment(layout_.get(), letters.lines == Sides::left     ? PANGO_ALIGN_LEFT
                                                  : letters.lines == Sides::middle ? PANGO_ALIGN_CENTER
                                                                                   : PANGO_ALIGN_RIGHT);
        if (letters.wrap > 0) {
            pango_layout_set_width(layout_.get(), letters.wrap * PANGO_SCALE);
            pango_layout_set_wrap(layout_.get(), PANGO_WRAP_WORD_CHAR);
        }
        pango_layout_set_text(layout_.get(), letters.text.data(), static_cast<int>(letters.text.size()));
    }

    Area box() const override { return boxes().second; }
    Area ink() const override { return boxes().first; }

    std::string other_font() const override {
        const char* wanted = pango_font_description_get_family(font_.get());
        if (wanted == nullptr || is_generic(wanted))
            return {};
        const Owned<PangoFont> font(pango_context_load_font(context_.get(), font_.get()));
        if (font == nullptr)
            return "none";
        const Owned<PangoFontDescription> found(pango_font_describe(font.get()));
        const std::string family = pango_font_description_get_family(found.get());
        return folded(family) == folded(wanted) ? std::string() : family;
    }

    int unknown_letters() const override { return pango_layout_get_unknown_glyphs_count(layout_.get()); }

    void draw(Cover& cover, double outline) const override {
        const Pen pen(cover);
        cairo_t* cairo = pen.get();
        cairo_translate(cairo, -logical().x, -logical().y);
        if (outline > 0) {
            pango_cairo_layout_path(cairo, layout_.get());
            cairo_set_line_width(cairo, outline);
            cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
            cairo_stroke(cairo);
        } else {
            pango_cairo_show_layout(cairo, layout_.get());
        }
    }

  private:
    PangoRectangle logical() const {
        PangoRectangle logical{};
        pango_layout_get_pixel_extents(layout_.get(), nullptr, &logical);
        return logical;
    }

    /// Ink, and the space of lines.
    std::pair<Area, Area> boxes() const {
        PangoRectangle ink{};
        PangoRectangle logical{};
        pango_layout_get_pixel_extents(layout_.get(), &ink, &logical);
        return {{ink.x - logical.x, ink.y - logical.y, ink.width, ink.height},
                {0, 0, logical.width, logical.height}};
    }

    Owned<PangoContext> context_;
    Owned<PangoFontDescription> font_;
    Owned<PangoLayout> layout_;
};

std::unique_ptr<Lettering> lay_out(const Letters& letters) {
    return std::make_unique<Laid>(letters);
}

void draw(const Outline& figure, Cover& cover) {
    const Pen pen(cover);
    cairo_t* cairo = pen.get();
    if (figure.radius > 0) {
        constexpr double turn = 6.283185307179586;
        cairo_arc(cairo, figure.points[0], figure.points[1], figure.radius, 0, turn);
        cairo_close_path(cairo);
    } else {
        for (std::size_t i = 0; i + 1 < figure.points.size(); i += 2)
            cairo_line_to(cairo, figure.points[i], figure.points[i + 1]); // the first one moves
        if (figure.closed)
            cairo_close_path(cairo);
    }
    if (figure.stroke > 0) {
        cairo_set_line_width(cairo, figure.stroke);
        cairo_stroke(cairo);
    } else {
        cairo_fill(cairo);
    }
}

} // namespace

extern "C" __attribute__((visibility("default")))
const glproc::modules::Draughtsman glproc_module{&lay_out, &draw};
