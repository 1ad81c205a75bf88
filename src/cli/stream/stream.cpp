#include "cli/stream/stream.hpp"

#include "cli/configure.hpp"
#include "cli/files/array_files.hpp"
#include "cli/files/input.hpp"
#include "cli/files/run_input.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/stream/stream_frame.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "job/budget.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool begins_film(std::span<const std::byte> bytes) {
    return text_of(bytes).starts_with(y4m_magic);
}

/// Whether `rest`, after a picture, begins with another one; nothing where it is all white space.
std::optional<bool> begins_picture(std::string_view rest) {
    for (const char c : rest) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            return c == 'P';
        }
    }
    return std::nullopt;
}

/// Of a file, of which nothing is taken.
bool file_is_stream() {
    const std::vector<std::byte> start = peek_input("-");
    const std::uint64_t size = pnm_size(start).value_or(0);
    constexpr std::size_t enough = 64;
    std::string after(enough, '\0');
    const off_t at = ::lseek(STDIN_FILENO, 0, SEEK_CUR) + static_cast<off_t>(size);
    const ssize_t got = size == 0 ? 0 : ::pread(STDIN_FILENO, after.data(), after.size(), at);
    after.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return begins_film(start) || begins_picture(after).value_or(false);
}

/// Of a pipe. Nothing is read beyond the byte that decides.
bool pipe_is_stream(ByteReader& reader) {
    if (begins_film(reader.peek(y4m_magic.size()))) {
        return true;
    }
    std::optional<std::uint64_t> size;
    constexpr std::size_t longest_header = 4096;
    for (std::size_t look = 3; !size && look < longest_header; ++look) {
        size = pnm_size(reader.peek(look));
    }
    if (!size || *size == 0 || *size > most_input_bytes() / 2) {
        return false;
    }
    std::optional<bool> follows;
    for (std::uint64_t look = *size + 1; !follows; ++look) {
        const std::string_view text = text_of(reader.peek(look));
        if (text.size() < look) {
            return false;
        }
        follows = begins_picture(text.substr(*size));
    }
    return *follows;
}

NextFrame at_most(std::int64_t frames, NextFrame next) {
    return [frames, next = std::move(next), count = std::int64_t{0}]() mutable {
        std::unique_ptr<StreamFrame> frame = next();
        if (frame && ++count > frames) {
            throw Error(ErrorCode::input, fmt::format("stdin: more than {}", counted(frames, "frame")),
                        "--max-frames allows more");
        }
        return frame;
    };
}

/// Every frame through an operation.
class StreamRun {
  public:
    StreamRun(const Arguments& arguments, const Settings& settings, ByteReader& reader)
        : op_(arguments.op()), operation_(configure(arguments)), reader_(reader),
          place_(arguments.output()), stages_(false),
          line_(arguments, settings, stages_), call_{arguments, settings, op_, *operation_, stages_, [](double) {}} {
        for (const std::string& note : read_second_pictures(*operation_, arguments)) {
            settings.silent ? void() : print_warning(note);
        }
        refuse_array_files(arguments, "a stream of images");
        if (op_.product == Product::array) {
            throw Error(ErrorCode::usage, fmt::format("{} writes arrays, and takes a single image", op_.name));
        }
        if (op_.product == Product::image) {
            place_.check(arguments, "image");
            to_ = place_.open();
        }
        next_ = begins_film(reader.peek(y4m_magic.size())) ? film_frames(call_, reader, to_.get())
                                                           : picture_frames(call_, reader, to_.get());
        if (arguments.has("max-frames") || read_budget(arguments).untrusted) {
            next_ = at_most(max_frames(arguments), std::move(next_));
        }
    }

    void go() {
        line_.run({next_, [this] { reader_.stop(); }, std::nullopt});
        // What was done is delivered, whatever came after it.
        if (to_ && !line_.failed_to_write() && line_.frames() > 0) {
            to_->finish();
        }
        line_.rethrow();
        line_.say_done(to_ ? place_.name() : "stdout", op_.name);
    }

  private:
    const OpInfo& op_;
    std::unique_ptr<Operation> operation_;
    ByteReader& reader_;
    OutputPlace place_;
    Stages stages_;
    FrameLine line_;
    Call call_;
    std::unique_ptr<RowWriter> to_; ///< null for reports
    NextFrame next_;
};

} // namespace

namespace {

std::vector<std::byte>& first_of_pipe() {
    static std::vector<std::byte> bytes;
    return bytes;
}

/// Enough to know an animated PNG; nothing else is waited for.
void keep_start(ByteReader& reader) {
    constexpr std::size_t enough = 64; // no PNG is shorter
    const bool is_png = text_of(reader.peek(4)) == "\x89PNG";
    const std::span<const std::byte> start = reader.peek(is_png ? enough : 4);
    first_of_pipe().assign(start.begin(), start.end());
}

} // namespace

std::span<const std::byte> start_of_pipe() {
    return first_of_pipe();
}

std::unique_ptr<ByteReader> open_stream(const Arguments& arguments) {
    const std::vector<std::string> inputs = arguments.inputs();
    if (arguments.command->op->input != Input::image || inputs != std::vector<std::string>{"-"} ||
        is_terminal(STDIN_FILENO)) {
        return nullptr;
    }
    auto reader = std::make_unique<ByteReader>(STDIN_FILENO, input_name("-"));
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0 || S_ISDIR(status.st_mode)) {
        return nullptr; // reading will say what is wrong
    }
    if (S_ISREG(status.st_mode)) {
        return file_is_stream() ? std::move(reader) : nullptr;
    }
    if (pipe_is_stream(*reader)) {
        reader->follow_stream();
        return reader;
    }
    keep_start(*reader);
    unread_stdin(reader->take_rest());
    return nullptr;
}

void operate_on_stream(const Arguments& arguments, const Settings& settings, ByteReader& reader) {
    StreamRun(arguments, settings, reader).go();
}

} // namespace glproc::cli
