// Output files: replaced in one step, or not at all.
#include "cli/glproc_program.hpp"
#include "files/metadata_files.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"

#include <csignal>

#include <fmt/ranges.h>

using namespace glproc;
using namespace glproc::test;

namespace {

namespace fs = std::filesystem;

const std::string old_content = "what was there before";

/// A folder with an input and something old in the output's place.
struct OutputFolder : TempDir {
    explicit OutputFolder(Image input = photo_like_image({.width = 31, .height = 17, .channels = 3}))
        : picture(std::move(input)) {
        save(picture, *this / "in.ppm");
        write_text(*this / "out.ppm", old_content);
    }

    ProgramCall call(std::vector<std::string> flags = {}) const {
        flags.insert(flags.begin(), {"blur", "in.ppm", "out.ppm", "--sigma", "0", "-q"});
        return glproc_call(path(), std::move(flags));
    }
    bool untouched() const {
        return read_text(*this / "out.ppm") == old_content &&
               names_in(path()) == std::set<std::string>{"in.ppm", "out.ppm"};
    }

    Image picture;
};

/// So large that it takes a while to write.
Image large_picture() {
    return {4000, 3000, 3, Depth::u8};
}

/// The temporary file that is being written in `folder`, or an empty text.
std::string temporary_in(const fs::path& folder) {
    for (const std::string& name : names_in(folder)) {
        if (name.starts_with(".out.ppm.")) {
            return name;
        }
    }
    return {};
}

/// Stops the program while its temporary file exists, and sends `signal`. False where it was too fast to be
/// caught.
bool interrupt_while_writing(const OutputFolder& folder, int signal, ProgramResult& result) {
    RunningProgram program(folder.call());
    program.wait_until([&](const ProgramResult&) { return !temporary_in(folder.path()).empty(); });
    program.stop();
    const bool caught = !temporary_in(folder.path()).empty();
    program.send(caught ? signal : SIGCONT);
    program.send(SIGCONT);
    result = program.wait();
    return caught;
}

} // namespace

TEST_CASE("output: an existing file is replaced") {
    const OutputFolder folder;
    CHECK(run_program(folder.call()).status == 0);
    CHECK(same_pixels(load(folder / "out.ppm"), folder.picture));
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.ppm", "out.ppm"});
}

TEST_CASE("output: -n keeps an existing file, and says so") {
    const OutputFolder folder;
    for (const char* flag : {"-n", "--no-clobber"}) {
        ProgramCall call = folder.call({flag});
        call.environment = environment_without_gpu();
        const ProgramResult result = run_program(call);
        CHECK(result.status == 4);
        CHECK(result.err == "glproc: error: out.ppm: exists already\n"
                            "  hint: leave out --no-clobber to replace it\n");
        CHECK(folder.untouched());
    }
    fs::remove(folder / "out.ppm");
    CHECK(run_program(folder.call({"-n"})).status == 0);
    CHECK(same_pixels(load(folder / "out.ppm"), folder.picture));
}

TEST_CASE("output: the input may be the output") {
    const OutputFolder folder;
    const ProgramResult result =
        run_glproc(folder.path(), {"blur", "in.ppm", "in.ppm", "--sigma", "3", "-q"});
    CHECK(result.status == 0);
    const Image blurred = load(folder / "in.ppm");
    CHECK(blurred.width() == folder.picture.width());
    CHECK(!same_pixels(blurred, folder.picture));
}

TEST_CASE("output: flags reach the operation") {
    const OutputFolder folder;
    std::vector<Image> results;
    for (const std::vector<std::string>& flags : {std::vector<std::string>{"--sigma", "3"},
                                                  {"--sigma", "3,0"},
                                                  {"--sigma", "3", "--border", "constant:1"}}) {
        REQUIRE(run_program(folder.call(flags)).status == 0);
        results.push_back(load(folder / "out.ppm"));
    }
    CHECK(!same_pixels(results[0], results[1]));
    CHECK(!same_pixels(results[0], results[2]));
}

TEST_CASE("output: what cannot be written is told before any GPU work") {
    const OutputFolder folder;
    fs::create_directory(folder / "folder.ppm");
    const auto error_of = [&](const std::string& out) {
        const ProgramResult result = run_without_gpu(folder.path(), {"blur", "in.ppm", out, "--sigma", "0"});
        CHECK(result.status == 4);
        return result.err;
    };
    CHECK(error_of("nosuch/out.ppm") == "glproc: error: nosuch/out.ppm: nosuch: no such folder\n");
    CHECK(error_of("folder.ppm/in.ppm/out.ppm").ends_with("no such folder\n"));
    CHECK(error_of("in.ppm/out.ppm") == "glproc: error: in.ppm/out.ppm: not a directory\n");
}

TEST_CASE("output: a full disk leaves the old file whole") {
    const OutputFolder folder(Image(400, 300, 3, Depth::u8));
    ProgramCall call = folder.call();
    call.largest_file = 100'000;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: out.ppm: file too large\n");
    CHECK(folder.untouched());
}

TEST_CASE("output: a file that may not grow is refused in every format, and nothing is left of it") {
    const TempDir folder;
    save(random_image({120, 90, 3, Depth::u8}, 1), folder / "in.ppm");
    const auto limited = [&](const std::vector<std::string>& words) {
        ProgramCall call = glproc_call(folder.path(), words);
        call.largest_file = 2'000;
        return run_program(call);
    };
    const auto files = [&] {
        return std::distance(fs::recursive_directory_iterator(folder.path()), fs::recursive_directory_iterator());
    };
    for (const std::string& extension : writable_extensions()) {
        const std::string out = "out." + extension;
        for (const char* memory : {"1", "1000"}) {
            const ProgramResult result =
                limited({"invert", "in.ppm", out, "-q", "--fit-format", "--memory", memory});
            CHECK(result.status == 4);
            CHECK(result.err == "glproc: error: " + out + ": file too large\n");
        }
        CHECK(files() == 1);
    }
    const ProgramResult array = limited({"integral", "in.ppm", "out.npy", "-q"});
    CHECK(array.status == 4);
    CHECK(array.err == "glproc: error: out.npy: file too large\n");
    const ProgramResult batch = limited({"invert", "in.ppm", "soft/", "-q", "--to", "png"});
    CHECK(batch.status == 4);
    CHECK(batch.err.find("soft/in.png: file too large\n") != std::string::npos);
    CHECK(files() <= 2); // the folder may be there
    CHECK_FALSE(fs::exists(folder / "soft" / "in.png"));
}

TEST_CASE("output: a signal before the output is begun leaves everything as it was") {
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    const OutputFolder folder;
    ProgramCall call = glproc_call(folder.path(), {"blur", "-", "out.ppm", "--sigma", "0", "-q"});
    call.input = read_text(folder / "in.ppm").substr(0, 100);
    call.hold_input = true;
    RunningProgram program(call);
    program.wait_until([begin = std::chrono::steady_clock::now()](const ProgramResult&) {
        return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(200);
    });
    program.send(signal);
    const ProgramResult result = program.wait();
    CHECK(result.signal == signal); // 128 + n in a shell
    CHECK(result.err.empty());
    CHECK(folder.untouched());
}

TEST_CASE("output: a signal while the output is written leaves the old file whole and nothing else") {
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU);
    const OutputFolder folder(large_picture());
    ProgramResult result;
    bool caught = false;
    for (int attempt = 0; attempt < 20 && !caught; ++attempt) {
        write_text(folder / "out.ppm", old_content);
        caught = interrupt_while_writing(folder, signal, result);
    }
    REQUIRE(caught);
    CHECK(result.signal == signal);
    CHECK(folder.untouched());
}

TEST_CASE("output: a kill while the output is written leaves the old file whole") {
    const OutputFolder folder(large_picture());
    ProgramResult result;
    bool caught = false;
    for (int attempt = 0; attempt < 20 && !caught; ++attempt) {
        write_text(folder / "out.ppm", old_content);
        caught = interrupt_while_writing(folder, SIGKILL, result);
    }
    REQUIRE(caught);
    CHECK(read_text(folder / "out.ppm") == old_content);
}

TEST_CASE("output: a signal that the caller ignores stays ignored") {
    const OutputFolder folder;
    ProgramCall call = glproc_call(folder.path(), {"blur", "-", "out.ppm", "--sigma", "0", "-q"});
    call.input = read_text(folder / "in.ppm");
    call.hold_input = true;
    call.ignored_signal = SIGHUP; // as nohup does
    RunningProgram program(call);
    program.wait_until([begin = std::chrono::steady_clock::now()](const ProgramResult&) {
        return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(200);
    });
    program.send(SIGHUP);
    program.close_input();
    CHECK(program.wait().status == 0);
    CHECK(same_pixels(load(folder / "out.ppm"), folder.picture));
}

#ifndef __SANITIZE_ADDRESS__ // the sanitizer needs more address space than the limit leaves
TEST_CASE("output: out of memory is an error like others") {
    const OutputFolder folder;
    fs::resize_file(folder / "in.ppm", 4'000'000'000); // takes no room on the disk
    ProgramCall call = folder.call({"--method", "direct"}); // a kernel, for which all of the file is read
    call.address_space = 1'000'000'000;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 1);
    CHECK(result.err == "glproc: error: out of memory\n");
    CHECK(folder.untouched());
}
#endif

TEST_CASE("output: the second of two photos that a pattern stands for is not replaced") {
    const TempDir folder;
    // A directory with an orientation, and behind it an empty one, where a camera puts its small picture.
    const Bytes exif = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(1, 2) + little_endian(0x112, 2) +
                       little_endian(3, 2) + little_endian(1, 4) + little_endian(1, 4) + little_endian(26, 4) + Bytes(6);
    const Bytes jpeg = encode(photo_like_image({.width = 61, .height = 47, .channels = 3}), "a.jpg");
    const Bytes photo = with_segment(jpeg, jpeg_segment(0xe1, bytes_of("Exif") + Bytes(2) + exif));
    const auto call = [&](std::vector<std::string> arguments) { return run_glproc(folder.path(), std::move(arguments)); };
    write_file(folder / "a.jpg", photo);
    write_file(folder / "b.jpg", photo);
    const ProgramResult refused = call({"blur", "a.jpg", "b.jpg", "--sigma", "2"});
    CHECK(refused.status == 2);
    CHECK(refused.err.find("b.jpg: a photo that a camera wrote would be replaced") != std::string::npos);
    CHECK(refused.err.find("to replace it add --force; if both are inputs, name a folder behind them: out/") != std::string::npos);
    CHECK(read_file(folder / "b.jpg") == photo);
    CHECK(call({"blur", "a.jpg", "b.jpg", "out/", "--sigma", "2"}).status == 0); // as the hint says
    CHECK(call({"blur", "a.jpg", "new.jpg", "--sigma", "2"}).status == 0);
    CHECK(call({"blur", "a.jpg", "new.jpg", "--sigma", "3"}).status == 0); // what was written here may be written again
    CHECK(call({"blur", "b.jpg", "new.jpg", "--sigma", "2"}).status == 0);
    CHECK(call({"blur", "b.jpg", "b.jpg", "--sigma", "2"}).status == 0);
    for (const std::string flag : {"--force", "-y"}) {
        write_file(folder / "b.jpg", photo);
        CHECK(call({"blur", "a.jpg", "b.jpg", "--sigma", "2", flag}).status == 0);
        CHECK(read_file(folder / "b.jpg") != photo);
    }
}

namespace {

bool keeps_marks(const fs::path& folder) {
    write_file(folder / "marked", {});
    const bool keeps = was_written_here(folder / "marked").has_value();
    fs::remove(folder / "marked");
    return keeps;
}

} // namespace

TEST_CASE("output: the second of two pictures that a pattern stands for is not replaced, be they without EXIF") {
    const TempDir folder;
    if (!keeps_marks(folder.path())) {
        return; // then nothing tells outputs from other files
    }
    const auto blur = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"blur", "--sigma", "2", "-q"};
        words.insert(words.end(), more.begin(), more.end());
        return run_glproc(folder.path(), std::move(words));
    };
    for (const std::string format : {"jpg", "png", "ppm"}) {
        const Bytes picture = encode(photo_like_image({.width = 31, .height = 17, .channels = 3}), format);
        const std::string text(reinterpret_cast<const char*>(picture.data()), picture.size());
        const auto name = [&](const std::string& stem) { return stem + "." + format; };
        const auto put = [&](const std::string& stem) { write_text(folder / name(stem), text); };
        put("IMG_1");
        put("img_2");
        const ProgramResult refused = blur({name("IMG_1"), name("img_2")});
        INFO(refused.err);
        CHECK(refused.status == 2);
        CHECK(refused.err == fmt::format("glproc: error: {}: would be replaced, and is not known to be written by glproc\n"
                                         "  hint: to replace it add --force; if both are inputs, name a folder behind them: out/\n",
                                         name("img_2")));
        CHECK(read_text(folder / name("img_2")) == text);
        CHECK(blur({name("img_2"), name("img_2")}).status == 0); // its own input
        put("img_2");
        CHECK(blur({name("img_2"), name("IMG_1")}).status == 2); // a list may have any order
        CHECK(blur({name("img_2"), "./" + name("IMG_1")}).status == 2);
        CHECK(blur({name("img_2"), (folder / name("IMG_1")).string()}).status == 2);
        CHECK(blur({name("img_2") + "#1", name("IMG_1")}).status == 2);
        CHECK(blur({name("IMG_1"), name("img_2"), "-y"}).status == 0);
        CHECK(blur({name("IMG_1"), name("img_2")}).status == 0); // glproc wrote it
        put("img_2");
        put("another");
        CHECK(blur({name("IMG_1"), name("img_2")}).status == 2); // [Ii]* names two of three
        for (const std::string stem : {"IMG_1", "img_2", "another"}) {
            fs::remove(folder / name(stem));
        }
        put("in");
        CHECK(blur({name("in"), name("out")}).status == 0);
        CHECK(blur({name("in"), name("out")}).status == 0); // again, as scripts do
        std::ofstream(folder / name("out"), std::ios::binary | std::ios::app) << " "; // no longer what glproc wrote
        fs::last_write_time(folder / name("out"), fs::file_time_type::clock::now() + std::chrono::seconds(2));
        CHECK(blur({name("in"), name("out")}).status == 2);
        fs::remove(folder / name("in"));
        fs::remove(folder / name("out"));
    }
}

TEST_CASE("output: patterns of any spelling that stand for two pictures do not replace the second") {
    struct Folder {
        std::vector<std::string> pictures;
        std::string in;
        std::string out;
        int status;
    };
    const std::vector<Folder> folders{
        {{"a.jpg", "b.jpeg", "c.png"}, "a.jpg", "b.jpeg", 2},                       // *.jp*g
        {{"a.jpg", "b.jpeg", "c.png", "d.webm"}, "a.jpg", "b.jpeg", 2},             // *.j*
        {{"a.jpg", "b.jpeg", "c.jpg"}, "a.jpg", "b.jpeg", 2},                       // [ab]*
        {{"a.jpg", "b.JPG", "c.png"}, "a.jpg", "b.JPG", 2},                         // *.[jJ][pP][gG]
        {{"a.jpg", "b.jpg", "c.JPG"}, "a.jpg", "b.jpg", 2},                         // *.jpg
        {{"photo1.jpg", "photo2.png", "other.png"}, "photo1.jpg", "photo2.png", 2}, // photo*
        {{"photo1.jpg", "photo2.png", "photo3.png"}, "photo1.jpg", "photo2.png", 2}, // photo[12]*
        {{"a.jpg", "b.png"}, "a.jpg", "b.png", 2}, // *
        {{"a.jpg", "b.png"}, "b.png", "a.jpg", 2}, // *.png *.jpg
        {{"a.jpg", "a.png"}, "a.jpg", "a.png", 0}, // converted to another format
        {{"a.jpg", "b.png", ".hidden.png"}, "a.jpg", "b.png", 2},
        {{"x.1.jpg", "x.2.jpg", "y.jpg"}, "x.1.jpg", "x.2.jpg", 2}, // x.*
    };
    for (const Folder& one : folders) {
        const TempDir folder;
        if (!keeps_marks(folder.path())) {
            return;
        }
        for (const std::string& name : one.pictures) {
            const Bytes picture = encode(photo_like_image({.width = 12, .height = 9, .channels = 3}),
                                         name.ends_with("png") ? "png" : "jpg");
            write_text(folder / name, {reinterpret_cast<const char*>(picture.data()), picture.size()});
        }
        const std::string before = read_text(folder / one.out);
        const auto invert = [&](std::vector<std::string> more) {
            std::vector<std::string> words{"invert", one.in, one.out, "-qq"};
            words.insert(words.end(), more.begin(), more.end());
            return run_glproc(folder.path(), std::move(words));
        };
        const ProgramResult result = invert({});
        INFO(fmt::format("{} of {}: {}", one.out, fmt::join(one.pictures, " "), result.err));
        CHECK(result.status == one.status);
        CHECK((read_text(folder / one.out) == before) == (one.status == 2));
        CHECK(invert({"--force"}).status == 0);
        CHECK(invert({}).status == 0); // once more: it wrote that
    }
}

TEST_CASE("output: an array that others wrote is not replaced") {
    const TempDir folder;
    if (!keeps_marks(folder.path())) {
        return;
    }
    save(photo_like_image({.width = 12, .height = 9, .channels = 1}), folder / "p.png");
    const auto integral = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"integral", "p.png", "-q"});
        return run_glproc(folder.path(), std::move(more)).status;
    };
    CHECK(integral({"own.npy"}) == 0);
    CHECK(integral({"own.npy"}) == 0);
    write_text(folder / "other.npy", read_text(folder / "own.npy"));
    CHECK(integral({"other.npy"}) == 2);
    CHECK(integral({"other.npy", "-y"}) == 0);
}

TEST_CASE("output: the last of the photos that a pattern stands for is not what joins them") {
    const TempDir folder;
    const auto call = [&](std::vector<std::string> arguments) { return run_glproc(folder.path(), std::move(arguments)); };
    const std::string text = [&] {
        const Bytes bytes = encode(photo_like_image({.width = 20, .height = 10, .channels = 3}), "a.jpg");
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }();
    for (const char* name : {"1.jpg", "2.jpg", "3.jpg"}) {
        write_text(folder / name, text);
    }
    for (const char* name : {"append", "stack", "montage"}) {
        const ProgramResult refused = call({name, "1.jpg", "2.jpg", "3.jpg"});
        INFO(name << refused.err);
        CHECK(refused.status == 2);
        CHECK(refused.err.find("3.jpg: would be replaced, and is not known to be written by glproc") != std::string::npos);
        CHECK(read_text(folder / "3.jpg") == text);
    }
    fs::create_directory(folder / "r");
    write_text(folder / "r/3.jpg", text);
    for (const char* name : {"append", "stack", "montage"}) {
        CHECK(call({name, "1.jpg", "2.jpg", "r/3.jpg"}).status == 2); // of "*.jpg r/*.jpg"
        CHECK(call({name, "1.jpg", "r/3.jpg", "3.jpg"}).status == 2);
    }
    CHECK(read_text(folder / "r/3.jpg") == text);
    CHECK(call({"stack", "1.jpg", "2.jpg", "out.jpg"}).status == 0);
    CHECK(call({"stack", "1.jpg", "2.jpg", "out.jpg"}).status == 0); // once more: it wrote that
    CHECK(call({"append", "1.jpg", "2.jpg", "3.jpg", "--force"}).status == 0);
}

TEST_CASE("output: a page does not replace its file of many without a word") {
    const TempDir folder;
    for (const std::string name : {"y.gif", "y.apng", "y.tif"}) {
        if (!holds_series(name, SeriesKind::frames) && !holds_series(name, SeriesKind::pages)) {
            continue;
        }
        const auto writer = write_series(folder / name, name, SeriesInfo{.count = 3});
        for (int i = 0; i < 3; ++i) {
            Image image(9, 7, 3, Depth::u8);
            image.bytes()[0] = static_cast<std::byte>(i + 1);
            writer->write(image, {1, 10});
        }
        writer->finish();
        const std::string before = read_text(folder / name);
        const auto invert = [&](std::vector<std::string> words) {
            words.insert(words.begin(), "invert");
            return run_glproc(folder.path(), std::move(words));
        };
        for (const std::string page : {"#2", "#2..3"}) {
            const ProgramResult refused = invert({name + page, name});
            INFO(refused.err);
            CHECK(refused.status == 2);
            CHECK(refused.err == fmt::format("glproc: error: {0}: has 3 images, and only {0}{1} would be left\n"
                                             "  hint: give the output another name; to replace the file add --force\n",
                                             name, page));
            CHECK(read_text(folder / name) == before);
        }
        CHECK(invert({name + "#2", "one.png"}).status == 0);
        CHECK(invert({name, name}).status == 0);
        CHECK(invert({name + "#1..3", name}).status == 0);
        CHECK(invert({name + "#2", name, "-y"}).status == 0);
    }
}

TEST_CASE("output: --dry-run refuses what the call would, in its words and with its status") {
    const TempDir folder;
    for (const std::string name : {"a.png", "b.png"}) {
        const Bytes picture = encode(Image(8, 6, 3, Depth::u8), "png");
        write_text(folder / name,
                   {reinterpret_cast<const char*>(picture.data()), picture.size()}); // not known to be ours
    }
    for (const std::string name : {"in", "full"}) {
        fs::create_directory(folder / name);
        save(Image(8, 6, 3, Depth::u8), folder / name / "a.png");
    }
    std::vector<std::vector<std::string>> calls{
        {"a.png", "b.png"},
        {"a.png", "b.png", "--force"},
        {"a.png", "a.png"},
        {"a.png", "b.png", "--no-clobber"},
        {"a.png", "full/", "--no-clobber"},
        {"a.png", "full"},
        {"a.png", "new/"},
        {"in", "new/"},
        {"in/a.png", "missing.png", "new/"},
        {"missing.png", "o.png"},
        {"a.png", "none/o.png"},
        {"a.png", "o.xyz"},
        {"a.png", "o.png", "--quality", "200"},
    };
    if (std::ranges::count(writable_extensions(), "tif") == 1) {
        const auto pages = write_series(folder / "z.tif", "tif", SeriesInfo{.count = 3});
        for (int i = 0; i < 3; ++i) {
            pages->write(Image(8, 6, 3, Depth::u8), {});
        }
        pages->finish();
        for (const char* in : {"z.tif", "z.tif#2", "z.tif#1..2", "z.tif#1..3"}) {
            calls.push_back({in, "z.tif"});
            calls.push_back({in, "o.tif"});
            calls.push_back({in, "o.png"});
        }
        calls.push_back({"z.tif#2..9", "o.tif"});
    }
    for (std::vector<std::string> words : calls) {
        words.insert(words.begin(), "invert");
        words.emplace_back("-qq");
        const TempDir copy;
        fs::copy(folder.path(), copy.path(), fs::copy_options::recursive);
        const ProgramResult real = run_glproc(copy.path(), words);
        words.emplace_back("--dry-run");
        const std::set<std::string> before = names_in(folder.path());
        const ProgramResult told = run_glproc(folder.path(), words);
        INFO(fmt::format("{}: {}", fmt::join(words, " "), told.err));
        CHECK(told.status == real.status);
        CHECK(without_software_warning(told.err) == without_software_warning(real.err));
        CHECK((told.status == 0 || told.out.find("replaced") == std::string::npos));
        CHECK(names_in(folder.path()) == before);
    }
}
