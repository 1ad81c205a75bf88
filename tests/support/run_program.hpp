// Runs a program as a person or a script would: arguments, environment, folder, and what hangs on its
// streams.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace glproc::test {

/// What a standard stream of the program is.
enum class Stream {
    pipe,     ///< fed from ProgramCall::input, or captured
    terminal, ///< a pseudo-terminal; what is printed there is captured
    closed,   ///< no descriptor at all
    broken,   ///< a pipe whose reader is gone
    full,     ///< /dev/full: every write fails
};

struct ProgramCall {
    std::string program = {};
    std::vector<std::string> arguments = {};
    std::filesystem::path folder = {};                                  ///< empty: ours
    std::map<std::string, std::optional<std::string>> environment = {}; ///< changes to ours; nullopt removes
    std::string input = {};
    bool hold_input = false; ///< keep stdin open after `input`, as a slow writer does, until close_input()
    Stream in = Stream::pipe;
    Stream out = Stream::pipe;
    Stream err = Stream::pipe;
    unsigned short columns = 80;                   ///< width of the terminals
    std::optional<std::size_t> largest_file = {};  ///< bytes; a write beyond fails, as on a full disk
    std::optional<std::size_t> address_space = {}; ///< bytes
    int ignored_signal = 0;                        ///< that the caller has chosen to ignore, or 0
    std::chrono::seconds patience{900};            ///< then it is killed: it hangs
};

struct ProgramResult {
    int status = -1; ///< exit status, or -1 where a signal ended it
    int signal = 0;  ///< the signal that ended it, or 0
    bool timed_out = false;
    std::string out;
    std::string err;
};

/// A program under way.
class RunningProgram {
  public:
    explicit RunningProgram(ProgramCall call);
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;
    /// Kills what still runs.
    ~RunningProgram();

    void send(int signal) const;

    /// Whether it has this file open.
    bool has_open(const std::filesystem::path& path) const;

    /// Stops it, as SIGSTOP does, and waits until it stands still.
    void stop() const;

    /// Ends the input of a call that holds it open.
    void close_input();

    /// Moves bytes until `done` says so about what was printed; false when the program ended or patience did
    /// first.
    bool wait_until(const std::function<bool(const ProgramResult&)>& done);

    /// Moves bytes until the program has ended.
    ProgramResult wait();

  private:
    void start();
    void move_bytes(std::chrono::milliseconds timeout);
    void feed();
    static void drain(int& descriptor, std::string& text);
    bool past_deadline() const { return std::chrono::steady_clock::now() > deadline_; }
    void reap();

    ProgramCall call_;
    ProgramResult result_;
    std::chrono::steady_clock::time_point deadline_;
    pid_t pid_ = -1;
    std::size_t fed_ = 0;
    int in_ = -1; ///< our ends; -1 once closed
    int out_ = -1;
    int err_ = -1;
};

ProgramResult run_program(ProgramCall call);

} // namespace glproc::test
