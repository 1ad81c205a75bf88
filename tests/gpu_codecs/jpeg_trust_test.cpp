// The self-check of the codecs: what it notices, and that it happens once.
#include "glproc/gpu_codecs/jpeg/choice.hpp"
#include "glproc/gpu_codecs/jpeg/decode.hpp"
#include "glproc/gpu_codecs/jpeg/encode.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/temp_dir.hpp"

#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::gpu_codecs;

namespace {

struct Verdict {
    bool is_trusted = false;
    std::vector<std::string> warnings;
    double checked = 0; ///< milliseconds
};

/// Of a context that checks itself, with a fault.
Verdict verdict_with(const std::string& fault, const std::string& cache, bool (&trusts)(Context&) = trusts_decoder) {
    const ScopedVariable variable("GLPROC_FAULT", fault);
    const ScopedVariable folder("XDG_CACHE_HOME", cache);
    Verdict verdict;
    ContextOptions options = second_context_options();
    options.debug = false;
    options.self_check = true;
    options.warn = [&](const std::string& what) { verdict.warnings.push_back(what); };
    with_second_context(options, [&](Context& second) {
        verdict.is_trusted = trusts(second);
        verdict.is_trusted = trusts(second) && verdict.is_trusted;
        verdict.checked = second.check_time();
    });
    return verdict;
}

} // namespace

TEST_CASE("a decoder that was right once is not checked again") {
    const TempDir cache;
    const Verdict first = verdict_with("", cache.path().string());
    CHECK(first.is_trusted);
    CHECK(first.warnings.empty());
    CHECK(first.checked > 0);
    const Verdict second = verdict_with("", cache.path().string());
    CHECK(second.is_trusted);
    CHECK(second.checked == 0);
    const Verdict scaled = verdict_with("", cache.path().string(), trusts_scaled_decoder);
    CHECK(scaled.is_trusted);
    CHECK(scaled.checked > 0);
    CHECK(verdict_with("", cache.path().string(), trusts_scaled_decoder).checked == 0);
}

TEST_CASE("a decoder that this driver computes wrongly is not used, and one warning says so") {
    const TempDir cache;
    const std::string fault = GENERATE("kernel:jpeg/decode_colour.comp", "compile:jpeg/decode_idct.comp");
    const Verdict verdict = verdict_with(fault, cache.path().string());
    CHECK_FALSE(verdict.is_trusted);
    REQUIRE(verdict.warnings.size() == 1);
    CHECK_THAT(verdict.warnings.front(), Catch::Matchers::Contains("cannot be trusted to decode JPEG"));
    CHECK_FALSE(verdict_with(fault, cache.path().string(), trusts_scaled_decoder).is_trusted);
}

TEST_CASE("an encoder that was right once is not checked again") {
    const TempDir cache;
    const Verdict first = verdict_with("", cache.path().string(), trusts_encoder);
    CHECK(first.is_trusted);
    CHECK(first.warnings.empty());
    CHECK(first.checked > 0);
    const Verdict second = verdict_with("", cache.path().string(), trusts_encoder);
    CHECK(second.is_trusted);
    CHECK(second.checked == 0);
}

TEST_CASE("an encoder that this driver computes wrongly is not used, and one warning says so") {
    const TempDir cache;
    const std::string fault = GENERATE("kernel:jpeg/encode_tables.comp", "compile:jpeg/encode_bits.comp");
    const Verdict verdict = verdict_with(fault, cache.path().string(), trusts_encoder);
    CHECK_FALSE(verdict.is_trusted);
    REQUIRE(verdict.warnings.size() == 1);
    CHECK_THAT(verdict.warnings.front(), Catch::Matchers::Contains("cannot be trusted to encode JPEG"));
}
