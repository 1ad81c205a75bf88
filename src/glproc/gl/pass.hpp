// One dispatch, which declares what it reads and writes; bindings and barriers follow from that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glproc {

class Buffer;
class Context;
class GpuImage;
class Program;
class Texture;

using Int2 = std::array<int, 2>;
using Uint4 = std::array<std::uint32_t, 4>;
using Float4 = std::array<float, 4>;
/// Part of a buffer. It starts at a multiple of limits().storage_alignment and is no larger than
/// limits().storage_block_bytes, which a whole buffer may exceed.
struct BufferRange {
    std::size_t offset = 0; ///< bytes
    std::size_t bytes = 0;
};

using Floats = std::vector<float>; ///< an array of floats, beginning with its first element
using Ints = std::vector<int>;     ///< an array of integers, beginning with its first element
using Float4s = std::vector<Float4>; ///< an array of vec4, beginning with its first element
using UniformValue = std::variant<int, std::uint32_t, float, Int2, Uint4, Float4, Ints, Floats, Float4s>;

/// Describes a dispatch and runs it:
///
///     gpu.pass("blur.rows", "kinds/separable/direct.comp", {{"AXIS", "0"}})
///         .reads("i_src", src).reads("b_weights", weights).writes("i_dst", dst)
///         .set("u_radius", radius)
///         .over(texels, rows);
///
/// Use the names that the kernel declares. A name that the kernel lacks, or a kernel's name without a value,
/// throws Error(operation): a mistake in the code, not of the user. A resource must be alive until over() or
/// groups() returns.
class Pass {
  public:
    Pass(Context& context, std::string_view label, const Program& program);

    Pass& reads(std::string_view name, const Texture& texture);
    Pass& reads(std::string_view name, const GpuImage& image);
    Pass& reads(std::string_view name, const Buffer& buffer);
    Pass& reads(std::string_view name, const Buffer& buffer, BufferRange range);
    Pass& writes(std::string_view name, Texture& texture);
    Pass& writes(std::string_view name, GpuImage& image);
    Pass& writes(std::string_view name, Buffer& buffer);
    Pass& writes(std::string_view name, Buffer& buffer, BufferRange range);
    /// Reads and writes, as atomics do.
    Pass& updates(std::string_view name, GpuImage& image);
    Pass& updates(std::string_view name, Buffer& buffer);
    Pass& updates(std::string_view name, Buffer& buffer, BufferRange range);
    Pass& set(std::string_view name, UniformValue value);

    /// Runs the fewest groups that cover x × y × z invocations.
    void over(std::int64_t x, std::int64_t y = 1, std::int64_t z = 1);
    /// Runs exactly these groups. Throws Error(operation) beyond the device's limit.
    void groups(std::int64_t x, std::int64_t y = 1, std::int64_t z = 1);
    /// Runs at least `count` groups, in two dimensions if one does not allow that many; the kernel numbers
    /// them with linear_group() of lib/group.glsl and ignores those beyond `count`.
    void groups_1d(std::int64_t count);
    /// Runs the fewest such groups that cover `items` invocations, numbered by linear_invocation().
    void over_1d(std::int64_t items);

  private:
    struct Binding {
        std::string name;
        std::variant<const Texture*, const Buffer*> resource;
        BufferRange range; ///< of a buffer
        bool reads;
        bool writes;
    };
    struct Uniform {
        std::string name;
        UniformValue value;
    };

    bool is_rehearsal() const;
    void check_complete() const;
    void check_group_count(const std::array<std::int64_t, 3>& count) const;
    void check_range(const Buffer& buffer, const BufferRange& range) const;
    void bind(const Binding& binding) const;
    void barriers();

    Context& context_;
    std::string label_;
    const Program& program_;
    std::vector<Binding> bindings_;
    std::vector<Uniform> uniforms_;
};

} // namespace glproc
