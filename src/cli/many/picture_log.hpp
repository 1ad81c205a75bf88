// What became of each picture of a call, one line of JSON each: --log and --resume.
#pragma once

#include "cli/arguments.hpp"
#include "cli/many/output_names.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glproc::cli {

/// By which a changed file is told.
struct FileState {
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970

    bool operator==(const FileState&) const = default;
};

/// Nothing where there is no such file.
std::optional<FileState> state_of(const std::string& path);

enum class PictureFate { done, skipped, failed };

/// May be used from any thread.
class PictureLog {
  public:
    /// Opens what --log names, if anything, and with --resume reads what it says. Throws Error: usage where
    /// it would be written over one of `errands` or is the log of another command, and where --resume has no
    /// log; output where it cannot be written.
    PictureLog(const Arguments& arguments, const std::vector<Errand>& errands);
    PictureLog(const PictureLog&) = delete;
    PictureLog& operator=(const PictureLog&) = delete;
    ~PictureLog();

    /// Whether the log says that this was done, and the input has been the same since and the output is
    /// there.
    bool is_done(const Errand& errand, const std::optional<FileState>& input) const;

    /// Appends a line in one write, so that no other process and no kill can tear it. `why` is for failures.
    /// Throws Error(output).
    void append(const Errand& errand, const std::optional<FileState>& input, PictureFate fate,
                const std::string& why = {}, int code = 0);

  private:
    struct Done {
        FileState input;
        std::uint64_t output_bytes = 0;
    };

    void check_is_log() const;
    void read();
    void read_line(std::string_view line, std::size_t number);

    std::string path_;
    std::string command_; ///< with all that shapes its results
    std::string reads_;   ///< the state of what every picture is worked on with
    int descriptor_ = -1;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, Done> done_; ///< by input and output
};

} // namespace glproc::cli
