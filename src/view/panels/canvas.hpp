// The picture as the window shows it, drawn by OpenGL from where it lies on the GPU.
#pragma once

#include "glproc/gl/gpu_array.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/gl/handle.hpp"
#include "glproc/shader/loader.hpp"
#include "view/viewport.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace glproc::view {

enum class GlKind { texture, framebuffer, vertex_array, program };

template <GlKind kind>
struct GlName {
    using Type = unsigned;
    static void destroy(unsigned id);
};
using TextureName = GlName<GlKind::texture>;
using FramebufferName = GlName<GlKind::framebuffer>;
using VertexArrayName = GlName<GlKind::vertex_array>;
using ProgramName = GlName<GlKind::program>;

/// A new name, by a function such as glGenTextures.
unsigned made(void (*make)(int, unsigned*));

/// A texture of 8-bit RGBA, or of what `format` says, without content. It stays bound.
Handle<TextureName> made_texture(unsigned kind, unsigned format, int width, int height, int depth,
                                 unsigned filter);

/// A texture to draw into.
class Target {
  public:
    Target();
    /// Whether it has another size now, and no content.
    bool resize(int width, int height);
    /// What is drawn from now on goes there; end() before the window's own framebuffer is meant again.
    void begin() const;
    static void end();
    /// What was drawn, right way up: RGB of 8 bits.
    Image read() const;

    int width() const { return width_; }
    int height() const { return height_; }
    unsigned texture() const { return texture_.get(); }

  private:
    Handle<TextureName> texture_;
    Handle<FramebufferName> framebuffer_;
    int width_ = 0;
    int height_ = 0;
};

/// A profile of ICC; null for sRGB.
using IccBytes = std::shared_ptr<const std::vector<std::byte>>;

/// Which values are shown, and how.
enum class Look { colours, red, green, blue, alpha, luma, false_colours, difference };

/// What is to be drawn.
struct Scene {
    std::shared_ptr<const GpuImage> picture;
    std::shared_ptr<const GpuImage> before; ///< left of `split`
    ScreenPlace place;
    ScreenPlace before_place;
    double split = 0; ///< in pixels of the screen from the left edge
    IccBytes icc;     ///< that colours of `picture` are in
    IccBytes before_icc;
    std::array<float, 3> around{};
    Look look = Look::colours;              ///< of the result; Look::difference is that to `before`
    bool marks_clipped = false;             ///< pixels at black or white
    std::shared_ptr<const GpuArray> labels; ///< a word for each pixel: the number of its object, 0 for none
    int labels_width = 0;
    int labels_height = 0;
    double labels_from = 0;   ///< in pixels of the screen from the left edge; left of it they are not drawn
    std::uint32_t chosen = 0; ///< the object that has an outline
    bool operator==(const Scene&) const = default;
};

/// Belongs to the thread that made it, whose context shares the pictures' objects.
class Canvas {
  public:
    Canvas();

    /// The profile of the monitor, to which colours are converted; empty: values go to the monitor as they
    /// are. Throws Error where it cannot be used, and then uses none.
    void set_monitor(std::vector<std::byte> icc);
    bool has_monitor() const { return !monitor_.empty(); }

    /// Draws, where anything has changed, and returns the texture of the result, as large as the frame. Its
    /// first row is the lowest.
    unsigned draw(const Scene& scene, int width, int height);

    /// What draw() drew: RGB of 8 bits, its first row the highest.
    Image read() const { return target_.read(); }

    /// A part of an image, in CPU memory.
    Image part(const GpuImage& image, int x, int y, int width, int height);

    /// The values of a pixel, in code units.
    std::vector<double> pixel(const GpuImage& image, int x, int y);

  private:
    void draw_pictures(const Scene& scene);
    unsigned program_for(const Defines& defines);
    /// How colours of a profile become those of the monitor: not at all, by a table, or by formulas.
    struct Colours {
        Handle<TextureName> table;
        std::vector<float> formulas;
        int way() const { return table ? 1 : formulas.empty() ? 0 : 2; } ///< COLOURS of picture.glsl
    };
    const Colours& colours_for(const IccBytes& icc);

    std::map<Defines, Handle<ProgramName>> programs_; ///< for pictures of every make
    std::vector<std::byte> monitor_;
    std::map<std::vector<std::byte>, Colours> colours_; ///< by profile
    Handle<VertexArrayName> nothing_;                   // core OpenGL draws nothing without one
    Target target_;
    Handle<FramebufferName> reader_;
    std::optional<Scene> drawn_;
};

} // namespace glproc::view
