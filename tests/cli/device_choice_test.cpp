// What `--device auto` takes for a job: the pure part. That both kinds give the same bits is tested
// elsewhere.
#include "cli/device_choice.hpp"
#include "cli/glproc_program.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/ops/background.hpp"
#include "glproc/ops/skeleton.hpp"

#include <cstdlib>
#include <optional>

using namespace glproc;
using namespace glproc::cli;
using namespace glproc::test;

namespace {

JobSize blur(double megapixels, std::size_t cores) {
    return {.operation = "blur", .call = "blur sigma=2 3x0", .megapixels = megapixels, .cores = cores};
}

bool takes_cpu(const JobSize& job, const Experience& experience = {}) {
    return expected_time(Kind::cpu, job, experience) < expected_time(Kind::gpu, job, experience);
}

/// As on a machine on which this job has run on both.
Experience known(const JobSize& job, double cpu_work, double gpu_work) {
    Experience experience;
    learn(experience, Kind::cpu, job, 30, cpu_work);
    learn(experience, Kind::gpu, job, 70, gpu_work);
    return experience;
}

} // namespace

TEST_CASE("device choice: small pictures go to the software renderer, large ones to the GPU") {
    CHECK(takes_cpu(blur(0.1, 2)));
    CHECK(takes_cpu(blur(3.7, 16)));
    CHECK_FALSE(takes_cpu(blur(500, 16)));
    CHECK_FALSE(takes_cpu(blur(90, 2))); // 90 * (9 + 10 / 2), and 940 of programs
    JobSize median = blur(3.7, 2);
    median.operation = "median";
    median.work = 8 * (2 * 1 + 1); // of radius 1
    CHECK(takes_cpu(median));
    median.work = 8 * (2 * 30 + 1);
    CHECK_FALSE(takes_cpu(median));
}

TEST_CASE("device choice: large pictures that the processor makes slowly go to a GPU whose programs are there") {
    const auto goes_alone = [](const std::string& operation, double megapixels, bool has_gpu = true) {
        JobSize job = blur(megapixels, 16);
        job.operation = operation;
        Experience often;
        for (int run = 0; run < 20; ++run) {
            learn(often, Kind::gpu, job, 70, 2.5 * megapixels);
        }
        return saved_alone(has_gpu, job, often) > 0;
    };
    for (const char* slow : {"blur", "compare", "components", "distance", "guided", "maxima"}) {
        INFO(slow);
        CHECK(goes_alone(slow, 0.2));
        CHECK_FALSE(goes_alone(slow, 24));
        CHECK(goes_alone(slow, 24, false)); // llvmpipe is no faster
    }
    CHECK(goes_alone("invert", 12));
    CHECK_FALSE(goes_alone("guided", 4));
}

TEST_CASE("device choice: without a GPU, what llvmpipe makes slowly is the processor's") {
    for (const int radius : {5, 25, 100}) {
        for (const auto& [width, height] : {std::pair{1200, 860}, {2400, 1700}, {5900, 4200}}) {
            INFO(radius << " " << width);
            const Form form{.width = width, .height = height, .channels = 1};
            const double megapixels = width * height / 1e6;
            const JobSize thin{.operation = "skeleton",
                               .call = "skeleton",
                               .megapixels = megapixels,
                               .processor_work = plan(Skeleton{}, form).processor_work,
                               .cores = 2};
            CHECK(saved_alone(false, thin, {}) > 0);
            const JobSize flat{.operation = "background",
                               .call = "background",
                               .megapixels = megapixels,
                               .processor_work = plan(Background{.radius = radius}, form).processor_work,
                               .cores = 2};
            CHECK(saved_alone(false, flat, {}) > 0);
        }
    }
}

TEST_CASE("device choice: what this machine showed decides over guesses") {
    const JobSize job = blur(10, 16);
    CHECK(takes_cpu(job, known(job, 50, 25)));
    CHECK_FALSE(takes_cpu(job, known(job, 90, 25)));
    const JobSize small = blur(1, 16); // the same call: what was learnt is by megapixel
    CHECK(takes_cpu(small, known(job, 90, 25)));
    CHECK(expected_time(Kind::cpu, small, known(job, 90, 25)) == Approx(30 + 9 + 9));
    // One slow run does not turn it over, nor does the first start of all.
    Experience experience = known(job, 50, 25);
    learn(experience, Kind::cpu, job, 500, 90);
    CHECK(takes_cpu(job, experience));
    Experience first;
    learn(first, Kind::cpu, job, 500, 50);
    CHECK(first.find("start cpu") == Approx(57));
    // A call that comes again and again has the GPU tried, where that may be worth it.
    const JobSize large = blur(20, 16);
    Experience often;
    for (int run = 0; run < 12; ++run) { // 30 + 9 + 240 against 60 + 17 + 44 and 1000 / (1 + run)
        CHECK(takes_cpu(large, often) == (run < 6));
        learn(often, Kind::cpu, large, 30, 240);
    }
    Experience often_small;
    for (int run = 0; run < 50; ++run) {
        CHECK(takes_cpu(blur(2, 16), often_small));
        learn(often_small, Kind::cpu, blur(2, 16), 30, 24);
    }
    // A picture too small to learn from teaches the start alone.
    Experience tiny;
    learn(tiny, Kind::cpu, blur(0.001, 16), 30, 5);
    CHECK(tiny.text() == "start cpu\t30.00\n");
}

TEST_CASE("device choice: what is kept is read as it was written, and nothing else is believed") {
    const JobSize job = blur(10, 16);
    const Experience experience = known(job, 50, 25);
    CHECK(Experience(experience.text()).text() == experience.text());
    CHECK(Experience("").text().empty());
    CHECK(Experience("start cpu\nstart\t\n\t5\nx\t-1\ny\tnan\nz\t1e300\nstart gpu\t7.5").text() ==
          "\t5.00\nstart gpu\t7.50\n");
    std::string many;
    for (int i = 0; i < 2000; ++i) {
        many += "cpu call" + std::to_string(i) + "\t1\n";
    }
    Experience full(many);
    CHECK(lines_of(full.text()).size() == Experience::most_names);
    full.learn("new", 3);
    CHECK(full.find("new") == Approx(3));
    full.forget("new");
    CHECK_FALSE(full.find("new"));
}

TEST_CASE("device choice: a crowd teaches nothing") {
    CHECK(is_crowded("62000000 163000000 40"));
    CHECK(is_crowded("61000000 5000000 40\n"));
    CHECK_FALSE(is_crowded("61000000 1000000 40"));
    CHECK_FALSE(is_crowded("0 0 0"));
    CHECK_FALSE(is_crowded(""));
    CHECK_FALSE(is_crowded("none"));
}

TEST_CASE("device choice: cpu and gpu as devices") {
    const TempDir folder;
    save(photo_like_image({.width = 40, .height = 30, .channels = 3}), folder / "in.png");
    const auto invert = [&](const char* device, const char* out) {
        return run_glproc(folder.path(), {"invert", "in.png", out, "--device", device, "-v"});
    };
    const ProgramResult cpu = invert("cpu", "cpu.png");
    INFO(cpu.err);
    if (cpu.status == 5) { // a machine whose only renderer is a GPU
        CHECK(invert("gpu", "gpu.png").status == 0);
        return;
    }
    REQUIRE(cpu.status == 0);
    const ProgramResult required =
        run_glproc(folder.path(), {"invert", "in.png", "x.png", "--device", "cpu", "--require-gpu"});
    CHECK(required.status == 5);
    const ProgramResult gpu = invert("gpu", "gpu.png");
    if (gpu.status == 0) {
        CHECK(same_pixels(load(folder / "cpu.png"), load(folder / "gpu.png")));
    } else {
        CHECK(gpu.status == 5);
        CHECK(gpu.err.starts_with("glproc: error: no usable OpenGL 4.3 context\n"));
    }
}

TEST_CASE("device choice: where there is none, the processor does what it can do by other means") {
    const TempDir folder;
    save(random_image({40, 30, 3, Depth::u8}, 5), folder / "a.png");
    save(random_image({21, 17, 4, Depth::u16}, 6), folder / "b.png");
    const auto without = [&](std::vector<std::string> words) {
        ProgramResult done = run_without_gpu(folder.path(), std::move(words));
        INFO(done.err);
        return done.status;
    };
    CHECK(without({"profile", "a.png", "out.png", "--to", "display-p3"}) == 0);
    const ProgramResult lcms =
        run_glproc(folder.path(), {"profile", "a.png", "lcms.png", "--to", "display-p3", "--method", "lcms"});
    INFO(lcms.err);
    CHECK(lcms.status == 0);
    CHECK(same_pixels(load(folder / "out.png"), load(folder / "lcms.png")));
    CHECK(without({"convert", "out.png", "back.png", "--to-srgb"}) == 0);
    CHECK(without({"profile", "a.png", "b.png", "many/", "--to", "display-p3"}) == 0);
    CHECK(same_pixels(load(folder / "many/a.png"), load(folder / "lcms.png")));
    CHECK(load(folder / "many/b.png").form() == load(folder / "b.png").form());
    CHECK(without({"profile", "a.png", "x.png", "--to", "display-p3", "--method", "gpu"}) == 5);
    CHECK(without({"profile", "a.png", "x.png", "--to", "display-p3", "--device", "cpu"}) == 5);
    CHECK(without({"profile", "nosuch.png", "x.png", "--to", "display-p3"}) == 3);
}

TEST_CASE("device choice: where there is none, sums of floats are those of method cpu") {
    const TempDir folder;
    const Image values = random_image({40, 30, 1, Depth::f32}, 7);
    save(values, folder / "a.pfm");
    write_file(folder / "a.npy", format_npy({ArrayType::f32, {1200}, {values.bytes().begin(), values.bytes().end()}}));
    const auto check_sums = [&](const std::string& operation, const std::string& in, const std::string& kernels) {
        const ProgramResult made = run_without_gpu(folder.path(), {operation, in, "made.npy"});
        INFO(made.err);
        CHECK(made.status == 0);
        CHECK(run_glproc(folder.path(), {operation, in, "right.npy", "--method", "cpu"}).status == 0);
        CHECK(read_file(folder / "made.npy") == read_file(folder / "right.npy"));
        CHECK(run_without_gpu(folder.path(), {operation, in, "x.npy", "--method", kernels}).status == 5);
    };
    check_sums("scan", "a.npy", "blocked");
    check_sums("integral", "a.pfm", "bands");
}

TEST_CASE("device choice: made for auto alone, where there is a GPU and a software renderer") {
    const auto device_of = [](std::vector<std::string> flags, double megapixels, bool has_gpu = true) {
        std::vector<std::string> words{"blur",      "a.png",          "b.png",
                                       "--sigma=2", "--backend=auto", "--device=auto"};
        words.insert(words.end(), flags.begin(), flags.end());
        const Arguments arguments = parse_arguments(words);
        Settings settings = read_settings(arguments);
        settings.context.debug = false;
        return DeviceChoice(arguments, settings, has_gpu).options_for(blur(megapixels, 16)).device;
    };
    const char* vendors = "__EGL_VENDOR_LIBRARY_FILENAMES";
    const char* before = std::getenv(vendors); // NOLINT(concurrency-mt-unsafe): no thread runs
    const std::optional<std::string> kept =
        before == nullptr ? std::nullopt : std::optional<std::string>(before);
    ::setenv(vendors, "/nonexistent/10_other.json:/nonexistent/50_mesa.json",
             1);                        // NOLINT(concurrency-mt-unsafe)
    ::setenv("GLPROC_CACHE", "off", 1); // NOLINT(concurrency-mt-unsafe)
    CHECK(device_of({}, 1) == "cpu");
    CHECK(device_of({}, 5000) == "auto");
    CHECK(device_of({}, 0) == "auto");
    CHECK(device_of({}, 1, false) == "auto");
    CHECK(device_of({"--require-gpu"}, 1) == "auto");
    CHECK(device_of({"--device", "gpu"}, 1) == "gpu");
    CHECK(device_of({"--device", "llvm"}, 1) == "llvm");
    CHECK(device_of({"--device", "all"}, 1) == "auto");
    CHECK(device_of({"--backend", "glfw"}, 1) == "auto");
    ::setenv(vendors, "/nonexistent/10_other.json", 1); // NOLINT(concurrency-mt-unsafe)
    CHECK(device_of({}, 1) == "auto");
    ::unsetenv("GLPROC_CACHE");                                       // NOLINT(concurrency-mt-unsafe)
    kept ? ::setenv(vendors, kept->c_str(), 1) : ::unsetenv(vendors); // NOLINT(concurrency-mt-unsafe)
}
