// Prefix sums of arrays, in buffers and in blocks of a texture.
#include "glproc/gl/blocks.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/ops/scan/variants.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/scan_reference.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::uint32_t seed = 40'127;
using Words32 = std::vector<std::uint32_t>;

Array array_of(ScanType type, const Words32& words) {
    const auto bytes = std::as_bytes(std::span(words));
    return {type, {words.size()}, {bytes.begin(), bytes.end()}};
}

Words32 words_of(const Array& array) {
    Words32 words(array.count());
    std::memcpy(words.data(), array.bytes.data(), array.bytes.size());
    return words;
}

/// Said without the elements, of which there are many.
bool is_same(const Array& a, const Array& b) {
    return a.type == b.type && a.shape == b.shape && a.bytes == b.bytes;
}

/// An array in blocks, whatever the device's limits.
GpuArray upload_in_blocks(const Array& array) {
    GpuArray result{array.type, array.shape, gpu().make_image(form_of_blocks(array.bytes.size()), "values")};
    gpu().state().transfer->upload(array.bytes, result.blocks());
    return result;
}

GpuArray no_sums_yet(const GpuArray& values) {
    return {values.type, values.shape, gpu().make_image(values.blocks().form(), "sums")};
}

ScanInput exact_input(ScanType type) {
    return type == ScanType::f32 ? ScanInput::whole_floats : ScanInput::bits;
}

} // namespace

TEST_CASE("arrays in blocks have the sums of those in buffers: every variant, type and direction") {
    // Less than a quad, around a block, and around a row of blocks.
    for (const std::size_t count :
         {1U, 2U, 3U, 4U, 5U, 4095U, 4096U, 4097U, 128 * 4096U - 1, 128 * 4096U + 1, 600'011U}) {
        for (const ScanType type : {ScanType::u32, ScanType::i32, ScanType::f32}) {
            const Words32 words = random_words(exact_input(type), count, seed);
            const Array array = array_of(type, words);
            const GpuArray in_blocks = upload_in_blocks(array);
            const GpuArray in_buffer = gpu().upload(array);
            for (const auto& row : enum_rows<ScanVariant>) {
                if (why_unavailable(gpu(), row.value)) {
                    continue; // scan_test.cpp names it
                }
                const Scan scan{.exclusive = count % 2 == 0, .type = type, .variant = row.value};
                INFO(row.name << ", " << count << " values of " << name_of(type));
                const GpuArray sums = scan(gpu(), in_blocks);
                CHECK(scan_mismatch(scan, words, words_of(gpu().download(sums)), 0) == "none");
                if (row.value == ScanVariant::lookback) {
                    CHECK(sums.in_blocks());
                }
                CHECK(is_same(gpu().download(scan(gpu(), in_buffer)), gpu().download(sums)));
            }
            CHECK(is_same(gpu().download(in_blocks), array)); // the values stay
        }
    }
}

TEST_CASE("an array of no elements has no sums, and one of many dimensions keeps them") {
    const GpuArray none = gpu().upload({ScanType::f32, {0}, {}});
    CHECK(gpu().download(Scan{}(gpu(), none)).shape == std::vector<std::size_t>{0});
    Array array = array_of(ScanType::i32, random_words(ScanInput::bits, 6000, seed));
    array.shape = {10, 20, 30};
    for (const ScanVariant variant : {ScanVariant::lookback, ScanVariant::blocked, ScanVariant::cpu}) {
        const Array sums = gpu().download(Scan{.variant = variant}(gpu(), upload_in_blocks(array)));
        CHECK(sums.shape == array.shape);
        CHECK(sums.type == array.type);
    }
}

TEST_CASE("float sums have the same bits in blocks and in a buffer", "[lookback]") {
    const Words32 floats = random_words(ScanInput::floats, 300'011, seed);
    const Array array = array_of(ScanType::f32, floats);
    const Scan scan{.type = ScanType::f32, .variant = ScanVariant::lookback};
    const ScanPlan plan = plan_scan_of_blocks(gpu());
    const GpuArray values = upload_in_blocks(array);
    GpuArray sums = no_sums_yet(values);
    run_scan_of_blocks(gpu(), scan, plan, values, sums);
    Buffer in = gpu().make_buffer(array.bytes.size(), "values");
    Buffer out = gpu().make_buffer(array.bytes.size(), "sums");
    in.write(floats);
    run_scan(gpu(), scan, plan, in, out, floats.size());
    CHECK(is_same(gpu().download(sums), array_of(scan.type, out.read<std::uint32_t>(floats.size()))));
}

TEST_CASE("look-back in blocks does without tiles whose groups stand still", "[lookback]") {
    constexpr std::size_t count = 64 * 50 + 3; // 51 tiles of 64 values
    Buffer fallbacks = gpu().make_buffer(sizeof(std::uint32_t), "fallbacks");
    for (const ScanType type : {ScanType::u32, ScanType::f32}) {
        const Words32 words = random_words(exact_input(type), count, seed);
        const GpuArray values = upload_in_blocks(array_of(type, words));
        for (const bool tickets : {true, false}) {
            for (const bool shared : {true, false}) {
                const LateTiles late{20, 31, {0, 1}, shared, &fallbacks};
                ScanPlan plan = plan_scan_of_blocks(gpu());
                plan.group = 8;
                plan.quads = 2;
                plan.window = 4;
                plan.tickets = tickets;
                plan.late = &late;
                const Scan scan{.exclusive = shared, .type = type, .variant = ScanVariant::lookback};
                GpuArray sums = no_sums_yet(values);
                fallbacks.fill(0);
                run_scan_of_blocks(gpu(), scan, plan, values, sums);
                CHECK(scan_mismatch(scan, words, words_of(gpu().download(sums)), 0) == "none");
                CHECK(fallbacks.read<std::uint32_t>(1)[0] >= 12);
            }
        }
    }
}
