// Compiled programs in files, for the next process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace glproc {

struct DeviceInfo;

/// Linked programs as the driver gives them out (glGetProgramBinary), one file each, named by a hash of the
/// driver and of the whole source text. The files are a convenience: if anything is wrong with one, or with
/// the folder, the program is compiled instead, without a message.
class ProgramStore {
  public:
    static constexpr std::size_t max_files = 256;
    static constexpr std::size_t max_bytes = std::size_t{64} << 20U;

    ProgramStore(std::filesystem::path folder, const DeviceInfo& device);

    /// Makes `program` the linked program of this source. False if there is none that this driver accepts.
    bool load(unsigned program, std::string_view source) const;

    /// Keeps the linked `program`, and removes the oldest files beyond the limits.
    void save(unsigned program, std::string_view source) const;

  private:
    std::filesystem::path file_of(std::string_view source) const;

    std::filesystem::path folder_;
    std::string driver_; ///< renderer, vendor and version
};

/// The store of a user: in $XDG_CACHE_HOME/glproc or ~/.cache/glproc. None where GLPROC_CACHE=off says so,
/// where the environment names no folder, and on renderers that gain nothing by it (tuning row "program
/// store").
std::optional<ProgramStore> user_program_store(const DeviceInfo& device);

} // namespace glproc
