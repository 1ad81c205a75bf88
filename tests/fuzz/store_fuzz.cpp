// The files of the program store: only what was saved there, and by this user, reaches a driver or counts as
// proved. The driver is a stand-in that notes what it is given.
#include "fuzz/fuzz.hpp"
#include "fuzz/scratch.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/program.hpp"
#include "glproc/gl/program_store.hpp"
#include "glproc/gl/proofs.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>
#include <sys/stat.h>

using namespace glproc;

namespace {

constexpr unsigned binary_format = 0x8741;
constexpr const char* kernel = "fuzz.comp";

/// What a driver would hold.
struct Driver {
    std::string binary; ///< gives it out, and was given it
    bool was_given = false;
};

Driver& driver() {
    static Driver one;
    return one;
}

void stand_in() {
    glad_glGetError = [] { return GLenum{GL_NO_ERROR}; };
    glad_glCreateProgram = [] { return GLuint{1}; };
    glad_glDeleteProgram = [](GLuint) {};
    glad_glObjectLabel = [](GLenum, GLuint, GLsizei, const GLchar*) {};
    glad_glGetProgramiv = [](GLuint, GLenum name, GLint* value) {
        *value = name == GL_PROGRAM_BINARY_LENGTH ? static_cast<GLint>(driver().binary.size()) : 1;
    };
    glad_glGetProgramBinary = [](GLuint, GLsizei size, GLsizei* written, GLenum* format, void* out) {
        std::memcpy(out, driver().binary.data(), static_cast<std::size_t>(size));
        *written = size;
        *format = binary_format;
    };
    glad_glProgramBinary = [](GLuint, GLenum format, const void* binary, GLsizei size) {
        fuzz::require(format == binary_format, "a driver is given the format that it gave out");
        driver() = {std::string(static_cast<const char*>(binary), static_cast<std::size_t>(size)), true};
    };
}

std::vector<std::filesystem::path> stored_in(const std::filesystem::path& folder,
                                             std::string_view extension) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path());
        }
    }
    return files;
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A store in an empty folder.
ProgramStore fresh_store(const std::filesystem::path& folder, const char* version = "1") {
    DeviceInfo device;
    device.version = version;
    return {folder, device};
}

void check_note(const ProgramStore& store, const std::string& content) {
    const bool fits = content.size() <= ProgramStore::max_note_bytes;
    store.set_note("a", content);
    fuzz::require(store.note("a") == (fits ? std::optional(content) : std::nullopt),
                  "a note is what was kept");
    fuzz::require(!store.note("b") && !fresh_store(store.folder(), "2").note("a"),
                  "a note is of one name and one driver");
}

/// `content` in place of a file's bytes, or changes to them: offset (2 bytes), length to keep (2), bytes.
std::string changed(const std::string& file, std::string_view content, bool patches) {
    if (!patches || content.size() < 4) {
        return std::string(content);
    }
    const auto byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(content[i]));
    };
    std::string text = file.substr(0, (byte(2) << 8U | byte(3)) % (file.size() + 1));
    text.resize(text.size() + (byte(2) == 0xFF ? file.size() - text.size() : 0));
    std::size_t at = (byte(0) << 8U | byte(1)) % (file.size() + 1);
    for (const char c : content.substr(4)) {
        text.resize(std::max(text.size(), at + 1));
        text[at] = static_cast<char>(text[at] ^ c);
        ++at;
    }
    return text;
}

void check_forged(const ProgramStore& store, std::string_view content, bool patches) {
    driver() = {"what a linker made", false};
    store.save(1, "source", true);
    const auto file = stored_in(store.folder(), ".program").at(0);
    const std::string whole = text_of(file);
    const std::string forged = changed(whole, content, patches);
    fuzz::write_scratch(file, forged.data(), forged.size());
    ::chmod(file.c_str(), 0600);
    driver() = {};
    const auto loaded = store.load(1, "source");
    const bool is_same = forged == whole;
    fuzz::require(loaded.has_value() == is_same && driver().was_given == is_same,
                  "a driver is given nothing but what was saved");
    fuzz::require(!is_same || (driver().binary == "what a linker made" && loaded->proved), "and all of it");
    fuzz::require(!store.load(1, "another source"), "a program is of one source");
}

void check_key(const ProgramStore& store, std::string_view content) {
    store.set_note("a", "kept");
    const std::string before = text_of(store.folder() / "key");
    fuzz::write_scratch(store.folder() / "key", content.data(), content.size());
    ::chmod((store.folder() / "key").c_str(), 0600);
    fuzz::require(store.note("a").has_value() == (before == content), "another key counts nothing as kept");
    store.set_note("a", "again");
    fuzz::require(store.note("a") == "again", "a broken key is made anew");
}

/// Whether the note of what was proved closes a program.
bool closes(const ProgramStore& store, const Program& program, const std::string& note) {
    store.set_note("proved", note);
    Proofs proofs;
    proofs.begin(store, nullptr);
    proofs.dispatched(program);
    return !proofs.any_open();
}

void check_proofs(const ProgramStore& store, std::string text) {
    driver() = {"binary", false};
    const auto read = [](std::string_view) {
        return std::optional<std::string>("#version 430 core\nvoid main() {}\n");
    };
    store.save(1, load_shader(kernel, {}, read).text, false);
    const Program program(kernel, {}, store, read);
    const std::string line = fmt::format("{:016x}\n", program.identity());
    text.resize(std::min(text.size(), ProgramStore::max_note_bytes - 2 * line.size()));
    std::string small = text;
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool says_so = small.find(line.substr(0, line.size() - 1)) != std::string::npos;
    fuzz::require(says_so || !closes(store, program, text), "only what a note says was proved");
    text.resize(text.size() / line.size() * line.size());
    fuzz::require(closes(store, program, text + line), "what a note says is proved");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path scratch = fuzz::scratch_folder();
    static const bool stands_in = (stand_in(), true);
    if (size == 0 || !stands_in) {
        return 0;
    }
    std::error_code none;
    std::filesystem::remove_all(scratch / "store", none);
    const ProgramStore store = fresh_store(scratch / "store");
    const std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::Cost cost(size, 0);
    switch (*data % 5) {
    case 0:
        check_note(store, content);
        break;
    case 1:
    case 2:
        check_forged(store, content, *data % 5 == 2);
        break;
    case 3:
        check_key(store, content);
        break;
    default:
        check_proofs(store, content);
        break;
    }
    return 0;
}
