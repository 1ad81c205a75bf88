// Devices and back ends: what `info` says, how one is chosen, and what happens if there is none.
#include "cli/glproc_program.hpp"

#include <csignal>

#include <nlohmann/json.hpp>

using namespace glproc;
using namespace glproc::test;
using Json = nlohmann::ordered_json;

namespace {

using Environment = std::map<std::string, std::optional<std::string>>;

ProgramResult info(const std::vector<std::string>& flags, const Environment& changes = {}) {
    ProgramCall call = glproc_call({}, {"info"});
    call.arguments.insert(call.arguments.end(), flags.begin(), flags.end());
    for (const auto& [name, value] : changes) {
        call.environment[name] = value;
    }
    return run_program(std::move(call));
}

Json info_json(std::vector<std::string> flags, const Environment& changes = {}) {
    flags.insert(flags.end(), {"--json", "-q"});
    const ProgramResult result = info(flags, changes);
    INFO(result.err);
    REQUIRE(result.status == 0);
    REQUIRE(lines_of(result.out).size() == 1);
    CHECK(result.err.empty());
    return Json::parse(result.out);
}

/// An environment without a display, and with neither a back end nor a device chosen.
const Environment no_display{{"DISPLAY", std::nullopt},
                             {"WAYLAND_DISPLAY", std::nullopt},
                             {"XDG_RUNTIME_DIR", std::nullopt},
                             {"GLPROC_BACKEND", std::nullopt},
                             {"GLPROC_DEVICE", std::nullopt}};

} // namespace

TEST_CASE("context: info as JSON") {
    const Json json = info_json({});
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    CHECK(keys == std::vector<std::string>{"schema", "device", "vendor", "version", "glsl", "backend",
                                           "software", "timer", "formats", "modules", "limits", "extensions",
                                           "workarounds", "selftest", "attempts"});
    CHECK(json["schema"] == "glproc.info/1");
    CHECK(!json["device"].get<std::string>().empty());
    CHECK(json["limits"]["group_invocations"].get<int>() >= 1024); // OpenGL 4.3's least
    CHECK(json["attempts"].back()["outcome"] == "used");
    CHECK(json["attempts"].back()["what"] == json["backend"]);
    CHECK(json["formats"].front() == Json{{"name", "PNG"},
                                          {"extensions", {"png", "apng"}},
                                          {"read", true},
                                          {"write", true},
                                          {"module", ""}});
    CHECK(json["modules"].size() == 6);
    CHECK((json["timer"] == "GL_TIME_ELAPSED" || json["timer"] == "wall clock around glFinish"));
}

TEST_CASE("context: info as text says the same") {
    const Json json = info_json({});
    const std::string text = info({"-q"}).out;
    for (const char* key : {"device", "vendor", "version", "glsl", "backend", "timer"}) {
        INFO(key);
        CHECK(text.find(json[key].get<std::string>()) != std::string::npos);
    }
    for (const auto& [name, value] : json["limits"].items()) {
        INFO(name);
        CHECK(text.find("  " + name + " ") != std::string::npos);
    }
    for (const Json& format : json["formats"]) {
        INFO(format);
        CHECK(text.find("\n  " + format["name"].get<std::string>() + " ") != std::string::npos);
    }
    for (const Json& module : json["modules"]) {
        INFO(module);
        CHECK(text.find("\n  " + module["name"].get<std::string>() + " ") != std::string::npos);
        CHECK(text.find(module["hint"].get<std::string>()) != std::string::npos);
    }
    CHECK(text.find(": used\n") != std::string::npos);
    CHECK((text.find("software renderer") != std::string::npos) == json["software"].get<bool>());
}

TEST_CASE("context: info --compile is for all operations, not for files") {
    const ProgramResult result = info({"--compile", "photo.png"});
    CHECK(result.status == 2);
    CHECK(result.err.find("info --compile takes no files") != std::string::npos);
}

TEST_CASE("context: EGL where there is no display") {
    const Json json = info_json({}, no_display);
    CHECK(json["backend"].get<std::string>().starts_with("EGL "));
    CHECK(json["attempts"].size() >= 2);
    CHECK(json["attempts"][0]["what"].get<std::string>().starts_with("GLFW hidden window"));
}

TEST_CASE("context: a hidden GLFW window under an X server") {
    ProgramCall call;
    call.program = "Xvfb";
    call.arguments = {"-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp"};
    RunningProgram server(call);
    std::string number;
    server.wait_until([&](const ProgramResult& so_far) {
        const std::size_t end = so_far.out.find('\n');
        number = end == std::string::npos ? "" : so_far.out.substr(0, end);
        return !number.empty();
    });
    if (number.empty()) {
        WARN("skipped: no Xvfb on this machine");
        return;
    }
    Environment display = no_display;
    display["DISPLAY"] = ":" + number;
    // Under LeakSanitizer: Mesa's GLX driver leaves 5 KB of option texts behind, and is unloaded before leaks
    // are looked for, so that no suppression could name it.
    display["LSAN_OPTIONS"] = "detect_leaks=0";
    const Json json = info_json({"--backend", "glfw"}, display);
    CHECK(json["backend"].get<std::string>().starts_with("GLFW hidden window"));
    CHECK(info_json({}, display)["backend"] == json["backend"]); // and by itself
    display["GLPROC_BACKEND"] = "glfw";
    CHECK(info_json({}, display)["backend"] == json["backend"]);
    CHECK(info_json({"--backend", "egl"}, display)["backend"].get<std::string>().starts_with(
        "EGL ")); // flags win

    const TempDir folder;
    const Image picture = photo_like_image({.width = 41, .height = 29, .channels = 4});
    save(picture, folder / "in.png");
    ProgramCall blur =
        glproc_call(folder.path(), {"--backend", "glfw", "blur", "in.png", "out.png", "--sigma", "0"});
    blur.environment["DISPLAY"] = display["DISPLAY"];
    blur.environment["LSAN_OPTIONS"] = display["LSAN_OPTIONS"];
    CHECK(run_program(blur).status == 0);
    CHECK(same_pixels(load(folder / "out.png"), picture));
    server.send(SIGTERM);
    server.wait();
}

TEST_CASE("context: nothing works") {
    const Environment changes = environment_without_gpu();
    const TempDir folder;
    save(constant_image({.width = 3, .height = 3, .channels = 1}, 0.5), folder / "in.png");
    const std::vector<std::vector<std::string>> calls{
        {"info"}, {"info", "--json"}, {"unsharp", "in.png", "out.png", "--sigma", "1", "--method", "direct"}, {"stats", "in.png", "--method", "gpu"}};
    for (const auto& words : calls) {
        INFO(words.front());
        const ProgramResult result = run_without_gpu(folder.path(), words);
        CHECK(result.status == 5);
        const bool is_text = words == std::vector<std::string>{"info"}; // which has formats to tell of in any case
        CHECK((is_text ? result.out.starts_with("formats\n") : result.out.empty()));
        const auto lines = lines_of(result.err);
        REQUIRE(lines.size() >= 4);
        CHECK(lines[0] == "glproc: error: no usable OpenGL 4.3 context");
        CHECK(lines[1] == "  hint: tried:");
        CHECK(lines[2].starts_with("    GLFW hidden window: "));
        CHECK(lines.back().starts_with("    EGL")); // after GLFW's null platform, where it has one
    }
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png"});
}

TEST_CASE("context: what is wrong with the input comes before a missing context, though both begin at once") {
    const TempDir folder;
    save(photo_like_image({.width = 90, .height = 70, .channels = 1}), folder / "whole.png");
    write_text(folder / "cut.png", read_text(folder / "whole.png").substr(0, 500));
    write_text(folder / "cut.npy", "\x93NUMPY\x01");
    save(constant_image({.width = 3, .height = 3, .channels = 4}, 0.5), folder / "alpha.png");
    struct Call {
        std::vector<std::string> words;
        int status;
        std::string error;
    };
    const std::vector<Call> calls{
        {{"blur", "none.png", "o.png", "--sigma", "1"}, 3, "none.png: no such file"},
        {{"blur", "cut.png", "o.png", "--sigma", "1"}, 3, "cut.png: truncated PNG"},
        {{"histogram", "cut.png"}, 3, "cut.png: truncated PNG"},
        {{"scan", "none.npy", "o.npy"}, 3, "none.npy: no such file"},
        {{"scan", "cut.npy", "o.npy"}, 3, "cut.npy: "},
        {{"blur", "alpha.png", "o.jpg", "--sigma", "1"}, 2, "o.jpg: JPEG cannot hold"},
    };
    for (const Call& call : calls) {
        const ProgramResult without = run_without_gpu(folder.path(), call.words);
        const ProgramResult with = run_glproc(folder.path(), call.words);
        INFO(without.err);
        CHECK(without.status == call.status);
        CHECK(without.err.starts_with("glproc: error: " + call.error));
        CHECK(with.status == without.status);
        CHECK(with.err == without.err);
    }
    CHECK_FALSE(names_in(folder.path()).contains("o.png"));
}

TEST_CASE("context: a chosen back end is the only one tried") {
    Environment changes = environment_without_gpu();
    changes["GLPROC_BACKEND"] = "egl";
    const ProgramResult egl = info({}, changes);
    CHECK(egl.status == 5);
    CHECK(egl.err.find("    EGL") != std::string::npos);
    CHECK(egl.err.find("GLFW") == std::string::npos);
    const ProgramResult glfw = info({"--backend", "glfw"}, changes); // flags win
    CHECK(glfw.status == 5);
    CHECK(glfw.err.find("    EGL") == std::string::npos);
    CHECK(glfw.err.find("    GLFW hidden window: ") != std::string::npos);
}

TEST_CASE("context: a device by name, by flag and by environment") {
    const std::string name = info_json({})["device"].get<std::string>();
    CHECK(info_json({"--device", name.substr(0, 4)})["device"] == name);
    CHECK(info({"--device", "nosuchdevice"}).status == 5);
    const ProgramResult result = info({}, {{"GLPROC_DEVICE", "nosuchdevice"}});
    CHECK(result.status == 5);
    CHECK(result.err.find("is not 'nosuchdevice'") != std::string::npos);
    CHECK(info_json({"--device", "auto"}, {{"GLPROC_DEVICE", "nosuchdevice"}})["device"] == name);
    CHECK(info_json({}, {{"GLPROC_DEVICE", ""}, {"GLPROC_BACKEND", ""}})["device"] == name);
}

TEST_CASE("context: -v says once why compiled programs are not taken from the disk") {
    const TempDir folder;
    save(photo_like_image({.width = 9, .height = 7, .channels = 1}), folder / "in.png");
    const std::filesystem::path programs = folder / "cache" / "glproc";
    const auto said = [&](const std::vector<std::string>& flags) {
        ProgramCall call = glproc_call(folder.path(), {"blur", "in.png", "out.png", "--sigma", "1"});
        call.arguments.insert(call.arguments.end(), flags.begin(), flags.end());
        call.environment["XDG_CACHE_HOME"] = folder / "cache";
        call.environment["GLPROC_CACHE"] = "";
        std::vector<std::string> notes;
        for (const std::string& line : lines_of(run_program(call).err)) {
            if (line.starts_with("glproc: note: " + programs.native())) {
                notes.push_back(line.substr(14 + programs.native().size()));
            }
        }
        return notes;
    };
    CHECK(said({"-v"}).empty());
    if (!std::filesystem::exists(programs)) {
        return; // a driver that gives no programs out
    }
    std::filesystem::permissions(programs, std::filesystem::perms(0777));
    CHECK(said({"-v"}) ==
          std::vector<std::string>{" can be changed by other users, so no compiled programs are kept there"});
    CHECK(said({}).empty());
    std::filesystem::permissions(programs, std::filesystem::perms(0700));
    const std::string link = "0123456789abcdef0123456789abcdef.program";
    std::filesystem::create_symlink("nowhere", programs / link);
    const std::string rest = "; such files are ignored, and their programs compiled again";
    CHECK(said({"-v"}) == std::vector<std::string>{": " + link + " is a link" + rest});
    CHECK(said({}).empty());
    std::filesystem::create_symlink("nowhere", programs / ("f" + link.substr(1)));
    CHECK(said({"-v"}) == std::vector<std::string>{": " + link + " is a link, and 1 more" + rest});
}

TEST_CASE("context: a driver keeps and finds no programs where others may put theirs") {
    const TempDir folder;
    save(photo_like_image({.width = 9, .height = 7, .channels = 1}), folder / "in.png");
    const std::filesystem::path cache = folder / "cache";
    std::filesystem::create_directory(cache);
    const auto run = [&] {
        ProgramCall call = glproc_call(
            folder.path(), {"blur", "in.png", "out.png", "--sigma", "1", "-v", "--device", "cpu"});
        call.environment["XDG_CACHE_HOME"] = cache;
        return run_program(call).err;
    };
    const std::string rest =
        " can be changed by other users, so the driver keeps no compiled programs either\n";
    std::filesystem::permissions(cache, std::filesystem::perms(0777));
    CHECK(run().find("glproc: note: " + cache.native() + rest) != std::string::npos);
    CHECK(std::filesystem::is_empty(cache));
    std::filesystem::permissions(cache, std::filesystem::perms(0700));
    CHECK(run().find("keeps no compiled programs") == std::string::npos);
    if (const std::filesystem::path mesa = cache / "mesa_shader_cache"; std::filesystem::exists(mesa)) {
        std::filesystem::remove_all(mesa);
        std::filesystem::create_directory(mesa);
        std::filesystem::permissions(mesa, std::filesystem::perms(0777));
        CHECK(run().find("glproc: note: " + mesa.native() + rest) != std::string::npos);
        CHECK(std::filesystem::is_empty(mesa));
    }
}

TEST_CASE("context: --require-gpu refuses software renderers only") {
    const bool software = info_json({})["software"].get<bool>();
    const ProgramResult result = info({"--require-gpu"});
    CHECK(result.status == (software ? 5 : 0));
    CHECK((result.err.find("is a software renderer, but a GPU is required") != std::string::npos) ==
          software);
}

TEST_CASE("context: global flags stand before or after the command") {
    const ProgramResult before = run_glproc({}, {"--backend", "egl", "-q", "info", "--json"});
    const ProgramResult after = run_glproc({}, {"info", "--json", "--backend", "egl", "-q"});
    CHECK(before.status == 0);
    CHECK(before.out == after.out);
    CHECK(before.err == after.err);
}

TEST_CASE("context: what compiling takes is not in the time of computing", "[.clock]") {
    const Json info = info_json({});
    if (!info["software"].get<bool>() ||
        info["device"].get<std::string>().find("zink") != std::string::npos) {
        return; // a GPU's driver keeps what it compiled in ways that we do not know, and zink compiles when
                // it dispatches
    }
    const TempDir folder;
    save(photo_like_image({.width = 40, .height = 30, .channels = 1}), folder / "in.png");
    ProgramCall call = glproc_call(folder.path(), {"blur", "in.png", "out.png", "--sigma", "2", "-q"});
    call.arguments.insert(call.arguments.end(), {"--timing=json", "--method", "direct"});
    call.environment["MESA_SHADER_CACHE_DISABLE"] = "true";
    call.environment["MESA_GLSL_CACHE_DISABLE"] = "true"; // what older ones call it
    const ProgramResult result = run_program(call);
    REQUIRE(result.status == 0);
    const Json ms = Json::parse(result.err)["ms"];
    INFO(result.err);
    CHECK(ms["compile"].get<double>() > 5 * ms["compute"].get<double>()); // about 180 ms and 1
    double sum = 0;
    for (const char* stage : {"context", "compile", "upload", "compute", "download", "encode"}) {
        sum += ms[stage].get<double>();
    }
    CHECK(sum > 0.75 * ms["total"].get<double>()); // everything that takes long has a name
}

TEST_CASE("context: timing as text") {
    const TempDir folder;
    save(photo_like_image({.width = 100, .height = 100, .channels = 1}), folder / "in.png");
    for (const char* flag : {"--timing", "--timing=text"}) {
        const ProgramResult result =
            run_glproc(folder.path(), {"histogram", "in.png", "-q", "--device", "cpu", flag});
        CHECK(result.status == 0);
        const auto lines = lines_of(result.err);
        REQUIRE(lines.size() == 12);
        CHECK(lines[0].ends_with(", 0.01 megapixels; decode runs in parallel with context"));
        CHECK(lines[1].starts_with("  start "));
        CHECK(lines[3].starts_with("  compile "));
        CHECK(lines[7].starts_with("  compute "));
        CHECK(lines[10].starts_with("  exit "));
        CHECK(lines[11].starts_with("  total "));
        CHECK(lines[11].ends_with(" ms"));
    }
}

TEST_CASE("context: timing of every pass, on request") {
    const TempDir folder;
    save(photo_like_image({.width = 100, .height = 100, .channels = 1}), folder / "in.png");
    const ProgramResult result = run_glproc(
        folder.path(), {"blur", "in.png", "out.png", "--sigma", "2", "--method", "tiled", "--timing", "-v"});
    CHECK(result.status == 0);
    CHECK(result.err.starts_with("  blur.tiles "));
    CHECK(result.err.find("\n  compute ") != std::string::npos);
}

TEST_CASE("info: what pictures are, one after the other, without a GPU") {
    const TempDir folder;
    save(photo_like_image({.width = 41, .height = 29, .channels = 4}), folder / "in.png");
    save(photo_like_image({.width = 40, .height = 30, .channels = 1, .depth = Depth::f32}),
         folder / "in.pfm");
    write_text(folder / "broken.png", "no picture");
    const ProgramResult text = run_without_gpu(folder.path(), {"info", "in.png", "in.pfm"});
    CHECK(text.status == 0);
    CHECK(text.out.starts_with("in.png: PNG, 41x29, 8-bit RGBA\n"));
    CHECK(text.out.find("\nin.pfm: PFM, 40x30, 32-bit float grey\n") != std::string::npos);
    const ProgramResult json =
        run_without_gpu(folder.path(), {"info", "--json", "nosuch.png", "in.png", "broken.png", "in.pfm"});
    CHECK(json.status == 3);
    CHECK(lines_of(json.err).front() == "glproc: error: nosuch.png: no such file");
    CHECK(json.err.find("\nglproc: error: broken.png: ") != std::string::npos);
    const auto lines = lines_of(json.out);
    REQUIRE(lines.size() == 2);
    const Json png = Json::parse(lines[0]);
    CHECK(png["schema"] == "glproc.picture/1");
    CHECK(png["input"] == "in.png");
    CHECK(png["format"] == "PNG");
    CHECK(png["width"] == 41);
    CHECK(png["height"] == 29);
    CHECK(png["depth"] == 8);
    CHECK(png["channels"] == 4);
    CHECK(png["alpha"] == true);
    CHECK(png["profile"].is_null());
    CHECK(png["orientation"] == 1);
    CHECK(png["frames"] == 1);
    CHECK(Json::parse(lines[1])["float"] == true);
    ProgramCall stdin_call = glproc_call(folder.path(), {"info", "-"});
    stdin_call.input = read_text(folder / "in.png");
    CHECK(run_program(stdin_call).out.starts_with("stdin: PNG, 41x29, 8-bit RGBA\n"));
}
