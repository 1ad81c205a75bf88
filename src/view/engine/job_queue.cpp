#include "view/engine/job_queue.hpp"

#include "glproc/base/own_place.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <regex>
#include <string_view>
#include <utility>

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // of POSIX

namespace glproc::view {

namespace {

/// Without codes for colours and the cursor, which end with a letter.
std::string plain(const std::string& text) {
    return std::regex_replace(text, std::regex("\x1b[^A-Za-z]*[A-Za-z]"), "");
}

/// The last line with anything in it; a bar is drawn over itself.
std::string last_line(const std::string& text) {
    constexpr const char* ends = "\r\n";
    const std::string whole = text.substr(0, text.find_last_not_of(ends) + 1);
    return whole.substr(whole.find_last_of(ends) + 1);
}

/// Why it failed: the line of the error, else the last one. A hint may follow it.
std::string fault_in(const std::string& text) {
    constexpr std::string_view mark = "error: ";
    const std::size_t at = text.rfind(mark);
    const std::string rest = at == std::string::npos ? last_line(text) : text.substr(at + mark.size());
    return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string said_of(int fault) {
    return std::strerror(fault); // NOLINT(concurrency-mt-unsafe): one thread asks
}

} // namespace

double share_in(const std::string& text, double otherwise) {
    const std::string before = text.substr(0, std::min(text.rfind(" %"), text.size()));
    const std::string number = before.substr(before.find_last_not_of("0123456789") + 1);
    const bool has_share = before.size() < text.size() && !number.empty() && number.size() <= 3;
    return has_share ? std::min(std::stod(number) / 100, 1.0) : otherwise;
}

JobQueue::~JobQueue() {
    if (process_ > 0) {
        ::kill(process_, SIGTERM);
        ::waitpid(process_, nullptr, 0);
    }
    if (terminal_ >= 0) {
        ::close(terminal_);
    }
}

Job* JobQueue::first(JobState state) {
    const auto found = std::ranges::find(jobs_, state, &Job::state);
    return found == jobs_.end() ? nullptr : &*found;
}

bool JobQueue::is_busy() const {
    return !std::ranges::all_of(jobs_, &Job::is_over);
}

void JobQueue::add(std::string name, std::vector<std::string> words) {
    jobs_.push_back({std::move(name), std::move(words)});
    look();
}

void JobQueue::remove(std::size_t at) {
    Job& job = jobs_.at(at);
    if (job.state == JobState::runs) {
        ::kill(process_, SIGTERM); // look() tells when it has ended
        job.message = "stopping";
    } else {
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// Its messages go to a terminal of its own, where glproc draws a progress bar.
void JobQueue::begin(Job& job) {
    job.state = JobState::runs;
    text_.clear();
    terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    const bool is_there = terminal_ >= 0 && ::grantpt(terminal_) == 0 && ::unlockpt(terminal_) == 0;
    const char* name =
        is_there ? ::ptsname(terminal_) : nullptr; // NOLINT(concurrency-mt-unsafe): one thread asks
    if (name == nullptr) {
        job.state = JobState::failed;
        job.message = "no terminal for it: " + said_of(errno);
        return;
    }
    winsize size{.ws_row = 24, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(terminal_, TIOCSWINSZ, &size);
    ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, name, O_RDWR | O_NOCTTY, 0);
    std::vector<std::string> words = job.words;
    std::vector<char*> arguments;
    std::ranges::transform(words, std::back_inserter(arguments),
                           [](std::string& word) { return word.data(); });
    arguments.push_back(nullptr);
    const std::filesystem::path program = find_program("glproc");
    const int fault = program.empty() ? ENOENT
                                      : ::posix_spawn(&process_, program.c_str(), &actions, nullptr,
                                                      arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (fault != 0) {
        process_ = 0;
        ::close(std::exchange(terminal_, -1));
        job.state = JobState::failed;
        job.message = "glproc does not start: " + said_of(fault);
    }
}

void JobQueue::read(Job& job) {
    char part[4096]; // NOLINT(cppcoreguidelines-avoid-c-arrays): read() fills it
    for (ssize_t got = 0; (got = ::read(terminal_, part, sizeof part)) > 0;) {
        text_.append(part, static_cast<std::size_t>(got));
    }
    constexpr std::size_t most = 1U << 16U; // of a bar that is drawn for hours
    if (text_.size() > most) {
        text_.erase(0, text_.size() - most / 2);
    }
    job.share = share_in(last_line(plain(text_)), job.share);
}

void JobQueue::end(Job& job, int status) {
    const bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const bool was_stopped = job.message == "stopping";
    job.state = is_done ? JobState::done : was_stopped ? JobState::stopped : JobState::failed;
    job.share = is_done ? 1 : job.share;
    job.message = is_done ? "" : was_stopped ? "stopped" : fault_in(plain(text_));
    process_ = 0;
    ::close(std::exchange(terminal_, -1));
}

void JobQueue::look() {
    if (Job* job = first(JobState::runs)) {
        read(*job);
        int status = 0;
        if (::waitpid(process_, &status, WNOHANG) != process_) {
            return;
        }
        read(*job);
        end(*job, status);
    }
    if (Job* next = first(JobState::waits)) {
        begin(*next);
    }
}

} // namespace glproc::view
