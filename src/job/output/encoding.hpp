// How an image is to be written: what is asked for, whoever asks.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace glproc {

template <>
inline constexpr std::array<EnumRow<Depth>, 3> enum_rows<Depth>{{
    {Depth::u8, "8", "integers of 8 bits"},
    {Depth::u16, "16", "integers of 16 bits"},
    {Depth::f32, "f32", "floats of 32 bits"},
}};

template <>
inline constexpr std::array<EnumRow<Subsampling>, 5> enum_rows<Subsampling>{{
    {Subsampling::automatic, "auto",
     "as in IN if it is a JPEG; otherwise 444 at quality 90 or higher, and 420 below"},
    {Subsampling::s444, "444", "full resolution"},
    {Subsampling::s422, "422", "half horizontally"},
    {Subsampling::s420, "420", "half horizontally and vertically"},
    {Subsampling::s440, "440", "half vertically"},
}};

template <>
inline constexpr std::array<EnumRow<TiffCompression>, 5> enum_rows<TiffCompression>{{
    {TiffCompression::none, "none", "larger, for programs that read nothing else"},
    {TiffCompression::deflate, "deflate", "the default: small, and read by most programs"},
    {TiffCompression::lzw, "lzw", "read by all programs"},
    {TiffCompression::packbits, "packbits", "runs of equal bytes only"},
    {TiffCompression::g4, "g4", "Group 4, 1 bit a pixel: the smallest, for black and white pages"},
}};

namespace job {

/// What becomes of values where IN and OUT mean different ones.
enum class TransferRule { automatic, keep, linear, srgb };

/// What --strip leaves out.
enum class Strip { profile_stays, all, none };

} // namespace job

template <>
inline constexpr std::array<EnumRow<job::TransferRule>, 4> enum_rows<job::TransferRule>{{
    {job::TransferRule::automatic, "auto",
     "convert: OpenEXR, Radiance HDR, PFM and float JPEG XL hold linear light, other formats sRGB; "
     "float TIFF without a profile holds numbers, which stay as they are"},
    {job::TransferRule::keep, "keep", "copy values unchanged, as data"},
    {job::TransferRule::linear, "linear", "convert: the floats of IN are linear light, whatever its format"},
    {job::TransferRule::srgb, "srgb", "convert: the floats of IN are sRGB-encoded, whatever its format"},
}};

template <>
inline constexpr std::array<EnumRow<job::Strip>, 3> enum_rows<job::Strip>{{
    {job::Strip::profile_stays, "but-profile", "all but the ICC profile, which colours depend on"},
    {job::Strip::all, "all", "the ICC profile as well"},
    {job::Strip::none, "none", "nothing; thumbnail then keeps metadata, as other commands do"},
}};

namespace job {

inline constexpr Limit quality_limit{1, 100};
inline constexpr Limit png_level_limit{0, 12};
inline constexpr Limit colours_limit{2, 256};

/// What is not said follows the image and its format.
struct Encoding {
    std::string format = {}; ///< an extension; empty: the name of the file says it, and on stdout the input
    std::optional<Depth> depth = {};
    bool fits_format = false; ///< whatever it takes
    std::optional<int> quality = {};
    std::optional<int> png_level = {};
    std::optional<int> colours = {}; ///< of a palette
    std::optional<TiffCompression> compression = {};
    std::optional<Subsampling> subsampling = {};
    std::optional<std::size_t> max_size = {}; ///< bytes of the file
    bool progressive = false;
    bool keeps_tables = false; ///< of JPEG: none is made for this image
    bool lossless = false;
    std::optional<Colour> background = {};         ///< behind transparent parts
    std::optional<Colour> background_at_need = {}; ///< the same, for a format that cannot hold alpha
    bool is_grey = false;
    std::optional<Strip> strip = {};
    TransferRule transfer = TransferRule::automatic;
};

} // namespace job
} // namespace glproc
