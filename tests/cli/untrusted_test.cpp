// --max-seconds, --max-memory and --untrusted: pictures decoded in a process of their own.
#include "cli/glproc_program.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "job/confined/confine.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/confined/picture_packet.hpp"

#include <cerrno>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// What `work` returns in a process that has confined itself; -1 where the system cannot.
int confined(const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(job::confine() ? work() : 255);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

Image told_picture() {
    Image image = photo_like_image({.width = 31, .height = 17, .channels = 3});
    Metadata metadata;
    metadata.density = Density{300, 150, Density::Unit::inch};
    metadata.texts = {{"Comment", "made by a test"}, {"Author", "nobody"}};
    metadata.icc = std::vector<std::byte>(200, std::byte{7});
    metadata.jpeg = JpegPacking{75, Subsampling::s420};
    image.set_metadata(metadata);
    return image;
}

std::vector<std::byte> packet_of(const Image& image) {
    std::vector<std::byte> packet = job::pack_header(image, {"a note"});
    packet.insert(packet.end(), image.bytes().begin(), image.bytes().end());
    return packet;
}

} // namespace

TEST_CASE("untrusted: a confined process opens no file, makes no connection and starts no program") {
    const int here = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    REQUIRE(here >= 0);
    const int result = confined([&] {
        char byte = 0;
        const bool reads_what_is_open = ::read(here, &byte, 1) == 0;
        const bool opens = ::open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
        const bool creates = ::open("/tmp/glproc-untrusted", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
        const bool connects = ::socket(AF_INET, SOCK_STREAM, 0) >= 0;
        const bool forks = ::fork() >= 0;
        ::execl("/bin/true", "true", nullptr);
        return (reads_what_is_open ? 0 : 1) + (opens ? 2 : 0) + (creates ? 4 : 0) + (connects ? 8 : 0) +
               (forks ? 16 : 0);
    });
    ::close(here);
    if (result < 0) {
        WARN("skipped: this system has neither landlock nor seccomp");
        return;
    }
    CHECK(result == 0);
}

TEST_CASE("untrusted: pictures go from process to process unchanged") {
    const Image image = told_picture();
    Notes notes;
    const Image back = job::unpack_picture(packet_of(image), 31 * 17, &notes);
    CHECK(same_pixels(back, image));
    CHECK(notes == Notes{"a note"});
    const Metadata& metadata = back.metadata();
    CHECK(metadata.icc == image.metadata().icc);
    CHECK(metadata.density == image.metadata().density);
    CHECK(metadata.texts == image.metadata().texts);
    CHECK(metadata.jpeg == image.metadata().jpeg);
}

TEST_CASE("untrusted: what a decoder that was taken over might answer is refused") {
    const std::vector<std::byte> packet = packet_of(told_picture());
    const auto refused = [](std::span<const std::byte> bytes, std::uint64_t max_pixels = 31 * 17) {
        try {
            static_cast<void>(job::unpack_picture(bytes, max_pixels, nullptr));
            return false;
        } catch (const Error& error) {
            return error.code() == ErrorCode::input || error.code() == ErrorCode::operation;
        }
    };
    CHECK(refused(packet, 31 * 17 - 1));
    for (std::size_t size = 0; size < packet.size(); size += 1 + size / 16) {
        CHECK(refused(std::span(packet).first(size)));
    }
    for (std::size_t at = 0; at < 700; ++at) { // a picture of this size or an error, whatever is changed
        std::vector<std::byte> damaged = packet;
        damaged[at] ^= std::byte{0xff};
        std::size_t bytes = 0;
        try {
            bytes = job::unpack_picture(damaged, 31 * 17, nullptr).bytes().size();
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): as well
        }
        CHECK(bytes <= packet.size());
    }
}

TEST_CASE("untrusted: results are the same, in batches too") {
    const TempDir folder;
    fs::create_directory(folder / "in");
    for (const char* name : {"in/a.png", "in/b.jpg", "in/c.pgm", "in/d.bmp"}) {
        save(photo_like_image(
                 {.width = 61, .height = 40, .channels = std::string(name).ends_with("pgm") ? 1 : 3}),
             folder / name);
    }
    for (const char* name : {"a.png", "b.jpg", "c.pgm", "d.bmp"}) {
        const std::string in = std::string("in/") + name;
        REQUIRE(run_glproc(folder.path(), {"invert", in, std::string("plain-") + name, "-q"}).status == 0);
        const ProgramResult result =
            run_glproc(folder.path(), {"invert", in, std::string("safe-") + name, "-q", "--untrusted"});
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(read_text(folder / (std::string("safe-") + name)) ==
              read_text(folder / (std::string("plain-") + name)));
    }
    CHECK(run_glproc(folder.path(), {"invert", "in", "out/", "-q", "--untrusted"}).status == 0);
    CHECK(read_text(folder / "out/b.jpg") == read_text(folder / "plain-b.jpg"));
    const ProgramResult plain = run_without_gpu(folder.path(), {"info", "in/a.png"});
    const ProgramResult safe = run_without_gpu(folder.path(), {"info", "in/a.png", "--untrusted"});
    CHECK(safe.status == 0);
    CHECK(safe.out == plain.out);
}

TEST_CASE("untrusted: a limit on the size of files is for the output alone") {
    const TempDir folder;
    save(photo_like_image({.width = 300, .height = 200, .channels = 3}), folder / "in.ppm");
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"--untrusted"}, {"--max-seconds", "100"}, {"--max-memory", "4000"}}) {
        const auto call = [&](std::vector<std::string> words) {
            words.insert(words.end(), flags.begin(), flags.end());
            ProgramCall limited = glproc_call(folder.path(), std::move(words));
            limited.largest_file = 20'000; // the input has 180 000, and so has what the decoder answers
            return run_program(limited);
        };
        INFO(flags.front());
        const ProgramResult large = call({"invert", "in.ppm", "out.ppm", "-q"});
        CHECK(large.status == 4);
        CHECK(large.err == "glproc: error: out.ppm: file too large\n");
        const ProgramResult small = call({"resize", "in.ppm", "small.ppm", "30x20", "-q"});
        CHECK(small.err.empty());
        CHECK(small.status == 0);
    }
}

TEST_CASE("untrusted: only robust formats, and limits that flags cannot raise") {
    const TempDir folder;
    save(Image(20, 10, 3, Depth::u8), folder / "a.tif");
    ProgramCall call = glproc_call(folder.path(), {"invert", "a.tif", "o.png", "-q"});
    call.environment["GLPROC_POLICY"] = "untrusted";
    ProgramResult result = run_program(call);
    CHECK(result.status == 3);
    CHECK(result.err == "glproc: error: a.tif: tif is not read from untrusted files\n"
                        "  hint: PNG, JPEG, PNM, PFM, BMP, TGA, HDR, GIF, PSD and WebP are\n");
    write_text(folder / "large.pgm", "P5 20000 20000 255\n");
    fs::resize_file(folder / "large.pgm", 19 + 400'000'000); // of which the disk holds nothing
    call.arguments = {"invert", "large.pgm", "o.png", "-q", "--max-pixels", "1000000000"};
    result = run_program(call);
    CHECK(result.status == 3);
    CHECK(result.err == "glproc: error: large.pgm: 20000x20000 pixels are more than the limit of 100000000\n"
                        "  hint: untrusted files may take 100000000 pixels at most\n");
    CHECK_FALSE(fs::exists(folder / "o.png"));
    call.environment["GLPROC_POLICY"] = "nonsense";
    CHECK(run_program(call).status == 2);
}

TEST_CASE("untrusted: a picture that takes too long or too much is given up, and the batch goes on") {
    const TempDir folder;
    fs::create_directory(folder / "in");
    save(Image(8000, 8000, 3, Depth::u8), folder / "in/b.png", {.png_level = 1});
    save(Image(20, 10, 3, Depth::u8), folder / "in/a.png");
    ProgramResult result =
        run_glproc(folder.path(), {"invert", "in/b.png", "o.png", "-q", "--max-seconds", "0.01"});
    CHECK(result.status == 3);
    CHECK(result.err ==
          "glproc: error: in/b.png: not decoded within 0.01 s\n  hint: --max-seconds allows more\n");
#ifndef __SANITIZE_ADDRESS__ // which needs more address space than any limit leaves
    result = run_glproc(folder.path(), {"invert", "in", "out/", "-q", "--max-memory", "160"});
    CHECK(result.status == 3);
    CHECK(result.err.find("in/b.png: not decoded within 160 MiB of memory") != std::string::npos);
    CHECK(names_in(folder / "out") == std::set<std::string>{"a.png"});
#endif
}

namespace {

/// Three pages, or frames, in one file.
void save_three(const fs::path& path, int size = 24) {
    const SeriesInfo like{.kind = path.extension() == ".tif" ? SeriesKind::pages : SeriesKind::frames,
                          .count = 3};
    const auto writer = write_series(path, path.extension().native(), like);
    for (int i = 0; i < 3; ++i) {
        Image image = photo_like_image({.width = size, .height = size, .channels = 3});
        image.bytes()[0] = static_cast<std::byte>(i);
        writer->write(image, {.numerator = 100});
    }
    writer->finish();
}

bool has_tiff() {
    return std::ranges::count(writable_extensions(), "tif") == 1;
}

} // namespace

TEST_CASE("untrusted: pages of a TIFF are refused like a single one, alone and in a folder") {
    if (!has_tiff()) {
        WARN("skipped: this build has no TIFF");
        return;
    }
    const TempDir folder;
    fs::create_directory(folder / "in");
    save_three(folder / "in/a.tif");
    const auto check = [](const ProgramResult& result) {
        INFO(result.err);
        CHECK(result.status == 3);
        CHECK(result.err.find("tif is not read from untrusted files") != std::string::npos);
    };
    check(run_without_gpu(folder.path(), {"invert", "in/a.tif", "o.tif", "--untrusted"}));
    check(run_without_gpu(folder.path(), {"invert", "in/a.tif#2", "o.tif", "--untrusted"}));
    check(run_without_gpu(folder.path(), {"invert", "in", "out/", "--untrusted"}));
    check(run_without_gpu(folder.path(), {"info", "in/a.tif", "--untrusted"}));
    ProgramCall by_policy = glproc_call(folder.path(), {"invert", "in/a.tif", "o.tif"});
    by_policy.environment = environment_without_gpu();
    by_policy.environment["GLPROC_POLICY"] = "untrusted";
    check(run_program(std::move(by_policy)));
    CHECK(names_in(folder.path()) == std::set<std::string>{"in", "out"});
    CHECK(names_in(folder / "out").empty());
}

TEST_CASE("limits hold for pages and frames, and do not change them") {
    const TempDir folder;
    for (const std::string name : {"a.tif", "a.gif", "a.apng"}) {
        if (name == "a.tif" && !has_tiff()) {
            continue;
        }
        INFO(name);
        save_three(folder / name);
        save_three(folder / ("large_" + name), 2400);
        const std::string out = "o" + fs::path(name).extension().native();
        const auto invert = [&](const std::string& in, const std::string& to, std::vector<std::string> more) {
            std::vector<std::string> words{"invert", in, to, "-q"};
            words.insert(words.end(), more.begin(), more.end());
            return run_glproc(folder.path(), std::move(words));
        };
        CHECK(invert(name, "plain_" + out, {}).status == 0);
        CHECK(invert(name, "within_" + out, {"--max-seconds", "60", "--max-memory", "2G"}).status == 0);
        CHECK(read_text(folder / ("plain_" + out)) == read_text(folder / ("within_" + out)));
        const ProgramResult small = invert("large_" + name, out, {"--max-memory", "32"});
        INFO(small.err);
        CHECK(small.status == 3);
        CHECK(small.err.find("memory") != std::string::npos);
        const ProgramResult late = invert("large_" + name, out, {"--max-seconds", "0.01"});
        INFO(late.err);
        CHECK(late.status == 3);
        CHECK(late.err.find("not decoded and written within 0.01 s") != std::string::npos);
    }
}

TEST_CASE("untrusted: a confined picture that needs no device starts none") {
    const TempDir folder;
    save(random_image({40, 30, 3, Depth::u8}, 5), folder / "a.png");
    for (const std::string budget : {"--untrusted", "--max-seconds=20", "--max-memory=300"}) {
        const ProgramResult made = run_glproc(folder.path(), {"blur", "a.png", "b.png", "--sigma", "2", "-v", budget});
        INFO(made.err);
        CHECK(made.status == 0);
        CHECK(made.err.find("the processor was chosen") != std::string::npos);
    }
    CHECK(run_glproc(folder.path(), {"blur", "a.png", "c.png", "--sigma", "2", "--device", "cpu"}).status == 0);
    CHECK(same_pixels(load(folder / "b.png"), load(folder / "c.png")));
}

TEST_CASE("limits of time count what frames become, not only what is read of them") {
    const TempDir folder;
    const auto writer = write_series(folder / "a.gif", "gif", {.kind = SeriesKind::frames, .count = 40});
    for (int i = 0; i < 40; ++i) {
        Image image(64, 64, 3, Depth::u8);
        image.bytes()[0] = static_cast<std::byte>(i + 1);
        writer->write(image, {.numerator = 100});
    }
    writer->finish();
    // Decoding takes some hundredths of a second; 40 frames of 3000x3000 take many times as long to make and to write.
    ProgramResult result = run_glproc(folder.path(), {"pad", "a.gif", "o.gif", "--size", "3000x3000", "-q", "--max-seconds", "1"});
    INFO(result.err);
    CHECK(result.status == 3);
    CHECK(result.err.find("a.gif: its images were not decoded and written within 1 s\n  hint: --max-seconds allows more\n") !=
          std::string::npos);
    CHECK(!fs::exists(folder / "o.gif"));
}

namespace {

/// In memory now: a process and those that it has started, in KiB. Any of them may end while it is looked at: reading
/// then fails, which `>>` takes for the end of the text.
long memory_of(pid_t process) {
    const std::string folder = fmt::format("/proc/{}/", process);
    long size = 0;
    std::ifstream status(folder + "status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:") {
            status >> size;
        }
    }
    std::error_code ended;
    for (fs::directory_iterator thread(folder + "task", ended), end; !ended && thread != end;
         thread.increment(ended)) {
        std::ifstream children(thread->path() / "children");
        for (pid_t child = 0; children >> child;) {
            size += memory_of(child);
        }
    }
    return size;
}

/// The most that a call which succeeds has at once in its processes, in MiB.
long most_memory(std::vector<std::string> words) {
    words.insert(words.begin(), GLPROC_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    pid_t process = 0;
    REQUIRE(::posix_spawn(&process, GLPROC_PROGRAM, nullptr, nullptr, argv.data(), environ) == 0);
    int status = 0;
    long most = 0;
    while (::waitpid(process, &status, WNOHANG) == 0) {
        most = std::max(most, memory_of(process));
        ::usleep(2000);
    }
    CHECK(status == 0);
    return most / 1024;
}

/// MiB that the program and a software renderer with its tiles have besides. Heaps that keep freed frames for each
/// thread take more.
constexpr long program = 140;

/// A GIF of frames of `side` pixels that all differ and let what was below them come back.
void write_large_gif(const fs::path& path, int side, int frames) {
    const auto number = [](int value) {
        return std::string{static_cast<char>(value & 255), static_cast<char>(value >> 8)};
    };
    std::string file = "GIF89a" + number(side) + number(side) + std::string("\x91\0\0", 3) + "abcdefghijkl";
    for (int i = 0; i < frames; ++i) {
        Image image(side, side, 3, Depth::u8);
        std::ranges::fill(image.bytes(), static_cast<std::byte>(40 * i + 10));
        const std::vector<std::byte> still = encode(image, "gif", {});
        std::string text(reinterpret_cast<const char*>(still.data()), still.size());
        const std::size_t frame = text.find(','); // with the colours of this one
        const std::size_t colours = std::size_t{3} << ((static_cast<unsigned>(text[10]) & 7U) + 1);
        file += std::string("!\xf9\4", 3) + static_cast<char>(i == 0 ? 4 : 12) + number(10) +
                std::string("\0\0", 2);
        file += text.substr(frame, 9) + static_cast<char>(0x80U | (static_cast<unsigned>(text[10]) & 7U)) +
                text.substr(13, colours);
        file += text.substr(frame + 10, text.size() - frame - 11);
    }
    write_text(path, file + ";");
}

} // namespace

#ifndef __SANITIZE_ADDRESS__ // which holds memory that is given back
TEST_CASE("limits of memory hold for all that is held of an animation, in both processes") {
    const TempDir folder;
    constexpr int side = 5000; // 75 MB
    write_large_gif(folder / "a.gif", side, 4);
    const std::string in = folder / "a.gif";
    REQUIRE(inspect(fs::path(in)).frames == 4);
    for (const std::string name : {"o.gif", "o.apng"}) {
        const long held =
            most_memory({"invert", in, folder / name, "-q", "--max-memory", "580", "--device", "cpu"});
        INFO(fmt::format("{}: {} MiB", name, held));
        CHECK(held < 580 + program);
    }
    CHECK(load(folder / "o.gif").at(side - 1, side - 1, 0) == 245);
    const ProgramResult less =
        run_glproc(folder.path(), {"invert", "a.gif", "o.gif", "-q", "--max-memory", "560"});
    CHECK(less.status == 3);
    CHECK(less.err.find("too large for 560 MiB of memory where it is one of several") != std::string::npos);
}
#endif

TEST_CASE("limits of memory count what frames become: few bytes of many large frames do not take more") {
    const TempDir folder;
    for (const std::string name : {"a.gif", "a.apng", "a.webp"}) {
        if (!holds_series(name, SeriesKind::frames)) {
            continue;
        }
        INFO(name);
        constexpr int side = 3000; // 27 or 36 MB
        const auto writer = write_series(folder / name, name, {.kind = SeriesKind::frames, .count = 6});
        for (int i = 0; i < 6; ++i) {
            Image image(side, side, 3, Depth::u8);
            image.bytes()[0] = static_cast<std::byte>(i + 1);
            writer->write(image, {.numerator = 100});
        }
        writer->finish();
        const std::string out = "o" + fs::path(name).extension().native();
        const std::string in = folder / name;
        const std::string to = folder / out;
        const long held = most_memory({"invert", in, to, "-q", "--max-memory", "260", "--device", "cpu"});
        INFO(fmt::format("{} MiB", held));
        CHECK(held < 260 + program);
        const ProgramResult small = run_glproc(folder.path(), {"invert", name, out, "-q", "--max-memory", "150"});
        INFO(small.err);
        CHECK(small.status == 3);
        CHECK(small.err.find("memory") != std::string::npos);
        const ProgramResult larger = run_glproc(
            folder.path(), {"resize", name, out, "200%", "-q", "--max-memory", "400"});
        INFO(larger.err);
        CHECK(larger.status == 3);
        CHECK(larger.err.find("an image of 6000x6000 pixels is too large for 400 MiB") != std::string::npos);
    }
}

TEST_CASE("limits count what is made of pictures, not only what is read of them") {
    const TempDir folder;
    save(Image(1, 1, 3, Depth::u8), folder / "a.png");
    const auto writer = write_series(folder / "a.gif", "a.gif", {.kind = SeriesKind::frames, .count = 2000});
    for (int i = 0; i < 2000; ++i) {
        Image image(1, 1, 3, Depth::u8);
        image.bytes()[0] = static_cast<std::byte>(i);
        writer->write(image, {.numerator = 100});
    }
    writer->finish();
    const std::string memory = "too large for 100 MiB of memory\n  hint: --max-memory allows more\n";
    const std::string pixels = "pixels\n  hint: untrusted files may take 100000000 pixels at most\n";
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
        {{"montage", "a.gif", "o.png", "--max-memory", "100"}, memory},
        {{"montage", "a.gif", "o.png", "--untrusted"}, pixels},
        {{"resize", "a.png", "o.tif", "20000x20000", "--max-memory", "100"}, memory},
        {{"resize", "a.png", "o.tif", "20000x20000", "--untrusted"}, pixels},
        {{"pipe", "a.png", "o.tif", "--untrusted", "invert", "then", "resize", "20000x20000"}, pixels}};
    for (const auto& [words, says] : calls) {
        ProgramCall call = glproc_call(folder.path(), words);
        call.patience = std::chrono::seconds(20);
        const ProgramResult result = run_program(std::move(call));
        INFO(fmt::format("{}: {}", fmt::join(words, " "), result.err));
        CHECK(result.status == 3);
        CHECK(result.err.find(": would become an image of ") != std::string::npos);
        CHECK(result.err.ends_with(says));
    }
    CHECK(run_glproc(folder.path(), {"resize", "a.png", "o.png", "200x200", "--untrusted", "-q"}).status == 0);
}

TEST_CASE("limits of what is made hold for the steps of a chain") {
    const TempDir folder;
    save(Image(100, 100, 3, Depth::u8), folder / "a.png");
    for (const std::vector<std::string>& limit : {std::vector<std::string>{"--untrusted"}, {"--max-memory", "100"}}) {
        for (const std::vector<std::string>& steps : {std::vector<std::string>{"resize", "20000x20000", "then", "resize", "10x10"},
                                                      {"pad", "--size", "20000x20000", "then", "crop", "10x10"}}) {
            std::vector<std::string> call{"pipe", "a.png", "o.png"};
            call.insert(call.end(), steps.begin(), steps.end());
            call.insert(call.end(), limit.begin(), limit.end());
            const ProgramResult refused = run_without_gpu(folder.path(), call);
            CHECK(refused.status == 3);
            CHECK(refused.err.find("would become an image of 20000x20000 pixels") != std::string::npos);
        }
    }
    CHECK(run_without_gpu(folder.path(), {"pipe", "a.png", "o.png", "resize", "2000x2000", "then", "resize", "10x10", "--untrusted"}).status == 0);
}

TEST_CASE("limits of time hold for inputs that never come") {
    const TempDir folder;
    REQUIRE(::mkfifo((folder / "f").c_str(), 0600) == 0);
    save(Image(20, 10, 3, Depth::u8), folder / "a.png");
    const std::vector<std::vector<std::string>> calls{
        {"invert", "f", "o.png"},
        {"invert", "f#2", "o.png"},
        {"invert", "f", "a.png", "out/", "--to", "png"},
        {"invert", "--files-from", "f", "out/"},
        {"stack", "a.png", "f", "o.png"},
        {"append", "f", "a.png", "o.png"},
        {"montage", "a.png", "f", "o.png"},
        {"blend", "a.png", "o.png", "--with", "f"},
        {"compare", "f", "a.png"},
        {"compare", "a.png", "f"},
        {"histogram", "f"},
        {"info", "f"},
        {"split", "f", "{channel}.png"},
        {"integral", "f", "o.npy"},
        {"lut", "a.png", "o.png", "--cube", "f"},
        {"convolve", "a.png", "o.png", "--kernel", "f"},
        {"pipe", "a.png", "o.png", "--recipe", "f"},
    };
    for (std::vector<std::string> words : calls) {
        words.insert(words.end(), {"--max-seconds", "0.2"});
        ProgramCall call = glproc_call(folder.path(), words);
        call.patience = std::chrono::seconds(20);
        const ProgramResult result = run_program(std::move(call));
        INFO(fmt::format("{}: {}", fmt::join(words, " "), result.err));
        CHECK(result.status == 3);
        CHECK(result.err.find("f: not read within 0.2 s\n  hint: --max-seconds allows more\n") !=
              std::string::npos);
    }
    const int writer =
        ::open((folder / "f").c_str(), O_RDWR | O_CLOEXEC); // who has opened it and stops in the middle
    REQUIRE(::write(writer, "P5 4 4 255\n12", 13) == 13);
    CHECK(run_glproc(folder.path(), {"invert", "f", "o.png", "--max-seconds", "0.2"}).status == 3);
    ::close(writer);
    ProgramCall piped = glproc_call(folder.path(), {"invert", "-", "o.png", "--max-seconds", "0.2"});
    piped.hold_input = true;
    piped.patience = std::chrono::seconds(20);
    CHECK(run_program(std::move(piped)).err ==
          "glproc: error: stdin: not read within 0.2 s\n  hint: --max-seconds allows more\n");
}
