#include "glproc/arrays/labels/labels.hpp"
#include "glproc/arrays/labels/run_labels.hpp"
#include "glproc/arrays/number_cast.hpp"

namespace glproc {

namespace {

/// Writes two numbers a run, without a branch, as noise would mispredict it. `to` has room for two more than
/// there are values.
template <class T>
std::int32_t* joined_runs(const T* values, std::int32_t length, std::int32_t* to) {
    bool inside = false;
    for (std::int32_t i = 0; i < length; ++i) {
        const bool is = values[i] != T{0};
        *to = i;
        to += static_cast<int>(is != inside);
        inside = is;
    }
    *to = length;
    return to + static_cast<int>(inside);
}

/// The same where neighbours along the line do not belong together. It takes room for twice the values.
template <class T>
std::int32_t* single_runs(const T* values, std::int32_t length, std::int32_t* to) {
    for (std::int32_t i = 0; i < length; ++i) {
        to[0] = i;
        to[1] = i + 1;
        to += values[i] != T{0} ? 2 : 0;
    }
    return to;
}

template <class Label>
std::int64_t label(const LabelJob& job, SourceBytes source, ResultBytes labels, const Check& check) {
    RunLabels<Label> parts(job.source.shape, job.structure);
    const std::int64_t length = job.source.shape.back();
    const auto many = static_cast<std::int32_t>(length);
    const std::int64_t count = parts.solve(
        [&](std::int64_t line, std::int32_t* to) {
            return with_type(job.source.type, [&](auto type) {
                const auto* values = reinterpret_cast<const decltype(type)*>(source.data()) + line * length;
                return parts.is_joined() ? joined_runs(values, many, to) : single_runs(values, many, to);
            });
        },
        check);
    parts.write(
        0, job.source.count() / length, reinterpret_cast<Label*>(labels.data()),
        [](Label number) { return number; }, check);
    return count;
}

} // namespace

std::int64_t LabelJob::run_on_cpu(SourceBytes from, ResultBytes to, const Check& check) const {
    return result == Number::i32 ? label<std::int32_t>(*this, from, to, check)
                                 : label<std::int64_t>(*this, from, to, check);
}

} // namespace glproc
