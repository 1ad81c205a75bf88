#include "glproc/gl/limits.hpp"

#include <glad/gl.h>

namespace glproc {

namespace {

std::int64_t get(GLenum name) {
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

std::array<std::int64_t, 3> get3(GLenum name) {
    std::array<std::int64_t, 3> values{};
    for (GLuint axis = 0; axis < 3; ++axis) {
        GLint value = 0;
        glGetIntegeri_v(name, axis, &value);
        values[axis] = value;
    }
    return values;
}

} // namespace

Limits query_limits(bool has_subgroup) {
    return {
        .texture_size = get(GL_MAX_TEXTURE_SIZE),
        .shared_bytes = get(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE),
        .group_invocations = get(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
        .group_size = get3(GL_MAX_COMPUTE_WORK_GROUP_SIZE),
        .group_count = get3(GL_MAX_COMPUTE_WORK_GROUP_COUNT),
        .storage_block_bytes = get(GL_MAX_SHADER_STORAGE_BLOCK_SIZE),
        .storage_blocks = get(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
        .storage_alignment = get(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT),
        .image_units = get(GL_MAX_COMPUTE_IMAGE_UNIFORMS),
        .texture_units = get(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS),
        .subgroup_size = has_subgroup ? get(GL_SUBGROUP_SIZE_KHR) : 0,
    };
}

std::vector<std::pair<std::string, std::int64_t>> describe(const Limits& limits) {
    return {
        {"texture_size", limits.texture_size},
        {"shared_bytes", limits.shared_bytes},
        {"group_invocations", limits.group_invocations},
        {"group_size_x", limits.group_size[0]},
        {"group_size_y", limits.group_size[1]},
        {"group_size_z", limits.group_size[2]},
        {"group_count_x", limits.group_count[0]},
        {"group_count_y", limits.group_count[1]},
        {"group_count_z", limits.group_count[2]},
        {"storage_block_bytes", limits.storage_block_bytes},
        {"storage_blocks", limits.storage_blocks},
        {"storage_alignment", limits.storage_alignment},
        {"image_units", limits.image_units},
        {"texture_units", limits.texture_units},
        {"subgroup_size", limits.subgroup_size},
    };
}

} // namespace glproc
