// How jobs on arrays run, whatever they do: as a whole or in slabs, on a driver that is proved right. Each
// folder beside this file has jobs of one sort.
#pragma once

#include "glproc/arrays/probe.hpp"
#include "glproc/arrays/slabs.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

using SourceBytes = std::span<const std::byte>;
using ResultBytes = std::span<std::byte>;
/// How much a job found: parts that were labelled; others 0. Nothing where the GPU cannot do it.
using Found = std::optional<std::int64_t>;
/// Called now and then by the threads of the CPU; may throw.
using Check = std::function<void()>;

/// A job says this of itself. A source is tightly packed, and so is a result.
template <class Job>
concept ArrayJob = requires(const Job& job, Context& gpu, SourceBytes source, ResultBytes result,
                            const Check& check) {
    { job.result_form() } -> std::same_as<VolumeForm>;
    { job.work() } -> std::same_as<double>; // about as many multiplications, to choose who does it
    // Whether the GPU has a program for it, and the memory for all of it at once.
    { job.fits_at_once(gpu) } -> std::same_as<bool>;
    { job.run_on_gpu(gpu, source, result) } -> std::same_as<Found>;
    // The same bits by the threads of the CPU.
    { job.run_on_cpu(source, result, check) } -> std::same_as<std::int64_t>;
    // Small jobs by the same programs, which show whether the driver is right.
    { job.probes() } -> std::same_as<std::vector<Probe<Job>>>;
};

template <class Job>
Job with_rows(const Job& job, std::int64_t rows) {
    Job part = job;
    part.source.shape[0] = rows;
    return part;
}

/// How a job that does not fit at once is cut. Those that can be have rows_around(): how many rows on both
/// sides the results of a slab depend on, or nothing where they depend on others.
template <ArrayJob Job>
Slabs slabs_of(const Context& gpu, const Job& job) {
    if constexpr (requires { job.rows_around(); }) {
        if (const std::optional<std::int64_t> around = job.rows_around()) {
            const auto fits = [&](std::int64_t rows) { return with_rows(job, rows).fits_at_once(gpu); };
            return {slab_rows(job.source.shape[0], *around, fits), *around};
        }
    }
    return {};
}

/// Whether the GPU can do it, if need be in slabs.
template <ArrayJob Job>
bool fits(const Context& gpu, const Job& job) {
    return job.fits_at_once(gpu) || slabs_of(gpu, job).rows > 0;
}

/// Runs each probe on the GPU and on the CPU.
template <ArrayJob Job>
bool is_right(Context& gpu, const std::vector<Probe<Job>>& probes) {
    for (const Probe<Job>& probe : probes) {
        const VolumeForm form = probe.job.result_form();
        std::vector<std::byte> expected(form.bytes());
        std::vector<std::byte> got(form.bytes());
        const std::int64_t found = probe.job.run_on_cpu(probe.source, expected);
        if (probe.job.run_on_gpu(gpu, probe.source, got) != found ||
            !same_numbers(form.type, expected, got)) {
            return false;
        }
    }
    return true;
}

/// By the GPU: what run_on_gpu() of the job returns, and nothing if it does not fit. Then the processor is to
/// do it. Throws Error(gpu), and WrongKernel where the driver computes wrongly, which is tried once for each
/// program.
template <ArrayJob Job>
Found run_job(Context& gpu, const Job& job, SourceBytes source, ResultBytes result) {
    Found found;
    if (job.fits_at_once(gpu)) {
        found = job.run_on_gpu(gpu, source, result);
    } else if (const Slabs slabs = slabs_of(gpu, job); slabs.rows > 0) {
        run_in_slabs(job.source.shape[0], slabs, source, result, [&](std::int64_t rows, auto from, auto to) {
            found = with_rows(job, rows).run_on_gpu(gpu, from, to);
        });
    }
    prove(gpu, [&] { return is_right(gpu, job.probes()); });
    return found;
}

} // namespace glproc
