#include "glproc/ops/scan.hpp"

#include "glproc/ops/scan/variants.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/scan_reference.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::uint32_t seed = 20'163;
constexpr std::uint32_t canary = 0xc0ffee11U;
constexpr std::array all_types{ScanType::u32, ScanType::i32, ScanType::f32};
/// What any variant but look-back adds in a row at most, generously: the levels of a few trees.
constexpr double tree_roundings = 150;

using Words32 = std::vector<std::uint32_t>;
using RunScan = std::function<void(const Buffer& in, Buffer& out, std::size_t count)>;

std::string describe(const Scan& scan, std::size_t count) {
    return std::string(name_of(scan.variant)) + ' ' + std::string(name_of(scan.type)) +
           (scan.exclusive ? " exclusive, " : " inclusive, ") + std::to_string(count) + " values, seed " +
           std::to_string(seed);
}

/// Runs a scan of `values` between buffers with more words than it may touch; those must stay as they were.
Words32 scanned(const Words32& values, const RunScan& run) {
    constexpr std::size_t margin = 9;
    Buffer in = gpu().make_buffer((values.size() + margin) * sizeof(std::uint32_t), "values");
    Buffer out = gpu().make_buffer((values.size() + margin) * sizeof(std::uint32_t), "sums");
    Words32 padded = values;
    padded.resize(values.size() + margin, canary); // counts for nothing
    in.write(padded);
    out.fill(canary);
    run(in, out, values.size());
    CHECK(in.read<std::uint32_t>(padded.size()) == padded);
    Words32 sums = out.read<std::uint32_t>(padded.size());
    CHECK(std::all_of(sums.end() - margin, sums.end(), [](std::uint32_t word) { return word == canary; }));
    sums.resize(values.size());
    return sums;
}

Words32 scanned(const Scan& scan, const Words32& values) {
    return scanned(values,
                   [&](const Buffer& in, Buffer& out, std::size_t count) { scan(gpu(), in, out, count); });
}

Words32 scanned(const Scan& scan, const ScanPlan& plan, const Words32& values) {
    return scanned(values, [&](const Buffer& in, Buffer& out, std::size_t count) {
        run_scan(gpu(), scan, plan, in, out, count);
    });
}

void check_scan(const Scan& scan, const ScanPlan& plan, const Words32& values, double roundings) {
    INFO(describe(scan, values.size()));
    CHECK(scan_mismatch(scan, values, scanned(scan, plan, values), roundings) == "none");
}

ScanInput exact_input(ScanType type) {
    return type == ScanType::f32 ? ScanInput::whole_floats : ScanInput::bits;
}

Words32 first_words(const Words32& words, std::size_t count) {
    return {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Every variant that this device has; the ones it lacks are named on stderr.
std::vector<ScanVariant> variants() {
    std::vector<ScanVariant> result;
    for (const auto& row : enum_rows<ScanVariant>) {
        if (const auto why = why_unavailable(gpu(), row.value)) {
            WARN("skipped: " << *why);
        } else {
            result.push_back(row.value);
        }
    }
    return result;
}

std::vector<ScanVariant> gpu_variants() {
    std::vector<ScanVariant> result = variants();
    std::erase(result, ScanVariant::automatic);
    std::erase(result, ScanVariant::cpu);
    return result;
}

std::vector<std::size_t> awkward_counts(ScanVariant variant) {
    std::vector<std::size_t> counts{0,  1,  2,  3,  4,   5,   31,  32,   33,
                                    63, 64, 65, 97, 255, 256, 257, 1009, 10'007};
    if (variant != ScanVariant::automatic && variant != ScanVariant::cpu) {
        const auto tile = static_cast<std::size_t>(plan_scan(gpu(), variant).tile_words());
        counts.insert(counts.end(),
                      {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 40 * tile + 2});
    }
    return counts;
}

/// A plan small enough that few values make many tiles and many windows.
ScanPlan small_plan(ScanVariant variant) {
    ScanPlan plan = plan_scan(gpu(), variant);
    plan.group = 8;
    plan.quads = 2;
    plan.subgroup = variant == ScanVariant::subgroup ? 1 : 0;
    plan.window = 4;
    return plan;
}

/// How many late tiles up to `last` publish no whole aggregate.
std::uint32_t silent_tiles(const LateTiles& late, std::uint32_t last) {
    std::uint32_t count = 0;
    for (std::uint32_t tile = late.first; tile <= std::min(late.last, last); ++tile) {
        count += (late.words[tile % 2] & 3) != 3 ? 1 : 0;
    }
    return count;
}

} // namespace

TEST_CASE("every variant, type and direction, of awkward lengths, in exact numbers") {
    for (const ScanType type : all_types) {
        const Words32 words = random_words(exact_input(type), 300'000, seed);
        for (const ScanVariant variant : variants()) {
            for (const bool exclusive : {false, true}) {
                const Scan scan{.exclusive = exclusive, .type = type, .variant = variant};
                for (const std::size_t count : awkward_counts(variant)) {
                    INFO(describe(scan, count));
                    REQUIRE(count <= words.size());
                    const Words32 values = first_words(words, count);
                    CHECK(scan_mismatch(scan, values, scanned(scan, values), 0) == "none");
                }
            }
        }
    }
}

TEST_CASE("a million values") {
    const Words32 bits = random_words(ScanInput::bits, 1'000'003, seed);
    const Words32 floats = random_words(ScanInput::floats, 1'000'003, seed);
    for (const ScanVariant variant : variants()) {
        const Scan integers{.exclusive = true, .type = ScanType::i32, .variant = variant};
        INFO(describe(integers, bits.size()));
        CHECK(scan_mismatch(integers, bits, scanned(integers, bits), 0) == "none");

        const Scan reals{.type = ScanType::f32, .variant = variant};
        const double tiles = 1e6 / static_cast<double>(plan_scan(gpu(), variant).tile_words());
        const Words32 sums = scanned(reals, floats);
        CHECK(scan_mismatch(reals, floats, sums, tree_roundings + tiles) == "none");
        CHECK(scanned(reals, floats) == sums); // the same bits again
    }
}

TEST_CASE("more than 2^24 values") {
    const std::size_t count = (std::size_t{1} << 24U) + 4099;
    const Words32 values = random_words(ScanInput::bits, count, seed);
    for (const ScanVariant variant : variants()) {
        if (variant == ScanVariant::hillis_steele && gpu().device().software) {
            WARN("skipped: hillis_steele of 2^24 values takes ten seconds on a software renderer");
            continue;
        }
        const Scan scan{.variant = variant};
        INFO(describe(scan, count));
        CHECK(scan_mismatch(scan, values, scanned(scan, values), 0) == "none");
    }
}

TEST_CASE("more groups than one dimension of a dispatch has") {
    const Words32 values = random_words(ScanInput::bits, 65'537 * 32 + 5, seed);
    for (const ScanVariant variant : gpu_variants()) {
        ScanPlan plan = small_plan(variant);
        plan.quads = 1; // 32 values a tile
        check_scan({.exclusive = true, .variant = variant}, plan, values, 0);
    }
}

TEST_CASE("values beyond one storage block are summed in parts") {
    const Words32 bits = random_words(ScanInput::bits, 10'007, seed);
    const Words32 floats = random_words(ScanInput::whole_floats, 10'007, seed);
    for (const ScanVariant variant : gpu_variants()) {
        ScanPlan plan = small_plan(variant);
        // In multiples of 256 bytes, the largest alignment that OpenGL lets a device ask for.
        for (const std::size_t chunk : {64U, 17 * 64U, 156 * 64U}) {
            plan.chunk_words = chunk;
            for (const bool exclusive : {false, true}) {
                INFO(chunk << " values at a time");
                check_scan({.exclusive = exclusive, .variant = variant}, plan, bits, 0);
                check_scan({.exclusive = exclusive, .type = ScanType::f32, .variant = variant}, plan, floats,
                           0);
            }
        }
    }
}

TEST_CASE("a buffer larger than the device's storage block") {
    const std::size_t block =
        static_cast<std::size_t>(gpu().limits().storage_block_bytes) / sizeof(std::uint32_t);
    if (block > (std::size_t{1} << 26U)) {
        WARN("skipped: the storage block has " << 4 * block << " bytes; parts are tested with a lower limit");
        return;
    }
    const Words32 values = random_words(ScanInput::bits, block + 12'345, seed);
    const Scan scan{.exclusive = true, .variant = ScanVariant::blocked};
    CHECK(scan_mismatch(scan, values, scanned(scan, values), 0) == "none");
}

TEST_CASE("subgroups of any size", "[subgroup]") {
    const Words32 bits = random_words(ScanInput::bits, 9000, seed);
    const Words32 floats = random_words(ScanInput::whole_floats, 9000, seed);
    for (const int size : {4, 32, 128}) {
        ScanPlan plan = plan_scan(gpu(), ScanVariant::blocked);
        plan.group = 256;
        plan.quads = 3;
        plan.subgroup = size; // made of shared memory, so that any device has them
        INFO("subgroups of " << size);
        check_scan({.variant = ScanVariant::blocked}, plan, bits, 0);
        check_scan({.exclusive = true, .type = ScanType::f32, .variant = ScanVariant::blocked}, plan, floats,
                   0);
        check_scan({.exclusive = true, .variant = ScanVariant::lookback}, plan, bits, 0);
    }
}

TEST_CASE("look-back does without tiles whose groups stand still", "[lookback]") {
    constexpr std::size_t count = 64 * 50 + 3; // 51 tiles of 64 values
    const Words32 bits = random_words(ScanInput::bits, count, seed);
    const Words32 floats = random_words(ScanInput::floats, count, seed);
    const Scan float_scan{.type = ScanType::f32, .variant = ScanVariant::lookback};
    const Words32 float_sums = scanned(float_scan, small_plan(ScanVariant::lookback), floats); // nobody late
    Buffer fallbacks = gpu().make_buffer(sizeof(std::uint32_t), "fallbacks");

    // One tile, the first, all, more than a window has; silent, or after half an aggregate, or after half a
    // prefix; silent and half silent by turns, so that what is missing lies between what is there.
    for (const auto& [first, last] : {std::pair{7U, 7U}, {0U, 0U}, {20U, 31U}, {0U, 50U}}) {
        for (const Int2& words : {Int2{0, 0}, {1, 1}, {2, 2}, {7, 7}, {11, 11}, {0, 3}, {3, 0}}) {
            for (const bool shared : {true, false}) {
                const LateTiles late{first, last, words, shared, &fallbacks};
                ScanPlan plan = small_plan(ScanVariant::lookback);
                plan.late = &late;
                INFO("tiles " << first << " to " << last << " publish words " << words[0] << " or "
                              << words[1]);
                fallbacks.fill(0);
                check_scan({.exclusive = shared, .variant = ScanVariant::lookback}, plan, bits, 0);
                // Each that is silent and has a successor was computed by another.
                CHECK(fallbacks.read<std::uint32_t>(1)[0] >= silent_tiles(late, 49));
                // The same bits as when nobody is late: how far a tile looks back does not show.
                CHECK(scanned(float_scan, plan, floats) == float_sums);
                if (gpu().device().has_subgroup) { // one subgroup looks back by itself, or several do
                    plan.subgroup = 1;
                    for (const int few_tiles : {0, 256}) {
                        plan.few_tiles = few_tiles;
                        fallbacks.fill(0);
                        check_scan({.exclusive = shared, .variant = ScanVariant::lookback}, plan, bits, 0);
                        CHECK(fallbacks.read<std::uint32_t>(1)[0] >= silent_tiles(late, 49));
                    }
                }
            }
        }
    }
}

TEST_CASE("look-back numbers tiles by their groups or as those start, and gives the same bits", "[lookback]") {
    const Words32 bits = random_words(ScanInput::bits, 20'011, seed);
    const Words32 floats = random_words(ScanInput::floats, 20'011, seed + 1);
    const Scan reals{.type = ScanType::f32, .variant = ScanVariant::lookback};
    std::vector<Words32> sums;
    for (const bool tickets : {false, true}) {
        ScanPlan plan = small_plan(ScanVariant::lookback);
        plan.tickets = tickets;
        INFO((tickets ? "tickets" : "numbers of groups"));
        for (const int subgroup : {0, gpu().device().has_subgroup ? 1 : 8}) {
            plan.subgroup = subgroup;
            check_scan({.exclusive = true, .variant = ScanVariant::lookback}, plan, bits, 0);
        }
        sums.push_back(scanned(reals, plan, floats));
    }
    CHECK(sums.front() == sums.back());
}

TEST_CASE("look-back computes nothing twice when a tile is late that nobody looks at", "[lookback]") {
    const Words32 bits = random_words(ScanInput::bits, 64, seed);
    Buffer fallbacks = gpu().make_buffer(sizeof(std::uint32_t), "fallbacks");
    fallbacks.fill(0);
    const LateTiles late{0, 0, {0, 0}, true, &fallbacks};
    ScanPlan plan = small_plan(ScanVariant::lookback);
    plan.late = &late;
    check_scan({.variant = ScanVariant::lookback}, plan, bits, 0);
    CHECK(fallbacks.read<std::uint32_t>(1)[0] == 0);
}

TEST_CASE("what look-back keeps between calls never counts in the next", "[lookback]") {
    const Words32 bits = random_words(ScanInput::bits, 20'011, seed);
    const Words32 floats = random_words(ScanInput::whole_floats, 20'011, seed + 1);
    const Scan integers{.variant = ScanVariant::lookback};
    const Scan reals{.exclusive = true, .type = ScanType::f32, .variant = ScanVariant::lookback};
    const ScanPlan plan = small_plan(ScanVariant::lookback);
    const ScanPlan large = plan_scan(gpu(), ScanVariant::lookback);
    Buffer fallbacks = gpu().make_buffer(sizeof(std::uint32_t), "fallbacks");
    const LateTiles late{3, 9, {0, 0}, true, &fallbacks}; // in whose place others see what is kept
    ScanPlan with_late = plan;
    with_late.late = &late;
    check_scan(integers, plan, bits, 0);             // so that there is something kept
    for (const std::uint32_t mark : {1U, 0xfffeU}) { // the marks begin again behind 0xffff
        gpu().kept<ScanMemory>().mark = mark;
        INFO("from mark " << mark);
        for (const std::size_t count : {20'011U, 1U, 700U, 20'011U}) { // fewer tiles, and other sums in them
            check_scan(integers, plan, first_words(bits, count), 0);
            check_scan(reals, plan, first_words(floats, count), 0);
            check_scan(integers, large, first_words(bits, count), 0);
            fallbacks.fill(0);
            check_scan(integers, with_late, first_words(bits, count), 0);
            CHECK(fallbacks.read<std::uint32_t>(1)[0] >= (count == 1 ? 0U : 7U));
        }
    }
}

TEST_CASE("float sums of look-back are the same bits for every window", "[lookback]") {
    const Words32 floats = random_words(ScanInput::floats, 20'011, seed);
    ScanPlan plan = small_plan(ScanVariant::lookback);
    const Scan scan{.type = ScanType::f32, .variant = ScanVariant::lookback};
    const Words32 sums = scanned(scan, plan, floats);
    for (const int window : {1, 8}) {
        plan.window = window;
        for (int repeat = 0; repeat < 5; ++repeat) {
            CHECK(scanned(scan, plan, floats) == sums);
        }
    }
}

TEST_CASE("a device without subgroups refuses the variant by name, and auto takes another", "[subgroup]") {
    const ScopedVariable disabled("GLPROC_DISABLE", "KHR_shader_subgroup");
    std::string why;
    std::string thrown;
    std::uint32_t sum = 0;
    with_second_context(gpu_options(), [&](Context& context) {
        why = why_unavailable(context, ScanVariant::subgroup).value_or("available");
        Buffer in = context.make_buffer(8, "values");
        Buffer out = context.make_buffer(8, "sums");
        in.write(Words32{2, 3});
        try {
            Scan{.variant = ScanVariant::subgroup}(context, in, out, 2);
        } catch (const Error& error) {
            thrown = error.what();
        }
        Scan{}(context, in, out, 2);
        sum = out.read<std::uint32_t>(2)[1];
    });
    CHECK(why.starts_with("scan variant subgroup needs GL_KHR_shader_subgroup, which "));
    CHECK(thrown == why);
    CHECK(sum == 5);
}

TEST_CASE("buffers that do not fit are refused") {
    Buffer four = gpu().make_buffer(16, "four");
    Buffer five = gpu().make_buffer(20, "five");
    CHECK_THROWS_WITH(Scan{}(gpu(), five, four, 5),
                      "a prefix sum of 5 values wants 20 bytes, buffer four has 16");
    CHECK_THROWS_WITH(Scan{}(gpu(), four, five, 5),
                      "a prefix sum of 5 values wants 20 bytes, buffer four has 16");
    CHECK_THROWS_WITH(Scan{}(gpu(), five, five, 5), "a prefix sum cannot overwrite its input, buffer five");
}
