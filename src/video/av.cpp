#include "video/av.hpp"

#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>

extern "C" {
#include <libavutil/log.h>
}

namespace glproc::video {

namespace {

struct Messages {
    std::mutex mutex;
    std::map<const void*, std::string> last;
};

Messages& messages() {
    static Messages all;
    return all;
}

std::string tidy(std::string text) {
    while (!text.empty() &&
           (std::isspace(static_cast<unsigned char>(text.back())) != 0 || text.back() == '.')) {
        text.pop_back();
    }
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    }
    return text;
}

/// Called on any thread.
void keep_message(void* about, int level, const char* format, std::va_list values) {
    constexpr std::size_t most_objects = 64;
    if (level > AV_LOG_ERROR || about == nullptr) {
        return;
    }
    std::array<char, 512> text{};
    static_cast<void>(std::vsnprintf(text.data(), text.size(), format, values));
    Messages& all = messages();
    const std::lock_guard lock(all.mutex);
    if (all.last.size() < most_objects || all.last.contains(about)) {
        all.last[about] = tidy(text.data());
    }
}

} // namespace

AvFrame make_frame() {
    AvFrame frame(av_frame_alloc());
    return frame ? std::move(frame) : throw std::bad_alloc();
}

AvPacket make_packet() {
    AvPacket packet(av_packet_alloc());
    return packet ? std::move(packet) : throw std::bad_alloc();
}

std::string AvOptions::left() const {
    const AVDictionaryEntry* entry = av_dict_get(options_, "", nullptr, AV_DICT_IGNORE_SUFFIX);
    return entry == nullptr ? "" : entry->key;
}

std::string av_error_text(int status) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(status, text.data(), text.size());
    return tidy(text.data());
}

void quiet_av() {
    av_log_set_callback(keep_message);
}

std::string take_av_message(const void* about) {
    Messages& all = messages();
    const std::lock_guard lock(all.mutex);
    const auto found = all.last.find(about);
    if (found == all.last.end()) {
        return {};
    }
    std::string text = std::move(found->second);
    all.last.erase(found);
    return text;
}

} // namespace glproc::video
