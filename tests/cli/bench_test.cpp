// The command bench: what it prints, what it refuses, and that it times nothing wrong.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/op/op.hpp"

#include <nlohmann/json.hpp>

using namespace glproc;
using namespace glproc::test;
using Json = nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// "bench OP" with the flags of its example and a small input.
Words small_bench(const OpInfo& op) {
    Words words{"bench", op.name};
    std::istringstream example(op.example);
    for (std::string word; example >> word;) {
        if (words.size() > 2 || word.starts_with("--")) {
            words.push_back(word);
        }
    }
    if (std::any_of(op.fields.begin(), op.fields.end(),
                    [](const FieldInfo& field) { return field.is_place && field.required; })) {
        words.push_back(op.example.substr(op.example.rfind(' ') + 1));
    }
    words.insert(words.end(), {"--size", op.input == Input::image ? "45x31" : "1000"});
    return words;
}

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

ProgramResult bench(const Words& words, const fs::path& kernels = {}) {
    Words quick{"bench", "--seconds", "0", "-q"}; // these times are for nobody
    quick.insert(quick.end(), words.begin() + 1, words.end());
    ProgramCall call = glproc_call({}, quick);
    if (!kernels.empty()) {
        call.environment["GLPROC_GLSL_DIR"] = kernels.string();
    }
    return run_program(std::move(call));
}

Json bench_json(const Words& words) {
    const ProgramResult result = bench(words + Words{"--json"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    REQUIRE(lines_of(result.out).size() == 1);
    CHECK(result.err.empty());
    return Json::parse(result.out);
}

Words keys_of(const Json& json) {
    Words keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    return keys;
}

Words names_of(const Json& json) {
    Words names;
    for (const Json& variant : json["variants"]) {
        names.push_back(variant["name"]);
    }
    return names;
}

void check_variant(const Json& variant) {
    INFO(variant.dump());
    if (variant.contains("unavailable")) {
        CHECK_FALSE(variant["unavailable"].get<std::string>().empty());
        return;
    }
    const Json& ms = variant["ms"];
    CHECK(keys_of(ms) == Words{"median", "min", "max"});
    CHECK(ms["min"].get<double>() > 0);
    CHECK(ms["min"].get<double>() <= ms["median"].get<double>());
    CHECK(ms["median"].get<double>() <= ms["max"].get<double>());
    CHECK(variant["spread"].get<double>() >= 0);
    CHECK(variant["steady"].get<bool>() == (variant["spread"].get<double>() <= 0.03));
    CHECK(variant["gbps"].get<double>() > 0);
    CHECK(variant["verified"].get<bool>() == !variant.contains("lost"));
}

/// A copy of the kernels in which one text is another.
void copy_kernels(const fs::path& folder, const std::string& file, const std::string& from,
                  const std::string& to) {
    fs::copy(fs::path(GLPROC_SOURCE_DIR) / "glsl", folder, fs::copy_options::recursive);
    std::string text = read_text(folder / file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_text(folder / file, text.replace(at, from.size(), to));
}

/// Operations with a file among their parameters, or several inputs, have nothing to be measured with. The
/// processor alone has no methods.
bool needs_file(const OpInfo& op) {
    return op.joins || op.bench.variants.empty() ||
           std::any_of(op.fields.begin(), op.fields.end(), [](const FieldInfo& field) {
               return field.required && (field.value == "FILE" || field.reads_picture);
           });
}

} // namespace

TEST_CASE("bench: every variant of every operation is listed, verified and timed") {
    for (const OpInfo* op : operations()) {
        if (needs_file(*op)) {
            continue;
        }
        INFO(op->name);
        const Json json = bench_json(small_bench(*op));
        Words keys{"schema", "device", "op", "size", "input"};
        if (op->input == Input::image) {
            keys = keys + Words{"channels", "depth"};
        }
        CHECK(keys_of(json) == keys + Words{"variants", "seed"});
        CHECK(json["schema"] == "glproc.bench/1");
        CHECK_FALSE(json["device"].get<std::string>().empty());
        CHECK(json["op"] == op->name);
        CHECK(json["size"] == (op->input == Input::image ? Json("45x31") : Json(1000)));
        CHECK(json["input"] == "random");
        Words expected;
        for (const BenchVariant& variant : op->bench.variants) {
            expected.push_back(variant.name);
        }
        CHECK(names_of(json) == expected);
        for (const Json& variant : json["variants"]) {
            check_variant(variant);
        }
    }
}

TEST_CASE("bench: what is right may lie on either side of a tie") {
    // 0.1 of full scale is 25.5 steps; and tenths of codes end in a half once in ten.
    for (const Words& words : {Words{"bench", "adjust", "--brightness", "0.1"},
                               Words{"bench", "matrix", "--matrix", "0,0.1,1,0.1,1,0.4,1,0.2,0"}}) {
        for (const Json& variant : bench_json(words + Words{"--size", "145x131"})["variants"]) {
            check_variant(variant);
        }
    }
}

TEST_CASE("bench: the table fits 80 columns and names device and timer") {
    for (const OpInfo* op : operations()) {
        if (needs_file(*op)) {
            continue;
        }
        const ProgramResult result = bench(small_bench(*op));
        CHECK(result.status == 0);
        for (const std::string& line : lines_of(result.out)) {
            INFO(line);
            CHECK(line.size() <= 80);
        }
        CHECK(result.out.starts_with(op->name + "  "));
        CHECK(result.out.find("random (seed 1)") != std::string::npos);
        CHECK(result.out.find("timed by ") != std::string::npos);
        for (const BenchVariant& variant : op->bench.variants) {
            CHECK(result.out.find("\n" + variant.name + " ") != std::string::npos);
        }
    }
}

TEST_CASE("bench: --method leaves one, and racy says what it lost") {
    const Json racy = bench_json({"bench", "histogram", "--size", "300x100", "--method", "racy"});
    REQUIRE(names_of(racy) == Words{"racy"});
    CHECK(racy["variants"][0]["verified"] == false);
    CHECK(racy["variants"][0]["lost"].get<double>() >= 0);
    CHECK(racy["variants"][0]["lost"].get<double>() < 1);
    CHECK(names_of(bench_json({"bench", "--size", "64", "scan", "--method", "blocked"})) == Words{"blocked"});
}

TEST_CASE("bench: racy cannot be chosen for a result") {
    const ProgramResult result = run_without_gpu({}, {"histogram", "a.png", "--method", "racy"});
    CHECK(result.status == 2);
    CHECK_THAT(result.err, Catch::Matchers::StartsWith("glproc: error: unknown --method 'racy'"));
}

TEST_CASE("bench: other inputs, made up and read from files") {
    const TempDir folder;
    save(photo_like_image({.width = 20, .height = 10, .channels = 3}), folder / "in.png");
    write_file(folder / "in.npy", format_npy({ArrayType::f32, {5}, std::vector<std::byte>(20)}));
    for (const std::string input : {"constant", "gradient"}) {
        CHECK(bench_json({"bench", "histogram", "--size", "33x20", "--input", input})["input"] == input);
        for (const std::string dtype : {"u32", "i32", "f32"}) {
            bench_json({"bench", "scan", "--size", "777", "--input", input, "--dtype", dtype});
        }
    }
    const std::string png = (folder / "in.png").string();
    const Json picture = bench_json({"bench", "box", "--radius", "2", "--input", png});
    CHECK(picture["size"] == "20x10");
    CHECK(picture["input"] == png);
    CHECK_FALSE(picture.contains("seed"));
    CHECK(bench_json({"bench", "scan", "--input", (folder / "in.npy").string()})["size"] == 5);
}

TEST_CASE("bench: made-up pictures of every depth and number of channels") {
    for (const std::string input : {"random", "gradient", "constant"}) {
        for (const std::string depth : {"8", "16", "f32"}) {
            const Json json = bench_json({"bench", "box", "--radius", "1", "--size", "17x9", "--method",
                                          "direct", "--depth", depth, "--channels", "3", "--input", input});
            CHECK(json["depth"] == depth);
            CHECK(json["channels"] == 3);
            CHECK(json["variants"][0]["verified"] == true);
        }
    }
    CHECK(bench_json({"bench", "box", "--radius", "1", "--size", "17x9", "--method", "direct"})["channels"] ==
          4);
    // A parameter of the operation goes before.
    CHECK(bench_json({"bench", "histogram", "--size", "17x9", "--channels", "r,g"})["channels"] == 4);
    for (const Words& wrong : {Words{"--depth", "9"}, Words{"--channels", "5"}, Words{"--channels", "0"}}) {
        CHECK(bench(Words{"bench", "box", "--radius", "1"} + wrong).status == 2);
    }
    const ProgramResult floats = bench({"bench", "equalize", "--size", "17x9", "--depth", "f32"});
    CHECK(floats.status == 2);
    CHECK_THAT(floats.err, Catch::Matchers::StartsWith("glproc: error: equalize takes 8- and 16-bit images"));
}

TEST_CASE("bench: a wrong result is refused by name and not timed") {
    const TempDir folder;
    copy_kernels(folder / "glsl", "histogram/global.comp", "atomicAdd(counts[slot], 1u)",
                 "atomicAdd(counts[slot], 2u)");
    const ProgramResult result = bench({"bench", "histogram", "--size", "16x16"}, folder / "glsl");
    CHECK(result.status == 1);
    CHECK(result.out.empty());
    CHECK_THAT(result.err,
               Catch::Matchers::StartsWith("glproc: error: histogram variant global_atomic is wrong on "));

    const TempDir other;
    copy_kernels(other / "glsl", "lib/border.glsl", "clamp(i, 0, n - 1)", "clamp(i, 0, n - 2)");
    const ProgramResult blur = bench({"bench", "blur", "--sigma", "2", "--size", "50x40"}, other / "glsl");
    CHECK(blur.status == 1);
    CHECK_THAT(blur.err, Catch::Matchers::StartsWith("glproc: error: blur variant "));
}

TEST_CASE("bench: a pipe as one and one after another, each compared with the other") {
    const Words steps{"levels", "--gamma", "2", "then", "adjust", "--saturation", "1.5"};
    const Json json = bench_json(Words{"bench", "pipe", "--size", "45x31"} + steps);
    CHECK(json["op"] == "pipe");
    CHECK(json["size"] == "45x31");
    CHECK(names_of(json) == Words{"chain", "steps"});
    for (const Json& variant : json["variants"]) {
        check_variant(variant);
    }
    CHECK(names_of(bench_json(Words{"bench", "--method", "steps", "--size", "9x5", "pipe"} + steps)) ==
          Words{"steps"});

    const TempDir folder;
    copy_kernels(folder / "glsl", "kinds/point.comp", "vec4 code = v * 255.0 + 0.5", "vec4 code = v * 200.0 + 0.5");
    const ProgramResult wrong = bench(Words{"bench", "pipe", "--size", "45x31"} + steps, folder / "glsl");
    CHECK(wrong.status == 1);
    CHECK_THAT(wrong.err, Catch::Matchers::StartsWith("glproc: error: pipe variant chain is wrong on "));

    const ProgramResult none = bench({"bench", "pipe", "--size", "45x31"});
    CHECK(none.status == 2);
    CHECK_THAT(none.err, Catch::Matchers::StartsWith("glproc: error: bench pipe needs an operation\n"));
}

TEST_CASE("bench: wrong calls are told before any work") {
    const auto error_of = [](const Words& words) {
        const ProgramResult result = run_without_gpu({}, words);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        return lines_of(result.err).front();
    };
    const std::string label = "glproc: error: ";
    CHECK(error_of({"bench", "blurr"}) == label + "unknown operation 'blurr' (did you mean 'blur'?)");
    CHECK(error_of({"bench", "info"}) == label + "unknown operation 'info'");
    CHECK(error_of({"bench", "blur"}) == label + "bench blur needs --sigma");
    CHECK(error_of({"bench", "blur", "box", "--sigma", "2"}) == label + "unexpected argument 'box'");
    CHECK(error_of({"bench", "blur", "--sigm", "2"}) ==
          label + "unknown flag '--sigm' (did you mean '--sigma'?)");
    CHECK(error_of({"bench", "--sigma", "2", "blur"}) ==
          label + "--sigma must come after the command bench blur");
    CHECK(error_of({"bench", "scan", "--sigma", "2"}) == label + "unknown flag '--sigma'");
    CHECK(error_of({"bench", "blur", "--sigma", "-2"}) == label + "--sigma -2 is out of range");
    CHECK(error_of({"bench", "scan", "--method", "blokced"}) ==
          label + "unknown --method 'blokced' (did you mean 'blocked'?)");
    CHECK(error_of({"bench", "scan", "--method", "zigzag"}) == label + "unknown --method 'zigzag'");
    CHECK(error_of({"bench", "scan", "--size", "4x4"}) == label + "--size 4x4 is not a whole number");
    CHECK(error_of({"bench", "scan", "--size", "0"}) == label + "--size 0 is out of range");
    CHECK(error_of({"bench", "histogram", "--size", "100"}) == label + "--size 100 is not WxH");
    CHECK(error_of({"bench", "histogram", "--size", "100x"}) == label + "--size  is not a whole number");
    CHECK(error_of({"bench", "histogram", "--input", "randm"}) ==
          label + "unknown --input 'randm' (did you mean 'random'?)");
    CHECK(error_of({"bench", "histogram", "--input", "a.png", "--size", "4x4"}) ==
          label + "--size is for made-up inputs; a.png has its own");
    CHECK(error_of({"bench", "--size", "4x4"}) == label + "--size is for one operation");
}

TEST_CASE("bench: help of the command and of an operation in it") {
    for (const Words& words : {Words{"bench", "--help"}, Words{"bench", "blur", "--help"}}) {
        const ProgramResult result = run_without_gpu({}, words);
        CHECK(result.status == 0);
        CHECK(result.out.find("\n\nUsage: glproc bench") != std::string::npos);
        for (const std::string& line : lines_of(result.out)) {
            CHECK(line.size() <= 80);
        }
    }
}
