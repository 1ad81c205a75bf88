#include "glproc/gl/program_store.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/image/file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <system_error>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".program";

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). Drivers check what they are given; this finds files
/// that are cut short or changed before they have to.
std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t seed = 0xCBF29CE484222325U) {
    for (const std::byte byte : bytes) {
        seed = (seed ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3U;
    }
    return seed;
}

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// What a file starts with; the binary follows.
struct Header {
    std::array<char, 8> magic{'g', 'l', 'p', 'r', 'o', 'c', 'P', '1'};
    std::uint32_t format = 0;
    std::uint32_t size = 0;
    std::uint64_t checksum = 0;
};
static_assert(std::has_unique_object_representations_v<Header>);

/// The binary in the bytes of a file; empty where they are not those of a whole one.
std::span<const std::byte> binary_in(std::span<const std::byte> file, Header& header) {
    if (file.size() <= sizeof header) {
        return {};
    }
    std::memcpy(&header, file.data(), sizeof header);
    const auto binary = file.subspan(sizeof header);
    const bool whole =
        header.magic == Header{}.magic && header.size == binary.size() && header.checksum == hash(binary);
    return whole ? binary : std::span<const std::byte>{};
}

/// The file with the binary of a linked program; empty where the driver gives none out.
std::vector<std::byte> file_with(unsigned program) {
    GLint size = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    if (size <= 0) {
        return {};
    }
    std::vector<std::byte> file(sizeof(Header) + static_cast<std::size_t>(size));
    Header header;
    GLsizei written = 0;
    glGetProgramBinary(program, size, &written, &header.format, file.data() + sizeof header);
    if (written <= 0) {
        return {};
    }
    file.resize(sizeof header + static_cast<std::size_t>(written));
    header.size = static_cast<std::uint32_t>(written);
    header.checksum = hash(std::span(file).subspan(sizeof header));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

/// Removes the oldest programs beyond the limits; other files stay.
void limit_growth(const fs::path& folder) {
    struct File {
        fs::path path;
        fs::file_time_type time;
        std::uintmax_t bytes;
    };
    std::vector<File> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        // Also ".name.program.k3x9qa", left behind by a process that was killed.
        if (entry.is_regular_file() &&
            entry.path().filename().native().find(extension) != std::string::npos) {
            files.push_back({entry.path(), entry.last_write_time(), entry.file_size()});
        }
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time > b.time; });
    std::uintmax_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        bytes += files[i].bytes;
        if (i >= ProgramStore::max_files || bytes > ProgramStore::max_bytes) {
            fs::remove(files[i].path);
        }
    }
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

} // namespace

ProgramStore::ProgramStore(fs::path folder, const DeviceInfo& device)
    : folder_(std::move(folder)),
      driver_(fmt::format("{}\n{}\n{}\n", device.renderer, device.vendor, device.version)) {}

fs::path ProgramStore::file_of(std::string_view source) const {
    const std::uint64_t driver = hash(bytes_of(driver_));
    return folder_ / fmt::format("{:016x}{:016x}{}", driver, hash(bytes_of(source), driver), extension);
}

bool ProgramStore::load(unsigned program, std::string_view source) const {
    std::vector<std::byte> file;
    try {
        file = read_file(file_of(source));
    } catch (const Error&) {
        return false;
    }
    Header header;
    const auto binary = binary_in(file, header);
    if (binary.empty()) {
        return false;
    }
    glProgramBinary(program, header.format, binary.data(), static_cast<GLsizei>(binary.size()));
    const bool known = glGetError() == GL_NO_ERROR; // GL_INVALID_ENUM: the driver does not know the format
    GLint ok = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    return known && ok != 0;
}

void ProgramStore::save(unsigned program, std::string_view source) const {
    const std::vector<std::byte> file = file_with(program);
    if (file.empty()) {
        return;
    }
    try {
        fs::create_directories(folder_);
        write_file(file_of(source), file);
        limit_growth(folder_);
    } catch (const Error&) {                // NOLINT(bugprone-empty-catch): there is no room
    } catch (const fs::filesystem_error&) { // NOLINT(bugprone-empty-catch): or another process cleans up, too
    }
}

std::optional<ProgramStore> user_program_store(const DeviceInfo& device) {
    if (environment("GLPROC_CACHE") == "off" || tuned_variant(device, "program store") == "off") {
        return {};
    }
    // A relative folder counts as none: https://specifications.freedesktop.org/basedir-spec
    if (const fs::path cache = environment("XDG_CACHE_HOME"); cache.is_absolute()) {
        return ProgramStore(cache / "glproc", device);
    }
    if (const fs::path home = environment("HOME"); home.is_absolute()) {
        return ProgramStore(home / ".cache" / "glproc", device);
    }
    return {};
}

} // namespace glproc
