// The limits of the device, as plain data. 0 means absent.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

struct Limits {
    std::int64_t texture_size = 0;      ///< texels along one side of a 2-D texture
    std::int64_t shared_bytes = 0;      ///< shared memory of one work group
    std::int64_t group_invocations = 0; ///< invocations in one work group
    std::array<std::int64_t, 3> group_size{};
    std::array<std::int64_t, 3> group_count{};
    std::int64_t storage_block_bytes = 0; ///< largest storage block
    std::int64_t storage_blocks = 0;      ///< storage blocks of one compute shader
    std::int64_t storage_alignment = 0;   ///< bytes: a range of a buffer starts at a multiple of it
    std::int64_t image_units = 0;         ///< image uniforms of one compute shader
    std::int64_t texture_units = 0;       ///< samplers of one compute shader
    std::int64_t subgroup_size = 0;       ///< 0 without GL_KHR_shader_subgroup
    /// Larger arrays lie in a texture (see gl/gpu_array.hpp); 0: none do. Not a limit of OpenGL: a tuning
    /// row.
    std::int64_t array_buffer_bytes = 0;
};

/// Queries the current context.
Limits query_limits(bool has_subgroup);

/// Every limit with its name, in the order of the struct.
std::vector<std::pair<std::string, std::int64_t>> describe(const Limits& limits);

/// Makes a large device behave like a small one. `text` is "texture_size:256,storage_block_bytes:65536", with
/// the names of describe(). Limits that are already lower stay, absent ones count as higher. Throws
/// Error(usage) for anything else, and for values that are no upper limits: alignment and subgroup size.
void lower_limits(Limits& limits, std::string_view text);

} // namespace glproc
