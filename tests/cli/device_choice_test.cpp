// What `--device auto` takes for a job: the pure part. That both kinds give the same bits is tested
// elsewhere.
#include "cli/device_choice.hpp"
#include "cli/glproc_program.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/ops/background.hpp"
#include "glproc/ops/skeleton.hpp"

#include <vector>

using namespace glproc;
using namespace glproc::cli;
using namespace glproc::test;

TEST_CASE("device choice: small pictures are the processor's, large ones go to a GPU where it is slow") {
    const auto goes_alone = [](const std::string& operation, double megapixels, bool has_gpu = true) {
        return saved_alone(has_gpu, {.cost = find_operation(operation)->cost,
                                     .megapixels = megapixels,
                                     .is_jpeg = true,
                                     .cores = 16}) > 0;
    };
    for (const char* slow : {"blur", "compare", "components", "distance", "guided", "maxima"}) {
        INFO(slow);
        CHECK(goes_alone(slow, 0.2));
        CHECK_FALSE(goes_alone(slow, 24));
        CHECK(goes_alone(slow, 24, false)); // llvmpipe is no faster
    }
    CHECK(goes_alone("invert", 12));
    CHECK_FALSE(goes_alone("guided", 4));
    const JobSize raw{.cost = find_operation("invert")->cost,
                      .megapixels = 67,
                      .cores = 16}; // which a GPU would not decode
    CHECK(saved_alone(true, raw) > 0);
    JobSize median{
        .cost = find_operation("median")->cost, .megapixels = 24, .processor_work = 220, .cores = 16};
    CHECK(saved_alone(true, median) < 0);
    median.megapixels = 3.7;
    CHECK(saved_alone(true, median) > 0);
}

TEST_CASE("device choice: without a GPU, what llvmpipe makes slowly is the processor's") {
    for (const int radius : {5, 25, 100}) {
        for (const auto& [width, height] : {std::pair{1200, 860}, {2400, 1700}, {5900, 4200}}) {
            INFO(radius << " " << width);
            const Form form{.width = width, .height = height, .channels = 1};
            const double megapixels = width * height / 1e6;
            const JobSize thin{.cost = find_operation("skeleton")->cost,
                               .megapixels = megapixels,
                               .processor_work = plan(Skeleton{}, form).twin.work,
                               .cores = 2};
            CHECK(saved_alone(false, thin) > 0);
            const JobSize flat{.cost = find_operation("background")->cost,
                               .megapixels = megapixels,
                               .processor_work = plan(Background{.radius = radius}, form).twin.work,
                               .cores = 2};
            CHECK(saved_alone(false, flat) > 0);
        }
    }
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

TEST_CASE("device choice: made where nothing was said of a device") {
    const auto choice = [](std::vector<std::string> flags, bool has_gpu = true) {
        std::vector<std::string> words{"blur", "a.png", "b.png", "--sigma=2", "--backend=auto", "--device=auto"};
        words.insert(words.end(), flags.begin(), flags.end());
        const Arguments arguments = parse_arguments(words);
        Settings settings = read_settings(arguments);
        settings.context.debug = false;
        return DeviceChoice(arguments, settings, has_gpu);
    };
    const JobSize small{.cost = find_operation("blur")->cost, .megapixels = 1, .cores = 16};
    const JobSize large{
        .cost = find_operation("blur")->cost, .megapixels = 500, .is_jpeg = true, .cores = 16};
    DeviceChoice open = choice({});
    CHECK_FALSE(open.goes_alone(large));
    CHECK(open.reason().empty());
    CHECK(open.goes_alone(small));
    CHECK(open.reason().find("--device gpu uses the GPU all the same") != std::string::npos);
    CHECK(open.expects_gpu());
    CHECK(choice({}, false).goes_alone(small));
    CHECK_FALSE(choice({}, false).expects_gpu());
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"--require-gpu"}, {"--device", "gpu"}, {"--device", "llvm"}, {"--device", "all"}, {"--backend", "glfw"}}) {
        INFO(flags.back());
        CHECK_FALSE(choice(flags).goes_alone(small));
    }
    CHECK(choice({"--device", "gpu"}).expects_gpu());
    CHECK_FALSE(choice({"--device", "cpu"}).expects_gpu());
}
