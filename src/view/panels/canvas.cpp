#include "view/panels/canvas.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/loader.hpp"
#include "view/panels/monitor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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

unsigned made(void (*make)(int, unsigned*)) {
    unsigned id = 0;
    make(1, &id);
    return id;
}

void bind(unsigned unit, unsigned kind, unsigned texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(kind, texture);
}

Handle<TextureName> made_table(const std::vector<float>& table) {
    constexpr int side = MonitorColours::side;
    Handle<TextureName> texture(made(glGenTextures));
    glBindTexture(GL_TEXTURE_3D, texture.get());
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA32F, side, side, side);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, side, side, side, GL_RGBA, GL_FLOAT, table.data());
    for (const unsigned name : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) {
        glTexParameteri(GL_TEXTURE_3D, name, GL_CLAMP_TO_EDGE);
    }
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_3D, 0);
    return texture;
}

/// What the shader is compiled for.
std::string words_of(const GpuImage& image) {
    return fmt::format("{}, {}, {}", image.stored_channels(), static_cast<int>(image.depth()),
                       image.channels());
}

} // namespace

void TextureName::destroy(unsigned id) {
    glDeleteTextures(1, &id);
}
void FramebufferName::destroy(unsigned id) {
    glDeleteFramebuffers(1, &id);
}
void VertexArrayName::destroy(unsigned id) {
    glDeleteVertexArrays(1, &id);
}
void ProgramName::destroy(unsigned id) {
    glDeleteProgram(id);
}

Canvas::Canvas()
    : nothing_(made(glGenVertexArrays)), framebuffer_(made(glGenFramebuffers)),
      reader_(made(glGenFramebuffers)) {}

unsigned Canvas::program_for(const Defines& defines) {
    Handle<ProgramName>& program = programs_[defines];
    if (!program) {
        program = Handle<ProgramName>(link(defines));
    }
    return program.get();
}

void Canvas::resize(int width, int height) {
    if (width == width_ && height == height_) {
        return;
    }
    drawn_.reset();
    width_ = width;
    height_ = height;
    texture_ = Handle<TextureName>(made(glGenTextures));
    glBindTexture(GL_TEXTURE_2D, texture_.get());
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_.get(), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
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
    resize(std::max(width, 1), std::max(height, 1));
    if (drawn_ == scene) {
        return texture_.get();
    }
    drawn_ = scene; // and with it the pictures, until the device has drawn them
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glViewport(0, 0, width_, height_);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glClearColor(scene.around[0], scene.around[1], scene.around[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (scene.picture != nullptr) {
        const GpuImage& before = scene.before != nullptr ? *scene.before : *scene.picture;
        const bool splits = scene.before != nullptr;
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
        const auto at = [&](const char* name) { return glGetUniformLocation(program, name); };
        glUniform1i(at("u_picture"), 0);
        glUniform1i(at("u_before"), 1);
        glUniform1i(at("u_colours"), 2);
        glUniform1i(at("u_before_colours"), 3);
        const auto set_formulas = [&](const char* name, const std::vector<float>& formulas) {
            glUniform1fv(at(name), static_cast<int>(formulas.size()), formulas.data());
        };
        set_formulas("u_formulas", colours.formulas);
        set_formulas("u_before_formulas", before_colours.formulas);
        glUniform2i(at("u_picture_size"), scene.picture->width(), scene.picture->height());
        glUniform2i(at("u_before_size"), before.width(), before.height());
        glUniform2f(at("u_frame"), static_cast<float>(width_), static_cast<float>(height_));
        const auto set_place = [&](const char* name, const Place& place) {
            glUniform4f(at(name), static_cast<float>(place.corner.x), static_cast<float>(place.corner.y),
                        static_cast<float>(place.width), static_cast<float>(place.height));
        };
        set_place("u_place", scene.place);
        set_place("u_before_place", scene.before_place);
        glUniform1f(at("u_split"), scene.before != nullptr ? static_cast<float>(scene.split) : -1.0F);
        glUniform3fv(at("u_around"), 1, scene.around.data());
        if (scene.labels != nullptr) {
            glUniform2i(at("u_labels_size"), scene.labels_width, scene.labels_height);
            glUniform1f(at("u_labels_from"), static_cast<float>(scene.labels_from));
            glUniform1ui(at("u_chosen"), scene.chosen);
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, scene.labels->words().id());
        }
        bind(3, GL_TEXTURE_3D, before_colours.table.get());
        bind(2, GL_TEXTURE_3D, colours.table.get());
        bind(1, GL_TEXTURE_2D, before.texture().id());
        bind(0, GL_TEXTURE_2D, scene.picture->texture().id());
        glBindVertexArray(nothing_.get());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindVertexArray(0);
        bind(3, GL_TEXTURE_3D, 0);
        bind(2, GL_TEXTURE_3D, 0);
        bind(1, GL_TEXTURE_2D, 0);
        bind(0, GL_TEXTURE_2D, 0);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
        glUseProgram(0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return texture_.get();
}

Image read_framebuffer(unsigned framebuffer, int width, int height) {
    Image image(width, height, 3, Depth::u8);
    std::vector<std::byte> rows(image.bytes().size());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    for (int y = 0; y < height; ++y) {
        std::memcpy(image.row(y), rows.data() + static_cast<std::size_t>(height - 1 - y) * image.row_bytes(),
                    image.row_bytes());
    }
    return image;
}

Image Canvas::read() const {
    return read_framebuffer(framebuffer_.get(), width_, height_);
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
