#include "job/confined/decoder_line.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace glproc::job {

namespace {

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

/// Whether `descriptor` is ready in time.
bool await(int descriptor, short events, const Deadline& deadline) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    for (;;) {
        double left = -1;
        if (deadline) {
            left = Milliseconds(*deadline - std::chrono::steady_clock::now()).count();
            if (left <= 0) {
                return false;
            }
        }
        struct pollfd wanted {
            descriptor, events, 0
        };
        const int ready = ::poll(&wanted, 1, static_cast<int>(std::min(std::ceil(left), 1e9)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
}

bool is_passing(int error) {
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

} // namespace

DecoderLine::DecoderLine() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw Error(ErrorCode::operation, "cannot connect to the decoder's process");
    }
    ours_ = ends[0];
    theirs_ = ends[1];
}

DecoderLine::~DecoderLine() {
    for (const int end : {ours_, theirs_}) {
        if (end >= 0) {
            ::close(end);
        }
    }
}

bool DecoderLine::send(std::span<const std::byte> bytes, const Deadline& deadline) const {
    while (!bytes.empty()) {
        if (!await(ours_, POLLOUT, deadline)) {
            return false;
        }
        const ssize_t sent = ::send(ours_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && !is_passing(errno)) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    return true;
}

bool DecoderLine::take(std::span<std::byte> bytes, const Deadline& deadline) const {
    while (!bytes.empty()) {
        if (!await(ours_, POLLIN, deadline)) {
            return false;
        }
        const ssize_t got = ::recv(ours_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && !is_passing(errno))) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return true;
}

void DecoderLine::send_file(std::span<const std::byte> file, const Deadline& deadline) {
    ::close(std::exchange(theirs_, -1)); // so that its end is seen here
    const std::uint64_t size = file.size();
    if (send(bytes_of(size), deadline)) {
        send(file, deadline); // who has no memory for it answers that without reading
    }
}

void DecoderLine::ask_for(int page, std::string_view name, const Deadline& deadline) {
    const std::array<std::uint64_t, 2> head{static_cast<std::uint64_t>(page), name.size()};
    if (send(std::as_bytes(std::span(head)), deadline)) {
        send(std::as_bytes(std::span(name)), deadline); // that nobody reads it, receive() finds
    }
}

std::optional<Packet> DecoderLine::receive(const Deadline& deadline, std::uint64_t most) {
    std::uint64_t size = 0;
    if (take(std::as_writable_bytes(std::span(&size, 1)), deadline) && (most == 0 || size <= most)) {
        Packet packet(size);
        if (take(packet.bytes(), deadline)) {
            return packet;
        }
    }
    close();
    return std::nullopt;
}

void DecoderLine::close() {
    if (ours_ >= 0) {
        ::close(std::exchange(ours_, -1));
    }
}

namespace {

/// All of it, or false.
bool take(int descriptor, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return true;
}

} // namespace

std::vector<std::byte> take_file(int descriptor) {
    std::uint64_t size = 0;
    std::vector<std::byte> file;
    bool is_whole = take(descriptor, std::as_writable_bytes(std::span(&size, 1)));
    if (is_whole) {
        file.resize(size);
        is_whole = take(descriptor, file);
    }
    if (!is_whole) {
        throw Error(ErrorCode::operation, "the decoder's process was given no file");
    }
    return file;
}

std::optional<PageWanted> take_question(int descriptor) {
    std::array<std::uint64_t, 2> head{};
    if (!take(descriptor, std::as_writable_bytes(std::span(head)))) {
        return std::nullopt;
    }
    PageWanted wanted{static_cast<int>(head[0]), std::string(head[1], '\0')};
    return take(descriptor, std::as_writable_bytes(std::span(wanted.name))) ? std::optional(std::move(wanted)) : std::nullopt;
}

void answer(int descriptor, std::span<const std::byte> header, std::span<const std::byte> pixels) {
    constexpr std::string_view name = "the decoder's packet";
    const std::uint64_t size = header.size() + pixels.size();
    write_descriptor(descriptor, bytes_of(size), name);
    write_descriptor(descriptor, header, name);
    write_descriptor(descriptor, pixels, name);
}

} // namespace glproc::job
