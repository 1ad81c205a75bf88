#include "support/dispatch_dump.hpp"

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/program.hpp"
#include "glproc/gl/texture.hpp"
#include "glproc/gl/watch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace glproc::test {

namespace {

namespace fs = std::filesystem;

// A larger one would take long on the processor.
constexpr std::size_t most_bytes = std::size_t{32} << 20U;
constexpr std::int64_t most_invocations = std::int64_t{1} << 17U;

fs::path& root() {
    static fs::path folder;
    return folder;
}

/// What was compiled, by identity. Threads may have contexts of their own.
struct Sources {
    std::mutex mutex;
    std::map<std::uint64_t, ShaderSource> all;
};
Sources& sources() {
    static Sources known;
    return known;
}

void keep_source(std::uint64_t identity, const ShaderSource& source) {
    const std::lock_guard lock(sources().mutex);
    sources().all.emplace(identity, source);
}

ShaderSource source_of(const Program& program) {
    const std::lock_guard lock(sources().mutex);
    return sources().all.at(program.identity());
}

using Resource = std::variant<const Texture*, const Buffer*>;

/// Buffers that are bound by several names have one file.
std::string id_of(const Resource& resource) {
    return std::holds_alternative<const Texture*>(resource)
               ? fmt::format("image{}", std::get<const Texture*>(resource)->id())
               : fmt::format("buffer{}", std::get<const Buffer*>(resource)->id());
}

std::size_t bytes_of(const Resource& resource) {
    if (const auto* texture = std::get_if<const Texture*>(&resource)) {
        return (*texture)->row_bytes() * static_cast<std::size_t>((*texture)->height());
    }
    return std::get<const Buffer*>(resource)->bytes();
}

std::vector<std::byte> content_of(const Resource& resource) {
    std::vector<std::byte> bytes(bytes_of(resource));
    std::visit([&](const auto* r) { r->read(bytes); }, resource);
    return bytes;
}

void write_all(const fs::path& folder, const std::map<std::string, Resource>& resources, const char* when) {
    for (const auto& [id, resource] : resources) {
        const std::vector<std::byte> bytes = content_of(resource);
        std::ofstream(folder / (id + when), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
}

template <class T>
std::vector<std::uint32_t> words_of(const T& value) {
    std::vector<std::uint32_t> words;
    const auto add = [&](std::span<const std::byte> bytes) {
        words.resize(bytes.size() / sizeof words[0]);
        std::memcpy(words.data(), bytes.data(), bytes.size());
    };
    if constexpr (requires { value.capacity(); }) {
        add(std::as_bytes(std::span(value)));
    } else {
        add(std::as_bytes(std::span(&value, 1)));
    }
    return words;
}

std::string description(const WatchedDispatch& dispatch, const ShaderSource& source) {
    std::string text;
    for (const std::string& file : source.files) {
        text += fmt::format("file {}\n", file);
    }
    text += fmt::format("groups {} {} {}\n", dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
    for (const auto& [name, resource, range] : dispatch.resources) {
        if (const auto* texture = std::get_if<const Texture*>(&resource)) {
            text += fmt::format("image {} {} {} {}\n", name, id_of(resource), (*texture)->width(),
                                (*texture)->height());
        } else {
            text += fmt::format("buffer {} {} {} {}\n", name, id_of(resource), range.offset, range.bytes);
        }
    }
    for (const auto& [name, value] : dispatch.uniforms) {
        const auto words = std::visit([](const auto& v) { return words_of(v); }, value);
        text += fmt::format("uniform {} {:x}\n", name, fmt::join(words, " "));
    }
    return text;
}

bool is_small(const WatchedDispatch& dispatch) {
    std::int64_t invocations = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        invocations *= dispatch.groups[axis] * dispatch.program.group_size()[axis];
    }
    std::size_t bytes = 0;
    for (const auto& bound : dispatch.resources) {
        bytes += bytes_of(bound.resource);
    }
    return invocations <= most_invocations && bytes <= most_bytes;
}

std::function<void()> dump(const WatchedDispatch& dispatch) {
    if (!is_small(dispatch)) {
        return nullptr;
    }
    std::string name = fmt::format("{}-{:016x}", dispatch.program.kernel(), dispatch.program.identity());
    std::replace(name.begin(), name.end(), '/', '_');
    const fs::path folder = root() / name;
    if (!fs::create_directory(folder)) {
        return nullptr;
    }
    std::map<std::string, Resource> resources;
    for (const auto& bound : dispatch.resources) {
        resources.emplace(id_of(bound.resource), bound.resource);
    }
    write_all(folder, resources, ".before");
    const ShaderSource source = source_of(dispatch.program);
    std::ofstream(folder / "kernel.glsl") << source.text;
    return [folder, resources, text = description(dispatch, source)] {
        write_all(folder, resources, ".after");
        std::ofstream(folder / "dispatch.txt") << text; // at last: who finds it finds all
    };
}

} // namespace

bool dump_dispatches(const std::string& folder) {
    if (folder.empty()) {
        return false;
    }
    root() = folder;
    fs::create_directories(root());
    watch_program = keep_source;
    watch_dispatch = dump;
    return true;
}

} // namespace glproc::test
