// Whole files in, whole files out: reading in one go, and writing so that a reader never meets half a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// The whole file; pipes and devices are read to their end. Throws Error(input), "x.png: no such file".
std::vector<std::byte> read_file(const std::filesystem::path& path);

/// Everything an open descriptor still has, e.g. 0 for standard input. `name` is for messages only. Throws
/// Error(input).
std::vector<std::byte> read_descriptor(int descriptor, std::string_view name);

/// All bytes to an open descriptor, e.g. 1 for standard output. `name` is for messages only. Throws
/// Error(output).
void write_descriptor(int descriptor, std::span<const std::byte> bytes, std::string_view name);

/// Throws Error(output) where AtomicFile could not write `path`: no folder, no permission, a folder of that
/// name. Changes nothing, so that it can be asked before long work starts.
void check_writable(const std::filesystem::path& path);

/// Replaces a file as one step: bytes go to a temporary file beside it, and commit() syncs and renames that.
/// Until then the old file is whole. The permissions of a replaced file are kept, a symbolic link is
/// followed. What exists and is no regular file (/dev/null, a pipe) is written to directly. All failures are
/// Error(output).
class AtomicFile {
  public:
    explicit AtomicFile(const std::filesystem::path& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    /// Without commit() the temporary file is removed and the old file stays.
    ~AtomicFile();

    /// Appends.
    void write(std::span<const std::byte> bytes);

    /// Puts the new file in the old one's place. Nothing may be written afterwards.
    void commit();

  private:
    void open_temporary();
    void keep_attributes() const;
    [[noreturn]] void fail(int error) const;
    void discard() noexcept;

    std::string name_;                ///< as the caller spelled it, for messages
    std::filesystem::path target_;    ///< symbolic links resolved
    std::filesystem::path temporary_; ///< empty when the target is written to directly
    int descriptor_ = -1;
    int slot_ = -1; ///< in the table that remove_pending_files() reads
};

/// AtomicFile, write, commit.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Removes the temporary files of every AtomicFile under way (of the first 16, if there are more at once).
/// Async-signal-safe: a signal handler calls it before the process ends; work must not go on after it.
void remove_pending_files() noexcept;

} // namespace glproc
