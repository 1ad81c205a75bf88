#include "glproc/gl/program_store.hpp"

#include "glproc/base/keyed_sum.hpp"
#include "glproc/base/private_folder.hpp"
#include "glproc/gl/context.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>
#include <unistd.h>

namespace glproc {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view program_extension = ".program";
constexpr std::string_view note_extension = ".note";

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), for names.
std::uint64_t hash(std::string_view text, std::uint64_t seed = 0xCBF29CE484222325U) {
    for (const char c : text) {
        seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    }
    return seed;
}

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// The beginning of a file; the content follows.
struct Header {
    std::array<char, 8> magic{'g', 'l', 'p', 'r', 'o', 'c', 'P', '2'};
    std::uint32_t format = 0; ///< of the driver's binary
    std::uint32_t proved = 0;
    KeyedSum::Sum sum{}; ///< of everything else, and of the content's owner
};
static_assert(std::has_unique_object_representations_v<Header>);

/// The owner of a file: each part is in the file's sum, so that no file can replace another.
struct Owner {
    std::string_view driver;
    std::string_view source; ///< of a program, or the name of a note
    std::string_view extension;

    std::string file_name() const {
        const std::uint64_t seed = hash(driver);
        return fmt::format("{:016x}{:016x}{}", seed, hash(source, seed), extension);
    }
};

KeyedSum::Sum sum_of(const KeyedSum::Key& key, const Owner& owner, Header header,
                     std::span<const std::byte> content) {
    header.sum = {};
    KeyedSum sum(key);
    sum.add(std::as_bytes(std::span(&header, 1)));
    for (const auto part :
         {bytes_of(owner.extension), bytes_of(owner.driver), bytes_of(owner.source), content}) {
        const std::uint64_t size = part.size();
        sum.add(std::as_bytes(std::span(&size, 1)));
        sum.add(part);
    }
    return sum.finish();
}

struct File {
    Header header;
    std::vector<std::byte> content;
};

/// The file of `owner`, if it is there, not too large and unchanged since it was written.
std::optional<File> read_stored(const fs::path& path, const Owner& owner, std::size_t most) {
    const auto folder = PrivateFolder::open(path);
    const auto bytes = folder ? folder->read(owner.file_name(), sizeof(Header) + most)
                              : std::optional<std::vector<std::byte>>{};
    const auto key = bytes && bytes->size() >= sizeof(Header) ? folder->key() : std::nullopt;
    if (!key) {
        return {};
    }
    File file;
    std::memcpy(&file.header, bytes->data(), sizeof file.header);
    file.content.assign(bytes->begin() + sizeof file.header, bytes->end());
    const bool sound = file.header.magic == Header{}.magic &&
                       file.header.sum == sum_of(*key, owner, file.header, file.content);
    return sound ? std::optional(std::move(file)) : std::nullopt;
}

/// Whether a file is the store's own and counts for its limits: as Owner::file_name() has it, or ".NAME.0c2f…", left by a
/// process that was killed. Others may have files of theirs here.
bool is_stored(std::string_view name) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::size_t name_digits = 32;
    constexpr std::size_t temporary_digits = 16;
    const auto are_digits = [&](std::string_view text, std::size_t count) {
        return text.size() == count && text.find_first_not_of(digits) == std::string_view::npos;
    };
    if (name.starts_with('.')) {
        const std::size_t dot = name.rfind('.');
        if (!are_digits(name.substr(dot + 1), temporary_digits))
            return false;
        name = name.substr(1, dot - 1);
    }
    const std::string_view extension = name.substr(std::min(name.size(), name_digits));
    return are_digits(name.substr(0, name_digits), name_digits) &&
           (extension == program_extension || extension == note_extension);
}

/// Writes the file of `owner`, in a folder that is made if it is missing. If something fails, the file is not
/// kept.
void write_stored(const fs::path& path, const Owner& owner, File file) {
    const auto folder = PrivateFolder::make(path);
    const auto key = folder ? folder->key() : std::nullopt;
    if (!key) {
        return;
    }
    file.header.sum = sum_of(*key, owner, file.header, file.content);
    const auto header = std::as_bytes(std::span(&file.header, 1));
    file.content.insert(file.content.begin(), header.begin(), header.end());
    if (folder->write(owner.file_name(), file.content)) {
        folder->limit(is_stored, ProgramStore::max_files, ProgramStore::max_bytes);
    }
}

/// The binary of a linked program; empty if the driver does not give it out.
File binary_of(unsigned program) {
    File file;
    GLint size = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    if (size > 0 && static_cast<std::size_t>(size) <= ProgramStore::max_program_bytes) {
        file.content.resize(static_cast<std::size_t>(size));
        GLsizei written = 0;
        glGetProgramBinary(program, size, &written, &file.header.format, file.content.data());
        file.content.resize(static_cast<std::size_t>(written));
    }
    return file;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

} // namespace

ProgramStore::ProgramStore(fs::path folder, const DeviceInfo& device)
    : folder_(std::move(folder)),
      driver_(fmt::format("{}\n{}\n{}\n", device.renderer, device.vendor, device.version)) {}

std::optional<ProgramStore::Stored> ProgramStore::load(unsigned program, std::string_view source) const {
    const auto file = read_stored(folder_, {driver_, source, program_extension}, max_program_bytes);
    if (!file || file->content.empty()) {
        return {};
    }
    glProgramBinary(program, file->header.format, file->content.data(),
                    static_cast<GLsizei>(file->content.size()));
    const bool known = glGetError() == GL_NO_ERROR; // GL_INVALID_ENUM: the driver does not know the format
    GLint ok = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    return known && ok != 0 ? std::optional(Stored{file->header.proved != 0}) : std::nullopt;
}

void ProgramStore::save(unsigned program, std::string_view source, bool proved) const {
    File file = binary_of(program);
    if (!file.content.empty()) {
        file.header.proved = proved ? 1 : 0;
        write_stored(folder_, {driver_, source, program_extension}, std::move(file));
    }
}

std::optional<std::string> ProgramStore::note(std::string_view name) const {
    const auto file = read_stored(folder_, {driver_, name, note_extension}, max_note_bytes);
    return file ? std::optional(std::string(reinterpret_cast<const char*>(file->content.data()), // NOLINT
                                            file->content.size()))
                : std::nullopt;
}

void ProgramStore::set_note(std::string_view name, std::string_view text) const {
    if (text.size() <= max_note_bytes) {
        const auto bytes = bytes_of(text);
        write_stored(folder_, {driver_, name, note_extension}, {{}, {bytes.begin(), bytes.end()}});
    }
}

std::string ProgramStore::distrust() const {
    return PrivateFolder::distrust(folder_);
}

std::vector<std::string> ProgramStore::skipped() const {
    std::vector<std::string> lines;
    if (const auto folder = PrivateFolder::open(folder_)) {
        const auto counts = [](std::string_view name) { return name == "key" || is_stored(name); };
        for (const auto& [name, why] : folder->skipped(counts, sizeof(Header) + max_program_bytes)) {
            lines.push_back(fmt::format("{} {}", name, why));
        }
    }
    return lines;
}

std::size_t ProgramStore::count() const {
    std::error_code none;
    const fs::directory_iterator files(folder_, none);
    return static_cast<std::size_t>(std::count_if(begin(files), end(files), [](const fs::directory_entry& file) {
        return file.path().extension() == program_extension && is_stored(file.path().filename().native());
    }));
}

std::optional<ProgramStore> user_program_store(const DeviceInfo& device) {
    if (environment("GLPROC_CACHE") == "off") {
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
