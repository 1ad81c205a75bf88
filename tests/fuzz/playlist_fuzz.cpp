// What is opened as a video: whatever its bytes name, no other file is opened for it, and never the net. What
// libavformat asks the system for is watched, and refused, so that no input reaches more than its own file.
#include "fuzz/fuzz.hpp"
#include "fuzz/scratch.hpp"
#include "video/read/video_file.hpp"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace glproc;

namespace {

struct Watch {
    std::string video; ///< watched while it has a name
    bool opened_another = false;
    bool went_out = false;
};

Watch& watch() {
    static Watch one;
    return one;
}

int open_watched(const char* path, int flags, std::va_list values) {
    if (!watch().video.empty() && path != watch().video) {
        watch().opened_another = true;
        errno = EACCES;
        return -1;
    }
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(values, unsigned) : 0U;
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

/// A few packets, undecoded: some formats open what they name only now.
void read_packets(AVFormatContext& video) {
    constexpr int enough = 8;
    const video::AvPacket packet = video::make_packet();
    for (int i = 0; i < enough && av_read_frame(&video, packet.get()) >= 0; ++i) {
        av_packet_unref(packet.get());
    }
}

void open_and_read(const std::string& path) {
    watch() = {path};
    fuzz::expect_only({ErrorCode::input}, [&] { read_packets(*video::open_video_file(path, {})); });
    watch().video.clear();
    fuzz::require(!watch().went_out, "a film never reaches the net");
    fuzz::require(!watch().opened_another, "a film has no other file read");
}

} // namespace

// In place of the C library's, for libavformat too.
extern "C" int open(const char* path, int flags, ...) { // NOLINT
    std::va_list values;
    va_start(values, flags);
    const int file = open_watched(path, flags, values);
    va_end(values);
    return file;
}

extern "C" int open64(const char* path, int flags, ...) { // NOLINT
    std::va_list values;
    va_start(values, flags);
    const int file = open_watched(path, flags, values);
    va_end(values);
    return file;
}

extern "C" int socket(int /*domain*/, int /*type*/, int /*protocol*/) noexcept {
    watch().went_out = true;
    errno = EACCES;
    return -1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Names count, too, when a format is guessed.
    constexpr std::array<const char*, 6> names{"film.mp4", "film.m3u8", "film.ffconcat",
                                               "film.mpd", "film.sdp",  "film.gif"};
    static const std::filesystem::path scratch = fuzz::scratch_folder();
    const std::size_t name = size == 0 ? 0 : data[size - 1] % names.size();
    const std::string path = scratch / names.at(name);
    fuzz::write_scratch(path, data, size);
    const fuzz::Cost cost(size, 0);
    open_and_read(path);
    return 0;
}
