#include "cli/confined/decoder_process.hpp"

#include "cli/confined/confine.hpp"
#include "cli/confined/decoder_line.hpp"
#include "cli/confined/picture_packet.hpp"
#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
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
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

constexpr int line_descriptor = 3; ///< of the decoder's process

/// Waits for a child until `deadline`, and ends it then. Nothing where it was ended.
std::optional<int> wait_for(pid_t child, const Deadline& deadline) {
    constexpr long pidfd_open = 434;
    struct pollfd exit {
        static_cast<int>(::syscall(pidfd_open, child, 0)), POLLIN, 0
    };
    bool ended = false;
    while (deadline && !ended && exit.fd >= 0) {
        const std::chrono::duration<double, std::milli> left = *deadline - std::chrono::steady_clock::now();
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
    const bool given_up = (deadline && !ended) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    return given_up ? std::nullopt : std::optional(status);
}

Deadline deadline_of(const Budget& budget) {
    using std::chrono::steady_clock;
    const std::chrono::duration<double> seconds(budget.seconds);
    return budget.seconds > 0
               ? Deadline(steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(seconds))
               : std::nullopt;
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

/// "256x0", or nothing.
std::string text_of(const std::optional<Extent>& box) {
    return box ? fmt::format("{}x{}", box->width, box->height) : "";
}

std::optional<Extent> box_in(const std::string& text) {
    const std::size_t cross = text.find('x');
    return cross == std::string::npos ? std::nullopt
                                      : std::optional(Extent{std::atoi(text.c_str()), std::atoi(text.c_str() + cross + 1)});
}

/// In a process of its own.
Image decode_elsewhere(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                       const DecodeOptions& options) {
    check_allowed(budget, bytes, name);
    const std::uint64_t max_pixels = allowed_pixels(budget, options.max_pixels);
    DecoderLine line;
    std::vector<std::string> words{"glproc",
                                   std::string(decoder_word),
                                   std::string(name),
                                   fmt::format("{}", max_pixels),
                                   fmt::format("{}", budget.seconds),
                                   fmt::format("{}", budget.memory),
                                   budget.untrusted ? "1" : "0",
                                   options.alone ? "1" : "0",
                                   options.keep_partial ? "1" : "0",
                                   text_of(options.box),
                                   fmt::format("{}", options.page)};
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, line.theirs(), line_descriptor);
    pid_t child = 0;
    const Deadline deadline = deadline_of(budget);
    const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw Error(ErrorCode::operation, "the decoder's process cannot be started");
    }
    Packet packet = line.exchange(bytes, deadline, budget.memory);
    const int status = checked(wait_for(child, deadline), budget, name);
    if (status != 0) {
        throw Error(ErrorCode::input, fmt::format("{}: the decoder ended with status {}", name, status));
    }
    Image image = unpack_picture(packet.bytes(), max_pixels, options.notes);
    const std::optional<Fraction>& fraction = image.metadata().fraction;
    if (fraction && (!options.box || !is_enough(extent_of(*fraction), *options.box, fraction->whole))) {
        throw Error(ErrorCode::input, fmt::format("{}: the decoder's process answered with nonsense", name));
    }
    return image;
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
    if (words.size() != 10) {
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
    options.box = box_in(words[8]);
    options.page = std::atoi(words[9].c_str());
    try {
        obey(budget);
        const std::vector<std::byte> file = take_file(line_descriptor);
        load_module_for(file);
        give_up_rights(budget);
        const Image image = decode(file, name, options);
        answer(line_descriptor, pack_header(image, notes), image.bytes());
    } catch (const std::bad_alloc&) {
        answer(line_descriptor, pack_error(out_of_memory(name, budget)));
    } catch (const Error& error) {
        answer(line_descriptor, pack_error(as_within(budget, name, error)));
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
    return checked(wait_for(child, deadline_of(budget)), budget, name);
}

} // namespace glproc::cli
