// A folder of files that only this user can change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct stat;

namespace glproc {

/// Files in a folder for which the path is not to be trusted: HOME may be one that others write to, or root
/// may have somebody else's. The folder must be the user's own and writable by nobody else, and so must each
/// file. No link is followed within it, nothing is waited for, and a file appears whole or not at all.
/// Whatever is wrong is as if the file were not there.
class PrivateFolder {
  public:
    /// The folder at `path`, if it is there and can be trusted.
    static std::optional<PrivateFolder> open(const std::filesystem::path& path);

    /// The same, and makes it (mode 0700, as missing folders above it) where there is none. Root makes none
    /// in a folder of another user, who could not use it afterwards.
    static std::optional<PrivateFolder> make(const std::filesystem::path& path);

    /// Why open() gives none though something of this name is there: "belongs to another user". Else empty.
    static std::string distrust(const std::filesystem::path& path);

    PrivateFolder(PrivateFolder&& other) noexcept;
    PrivateFolder& operator=(PrivateFolder&& other) = delete;
    ~PrivateFolder();

    /// The whole file, if there is one of at most `most` bytes.
    std::optional<std::vector<std::byte>> read(const std::string& name, std::size_t most) const;

    /// An entry that read() skips although `counts` accepts its name, and why: "is a link".
    struct Skipped {
        std::string name;
        std::string why;
    };
    std::vector<Skipped> skipped(const std::function<bool(std::string_view name)>& counts,
                                 std::size_t most) const;

    /// Replaces the file in one step, mode 0600. False where that fails.
    bool write(const std::string& name, std::span<const std::byte> bytes) const;

    /// 16 bytes that only this user knows, made on the first call.
    std::optional<std::array<std::byte, 16>> key() const;

    /// Removes the files least recently written among those whose names `counts` accepts, so that at most
    /// `files` of them and `bytes` remain.
    void limit(const std::function<bool(std::string_view name)>& counts, std::size_t files,
               std::uintmax_t bytes) const;

  private:
    explicit PrivateFolder(int descriptor) : descriptor_(descriptor) {}

    void each(const std::function<void(const std::string& name, const struct stat& status)>& visit) const;
    bool put(const std::string& name, std::span<const std::byte> bytes, bool replaces) const;

    int descriptor_;
};

/// Fills `bytes` with random ones of the system. False where it has none.
bool fill_random(std::span<std::byte> bytes);

} // namespace glproc
