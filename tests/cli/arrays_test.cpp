// Arrays in, arrays out: .npy and raw, files and streams, and what is refused.
#include "cli/glproc_program.hpp"
#include "glproc/base/random_words.hpp"
#include "glproc/files/npy.hpp"
#include "support/environment.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;
using Shape = std::vector<std::size_t>;

template <class T>
constexpr ArrayType type_for = std::is_floating_point_v<T> ? ArrayType::f32
                               : std::is_signed_v<T>       ? ArrayType::i32
                                                           : ArrayType::u32;

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
std::string raw(const std::vector<T>& values) {
    return text_of(std::as_bytes(std::span(values)));
}

template <class T>
std::string npy(const std::vector<T>& values, Shape shape) {
    const auto bytes = std::as_bytes(std::span(values));
    return text_of(format_npy({type_for<T>, std::move(shape), {bytes.begin(), bytes.end()}}));
}

template <class T>
std::string npy(const std::vector<T>& values) {
    return npy(values, {values.size()});
}

/// Sums modulo 2^32, whatever T.
template <class T>
std::vector<T> sums(const std::vector<T>& values, bool exclusive = false) {
    std::vector<T> result;
    std::uint32_t sum = 0;
    for (const T value : values) {
        const std::uint32_t with = sum + static_cast<std::uint32_t>(value);
        result.push_back(static_cast<T>(exclusive ? sum : with));
        sum = with;
    }
    return result;
}

/// A few thousand numbers, whose sums wrap.
std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> values(5000);
    std::generate(values.begin(), values.end(), RandomWords());
    return values;
}

/// A folder with one array, as in.npy and as in.raw.
struct ArrayFolder : TempDir {
    ArrayFolder() : values(numbers()) {
        write_text(*this / "in.npy", npy(values));
        write_text(*this / "in.raw", raw(values));
    }

    ProgramResult scan(Words words) const {
        words.insert(words.begin(), {"scan", "-q"});
        return run_glproc(path(), std::move(words));
    }

    std::vector<std::uint32_t> values;
};

/// A call that fails before any GPU work and writes nothing; what stderr got.
std::string refusal(const TempDir& folder, Words words, int status) {
    const std::set<std::string> before = names_in(folder.path());
    words.insert(words.begin(), "scan");
    const ProgramResult result = run_without_gpu(folder.path(), std::move(words));
    CHECK(result.status == status);
    CHECK(result.out.empty());
    CHECK(names_in(folder.path()) == before);
    return result.err;
}

std::string refused_file(const std::string& content, Words flags = {}) {
    const TempDir folder;
    write_text(folder / "in.npy", content);
    flags.insert(flags.begin(), {"in.npy", "out.npy"});
    return refusal(folder, std::move(flags), 3);
}

} // namespace

TEST_CASE("arrays: sums of a .npy file, with and without the value at their place") {
    const ArrayFolder folder;
    CHECK(folder.scan({"in.npy", "default.npy"}).status == 0);
    CHECK(folder.scan({"in.npy", "inclusive.npy", "--inclusive"}).status == 0);
    CHECK(folder.scan({"in.npy", "exclusive.npy", "--exclusive"}).status == 0);
    CHECK(read_text(folder / "default.npy") == npy(sums(folder.values)));
    CHECK(read_text(folder / "inclusive.npy") == npy(sums(folder.values)));
    CHECK(read_text(folder / "exclusive.npy") == npy(sums(folder.values, true)));
}

TEST_CASE("arrays: every variant that needs no extension, by name") {
    const ArrayFolder folder;
    for (const char* variant : {"auto", "cpu", "hillis_steele", "blelloch", "blocked", "lookback"}) {
        INFO(variant);
        CHECK(folder.scan({"in.npy", "out.npy", "--method", variant}).status == 0);
        CHECK(read_text(folder / "out.npy") == npy(sums(folder.values)));
    }
    CHECK(refusal(folder, {"in.npy", "o.npy", "--method", "bloked"}, 2)
              .starts_with("glproc: error: unknown --method 'bloked' (did you mean 'blocked'?)\n"));
}

TEST_CASE("arrays: the same sums where the array lies in a texture, by every variant") {
    const ArrayFolder folder;
    // Of 20000 bytes: just beyond the limit, at it, and where no texture is as wide as the blocks ask for.
    for (const char* limits :
         {"array_buffer_bytes:19999", "array_buffer_bytes:20000", "array_buffer_bytes:16,texture_size:4096",
          "array_buffer_bytes:16,storage_block_bytes:1000"}) {
        const ScopedVariable lower("GLPROC_LIMITS", limits);
        for (const char* variant : {"auto", "cpu", "hillis_steele", "blelloch", "blocked", "lookback"}) {
            INFO(limits << ", " << variant);
            CHECK(folder.scan({"in.npy", "out.npy", "--method", variant, "--exclusive"}).status == 0);
            CHECK(read_text(folder / "out.npy") == npy(sums(folder.values, true)));
        }
    }
    const ScopedVariable lower("GLPROC_LIMITS", "array_buffer_bytes:1024");
    const ProgramResult bench =
        run_glproc(folder.path(), {"bench", "scan", "--size", "5000", "--json", "-q"});
    CHECK(bench.status == 0);
    CHECK(bench.out.find("\"verified\":false") == std::string::npos);
}

TEST_CASE("arrays: the type of the elements decides the arithmetic, and stays") {
    const ArrayFolder folder;
    const std::vector<std::int32_t> integers{-5, 3, std::numeric_limits<std::int32_t>::max(), 7};
    const std::vector<float> floats{0.5F, -2, 3.25F};
    write_text(folder / "i32.npy", npy(integers));
    write_text(folder / "f32.npy", npy(floats));
    write_text(folder / "f32.raw", raw(floats));
    CHECK(folder.scan({"i32.npy", "i32.npy"}).status == 0);
    CHECK(folder.scan({"f32.npy", "f32.npy"}).status == 0);
    CHECK(folder.scan({"f32.raw", "f32.raw", "--dtype", "f32", "--to", "raw"}).status == 0);
    CHECK(read_text(folder / "i32.npy") == npy(sums(integers)));
    CHECK(read_text(folder / "f32.npy") == npy<float>({0.5F, -1.5F, 1.75F}));
    CHECK(read_text(folder / "f32.raw") == raw<float>({0.5F, -1.5F, 1.75F}));
}

TEST_CASE("arrays: an output is .npy, and raw only where --to asks for it") {
    const ArrayFolder folder;
    const std::string as_npy = npy(sums(folder.values));
    const std::string as_raw = raw(sums(folder.values));
    CHECK(folder.scan({"in.raw", "out.raw", "--dtype", "u32", "--to", "raw"}).status == 0);
    CHECK(read_text(folder / "out.raw") == as_raw);
    CHECK(folder.scan({"in.raw", "out.npy", "--dtype", "u32"}).status == 0);
    CHECK(read_text(folder / "out.npy") == as_npy);
    CHECK(folder.scan({"in.raw", "OUT.NPY", "--dtype", "u32"}).status == 0);
    CHECK(read_text(folder / "OUT.NPY") == as_npy);
    const std::string hint = "\n  hint: end the name in .npy, or add --to raw for the elements alone\n";
    for (const std::string name : {"out.bin", "out.raw2", "out.png", "out.csv", "out.npy.gz"}) {
        const std::string extension = name.substr(name.rfind('.'));
        CHECK(refusal(folder, {"in.npy", name}, 2) ==
              "glproc: error: " + name + ": unknown output format '" + extension + "' (known: npy)" + hint);
    }
    CHECK(refusal(folder, {"in.npy", "out"}, 2) ==
          "glproc: error: out: no extension tells the output format (known: npy)" + hint);
    CHECK(folder.scan({"in.npy", "out.data", "--to", "npy"}).status == 0);
    CHECK(read_text(folder / "out.data") == as_npy);
    CHECK(refusal(folder, {"in.npy", "o.npy", "--to", "png"}, 2) ==
          "glproc: error: unknown --to 'png'\n  hint: one of: npy, raw\n");
}

TEST_CASE("arrays: an input is .npy by its content, whatever its name") {
    const ArrayFolder folder;
    write_text(folder / "in.data", npy(folder.values));
    CHECK(folder.scan({"in.data", "out.npy"}).status == 0);
    CHECK(read_text(folder / "out.npy") == npy(sums(folder.values)));
}

TEST_CASE("arrays: stdout gets .npy, and raw where --to asks for it") {
    const ArrayFolder folder;
    ProgramCall call = glproc_call(folder.path(), {"scan", "-", "-", "-q"});
    call.input = npy(folder.values);
    ProgramResult result = run_program(call);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.out == npy(sums(folder.values)));
    call.input = raw(folder.values);
    call.arguments.insert(call.arguments.end(), {"--dtype", "u32"});
    result = run_program(call);
    CHECK(result.status == 0);
    CHECK(result.out == npy(sums(folder.values)));
    call.arguments.insert(call.arguments.end(), {"--to", "raw"});
    CHECK(run_program(call).out == raw(sums(folder.values)));
}

TEST_CASE("arrays: an empty array gives an empty array") {
    const ArrayFolder folder;
    const std::string empty = npy(std::vector<std::uint32_t>{});
    write_text(folder / "empty.npy", empty);
    write_text(folder / "empty.raw", "");
    for (const char* variant : {"auto", "blocked", "lookback"}) {
        INFO(variant);
        CHECK(folder.scan({"empty.npy", "out.npy", "--method", variant}).status == 0);
        CHECK(read_text(folder / "out.npy") == empty);
        CHECK(folder.scan({"empty.raw", "out.raw", "--dtype", "f32", "--to", "raw", "--method", variant})
                  .status == 0);
        CHECK(std::filesystem::file_size(folder / "out.raw") == 0);
    }
}

TEST_CASE("arrays: the input may be the output, and -n keeps what is there") {
    const ArrayFolder folder;
    CHECK(folder.scan({"in.npy", "in.npy"}).status == 0);
    CHECK(read_text(folder / "in.npy") == npy(sums(folder.values)));
    CHECK(refusal(folder, {"in.npy", "in.raw", "--to", "raw", "-n"}, 4)
              .starts_with("glproc: error: in.raw: exists already\n"));
    CHECK(read_text(folder / "in.raw") == raw(folder.values));
}

TEST_CASE("arrays: an output that cannot be written is told before any GPU work") {
    const ArrayFolder folder;
    CHECK(refusal(folder, {"in.npy", "nosuch/out.npy"}, 4) ==
          "glproc: error: nosuch/out.npy: nosuch: no such folder\n");
}

TEST_CASE("arrays: a full disk leaves the old file whole") {
    const ArrayFolder folder;
    ProgramCall call = glproc_call(folder.path(), {"scan", "in.npy", "in.raw", "--to", "raw", "-q"});
    call.largest_file = 10'000;
    CHECK(run_program(call).status == 4);
    CHECK(read_text(folder / "in.raw") == raw(folder.values));
    CHECK(names_in(folder.path()).size() == 2);
}

TEST_CASE("arrays: a terminal gets no array and gives none") {
    const ArrayFolder folder;
    ProgramCall call = glproc_call(folder.path(), {"scan", "in.npy", "-"});
    call.environment = environment_without_gpu();
    call.out = Stream::terminal;
    ProgramResult result = run_program(call);
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: stdout is a terminal: it gets no array\n"
                        "  hint: name a file, or redirect stdout\n");
    call = glproc_call(folder.path(), {"scan", "-", "out.npy"});
    call.environment = environment_without_gpu();
    call.in = Stream::terminal;
    result = run_program(call);
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: stdin is a terminal: it has no array\n"
                        "  hint: name a file, or redirect stdin\n");
}

TEST_CASE("arrays: what --dtype has to say") {
    const ArrayFolder folder;
    CHECK(refusal(folder, {"in.raw", "out.npy"}, 2) ==
          "glproc: error: in.raw: not a .npy file, and raw data need --dtype\n"
          "  hint: name the type of its elements: --dtype u32|i32|f32\n");
    CHECK(refusal(folder, {"in.npy", "out.npy", "--dtype", "f32"}, 2) ==
          "glproc: error: in.npy: holds u32, --dtype says f32\n"
          "  hint: leave out --dtype: a .npy file knows its type\n");
    CHECK(refusal(folder, {"in.raw", "out.npy", "--dtype", "u64"}, 2)
              .starts_with("glproc: error: unknown --dtype 'u64'\n  hint: one of: u32, i32, f32\n"));
    CHECK(folder.scan({"in.npy", "out.npy", "--dtype", "u32"}).status == 0);
}

TEST_CASE("arrays: switches that cannot be given together") {
    const ArrayFolder folder;
    for (const Words& switches : {Words{"--inclusive", "--exclusive"}, {"--exclusive", "--inclusive"}}) {
        Words words{"in.npy", "out.npy"};
        words.insert(words.end(), switches.begin(), switches.end());
        CHECK(refusal(folder, words, 2) ==
              "glproc: error: --inclusive and --exclusive cannot be given together\n");
    }
    CHECK(refusal(folder, {"in.npy", "out.npy", "--exclusive=yes"}, 2)
              .starts_with("glproc: error: --exclusive takes no value"));
    CHECK(refusal(folder, {"in.npy"}, 2) ==
          "glproc: error: scan needs OUT\n  hint: glproc scan in.npy out.npy --exclusive\n");
}

TEST_CASE("arrays: files that hold no such array") {
    const std::vector<std::uint32_t> six{1, 2, 3, 4, 5, 6};
    const std::string good = npy(six);
    CHECK(refused_file(npy(six, {2, 3})) ==
          "glproc: error: in.npy: holds an array of 2 dimensions, 2x3; scan takes one dimension\n"
          "  hint: flatten it with NumPy: a.ravel()\n");
    CHECK(refused_file(npy<std::uint32_t>({1}, {}))
              .starts_with("glproc: error: in.npy: holds a single number; scan takes one dimension\n"));
    std::string wide = good;
    wide.replace(wide.find("<u4"), 3, "<f8");
    CHECK(refused_file(wide) == "glproc: error: in.npy: element type '<f8' is not supported\n"
                                "  hint: convert it with NumPy: a.astype('uint32'), 'int32' or 'float32'\n");
    std::string broken = good;
    broken.replace(broken.find("'shape'"), 7, "'shade'");
    CHECK(refused_file(broken) == "glproc: error: in.npy: its .npy header has an unknown key 'shade'\n");
    CHECK(refused_file(good.substr(0, good.size() - 4)) ==
          "glproc: error: in.npy: its shape needs 6 elements of 4 bytes, the file holds 20 bytes\n");
    // By its name it is .npy, and no --dtype makes it something else.
    CHECK(refused_file("\x93NUMPX" + good.substr(6)) == "glproc: error: in.npy: not a .npy file\n");
    CHECK(refused_file(raw(six), {"--dtype", "u32"}) == "glproc: error: in.npy: not a .npy file\n");
    CHECK(refused_file("") == "glproc: error: in.npy: not a .npy file\n");
}

TEST_CASE("arrays: raw files that hold no whole number of elements, and no file") {
    const TempDir folder;
    write_text(folder / "in.raw", "12345");
    CHECK(refusal(folder, {"in.raw", "out.npy", "--dtype", "u32"}, 3) ==
          "glproc: error: in.raw: its size, 5 bytes, is not that of 4-byte elements\n");
    CHECK(refusal(folder, {"nosuch.npy", "out.npy"}, 3) == "glproc: error: nosuch.npy: no such file\n");
}

TEST_CASE("arrays: a refused input leaves the output of before") {
    const ArrayFolder folder;
    write_text(folder / "flat.npy", npy(folder.values, {50, 100}));
    CHECK(folder.scan({"flat.npy", "in.npy", "-y"}).status == 3);
    CHECK(read_text(folder / "in.npy") == npy(folder.values));
}

TEST_CASE("arrays: times have the keys that pictures have, and count values") {
    const ArrayFolder folder;
    for (const char* variant : {"cpu", "blocked"}) {
        const ProgramResult result = folder.scan({"in.npy", "out.npy", "--method", variant, "--timing=json"});
        REQUIRE(result.status == 0);
        const auto timing = nlohmann::ordered_json::parse(result.err);
        CHECK(timing["schema"] == "glproc.timing/1");
        CHECK(timing["megapixels"] == 0.005);
        Words stages;
        for (const auto& [name, milliseconds] : timing["ms"].items()) {
            stages.push_back(name);
            CHECK(milliseconds.get<double>() >= 0);
        }
        CHECK(stages == Words{"start", "context", "compile", "check", "decode", "upload", "compute",
                              "download", "encode", "exit", "total"});
        CHECK(timing["ms"]["compute"].get<double>() > 0);
    }
    CHECK(folder.scan({"in.npy", "out.npy", "--timing"}).err.find(", 0.005 million values; decode runs ") !=
          std::string::npos);
}

TEST_CASE("arrays: -v says how much was done") {
    const ArrayFolder folder;
    const ProgramResult result = run_glproc(folder.path(), {"scan", "in.npy", "out.npy", "-v"});
    CHECK(without_software_warning(result.err).starts_with("out.npy: 5000 values, scan, "));
}
