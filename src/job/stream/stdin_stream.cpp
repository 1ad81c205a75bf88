#include "job/stream/stdin_stream.hpp"

#include "glproc/files/file.hpp"
#include "job/input_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace glproc::job {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Whether `rest`, after a picture, begins with another one; nothing where it is all white space.
std::optional<bool> begins_picture(std::string_view rest) {
    for (const char c : rest) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            return c == 'P';
        }
    }
    return std::nullopt;
}

/// Of a file, of which nothing is taken.
bool file_is_stream() {
    const std::vector<std::byte> start = peek_input("-");
    const std::uint64_t size = pnm_size(start).value_or(0);
    constexpr std::size_t enough = 64;
    std::string after(enough, '\0');
    const off_t at = ::lseek(STDIN_FILENO, 0, SEEK_CUR) + static_cast<off_t>(size);
    const ssize_t got = size == 0 ? 0 : ::pread(STDIN_FILENO, after.data(), after.size(), at);
    after.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return begins_video(start) || begins_picture(after).value_or(false);
}

/// Of a pipe. Nothing is read beyond the byte that decides.
bool pipe_is_stream(ByteReader& reader) {
    if (begins_video(reader.peek(y4m_magic.size()))) {
        return true;
    }
    std::optional<std::uint64_t> size;
    constexpr std::size_t longest_header = 4096;
    for (std::size_t look = 3; !size && look < longest_header; ++look) {
        size = pnm_size(reader.peek(look));
    }
    if (!size || *size == 0 || *size > most_input_bytes() / 2) {
        return false;
    }
    std::optional<bool> follows;
    for (std::uint64_t look = *size + 1; !follows; ++look) {
        const std::string_view text = text_of(reader.peek(look));
        if (text.size() < look) {
            return false;
        }
        follows = begins_picture(text.substr(*size));
    }
    return *follows;
}

} // namespace

bool begins_video(std::span<const std::byte> bytes) {
    return text_of(bytes).starts_with(y4m_magic);
}

namespace {

std::vector<std::byte>& first_of_pipe() {
    static std::vector<std::byte> bytes;
    return bytes;
}

/// Enough to know an animated PNG; nothing else is waited for.
void keep_start(ByteReader& reader) {
    constexpr std::size_t enough = 64; // no PNG is shorter
    const bool is_png = text_of(reader.peek(4)) == "\x89PNG";
    const std::span<const std::byte> start = reader.peek(is_png ? enough : 4);
    first_of_pipe().assign(start.begin(), start.end());
}

} // namespace

std::span<const std::byte> start_of_pipe() {
    return first_of_pipe();
}

std::unique_ptr<ByteReader> open_stream() {
    if (::isatty(STDIN_FILENO) != 0) {
        return nullptr;
    }
    auto reader = std::make_unique<ByteReader>(STDIN_FILENO, input_name("-"));
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0 || S_ISDIR(status.st_mode)) {
        return nullptr; // reading will say what is wrong
    }
    if (S_ISREG(status.st_mode)) {
        return file_is_stream() ? std::move(reader) : nullptr;
    }
    if (pipe_is_stream(*reader)) {
        reader->follow_stream();
        return reader;
    }
    keep_start(*reader);
    unread_stdin(reader->take_rest());
    return nullptr;
}

} // namespace glproc::job
