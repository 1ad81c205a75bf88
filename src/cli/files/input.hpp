// What a command reads: bytes from a file or stdin, as a picture or as an array.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"
#include "glproc/image/array.hpp"
#include "glproc/op/field.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

namespace cli {

/// How arrays lie in files.
enum class ArrayFormat { npy, raw };

/// For people.
std::string input_name(const std::string& path);

/// All bytes of a file, or of stdin for "-". Throws Error(input), and Error(usage) for a terminal, which has
/// no `what`.
std::vector<std::byte> read_input(const std::string& path, std::string_view what);

/// A file of that name, or stdin for "-", opened once for all who look at it.
class InputFile {
  public:
    explicit InputFile(std::string path) : path_(std::move(path)) {}

    /// Null for stdin, and for what is no regular file. Throws Error(input).
    const std::shared_ptr<const OpenFile>& opened();
    /// As read_input(); it is then closed. Throws what that throws.
    std::vector<std::byte> read(std::string_view what);

  private:
    std::string path_;
    std::shared_ptr<const OpenFile> file_;
};

/// Gives bytes back that were taken from stdin to look at them: read_input() begins with them.
void unread_stdin(std::vector<std::byte> bytes);

/// The same of all of it: back to where it was before, if stdin is a file.
void give_back_stdin(std::vector<std::byte> file);

/// The first bytes of what read_input() would read, for sniff(); what is no regular file has none. Moves
/// nothing.
std::vector<std::byte> peek_input(const std::string& path);

/// Whether another PNG or JPEG follows the first, as ffmpeg writes them into pipes. The pictures that a JPEG
/// announces in a multi-picture index belong to it.
bool has_second_picture(std::span<const std::byte> file);

/// Whether a film begins so: MP4 and its kin, Matroska, AVI, MPEG-TS and -PS, Ogg, FLV, YUV4MPEG2.
bool begins_as_film(std::span<const std::byte> file);

/// Any whole number that a double holds exactly.
inline constexpr Limit max_pixels_limit{1, 9007199254740992.0};

inline constexpr Limit max_frames_limit{1, 9007199254740992.0};
inline constexpr std::int64_t default_max_frames = 10'000'000; ///< of a film: 46 hours at 60 a second

/// What --max-frames says, or that default. Throws Error(usage).
std::int64_t max_frames(const Arguments& arguments, std::int64_t otherwise = default_max_frames);

/// Throws Error(input) where a file has more images than --max-frames allows.
void check_count(std::int64_t images, const Arguments& arguments, const std::string& name);

/// What --max-pixels says; `notes` gets what is odd about the picture. Throws Error(usage).
DecodeOptions decode_options(const Arguments& arguments, Notes* notes);

/// The same error of a file that --keep-partial can read, with a hint at that flag where the file is
/// truncated and the flag is not given.
Error with_way_on(const Error& error, const DecodeOptions& options);

/// Whether the name ends in .npy or .NPY.
bool names_npy(std::string_view path);

/// Arrays from files, as --dtype has them.
class ArrayReader {
  public:
    /// Throws Error(usage) for an unknown type.
    explicit ArrayReader(const Arguments& arguments);

    /// The array in the bytes of a file that is .npy by its content or its name, else raw. Throws
    /// Error(usage) where
    /// --dtype is missing for a raw file or contradicts a .npy file, Error(input) for a file that is not
    /// whole, and for an array that has another number of dimensions than one.
    Array read_vector(const std::string& path, std::span<const std::byte> bytes) const;

  private:
    Array parse(const std::string& path, std::span<const std::byte> bytes) const;

    std::string command_;
    std::optional<ArrayType> dtype_;
};

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::ArrayFormat>, 2> enum_rows<cli::ArrayFormat>{{
    {cli::ArrayFormat::npy, "npy", "NumPy's format"},
    {cli::ArrayFormat::raw, "raw", "only the elements, little-endian"},
}};

} // namespace glproc
