// JPEG on the GPU in the program: the same bytes, messages and exit codes as on the CPU.
#include "cli/many_folder.hpp"
#include "gpu_codecs/jpeg_kinds.hpp"
#include "gpu_codecs/jpeg_mutants.hpp"
#include "support/environment.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

void write_bytes(const fs::path& path, const Bytes& bytes) {
    write_text(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Decoded and encoded there. The kernels are checked by a test of their own, which takes software renderers seconds.
ProgramResult run_on(const std::string& road, const fs::path& folder, std::vector<std::string> arguments,
                     const std::string& fault = "") {
    ProgramCall call = glproc_call(folder, std::move(arguments));
    call.environment["GLPROC_JPEG"] = road;
    call.environment["GLPROC_CHECK"] = "off";
    if (!fault.empty()) {
        call.environment["GLPROC_FAULT"] = fault;
    }
    return run_program(std::move(call));
}

/// The same call on both roads, into cpu/ and gpu/.
struct Roads {
    ProgramResult cpu;
    ProgramResult gpu;
};

Roads run_on_both(const ManyFolder& folder, const std::vector<std::string>& flags = {}, const std::string& fault = "") {
    fs::remove_all(folder / "cpu");
    fs::remove_all(folder / "gpu");
    return {run_on("cpu", folder.path(), folder.blur("cpu/", flags)), run_on("gpu", folder.path(), folder.blur("gpu/", flags), fault)};
}

Roads run_thumbnail_on_both(const ManyFolder& folder, const std::string& size, const std::vector<std::string>& flags) {
    const auto run = [&](const std::string& road, std::vector<std::string> arguments) {
        fs::remove_all(folder / road);
        return run_on(road, folder.path(), std::move(arguments));
    };
    std::vector<std::string> arguments{"thumbnail", "in", "gpu/", size};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return {run("cpu", {"thumbnail", "in", "cpu/", size}), run("gpu", std::move(arguments))};
}

/// What is said, but for the name of the folder and the time.
std::string said(const ProgramResult& result) {
    std::string text = without_software_warning(result.err);
    text.erase(std::min(text.find(": blur, "), text.size()));
    for (std::size_t at = 0; (at = text.find("gpu/", at)) != std::string::npos;) {
        text.replace(at, 3, "cpu");
    }
    return text;
}

/// Kinds that go together in batches, and some that do not go at all.
struct JpegFolder : ManyFolder {
    JpegFolder();
};

JpegFolder::JpegFolder() : ManyFolder(2) { // of PNG
    const std::vector<JpegKind> kinds{{.factors = {2, 2, 1, 1, 1, 1}, .width = 75, .height = 61},
                                      {.width = 131, .height = 40, .restart = 3, .optimised = true},
                                      {.width = 40, .height = 40, .grey = true},
                                      {.width = 64, .height = 64, .progressive = true},
                                      {.factors = {2, 1, 1, 1, 1, 1}, .quality = 100, .scene = Scene::noise}};
    for (std::size_t i = 0; i < 12; ++i) {
        write_bytes(*this / fmt::format("in/j{:02}.jpg", i), write_jpeg(kinds[i % kinds.size()]));
    }
}

} // namespace

TEST_CASE("gpu jpeg: a folder becomes the same files, whatever --jobs and the format") {
    const JpegFolder folder;
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{}, {"--jobs", "1"}, {"--no-optimize"}, {"--to", "png"}, {"--memory", "1"}, {"--strip=all"}}) {
        INFO((flags.empty() ? "" : flags.front() + " " + flags.back()));
        const Roads roads = run_on_both(folder, flags);
        CHECK(roads.cpu.status == 0);
        CHECK(roads.gpu.status == 0);
        CHECK(said(roads.gpu) == said(roads.cpu));
        CHECK(folder.content("gpu") == folder.content("cpu"));
    }
}

TEST_CASE("gpu jpeg: thumbnails of a folder become the same files, whether a GPU is named or found on the way") {
    const JpegFolder folder;
    for (const std::string size : {"4", "9", "18", "64"}) {
        for (const std::vector<std::string>& flags : {std::vector<std::string>{}, {"--device", "cpu", "--timing"}}) {
            INFO(size);
            const Roads roads = run_thumbnail_on_both(folder, size, flags);
            CHECK(roads.cpu.status == 0);
            CHECK(roads.gpu.status == 0);
            CHECK(folder.content("gpu") == folder.content("cpu"));
            CHECK((flags.empty() || roads.gpu.err.find("decode (GPU)") != std::string::npos));
        }
    }
}

TEST_CASE("gpu jpeg: broken files have the same messages, exit codes and results") {
    const ManyFolder folder(0);
    const JpegKind kind{.factors = {2, 2, 1, 1, 1, 1}, .width = 75, .height = 61, .restart = 4};
    for (std::uint32_t n = 0; n < 60; ++n) {
        write_bytes(folder / fmt::format("in/{:03}.jpg", n), mutant_of(write_jpeg(kind), n));
    }
    for (const std::vector<std::string>& flags : {std::vector<std::string>{}, {"--keep-partial"}}) {
        const Roads roads = run_on_both(folder, flags);
        CHECK(roads.cpu.status == 3);
        CHECK(roads.gpu.status == roads.cpu.status);
        CHECK(said(roads.gpu) == said(roads.cpu));
        CHECK(folder.content("gpu") == folder.content("cpu"));
        CHECK(folder.content("gpu").size() > 10);
    }
}

TEST_CASE("gpu jpeg: coefficients at the limits have the pixels of all of libjpeg's transforms") {
    const ManyFolder folder(0);
    for (const int quantisation : {8, 16, 64}) {
        for (const int amplitude : {100, 250, 1000}) {
            for (const int share : {3, 20}) {
                write_bytes(folder / fmt::format("in/{}-{}-{}.jpg", quantisation, amplitude, share),
                            write_random_coefficients(quantisation, amplitude, share, 1));
            }
        }
    }
    for (const char* none : {"0", "1"}) { // 1: those in C, in place of those for the processor's vectors
        const ScopedVariable variable("JSIMD_FORCENONE", none);
        const Roads roads = run_on_both(folder, {"--to", "png"});
        CHECK(roads.gpu.status == 0);
        CHECK(folder.content("gpu") == folder.content("cpu"));
    }
}

TEST_CASE("gpu jpeg: a picture alone becomes the same file, and --timing says where") {
    const ManyFolder folder(0);
    write_bytes(folder / "in.jpg", write_jpeg(JpegKind{.width = 200, .height = 133}));
    CHECK(run_on("cpu", folder.path(), {"blur", "in.jpg", "cpu.jpg", "--sigma", "2"}).status == 0);
    const ProgramResult result = run_on("gpu", folder.path(), {"blur", "in.jpg", "gpu.jpg", "--sigma", "2", "--timing"});
    CHECK(result.status == 0);
    CHECK_THAT(result.err, Catch::Matchers::Contains("decode (GPU)") && Catch::Matchers::Contains("encode (GPU)"));
    CHECK(read_text(folder / "gpu.jpg") == read_text(folder / "cpu.jpg"));
    const ProgramResult on_cpu = run_on("auto", folder.path(), {"blur", "in.jpg", "auto.jpg", "--sigma", "2", "--timing"});
    CHECK_THAT(on_cpu.err, !Catch::Matchers::Contains("(GPU)")); // too small, whatever the device
    CHECK(read_text(folder / "auto.jpg") == read_text(folder / "cpu.jpg"));
    const ProgramResult wrong = run_on("maybe", folder.path(), {"blur", "in.jpg", "no.jpg", "--sigma", "2"});
    CHECK(wrong.status == 2);
    CHECK(wrong.err == "glproc: error: GLPROC_JPEG=maybe is none of auto, cpu, gpu\n");
}

TEST_CASE("gpu jpeg: where the GPU fails, pictures are done or said to have failed") {
    const JpegFolder folder;
    for (const std::string fault : {"alloc:3", "alloc:9", "alloc:14", "alloc:20", "alloc:25", "alloc:40", "context_lost:2",
                                     "context_lost:6", "context_lost:9", "context_lost:14", "context_lost:30"}) {
        INFO(fault); // of every context that is opened
        const Roads roads = run_on_both(folder, {}, fault);
        const auto lines = lines_of(roads.gpu.err);
        const auto failed = std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("glproc: error: in/"); });
        CHECK(folder.content("gpu").size() + static_cast<std::size_t>(failed) == folder.content("cpu").size());
        CHECK(roads.gpu.status == (failed > 0 ? 6 : 0));
        for (const auto& [name, bytes] : folder.content("gpu")) {
            CHECK(bytes == folder.content("cpu").at(name));
        }
    }
}
