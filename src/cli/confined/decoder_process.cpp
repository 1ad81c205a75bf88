#include "cli/confined/decoder_process.hpp"

#include "cli/confined/confine.hpp"
#include "cli/confined/picture_packet.hpp"
#include "cli/files/input.hpp"
#include "glproc/error.hpp"
#include "glproc/image/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

constexpr int file_descriptor = 3;   ///< of the decoder's process: what to decode
constexpr int packet_descriptor = 4; ///< and where its packet goes

/// A file without a name, in memory.
class MemoryFile {
  public:
    MemoryFile() : descriptor_(::memfd_create("glproc", MFD_CLOEXEC)) {
        if (descriptor_ < 0) {
            throw Error(ErrorCode::operation, "no memory for the decoder's process");
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }
    int get() const { return descriptor_; }

  private:
    int descriptor_;
};

/// All bytes of an open file, mapped.
class Mapping {
  public:
    explicit Mapping(int descriptor) {
        struct stat status {};
        if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
            size_ = static_cast<std::size_t>(status.st_size);
            start_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
            if (start_ == MAP_FAILED) {
                throw std::bad_alloc();
            }
        }
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
        if (size_ > 0) {
            ::munmap(start_, size_);
        }
    }
    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(start_), size_}; }

  private:
    void* start_ = nullptr;
    std::size_t size_ = 0;
};

/// Waits for a child no longer than `seconds` (0: for ever), and ends it then. Nothing where it was ended.
std::optional<int> wait_for(pid_t child, double seconds) {
    constexpr long pidfd_open = 434;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    struct pollfd exit {
        static_cast<int>(::syscall(pidfd_open, child, 0)), POLLIN, 0
    };
    bool ended = false;
    while (seconds > 0 && !ended && exit.fd >= 0) {
        const std::chrono::duration<double, std::milli> left = end - std::chrono::steady_clock::now();
        if (left.count() <= 0) {
            ::kill(child, SIGKILL);
            break;
        }
        ended = ::poll(&exit, 1, static_cast<int>(std::min(std::ceil(left.count()), 1e9))) > 0;
    }
    if (exit.fd >= 0) {
        ::close(exit.fd);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool given_up = (seconds > 0 && !ended) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    return given_up ? std::nullopt : std::optional(status);
}

/// What became of the child is the file's fault.
int checked(const std::optional<int>& status, const Budget& budget, std::string_view name) {
    if (!status) {
        throw Error(ErrorCode::input, fmt::format("{}: not decoded within {:g} s", name, budget.seconds),
                    hint_for(budget, "--max-seconds"));
    }
    if (WIFSIGNALED(*status)) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: the decoder crashed (signal {})", name, WTERMSIG(*status)));
    }
    return WEXITSTATUS(*status);
}

void limit(int resource, std::uint64_t most) {
    struct rlimit limit {
        most, most
    };
    ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// In the child, before it reads anything.
void obey(const Budget& budget) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    if (budget.memory > 0) {
        limit(RLIMIT_AS, budget.memory);
    }
    if (budget.seconds > 0) { // of every core, in case that nobody is left to watch
        limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(budget.seconds)) * 64);
    }
}

void give_up_rights(const Budget& budget) {
    if (budget.untrusted && !confine()) {
        throw Error(ErrorCode::operation,
                    "this system cannot confine the decoder: it has neither seccomp nor a landlock that covers the network",
                    "builds with libseccomp need Linux 3.17, others Linux 6.7");
    }
}

/// Formats of modules: a module has to be loaded while files can still be opened.
void load_module_for(std::span<const std::byte> bytes) {
    const auto format = sniff(bytes);
    try {
        if (format) {
            check_encodable(extension_of(*format));
        }
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
    }
}

void write_all(std::span<const std::byte> bytes) {
    write_descriptor(packet_descriptor, bytes, "the decoder's packet");
}

/// Throws Error(input) where the budget does not allow what `bytes` begin as.
void check_allowed(const Budget& budget, std::span<const std::byte> bytes, std::string_view name) {
    const auto format = sniff(bytes);
    if (budget.untrusted && format && !is_robust(*format)) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: {} is not read from untrusted files", name, extension_of(*format)),
                    "PNG, JPEG, PNM, PFM, BMP, TGA, HDR, GIF, PSD and WebP are");
    }
}

Error out_of_memory(std::string_view name, const Budget& budget) {
    return budget.memory == 0
               ? Error(ErrorCode::operation, fmt::format("{}: out of memory", name))
               : Error(ErrorCode::input,
                       fmt::format("{}: not decoded within {} MiB of memory", name, budget.memory >> 20U),
                       hint_for(budget, "--max-memory"));
}

} // namespace

Error as_within(const Budget& budget, std::string_view name, const Error& error) {
    const bool memory = error.code() == ErrorCode::operation && budget.memory > 0 &&
                        std::string_view(error.what()).find("memory") != std::string_view::npos;
    if (memory) {
        return out_of_memory(name, budget);
    }
    const bool pixels = error.hint().find("--max-pixels") != std::string::npos;
    return pixels && budget.untrusted ? Error(error.code(), error.what(), hint_for(budget, "--max-pixels")) : error;
}

namespace {

/// In a process of its own.
Image decode_elsewhere(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                       const DecodeOptions& options) {
    check_allowed(budget, bytes, name);
    const std::uint64_t max_pixels = allowed_pixels(budget, options.max_pixels);
    const MemoryFile file;
    write_descriptor(file.get(), bytes, name);
    const MemoryFile packet;
    std::vector<std::string> words{"glproc",
                                   std::string(decoder_word),
                                   std::string(name),
                                   fmt::format("{}", max_pixels),
                                   fmt::format("{}", budget.seconds),
                                   fmt::format("{}", budget.memory),
                                   budget.untrusted ? "1" : "0",
                                   options.alone ? "1" : "0",
                                   options.keep_partial ? "1" : "0"};
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    // By way of numbers that neither of the two can have.
    ::posix_spawn_file_actions_adddup2(&actions, file.get(), 1000);
    ::posix_spawn_file_actions_adddup2(&actions, packet.get(), 1001);
    ::posix_spawn_file_actions_adddup2(&actions, 1000, file_descriptor);
    ::posix_spawn_file_actions_adddup2(&actions, 1001, packet_descriptor);
    ::posix_spawn_file_actions_addclose(&actions, 1000);
    ::posix_spawn_file_actions_addclose(&actions, 1001);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw Error(ErrorCode::operation, "the decoder's process cannot be started");
    }
    const int status = checked(wait_for(child, budget.seconds), budget, name);
    if (status != 0) {
        throw Error(ErrorCode::input, fmt::format("{}: the decoder ended with status {}", name, status));
    }
    const Mapping answer(packet.get());
    return unpack_picture(answer.bytes(), max_pixels, options.notes);
}

} // namespace

Image decode_within(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                    const DecodeOptions& options) {
    try {
        return budget.any() ? decode_elsewhere(budget, bytes, name, options) : decode(bytes, name, options);
    } catch (const Error& error) {
        const auto format = sniff(bytes);
        if (options.keep_partial || !format || !keeps_partial(*format)) {
            throw;
        }
        throw with_way_on(error);
    }
}

int serve_as_decoder(const std::vector<std::string>& words) {
    if (words.size() != 8) {
        return static_cast<int>(ErrorCode::usage);
    }
    const std::string& name = words[1];
    Budget budget;
    budget.seconds = std::strtod(words[3].c_str(), nullptr);
    budget.memory = std::strtoull(words[4].c_str(), nullptr, 10);
    budget.untrusted = words[5] == "1";
    Notes notes;
    DecodeOptions options{.max_pixels = std::strtoull(words[2].c_str(), nullptr, 10), .notes = &notes};
    options.alone = words[6] == "1";
    options.keep_partial = words[7] == "1";
    try {
        obey(budget);
        const Mapping file(file_descriptor);
        load_module_for(file.bytes());
        give_up_rights(budget);
        const Image image = decode(file.bytes(), name, options);
        write_all(pack_header(image, notes));
        write_all(image.bytes());
    } catch (const std::bad_alloc&) {
        write_all(pack_error(out_of_memory(name, budget)));
    } catch (const Error& error) {
        write_all(pack_error(as_within(budget, name, error)));
    }
    return 0;
}

int run_within(const Budget& budget, std::string_view name, std::span<const std::byte> bytes,
               const std::function<int()>& work) {
    check_allowed(budget, bytes, name);
    load_module_for(bytes);
    const pid_t child = ::fork();
    if (child < 0) {
        throw Error(ErrorCode::operation, "the decoder's process cannot be started");
    }
    if (child == 0) {
        int status = static_cast<int>(ErrorCode::operation);
        try {
            obey(budget);
            give_up_rights(budget);
            status = work();
        } catch (...) {
        }
        std::_Exit(status);
    }
    return checked(wait_for(child, budget.seconds), budget, name);
}

} // namespace glproc::cli
