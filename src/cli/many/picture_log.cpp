#include "cli/many/picture_log.hpp"

#include "cli/json.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* schema = "glproc.log/1";

/// How every line of a log begins.
const std::string line_start = fmt::format(R"({{"schema":"{}")", schema);

/// The command with the flags that its results depend on, in one spelling whatever their order was.
std::string command_text(const Arguments& arguments) {
    std::string text = arguments.command->name;
    for (const PipeStep& step : arguments.steps) {
        text += fmt::format("{} {}", &step == &arguments.steps.front() ? "" : " then",
                            fmt::join(step.words, " "));
    }
    for (const Flag& flag : arguments.command->flags) {
        const bool shapes_result = flag.group != many_group && flag.info.name != "no-clobber" && flag.info.name != "force";
        if (shapes_result && arguments.has(flag.info.name)) {
            const std::string& value = arguments.value(flag.info.name);
            text += fmt::format(" --{}{}{}", flag.info.name, value.empty() ? "" : " ", value);
        }
    }
    return text;
}

/// The state of the second pictures, tables and recipes that the call reads.
std::string reads_text(const Arguments& arguments) {
    std::vector<std::string> words;
    for (const Flag& flag : arguments.command->flags) {
        if (flag.group != many_group && arguments.has(flag.info.name)) {
            words.push_back(arguments.value(flag.info.name));
        }
    }
    for (const PipeStep& step : arguments.steps) {
        for (const std::string& word : step.words) {
            words.push_back(word.starts_with('-') ? word.substr(word.find('=') + 1) : word);
        }
    }
    std::string text;
    for (const std::string& word : words) {
        if (const std::optional<FileState> state = state_of(word)) {
            text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", word, state->size, state->modified);
        }
    }
    return text;
}

/// As the log spells it: bytes that are no UTF-8 are replaced.
std::string as_logged(const std::string& path) {
    return parse_json_object(json_line(Json::object({{"path", path}})))->text_at("path");
}

std::string_view fate_name(PictureFate fate) {
    return fate == PictureFate::done ? "done" : fate == PictureFate::skipped ? "skipped" : "failed";
}

[[noreturn]] void fail(const std::string& path, int error) {
    throw Error(ErrorCode::output, fmt::format("{}: {}", path, std::generic_category().message(error)));
}

/// A log is never written over something else.
void check_log_place(const std::string& path, const std::vector<Errand>& errands) {
    std::error_code missing;
    const fs::path log = fs::path(path).lexically_normal();
    for (const Errand& errand : errands) {
        if (fs::equivalent(file_of(errand.in), path, missing)) {
            throw Error(ErrorCode::usage, fmt::format("--log {} is also an input", path),
                        "give it another name");
        }
        if (!errand.out.empty() &&
            (fs::path(errand.out).lexically_normal() == log || fs::equivalent(errand.out, path, missing))) {
            throw Error(ErrorCode::usage, fmt::format("--log {} is also an output", path),
                        "give it another name");
        }
    }
}

} // namespace

std::optional<FileState> state_of(const std::string& path) {
    struct stat status {};
    if (::stat(file_of(path).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    constexpr std::int64_t second = 1'000'000'000;
    return FileState{static_cast<std::uint64_t>(status.st_size),
                     std::int64_t{status.st_mtim.tv_sec} * second + status.st_mtim.tv_nsec};
}

PictureLog::PictureLog(const Arguments& arguments, const std::vector<Errand>& errands)
    : command_(command_text(arguments)), reads_(reads_text(arguments)) {
    const bool resumes = arguments.has("resume");
    if (!arguments.has("log")) {
        if (resumes) {
            throw Error(ErrorCode::usage, "--resume has no effect without --log",
                        "add --log FILE, which lists what is done");
        }
        return;
    }
    path_ = arguments.value("log");
    check_log_place(path_, errands);
    if (resumes && replaces_inputs(errands)) {
        throw Error(ErrorCode::usage, "--resume cannot tell what is done if outputs replace their inputs",
                    "write to another folder");
    }
    if (std::error_code missing; fs::is_symlink(fs::symlink_status(path_, missing))) {
        check_writable(path_); // the link of a stranger in a folder where anybody may put one
    }
    const bool only_looks = arguments.has("dry-run");
    descriptor_ = ::open(path_.c_str(), (only_looks ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND) | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && only_looks && errno == ENOENT) {
        return;
    }
    if (descriptor_ < 0) {
        fail(path_, errno);
    }
    try { // no destructor follows a constructor that throws
        check_is_log();
        if (resumes) {
            read();
        }
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

/// What is no regular file has nothing to say.
void PictureLog::check_is_log() const {
    std::string start(line_start.size(), ' ');
    const ssize_t got = state_of(path_) ? ::pread(descriptor_, start.data(), start.size(), 0) : 0;
    start.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (!line_start.starts_with(start)) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: not a log of glproc; nothing is appended to it", path_),
                    "give --log another name");
    }
}

PictureLog::~PictureLog() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void PictureLog::read() {
    const std::vector<std::byte> bytes = read_file(path_);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::size_t number = 1;
    for (std::size_t at = 0; at < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        read_line(text.substr(at, end - at), number);
        at = end + 1;
    }
}

void PictureLog::read_line(std::string_view line, std::size_t number) {
    const std::optional<Json> json = parse_json_object(line);
    if (!json) {
        return; // torn by a power failure: what it said is done again
    }
    try {
        if (json->text_at("schema") != schema) {
            throw JsonError("another schema");
        }
        if (const std::string& other = json->text_at("command"); other != as_logged(command_)) {
            throw Error(
                ErrorCode::usage, fmt::format("{}: is the log of another command: {}", path_, other),
                fmt::format("this one is: {}\ngive --log another name, or leave out --resume", command_));
        }
        const std::pair key(json->text_at("input"), json->text_or_none("output"));
        done_.erase(key); // the last line counts
        if (json->text_at("status") == fate_name(PictureFate::done) &&
            json->text_or_none("reads") == as_logged(reads_)) {
            done_[key] = {{static_cast<std::uint64_t>(json->whole_at("size")), json->whole_at("modified")},
                          static_cast<std::uint64_t>(json->whole_or_none("written"))};
        }
    } catch (const JsonError&) {
        throw Error(ErrorCode::usage, fmt::format("{}: line {} is not a log entry", path_, number));
    }
}

bool PictureLog::is_done(const Errand& errand, const std::optional<FileState>& input) const {
    const bool is_spelled = as_logged(errand.in) == errand.in && as_logged(errand.out) == errand.out;
    const auto found = is_spelled ? done_.find({errand.in, errand.out}) : done_.end();
    if (found == done_.end() || !input || *input != found->second.input) {
        return false;
    }
    const std::optional<FileState> output = state_of(errand.out);
    return errand.out.empty() || (output && output->size == found->second.output_bytes);
}

void PictureLog::append(const Errand& errand, const std::optional<FileState>& input, PictureFate fate,
                        const std::string& why, int code) {
    if (descriptor_ < 0) {
        return;
    }
    Json line = Json::object(
        {{"schema", schema}, {"command", command_}, {"status", fate_name(fate)}, {"input", errand.in}});
    if (input) {
        line.add("size", input->size);
        line.add("modified", input->modified);
    }
    if (!reads_.empty()) {
        line.add("reads", reads_);
    }
    if (!errand.out.empty()) {
        line.add("output", errand.out);
        const std::optional<FileState> output =
            fate == PictureFate::done ? state_of(errand.out) : std::nullopt;
        line.add("written", output ? output->size : 0);
    }
    if (fate == PictureFate::failed) {
        line.add("code", code);
        line.add("error", why);
    }
    std::string text = json_line(line);
    const std::lock_guard lock(mutex_);
    // What a power failure tore is ended first.
    char last = '\n';
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (size > 0 && ::pread(descriptor_, &last, 1, size - 1) == 1 && last != '\n') {
        text.insert(text.begin(), '\n');
    }
    write_descriptor(descriptor_, std::as_bytes(std::span(text)), path_);
}

} // namespace glproc::cli
