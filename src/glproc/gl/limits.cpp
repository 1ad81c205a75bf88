#include "glproc/gl/limits.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>
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

namespace {

/// Calls `visit` with the name of each limit and the number itself.
template <class AnyLimits, class Visit>
void each_limit(AnyLimits& limits, const Visit& visit) {
    visit("texture_size", limits.texture_size);
    visit("shared_bytes", limits.shared_bytes);
    visit("group_invocations", limits.group_invocations);
    visit("group_size_x", limits.group_size[0]);
    visit("group_size_y", limits.group_size[1]);
    visit("group_size_z", limits.group_size[2]);
    visit("group_count_x", limits.group_count[0]);
    visit("group_count_y", limits.group_count[1]);
    visit("group_count_z", limits.group_count[2]);
    visit("storage_block_bytes", limits.storage_block_bytes);
    visit("storage_blocks", limits.storage_blocks);
    visit("storage_alignment", limits.storage_alignment);
    visit("image_units", limits.image_units);
    visit("texture_units", limits.texture_units);
    visit("subgroup_size", limits.subgroup_size);
    visit("array_buffer_bytes", limits.array_buffer_bytes);
}

/// The number in `text`, or 0 if that is not a number above 0.
std::int64_t positive_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : 0;
}

/// "NAME:VALUE".
void lower_one(Limits& limits, std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view wanted = text.substr(0, colon);
    const std::int64_t value = positive_number(text.substr(std::min(colon + 1, text.size())));
    bool is_known = false;
    std::string names;
    each_limit(limits, [&](std::string_view name, std::int64_t& limit) {
        if (name == "storage_alignment" || name == "subgroup_size") {
            return;
        }
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        if (name == wanted) {
            is_known = true;
            limit = limit == 0 ? value : std::min(limit, value);
        }
    });
    if (!is_known || value == 0) {
        throw Error(ErrorCode::usage, fmt::format("'{}' lowers no limit", text),
                    fmt::format("NAME:NUMBER with one of {}", names));
    }
}

} // namespace

std::vector<std::pair<std::string, std::int64_t>> describe(const Limits& limits) {
    std::vector<std::pair<std::string, std::int64_t>> all;
    each_limit(limits, [&](std::string_view name, std::int64_t limit) { all.emplace_back(name, limit); });
    return all;
}

void lower_limits(Limits& limits, std::string_view text) {
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        lower_one(limits, text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
}

} // namespace glproc
