#include "support/run_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX wants it declared by who uses it

namespace glproc::test {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Both ends of a stream; -1 where there is none.
struct Ends {
    int theirs = -1;
    int ours = -1;
};

Ends make_pipe(bool they_read) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail("pipe");
    }
    return they_read ? Ends{ends[0], ends[1]} : Ends{ends[1], ends[0]};
}

Ends make_terminal(unsigned short columns) {
    Ends ends;
    ends.ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::array<char, 128> name{};
    if (ends.ours < 0 || ::grantpt(ends.ours) != 0 || ::unlockpt(ends.ours) != 0 ||
        ::ptsname_r(ends.ours, name.data(), name.size()) != 0) {
        fail("pseudo-terminal");
    }
    ends.theirs = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends.theirs < 0) {
        fail("pseudo-terminal");
    }
    termios settings{};
    ::tcgetattr(ends.theirs, &settings);
    ::cfmakeraw(&settings); // what is printed arrives as it was written
    ::tcsetattr(ends.theirs, TCSANOW, &settings);
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(ends.theirs, TIOCSWINSZ, &size);
    return ends;
}

Ends make_stream(Stream stream, bool they_read, unsigned short columns) {
    switch (stream) {
    case Stream::pipe:
        return make_pipe(they_read);
    case Stream::terminal:
        return make_terminal(columns);
    case Stream::closed:
        return {};
    case Stream::broken: {
        Ends ends = make_pipe(they_read);
        ::close(std::exchange(ends.ours, -1));
        return ends;
    }
    case Stream::full:
        return {::open("/dev/full", O_RDWR | O_CLOEXEC), -1};
    }
    return {};
}

std::vector<std::string> make_environment(const std::map<std::string, std::optional<std::string>>& changes) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (!changes.contains(text.substr(0, text.find('=')))) {
            result.push_back(text);
        }
    }
    for (const auto& [name, value] : changes) {
        if (value) {
            result.push_back(name + "=" + *value);
        }
    }
    return result;
}

/// As exec wants them; valid while `texts` is.
std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result(texts.size() + 1); // the last one stays null
    std::transform(texts.begin(), texts.end(), result.begin(), [](std::string& text) { return text.data(); });
    return result;
}

/// Between fork and exec: only calls that a signal handler could make, too.
void put_in_place(int descriptor, int place) {
    if (descriptor < 0) {
        ::close(place);
    } else {
        ::dup2(descriptor, place);
    }
}

void limit(int resource, const std::optional<std::size_t>& bytes) {
    if (bytes) {
        const rlimit value{*bytes, *bytes};
        ::setrlimit(static_cast<__rlimit_resource>(resource), &value);
    }
}

} // namespace

RunningProgram::RunningProgram(ProgramCall call)
    : call_(std::move(call)), deadline_(std::chrono::steady_clock::now() + call_.patience) {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN)); // a program that ends early must not end us
    start();
}

RunningProgram::~RunningProgram() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    for (const int descriptor : {in_, out_, err_}) {
        if (descriptor >= 0) {
            ::close(descriptor);
        }
    }
}

void RunningProgram::start() {
    std::vector<std::string> words{call_.program};
    words.insert(words.end(), call_.arguments.begin(), call_.arguments.end());
    std::vector<std::string> settings = make_environment(call_.environment);
    const std::vector<char*> argv = pointers(words);
    const std::vector<char*> envp = pointers(settings);
    const Ends in = make_stream(call_.in, true, call_.columns);
    const Ends out = make_stream(call_.out, false, call_.columns);
    const Ends err = make_stream(call_.err, false, call_.columns);
    const std::string folder = call_.folder.string();

    pid_ = ::fork();
    if (pid_ < 0) {
        fail("fork");
    }
    if (pid_ == 0) {
        static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
        if (call_.ignored_signal != 0) {
            static_cast<void>(std::signal(call_.ignored_signal, SIG_IGN));
        }
        limit(RLIMIT_FSIZE, call_.largest_file);
        limit(RLIMIT_AS, call_.address_space);
        put_in_place(in.theirs, STDIN_FILENO);
        put_in_place(out.theirs, STDOUT_FILENO);
        put_in_place(err.theirs, STDERR_FILENO);
        if (folder.empty() || ::chdir(folder.c_str()) == 0) {
            ::execvpe(argv[0], argv.data(), envp.data());
        }
        ::_exit(127);
    }
    for (const Ends& ends : {in, out, err}) {
        if (ends.theirs >= 0) {
            ::close(ends.theirs);
        }
        if (ends.ours >= 0) {
            ::fcntl(ends.ours, F_SETFL, O_NONBLOCK);
        }
    }
    in_ = in.ours;
    out_ = out.ours;
    err_ = err.ours;
}

void RunningProgram::send(int signal) const {
    ::kill(pid_, signal);
}

bool RunningProgram::has_open(const std::filesystem::path& path) const {
    std::error_code gone; // a descriptor may be closed while the list is read
    const std::filesystem::path whole = std::filesystem::canonical(path);
    for (std::filesystem::directory_iterator at("/proc/" + std::to_string(pid_) + "/fd", gone), end; !gone && at != end;
         at.increment(gone)) {
        std::error_code closed;
        if (std::filesystem::read_symlink(at->path(), closed) == whole) {
            return true;
        }
    }
    return false;
}

void RunningProgram::stop() const {
    send(SIGSTOP);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info,
             WSTOPPED | WEXITED | WNOWAIT); // reap() looks at how it ended
}

void RunningProgram::close_input() {
    if (in_ >= 0) {
        ::close(std::exchange(in_, -1));
    }
}

void RunningProgram::feed() {
    const ssize_t written = ::write(in_, call_.input.data() + fed_, call_.input.size() - fed_);
    if (written > 0) {
        fed_ += static_cast<std::size_t>(written);
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
        close_input(); // the reader is gone
    }
}

void RunningProgram::drain(int& descriptor, std::string& text) {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) { // a terminal ends with EIO
        ::close(std::exchange(descriptor, -1));
    }
}

void RunningProgram::move_bytes(std::chrono::milliseconds timeout) {
    const bool more_input = fed_ < call_.input.size();
    if (!more_input && !call_.hold_input && call_.in == Stream::pipe) {
        close_input();
    }
    std::array<pollfd, 3> watched{
        {{more_input ? in_ : -1, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), static_cast<int>(timeout.count()));
    if (watched[0].revents != 0) {
        feed();
    }
    if (watched[1].revents != 0) {
        drain(out_, result_.out);
    }
    if (watched[2].revents != 0) {
        drain(err_, result_.err);
    }
}

void RunningProgram::reap() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
}

bool RunningProgram::wait_until(const std::function<bool(const ProgramResult&)>& done) {
    while (pid_ > 0 && !past_deadline()) {
        if (done(result_)) {
            return true;
        }
        move_bytes(std::chrono::milliseconds(2));
        reap();
    }
    return done(result_);
}

ProgramResult RunningProgram::wait() {
    while (pid_ > 0) {
        if (!result_.timed_out && past_deadline()) {
            result_.timed_out = true;
            send(SIGKILL);
        }
        move_bytes(std::chrono::milliseconds(5));
        reap();
    }
    // It has ended; what it printed last may still be on its way. A child of its own may hold the streams
    // open.
    const auto last_call = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while ((out_ >= 0 || err_ >= 0) && std::chrono::steady_clock::now() < last_call) {
        move_bytes(std::chrono::milliseconds(5));
    }
    return result_;
}

ProgramResult run_program(ProgramCall call) {
    return RunningProgram(std::move(call)).wait();
}

} // namespace glproc::test
