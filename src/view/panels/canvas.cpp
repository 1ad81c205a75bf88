#include "view/panels/canvas.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/loader.hpp"
#include "view/panels/monitor.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc::view {

namespace {

unsigned compile(unsigned kind, Defines defines, int stage) {
    defines["STAGE"] = text(stage);
    const ShaderSource source = load_shader("view/picture.glsl", defines);
    const unsigned shader = glCreateShader(kind);
    const char* words = source.text.c_str();
    glShaderSource(shader, 1, &words, nullptr);
    glCompileShader(shader);
    return shader;
}

unsigned link(const Defines& defines) {
    const unsigned program = glCreateProgram();
    for (const unsigned shader :
         {compile(GL_VERTEX_SHADER, defines, 0), compile(GL_FRAGMENT_SHADER, defines, 1)}) {
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    int linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == 0) {
        std::array<char, 2000> log{};
        glGetProgramInfoLog(program, static_cast<int>(log.size()), nullptr, log.data());
        glDeleteProgram(program);
        throw Error(ErrorCode::operation, fmt::format("view/picture.glsl does not link: {}", log.data()));
    }
    return program;
}

struct BoundTexture {
    const char* uniform;
    unsigned kind;
    unsigned id;
};

/// To the units 0, 1 and so on, or no longer.
void bind(unsigned program, std::span<const BoundTexture> textures, bool on) {
    for (unsigned unit = 0; unit < textures.size(); ++unit) {
        glUniform1i(glGetUniformLocation(program, textures[unit].uniform), static_cast<int>(unit));
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(textures[unit].kind, on ? textures[unit].id : 0);
    }
    glActiveTexture(GL_TEXTURE0);
}

Handle<TextureName> made_table(const std::vector<float>& table) {
    constexpr int side = MonitorColours::side;
    Handle<TextureName> texture = made_texture(GL_TEXTURE_3D, GL_RGBA32F, side, side, side, GL_LINEAR);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, side, side, side, GL_RGBA, GL_FLOAT, table.data());
    glBindTexture(GL_TEXTURE_3D, 0);
    return texture;
}

/// What the shader is compiled for.
std::string words_of(const GpuImage& image) {
    return fmt::format("{}, {}, {}", image.stored_channels(), static_cast<int>(image.depth()),
                       image.channels());
}

} // namespace

template <GlKind kind>
void GlName<kind>::destroy(unsigned id) {
    switch (kind) {
    case GlKind::texture:
        return glDeleteTextures(1, &id);
    case GlKind::framebuffer:
        return glDeleteFramebuffers(1, &id);
    case GlKind::vertex_array:
        return glDeleteVertexArrays(1, &id);
    case GlKind::program:
        return glDeleteProgram(id);
    }
}
template struct GlName<GlKind::texture>;
template struct GlName<GlKind::framebuffer>;
template struct GlName<GlKind::vertex_array>;
template struct GlName<GlKind::program>;

unsigned made(void (*make)(int, unsigned*)) {
    unsigned id = 0;
    make(1, &id);
    return id;
}

Handle<TextureName> made_texture(unsigned kind, unsigned format, int width, int height, int depth,
                                 unsigned filter) {
    Handle<TextureName> texture(made(glGenTextures));
    glBindTexture(kind, texture.get());
    depth > 0 ? glTexStorage3D(kind, 1, format, width, height, depth)
              : glTexStorage2D(kind, 1, format, width, height);
    for (const unsigned name : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) {
        glTexParameteri(kind, name, GL_CLAMP_TO_EDGE);
    }
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, static_cast<int>(filter));
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, static_cast<int>(filter));
    return texture;
}

Target::Target() : framebuffer_(made(glGenFramebuffers)) {}

bool Target::resize(int width, int height) {
    if (width == width_ && height == height_) {
        return false;
    }
    width_ = width;
    height_ = height;
    texture_ = made_texture(GL_TEXTURE_2D, GL_RGBA8, width, height, 0, GL_NEAREST);
    begin();
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_.get(), 0);
    end();
    return true;
}

void Target::begin() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glViewport(0, 0, width_, height_);
}

void Target::end() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image Target::read() const {
    Image image(width_, height_, 3, Depth::u8);
    std::vector<std::byte> rows(image.bytes().size());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    end();
    for (int y = 0; y < height_; ++y) {
        std::memcpy(image.row(y), rows.data() + static_cast<std::size_t>(height_ - 1 - y) * image.row_bytes(),
                    image.row_bytes());
    }
    return image;
}

Canvas::Canvas() : nothing_(made(glGenVertexArrays)), reader_(made(glGenFramebuffers)) {}

unsigned Canvas::program_for(const Defines& defines) {
    Handle<ProgramName>& program = programs_[defines];
    if (!program) {
        program = Handle<ProgramName>(link(defines));
    }
    return program.get();
}

void Canvas::set_monitor(std::vector<std::byte> icc) {
    drawn_.reset();
    colours_.clear();
    monitor_.clear();
    if (!icc.empty()) {
        monitor_colours({}, icc); // which says what is wrong with it
        monitor_ = std::move(icc);
    }
}

const Canvas::Colours& Canvas::colours_for(const IccBytes& icc) {
    static const Colours as_they_are;
    if (monitor_.empty()) {
        return as_they_are;
    }
    const std::vector<std::byte> profile = icc != nullptr ? *icc : std::vector<std::byte>{};
    if (const auto known = colours_.find(profile); known != colours_.end()) {
        return known->second;
    }
    Colours& colours = colours_[profile];
    MonitorColours found;
    try {
        found = monitor_colours(profile, monitor_);
    } catch (const Error&) { // of a profile without a table for screens: values as they are
    }
    if (!found.table.empty()) {
        colours.table = made_table(found.table);
    }
    colours.formulas = std::move(found.formulas);
    return colours;
}

unsigned Canvas::draw(const Scene& scene, int width, int height) {
    const bool is_new = target_.resize(std::max(width, 1), std::max(height, 1));
    if (!is_new && drawn_ == scene) {
        return target_.texture();
    }
    drawn_ = scene; // and with it the pictures, until the device has drawn them
    target_.begin();
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glClearColor(scene.around[0], scene.around[1], scene.around[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (scene.picture != nullptr) {
        draw_pictures(scene);
    }
    Target::end();
    return target_.texture();
}

void Canvas::draw_pictures(const Scene& scene) {
    const bool splits = scene.before != nullptr;
    const GpuImage& before = splits ? *scene.before : *scene.picture;
    constexpr std::size_t most_profiles = 8; // of a folder with profiles that differ
    if (colours_.size() > most_profiles) {
        colours_.clear();
    }
    const Colours& colours = colours_for(scene.icc);
    const Colours& before_colours = colours_for(splits ? scene.before_icc : scene.icc);
    const unsigned program = program_for({{"COLOURS", text(colours.way())},
                                          {"BEFORE_COLOURS", text(splits ? before_colours.way() : 0)},
                                          {"PICTURE", words_of(*scene.picture)},
                                          {"BEFORE", words_of(before)},
                                          {"SPLIT", text(splits ? 1 : 0)},
                                          {"LABELS", text(scene.labels != nullptr ? 1 : 0)},
                                          {"LOOK", text(static_cast<int>(scene.look))},
                                          {"CLIPPING", text(scene.marks_clipped ? 1 : 0)}});
    glUseProgram(program);
    const auto at = [&](const std::string& name) { return glGetUniformLocation(program, name.c_str()); };
    const auto set_picture = [&](const std::string& which, const GpuImage& image, const ScreenPlace& place) {
        glUniform2i(at("u_" + which + "_size"), image.width(), image.height());
        glUniform4f(at(which == "before" ? "u_before_place" : "u_place"), static_cast<float>(place.corner.x),
                    static_cast<float>(place.corner.y), static_cast<float>(place.width),
                    static_cast<float>(place.height));
    };
    const auto set_formulas = [&](const char* name, const std::vector<float>& formulas) {
        glUniform1fv(at(name), static_cast<int>(formulas.size()), formulas.data());
    };
    set_picture("picture", *scene.picture, scene.place);
    set_picture("before", before, scene.before_place);
    set_formulas("u_formulas", colours.formulas);
    set_formulas("u_before_formulas", before_colours.formulas);
    glUniform2f(at("u_frame"), static_cast<float>(target_.width()), static_cast<float>(target_.height()));
    glUniform1f(at("u_split"), splits ? static_cast<float>(scene.split) : -1.0F);
    glUniform3fv(at("u_around"), 1, scene.around.data());
    if (scene.labels != nullptr) {
        glUniform2i(at("u_labels_size"), scene.labels_width, scene.labels_height);
        glUniform1f(at("u_labels_from"), static_cast<float>(scene.labels_from));
        glUniform1ui(at("u_chosen"), scene.chosen);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, scene.labels->words().id());
    }
    const std::array<BoundTexture, 4> textures{
        {{"u_picture", GL_TEXTURE_2D, scene.picture->texture().id()},
         {"u_before", GL_TEXTURE_2D, before.texture().id()},
         {"u_colours", GL_TEXTURE_3D, colours.table.get()},
         {"u_before_colours", GL_TEXTURE_3D, before_colours.table.get()}}};
    bind(program, textures, true);
    glBindVertexArray(nothing_.get());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    bind(program, textures, false);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glUseProgram(0);
}

Image Canvas::part(const GpuImage& image, int x, int y, int width, int height) {
    const int lanes = pixels_per_texel(image.form());
    const int first = x / lanes;
    const int count = (x + width - 1) / lanes - first + 1;
    std::vector<std::uint32_t> texels(static_cast<std::size_t>(count) * 4 * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, reader_.get());
    glFramebufferTexture(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image.texture().id(), 0);
    glReadPixels(first, y, count, height, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
    glFramebufferTexture(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 0, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    Image result(width, height, image.channels(), image.depth());
    const auto bytes = std::as_bytes(std::span(texels));
    const std::size_t size = bytes_of(image.depth()) * static_cast<std::size_t>(image.stored_channels());
    for (int row = 0; row < height; ++row) {
        const std::byte* from = bytes.data() +
                                static_cast<std::size_t>(row) * static_cast<std::size_t>(count) * 16 +
                                static_cast<std::size_t>(x - first * lanes) * size;
        std::byte* to = result.row(row);
        for (int column = 0; column < width; ++column, from += size, to += result.pixel_bytes()) {
            std::memcpy(to, from, result.pixel_bytes());
        }
    }
    return result;
}

std::vector<double> Canvas::pixel(const GpuImage& image, int x, int y) {
    const Image one = part(image, x, y, 1, 1);
    std::vector<double> values;
    for (int c = 0; c < image.channels(); ++c) {
        values.push_back(one.at(0, 0, c));
    }
    return values;
}

} // namespace glproc::view
