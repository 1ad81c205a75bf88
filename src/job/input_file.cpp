#include "job/input_file.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/read_waiting.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

std::string input_name(const std::string& path) {
    return path == "-" ? "stdin" : path;
}

namespace {

std::vector<std::byte>& unread_bytes() {
    static std::vector<std::byte> bytes;
    return bytes;
}

} // namespace

void unread_stdin(std::vector<std::byte> bytes) {
    unread_bytes() = std::move(bytes);
}

void give_back_stdin(std::vector<std::byte> file) {
    if (::lseek(STDIN_FILENO, -static_cast<off_t>(file.size()), SEEK_CUR) < 0) {
        unread_stdin(std::move(file));
    }
}

namespace {

std::function<bool()>& goes_on() {
    static std::function<bool()> asked = [] { return true; };
    return asked;
}

/// Returns once a descriptor has bytes, or ends. A pipe may never do either: in a batch, which remembers
/// signals, read() would wait on after one.
void wait_for_bytes(int descriptor, const std::string& name, const Patience& patience) {
    if (!patience.await(descriptor, name, goes_on())) {
        throw Error(ErrorCode::input, fmt::format("{}: not read to its end", name));
    }
}

} // namespace

void wait_while(std::function<bool()> asked) {
    goes_on() = std::move(asked);
}

std::vector<std::byte> read_input(const std::string& path, std::string_view what) {
    const Patience patience;
    const auto wait = [&](int descriptor) { wait_for_bytes(descriptor, input_name(path), patience); };
    if (path != "-") {
        return read_waiting(path, wait);
    }
    if (::isatty(STDIN_FILENO) != 0) {
        throw Error(ErrorCode::usage, fmt::format("stdin is a terminal: it has no {}", what),
                    "name a file, or redirect stdin");
    }
    std::vector<std::byte> bytes = std::exchange(unread_bytes(), {});
    const std::vector<std::byte> rest = read_waiting(STDIN_FILENO, input_name(path), wait);
    if (bytes.empty()) {
        return rest;
    }
    const std::size_t begin = bytes.size();
    bytes.resize(begin + rest.size());
    std::copy(rest.begin(), rest.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin));
    return bytes;
}

const std::shared_ptr<const OpenFile>& InputFile::opened() {
    std::error_code unknown;
    if (!file_ && path_ != "-" && !std::filesystem::is_fifo(path_, unknown)) { // which is read once
        auto file = std::make_shared<const OpenFile>(std::filesystem::path(path_));
        file_ = file->regular() ? std::move(file) : nullptr;
    }
    return file_;
}

std::vector<std::byte> InputFile::read(std::string_view what) {
    const std::shared_ptr<const OpenFile> file = std::exchange(file_, nullptr);
    if (!file || file->size() == 0) { // a file of the kernel's says no size
        return read_input(path_, what);
    }
    std::vector<std::byte> bytes(file->size());
    bytes.resize(file->read_at(0, bytes));
    return bytes;
}

std::vector<std::byte> peek_input(const std::string& path) {
    constexpr std::size_t enough = 4096;
    std::vector<std::byte> bytes(enough);
    const bool is_stdin = path == "-";
    std::error_code unknown;
    if (!is_stdin && std::filesystem::is_fifo(path, unknown)) { // which is read once
        return {};
    }
    const int descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const off_t begin = is_stdin ? ::lseek(descriptor, 0, SEEK_CUR) : 0;
    const ssize_t got = begin < 0 ? 0 : ::pread(descriptor, bytes.data(), bytes.size(), begin);
    if (!is_stdin && descriptor >= 0) {
        ::close(descriptor);
    }
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What follows the end of a JPEG: its segments carry their length, and the data after a start of scan ends
/// at the next marker that is no restart. Empty where the file ends before, or announces more pictures.
std::string_view after_jpeg(std::string_view file) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(file[i]); };
    for (std::size_t at = 2; at + 4 <= file.size();) {
        const unsigned marker = byte(at + 1);
        if (byte(at) != 0xFF || marker == 0xFF || marker == 0 || (marker >= 0xD0 && marker <= 0xD7)) {
            ++at; // scan data, fill bytes
        } else if (marker == 0xD9) {
            return file.substr(at + 2);
        } else {
            const std::size_t length = byte(at + 2) * std::size_t{256} + byte(at + 3);
            if (marker == 0xE2 && file.substr(at + 4, 4) == std::string_view("MPF\0", 4)) {
                return {};
            }
            at += 2 + length;
        }
    }
    return {};
}

} // namespace

bool has_second_picture(std::span<const std::byte> file) {
    const std::string_view text = text_of(file);
    const std::optional<Format> format = sniff(file);
    if (format == Format::png) {
        constexpr std::string_view end("IEND\xAE\x42\x60\x82");
        const std::size_t at = text.find(end);
        return at != std::string_view::npos && text.substr(at + end.size()).starts_with("\x89PNG");
    }
    return format == Format::jpeg && after_jpeg(text).starts_with("\xFF\xD8\xFF");
}

bool begins_as_video(std::span<const std::byte> file) {
    if (sniff(file)) { // a GIF begins with G, as packets of MPEG do, and may have one where the next would be
        return false;
    }
    constexpr std::size_t transport_packet = 188;
    const std::string_view text = text_of(file);
    const auto is_transport = [&](std::size_t before) { // of Blu-ray, 4 bytes of time before each packet
        const std::size_t next = 2 * before + transport_packet;
        return text.size() > next && text[before] == 'G' && text[next] == 'G';
    };
    const std::string_view box = text.substr(std::min<std::size_t>(4, text.size()), 4);
    const bool is_quicktime = box == "moov" || box == "mdat" || box == "wide"; // before there was "ftyp"
    constexpr std::string_view program_stream("\0\0\1\xBA", 4);
    constexpr std::string_view mpeg_frames("\0\0\1\xB3", 4);
    constexpr std::string_view windows_media("\x30\x26\xB2\x75\x8E\x66\xCF\x11", 8);
    constexpr std::string_view mxf("\x06\x0E\x2B\x34\x02\x05\x01\x01\x0D\x01\x02", 11);
    return box == "ftyp" || is_quicktime || text.starts_with("\x1A\x45\xDF\xA3") ||
           (text.starts_with("RIFF") && text.substr(0, 12).ends_with("AVI ")) || is_transport(0) ||
           is_transport(4) || text.starts_with(program_stream) || text.starts_with(mpeg_frames) ||
           text.starts_with(windows_media) || text.starts_with(mxf) || text.starts_with("OggS") ||
           text.starts_with("FLV\1") || text.starts_with("nut/multimedia container") ||
           text.starts_with("YUV4MPEG2");
}

Error with_way_on(const Error& error, const DecodeOptions& options) {
    const bool is_truncated = !options.keep_partial && error.code() == ErrorCode::input &&
                              error.hint().empty() &&
                              std::string_view(error.what()).find(": truncated") != std::string_view::npos;
    return is_truncated ? Error(error.code(), error.what(), "--keep-partial keeps the rows that can be read") : error;
}

} // namespace glproc::job
