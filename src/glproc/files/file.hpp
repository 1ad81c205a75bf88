// Files in, files out: reading in one go or by parts, and writing so that a reader never meets half a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// A third of this machine's memory: what a growing buffer can take without the machine coming to a halt.
std::size_t most_input_bytes();

/// The whole file; pipes and devices are read to their end. Throws Error(input), "x.png: no such file", also where a pipe or device
/// gives more than `most` bytes.
std::vector<std::byte> read_file(const std::filesystem::path& path, std::size_t most = most_input_bytes());

/// Everything an open descriptor still has, e.g. 0 for standard input. `name` is for messages only. Throws
/// Error(input), also where a pipe or device gives more than `most` bytes, as some never end.
std::vector<std::byte> read_descriptor(int descriptor, std::string_view name,
                                       std::size_t most = most_input_bytes());

/// A file open for reading, any part of it at any time. Not mapped: if the file is truncated meanwhile, reads
/// return less and no signal is raised.
class OpenFile {
  public:
    /// Throws Error(input), "x.png: no such file".
    explicit OpenFile(const std::filesystem::path& path);
    /// The remaining content of an open descriptor, which may be closed afterwards.
    OpenFile(int descriptor, std::string_view name);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();

    /// Whether it is a file with a size that allows random access: no pipe, device or folder.
    bool regular() const { return regular_; }

    /// When it was opened.
    std::uint64_t size() const { return size_; }

    /// Fills `out` with bytes that start at `offset`. Returns how many there were. Throws Error(input).
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) const;

  private:
    void look();

    std::string name_;
    int descriptor_ = -1;
    bool regular_ = false;
    std::uint64_t start_ = 0;
    std::uint64_t size_ = 0;
};

/// All bytes to an open descriptor, e.g. 1 for standard output. `name` is for messages only. Throws
/// Error(output).
void write_descriptor(int descriptor, std::span<const std::byte> bytes, std::string_view name);

/// Throws Error(output) where AtomicFile could not write `path`: no folder, no permission, a folder of that
/// name. Changes nothing, so that it can be asked before long work starts.
void check_writable(const std::filesystem::path& path);

/// Whether glproc wrote a file, and nobody has changed it since: an attribute of the file says so, and the file system keeps it.
/// Nothing where it keeps none.
std::optional<bool> was_written_here(const std::filesystem::path& path);

/// Replaces a file in one step: bytes go to a temporary file next to it; commit() syncs and renames that.
/// Until then the old file is whole. The permissions of a replaced file are kept, a symbolic link is
/// followed. Things that exist but are no regular files (/dev/null, a pipe) are written to directly. All
/// failures are Error(output).
class AtomicFile {
  public:
    explicit AtomicFile(const std::filesystem::path& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    /// Without commit() the temporary file is removed and the old file stays.
    ~AtomicFile();

    /// Appends.
    void write(std::span<const std::byte> bytes);

    /// Whether write_at() can be used: what is written to directly may be a pipe.
    bool seekable() const { return !temporary_.empty(); }

    /// Puts bytes at any place of the new file; gaps are zeros. Not to be mixed with write().
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

    /// Fills `out` with what was written from `offset` on; only where write_at() can be used. Returns how many bytes there
    /// were.
    std::size_t read_back(std::uint64_t offset, std::span<std::byte> out) const;

    /// Puts the new file in the old one's place. Nothing may be written afterwards.
    void commit();

  private:
    void open_temporary();
    void keep_attributes() const;
    void mark() const;
    [[noreturn]] void fail(int error) const;
    void discard() noexcept;

    std::string name_;                ///< as the caller spelled it, for messages
    std::filesystem::path target_;    ///< symbolic links resolved
    std::filesystem::path temporary_; ///< empty when the target is written to directly
    int descriptor_ = -1;
    int slot_ = -1;           ///< in the table that remove_pending_files() reads
    std::size_t written_ = 0; ///< bytes, by write()
    std::size_t begun_ = 0;   ///< of them the disk was told to write
};

/// AtomicFile, write, commit.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Removes the temporary files of every AtomicFile under way (of the first 256, if there are more at once).
/// Async-signal-safe: a signal handler calls it before the process ends; work must not go on after it.
void remove_pending_files() noexcept;

} // namespace glproc
