// A dispatch from the folder GLPROC_DISPATCH; tests/support/dispatch_dump.hpp says what is in it. The buffer
// GLPROC_UNORDERED is not compared.
#include "run_dispatch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#ifdef GLPROC_RACES
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* memory,
                                        std::size_t bytes, const char* name);
#endif

namespace glproc::glsl {

namespace {

std::set<std::string>& said() {
    static std::set<std::string> all;
    return all;
}

struct Memory {
    std::vector<std::byte> before;
    std::vector<std::byte> after; ///< by the driver; empty where it is not known
    std::vector<std::byte> now;   ///< ends at a multiple of 16 bytes, as buffers do
};

/// Where a name's bytes are: the file, and the size of an image or first byte and bytes of a buffer.
struct Bound {
    std::string id;
    std::array<std::size_t, 2> range;
};

class Dispatch {
  public:
    Dispatch() : folder_(std::getenv("GLPROC_DISPATCH")) {
        std::ifstream in(folder_ + "/dispatch.txt");
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string word;
            std::string name;
            words >> word;
            if (word == "groups") {
                words >> groups[0] >> groups[1] >> groups[2];
            } else if (word == "image" || word == "buffer") {
                words >> name;
                Bound& to = bound[name];
                words >> to.id >> to.range[0] >> to.range[1];
                load(to.id);
            } else if (word == "uniform") {
                words >> name >> std::hex;
                for (std::uint32_t value = 0; words >> value;) {
                    uniforms[name].push_back(value);
                }
            }
        }
    }

    std::array<unsigned, 3> groups{};
    std::map<std::string, Bound> bound;
    std::map<std::string, std::vector<std::uint32_t>> uniforms;
    std::map<std::string, Memory> memory;

  private:
    std::vector<std::byte> content(const std::string& file) const {
        std::ifstream in(folder_ + "/" + file, std::ios::binary);
        const std::string all{std::istreambuf_iterator<char>(in), {}};
        std::vector<std::byte> bytes(all.size());
        std::memcpy(bytes.data(), all.data(), all.size());
        return bytes;
    }

    void load(const std::string& id) {
        if (memory.contains(id)) {
            return;
        }
        Memory& m = memory[id];
        m.before = content(id + ".before");
        m.after = content(id + ".after");
        m.now = m.before;
        m.now.resize((m.before.size() + 15) / 16 * 16);
    }

    std::string folder_;
};

Dispatch& dispatch() {
    static Dispatch all;
    return all;
}

std::string names_of(const std::string& id) {
    std::string result;
    for (const auto& [name, bound] : dispatch().bound) {
        result += bound.id == id ? (result.empty() ? "" : "=") + name : "";
    }
    return result;
}

std::string word_at(const std::vector<std::byte>& bytes, std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[word * 4], 4);
    char text[16];
    std::snprintf(text, sizeof text, "%08x", value);
    return text;
}

} // namespace

void say(const std::string& where, const std::string& what) {
    if (said().insert(where).second) {
        std::printf("%s: %s\n", where.c_str(), what.c_str());
        std::fflush(stdout);
    }
}

bool is_faultless() {
    return said().empty();
}

Picture image(const char* name) {
    const auto found = dispatch().bound.find(name);
    if (found == dispatch().bound.end()) {
        return {nullptr, 0, 0};
    }
    const auto& [id, range] = found->second;
    return {dispatch().memory.at(id).now.data(), static_cast<int>(range[0]), static_cast<int>(range[1])};
}

Bytes buffer_of(const char* name, [[maybe_unused]] bool is_coherent) {
    const auto found = dispatch().bound.find(name);
    if (found == dispatch().bound.end()) {
        alignas(16) static std::array<std::byte, 64> unused{};
        return {unused.data(), 0};
    }
    const auto& [id, range] = found->second;
    const Bytes bytes{dispatch().memory.at(id).now.data() + range[0], (range[1] + 15) / 16 * 16};
#ifdef GLPROC_RACES
    if (is_coherent) {
        AnnotateBenignRaceSized(__FILE__, __LINE__, bytes.data, bytes.size, name);
    }
#endif
    return bytes;
}

void uniform_of(const char* name, void* to, std::size_t bytes) {
    std::memset(to, 0, bytes);
    const auto found = dispatch().uniforms.find(name);
    if (found != dispatch().uniforms.end()) {
        std::memcpy(to, found->second.data(), std::min(bytes, found->second.size() * 4));
    }
}

void wrong_index(const std::source_location& line, std::int64_t index, std::size_t count) {
    say(std::string(line.file_name()) + ":" + std::to_string(line.line()),
        "index " + std::to_string(index) + " of " + std::to_string(count));
}

std::array<unsigned, 3> group_count() {
    return dispatch().groups;
}

void reset_memory() {
    for (auto& [id, memory] : dispatch().memory) {
        std::copy(memory.before.begin(), memory.before.end(), memory.now.begin());
    }
}

void compare_memory(const std::string& turn) {
    const char* const unordered = std::getenv("GLPROC_UNORDERED");
    for (const auto& [id, memory] : dispatch().memory) {
        if (unordered != nullptr && names_of(id) == unordered) {
            continue;
        }
        const auto differing =
            std::mismatch(memory.after.begin(), memory.after.end(), memory.now.begin()).first;
        if (differing != memory.after.end()) {
            const auto word = static_cast<std::size_t>(differing - memory.after.begin()) / 4;
            const bool is_whole = word * 4 + 4 <= memory.after.size();
            say(names_of(id) + " in " + turn + " order", "word " + std::to_string(word) + " is " +
                                                             word_at(memory.now, word) + ", the driver's " +
                                                             (is_whole ? word_at(memory.after, word) : "?"));
        }
    }
}

} // namespace glproc::glsl
