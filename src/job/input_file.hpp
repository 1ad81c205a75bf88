// The bytes of inputs: of files, and of stdin for "-".
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc::job {

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

/// Whether a video begins so: MP4 and its kin, Matroska, AVI, MPEG-TS and -PS, Ogg, FLV, YUV4MPEG2.
bool begins_as_video(std::span<const std::byte> file);

/// Waiting for the bytes of a pipe goes on for as long as this is true; for ever before it is called. To be called before any
/// thread runs.
void wait_while(std::function<bool()> goes_on);

/// The same error of a file that --keep-partial can read, with a hint at that flag where the file is
/// truncated and the flag is not given.
Error with_way_on(const Error& error, const DecodeOptions& options);

} // namespace glproc::job
