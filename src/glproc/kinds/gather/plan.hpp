// Operations whose pixels come from elsewhere in the picture, as plans.
#pragma once

#include "glproc/kinds/gather/affine.hpp"
#include "glproc/kinds/gather/resample.hpp"
#include "glproc/op/plan.hpp"

#include <array>
#include <string>

namespace glproc {

/// How an operation of this kind is computed.
enum class GatherMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<GatherMethod>, 3> enum_rows<GatherMethod>{
    EnumRow{GatherMethod::automatic, "auto", "same as gpu"},
    EnumRow{GatherMethod::gpu, "gpu", "one pass over the result, or one along each axis"},
    EnumRow{GatherMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// The largest width and height of a result.
inline constexpr Limit size_limit{1, 1048576};

/// Where a smaller picture lies in a larger one.
enum class Gravity { center, north, northeast, east, southeast, south, southwest, west, northwest };

template <>
inline constexpr std::array<EnumRow<Gravity>, 9> enum_rows<Gravity>{
    EnumRow{Gravity::center, "center", "in the middle, half a pixel rounded to the left and up"},
    EnumRow{Gravity::north, "north", "at the top, in the middle"},
    EnumRow{Gravity::northeast, "northeast", "at the top right"},
    EnumRow{Gravity::east, "east", "on the right, in the middle"},
    EnumRow{Gravity::southeast, "southeast", "at the bottom right"},
    EnumRow{Gravity::south, "south", "at the bottom, in the middle"},
    EnumRow{Gravity::southwest, "southwest", "at the bottom left"},
    EnumRow{Gravity::west, "west", "on the left, in the middle"},
    EnumRow{Gravity::northwest, "northwest", "at the top left"},
};

/// How far to the right and down a picture lies if it has this much room.
Int2 place_of(Gravity gravity, int room_x, int room_y);

/// Throws Error(usage) for a size beyond size_limit, with a hint.
void check_size(std::string_view name, std::int64_t width, std::int64_t height);

/// A picture of `width` × `height`, made by moving pixels.
struct Placement {
    int width = 0;
    int height = 0;
    Move move = {};
};
Plan move_plan(const Form& form, const Placement& placement, std::string_view name, GatherMethod method);

/// A picture resized.
Plan resample_plan(const Form& form, const Resample& resample, std::string_view name, GatherMethod method);

/// A picture of `width` × `height` seen through an affine map.
Plan affine_plan(const Form& form, int width, int height, const Affine& affine, std::string_view name,
                 GatherMethod method);

} // namespace glproc
