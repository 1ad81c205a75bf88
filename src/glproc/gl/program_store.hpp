// Compiled programs in files, for the next process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

struct DeviceInfo;

/// Linked programs as the driver gives them out (glGetProgramBinary), one file each, named by a hash of the
/// driver and of the whole source text. The files are a convenience: if anything is wrong with one, or with
/// the folder, the program is compiled instead, without a message.
///
/// A driver runs any binary it is given. So a file counts only in a folder that nobody else can change (see
/// PrivateFolder). It also needs a checksum over driver, source and content, made with the folder's key,
/// which only this user can read.
class ProgramStore {
  public:
    static constexpr std::size_t max_files = 2048; ///< all programs that `info --compile` makes, and more
    static constexpr std::size_t max_bytes = std::size_t{256} << 20U;
    static constexpr std::size_t max_program_bytes = std::size_t{16} << 20U;
    static constexpr std::size_t max_note_bytes = std::size_t{64} << 10U;

    ProgramStore(std::filesystem::path folder, const DeviceInfo& device);

    /// The facts about a program that was found.
    struct Stored {
        bool proved = false; ///< its result was compared with the reference on this driver
    };

    /// Makes `program` the linked program of this source. Nothing if there is none that this driver accepts.
    std::optional<Stored> load(unsigned program, std::string_view source) const;

    /// Keeps the linked `program`, and removes the oldest files beyond the limits.
    void save(unsigned program, std::string_view source, bool proved) const;

    /// The text last kept under this name for this driver, protected in the same way as programs.
    std::optional<std::string> note(std::string_view name) const;
    void set_note(std::string_view name, std::string_view text) const;

    /// Why the folder is not used although it is there, to be read after its path: "belongs to another user".
    /// Empty if it is used.
    std::string distrust() const;

    /// Files in that folder that are skipped, and their programs compiled anew instead, a line each: "key is
    /// a link".
    std::vector<std::string> skipped() const;

    /// How many programs it has, of all drivers.
    std::size_t count() const;

    const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::string driver_; ///< renderer, vendor and version
};

/// The store of a user: in $XDG_CACHE_HOME/glproc or ~/.cache/glproc. None if GLPROC_CACHE=off says so, or if
/// the environment names no folder. It pays on every renderer measured. A blur's two programs take 9.4 ms
/// without it, and 3.9 with it (llvmpipe, Mesa 22.3.6, two cores, 2026-11-20). Where the driver keeps no
/// programs, a photo's blur waits 2140 ms for its own, and 22 with the store (NVIDIA H200, driver 580.159.04,
/// 2026-11-22).
std::optional<ProgramStore> user_program_store(const DeviceInfo& device);

} // namespace glproc
