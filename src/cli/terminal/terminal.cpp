#include "cli/terminal/terminal.hpp"

#include "cli/terminal/printable.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <span>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

constexpr int default_columns = 80;

/// `text` with every line but the first indented.
std::string indented(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c;
        result += c == '\n' ? "  " : "";
    }
    return result;
}

bool coloured() {
    const char* no_color = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return redraws() && (no_color == nullptr || *no_color == '\0');
}

/// Columns of the terminal at stdout, or 0.
int terminal_columns() {
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

} // namespace

void claim_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) == -1) {
            // The lowest free descriptor is this one. Read-only, so that a product sent there is an error.
            [[maybe_unused]] const int opened =
                ::open("/dev/null", O_RDONLY); // NOLINT: must survive exec-free life
        }
    }
}

bool is_terminal(int descriptor) {
    return ::isatty(descriptor) == 1;
}

bool redraws() {
    const char* term = std::getenv("TERM"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return is_terminal(STDERR_FILENO) && (term == nullptr || (*term != '\0' && std::string_view(term) != "dumb"));
}

int text_columns() {
    int columns = 0;
    if (const char* text = std::getenv("COLUMNS"); text != nullptr) { // NOLINT(concurrency-mt-unsafe)
        const std::string_view digits = text;
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    }
    if (columns <= 0) {
        columns = terminal_columns();
    }
    return columns > 0 ? std::clamp(columns, 50, 110) : default_columns;
}

int bar_columns() {
    constexpr int bars_in_a_file = 40;
    constexpr int labels = default_columns - bars_in_a_file;
    if (!is_terminal(STDOUT_FILENO)) {
        return bars_in_a_file;
    }
    const int columns = terminal_columns();
    return std::max(10, (columns > 0 ? columns : default_columns) - labels);
}

void print_product(std::string_view text) {
    const std::string shown = is_terminal(STDOUT_FILENO) ? printable(text) : std::string(); // names of files are in it
    const std::string_view bytes = shown.empty() ? text : shown;
    write_descriptor(STDOUT_FILENO, std::as_bytes(std::span(bytes)), "stdout");
}

void print_error(std::string_view what, std::string_view hint) {
    const std::string_view label = coloured() ? "\x1b[1;31merror:\x1b[0m" : "error:";
    std::string text = fmt::format("glproc: {} {}\n", label, indented(printable(what)));
    if (!hint.empty()) {
        text += fmt::format("  hint: {}\n", indented(printable(hint)));
    }
    print_stderr(text);
}

void print_warning(std::string_view text) {
    print_stderr(fmt::format("glproc: warning: {}\n", indented(printable(text))));
}

void print_note(std::string_view text) {
    print_stderr(fmt::format("glproc: note: {}\n", indented(printable(text))));
}

void print_stderr(std::string_view text) {
    // A closed stderr is no reason to stop: SIGPIPE is blocked for this write, and then discarded.
    sigset_t pipe;
    sigset_t before;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    // One write, so that lines of programs that run at the same time do not mix.
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EPIPE) {
        constexpr timespec at_once{};
        ::sigtimedwait(&pipe, nullptr, &at_once);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace glproc::cli
