#include "job/budget.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/warm_heap.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/read_waiting.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace glproc::job {

namespace {

constexpr double untrusted_seconds = 30;
constexpr std::uint64_t untrusted_memory = std::uint64_t{2} << 30U;
constexpr std::uint64_t untrusted_pixels = 100'000'000;
constexpr std::int64_t untrusted_frames = 100'000;

/// GLPROC_POLICY: what an administrator says.
bool policy_is_untrusted() {
    const char* text = std::getenv("GLPROC_POLICY"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    const std::string_view policy = text == nullptr ? "" : text;
    if (!policy.empty() && policy != "untrusted") {
        throw Error(ErrorCode::usage, fmt::format("GLPROC_POLICY: unknown policy '{}'", policy),
                    "untrusted is the only one");
    }
    return !policy.empty();
}

} // namespace

Budget budget_for(const BudgetTold& told) {
    Budget budget{.untrusted = policy_is_untrusted() || told.untrusted};
    if (budget.untrusted) {
        budget.seconds = std::min(told.seconds.value_or(untrusted_seconds), untrusted_seconds);
        budget.memory = std::min(told.memory.value_or(untrusted_memory), untrusted_memory);
    } else {
        budget.seconds = told.seconds.value_or(0);
        budget.memory = told.memory.value_or(0);
    }
    return budget;
}

void check_count(const Reading& reading, std::int64_t images, const std::string& name) {
    if (images > reading.most_images) {
        throw Error(
            ErrorCode::input,
            fmt::format("{}: {} images are more than the limit of {}", name, images, reading.most_images),
            "--max-frames allows more");
    }
}

std::uint64_t allowed_pixels(const Budget& budget, std::uint64_t wanted) {
    return budget.untrusted ? std::min(wanted, untrusted_pixels) : wanted;
}

std::int64_t allowed_frames(const Budget& budget, std::int64_t wanted) {
    return budget.untrusted ? std::min(wanted, untrusted_frames) : wanted;
}

std::string hint_for(const Budget& budget, std::string_view flag) {
    if (!budget.untrusted) {
        return fmt::format("{} allows more", flag);
    }
    const std::string most = flag == "--max-pixels"    ? fmt::format("{} pixels", untrusted_pixels)
                             : flag == "--max-seconds" ? fmt::format("{:g} s", untrusted_seconds)
                                                       : fmt::format("{} MiB", untrusted_memory >> 20U);
    return fmt::format("untrusted files may take {} at most", most);
}

namespace {

template <class Say>
void check_memory(const Budget& budget, std::uint64_t bytes, const Say& say) {
    if (budget.memory > 0 && bytes > budget.memory) {
        throw Error(ErrorCode::input, say(), hint_for(budget, "--max-memory"));
    }
}

} // namespace

void check_made(const Budget& budget, const Form& made, const std::string& name) {
    const auto pixels = static_cast<std::uint64_t>(made.width) * static_cast<std::uint64_t>(made.height);
    if (pixels > allowed_pixels(budget, std::numeric_limits<std::uint64_t>::max())) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: would become an image of {}x{} pixels", name, made.width, made.height),
                    hint_for(budget, "--max-pixels"));
    }
    check_memory(budget, made.bytes(), [&] {
        return fmt::format("{}: would become an image of {}x{} pixels, too large for {} MiB of memory", name,
                           made.width, made.height, budget.memory >> 20U);
    });
}

std::uint64_t held_in_series(const Form& form) { // tests/cli/untrusted_test.cpp weighs it
    constexpr std::uint64_t copies = 8;
    return Form{form.width, form.height, std::max(form.channels, 3), form.depth}.bytes() * copies;
}

void check_in_series(const Budget& budget, const Form& form, const std::string& name) {
    check_memory(budget, held_in_series(form), [&] {
        return fmt::format(
            "{}: an image of {}x{} pixels is too large for {} MiB of memory where it is one of several", name,
            form.width, form.height, budget.memory >> 20U);
    });
}

void limit_this_process(const Budget& budget) {
    read_at_most(budget.seconds, hint_for(budget, "--max-seconds"), budget.memory);
    if (budget.memory > 0) {
        keep_no_large_blocks();
    }
    if (!budget.untrusted) {
        return;
    }
    admit_only(Admission::headers);
    for (const char* name : {"GLPROC_CACHE", "GLPROC_CHECK", "GLPROC_DISABLE", "GLPROC_FAULT",
                             "GLPROC_GLSL_DIR", "GLPROC_JPEG", "GLPROC_LIMITS", "GLPROC_MODULES"}) {
        ::unsetenv(name); // NOLINT(concurrency-mt-unsafe): no thread runs yet
    }
}

} // namespace glproc::job
