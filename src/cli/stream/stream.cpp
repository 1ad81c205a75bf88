#include "cli/stream/stream.hpp"

#include "cli/configure.hpp"
#include "cli/device.hpp"
#include "cli/files/input.hpp"
#include "cli/files/run_input.hpp"
#include "cli/stream/stream_frame.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/file.hpp"

#include <cctype>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
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

/// Frames from one thread to the next, a few at a time.
class FrameQueue {
  public:
    /// False where nobody takes it any more.
    bool put(std::unique_ptr<StreamFrame> frame) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || frames_.size() < most; });
        if (closed_) {
            return false;
        }
        frames_.push_back(std::move(frame));
        changed_.notify_all();
        return true;
    }

    /// Null once it is closed and empty.
    std::unique_ptr<StreamFrame> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !frames_.empty(); });
        if (frames_.empty()) {
            return nullptr;
        }
        std::unique_ptr<StreamFrame> frame = std::move(frames_.front());
        frames_.pop_front();
        changed_.notify_all();
        return frame;
    }

    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    void abandon() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        frames_.clear();
        changed_.notify_all();
    }

  private:
    static constexpr std::size_t most = 4;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::unique_ptr<StreamFrame>> frames_;
    bool closed_ = false;
};

/// Reading, the GPU and writing, each on a thread.
class StreamRun {
  public:
    StreamRun(const Arguments& arguments, const Settings& settings, ByteReader& reader)
        : settings_(settings), op_(*arguments.command->op), operation_(configure(arguments)), reader_(reader),
          place_(arguments.output()), stages_(false),
          progress_(is_terminal(STDERR_FILENO) && !settings.quiet), call_{arguments, settings,
                                                                          op_,       *operation_,
                                                                          stages_,   [](double) {}} {
        read_second_pictures(*operation_, arguments);
        if (op_.product == Product::array) {
            throw Error(ErrorCode::usage, fmt::format("{} makes arrays, and takes one picture", op_.name));
        }
        if (op_.product == Product::image) {
            place_.check(arguments, "picture");
            to_ = place_.open();
        }
        next_ = begins_film(reader.peek(y4m_magic.size())) ? film_frames(call_, reader, to_.get())
                                                           : picture_frames(call_, reader, to_.get());
    }

    void go() {
        std::thread reading([this] { read(); });
        std::thread writing([this] { write(); });
        try {
            process();
        } catch (...) {
            process_failure_ = std::current_exception();
            read_.abandon();
            reader_.stop();
        }
        computed_.close();
        writing.join();
        read_.abandon();
        reading.join();
        progress_.hide();
        // What was done is delivered, whatever came after it.
        if (to_ && !write_failure_ && frames_ > 0) {
            to_->finish();
        }
        for (const std::exception_ptr& failure : {write_failure_, read_failure_, process_failure_}) {
            if (failure) {
                std::rethrow_exception(failure);
            }
        }
        say_done();
    }

  private:
    void read() {
        try {
            while (std::unique_ptr<StreamFrame> frame = next_()) {
                if (!read_.put(std::move(frame))) {
                    return;
                }
            }
        } catch (...) {
            read_failure_ = std::current_exception();
        }
        read_.close();
    }

    void process() {
        std::optional<Context> context;
        stages_.run(Stage::context, [&] { context.emplace(settings_.context); });
        device_ = context->device().renderer;
        warn_of_software_renderer(context->device(), settings_);
        while (std::unique_ptr<StreamFrame> frame = read_.take()) {
            frame->process(*context);
            if (!computed_.put(std::move(frame))) {
                break;
            }
        }
        stages_.set(Stage::compile, context->compile_time());
    }

    void write() {
        try {
            while (std::unique_ptr<StreamFrame> frame = computed_.take()) {
                frame->write();
                millions_ += frame->millions();
                ++frames_;
                const double seconds = stages_.total() / 1000;
                progress_.show(
                    fmt::format("{} frames, {:.1f}/s", frames_, static_cast<double>(frames_) / seconds), 0,
                    1);
            }
        } catch (...) {
            write_failure_ = std::current_exception();
            reader_.stop();
            read_.abandon();
            computed_.abandon();
        }
    }

    void say_done() {
        if (settings_.timing) {
            print_stderr(stages_.report(*settings_.timing, device_, millions_, "megapixels", frames_));
        }
        if (settings_.verbose || (is_terminal(STDERR_FILENO) && !settings_.quiet)) {
            const double seconds = stages_.total() / 1000;
            print_stderr(fmt::format("{}: {} frames, {}, {}, {:.3f} s, {:.1f} frames/s\n",
                                     to_ ? place_.name() : "stdout", frames_, op_.name, device_, seconds,
                                     static_cast<double>(frames_) / seconds));
        }
    }

    const Settings& settings_;
    const OpInfo& op_;
    std::unique_ptr<Operation> operation_;
    ByteReader& reader_;
    OutputPlace place_;
    Stages stages_;
    Progress progress_;
    Call call_;
    std::unique_ptr<RowWriter> to_; ///< null for reports
    NextFrame next_;
    FrameQueue read_;
    FrameQueue computed_;
    std::exception_ptr read_failure_;
    std::exception_ptr process_failure_;
    std::exception_ptr write_failure_;
    std::string device_;
    std::size_t frames_ = 0; ///< written
    double millions_ = 0;
};

} // namespace

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
        return reader;
    }
    unread_stdin(reader->take_rest());
    return nullptr;
}

void operate_on_stream(const Arguments& arguments, const Settings& settings, ByteReader& reader) {
    StreamRun(arguments, settings, reader).go();
}

} // namespace glproc::cli
