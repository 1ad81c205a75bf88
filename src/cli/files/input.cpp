#include "cli/files/input.hpp"

#include "cli/amount.hpp"

namespace glproc::cli {

namespace {

/// The whole number that a flag has.
std::uint64_t count_of(const Arguments& arguments, const std::string& flag, const Limit& limit) {
    return parse_amount({flag, Counted::things, 1, limit}, arguments.value(flag));
}

} // namespace

std::int64_t max_frames(const Arguments& arguments, std::int64_t otherwise) {
    return allowed_frames(read_budget(arguments),
                          arguments.has("max-frames")
                              ? static_cast<std::int64_t>(count_of(arguments, "max-frames", max_frames_limit))
                              : otherwise);
}

Budget read_budget(const Arguments& arguments) {
    BudgetTold told{.untrusted = arguments.has("untrusted")};
    if (arguments.has("max-seconds")) {
        told.seconds = parse_number({"max-seconds", "s", max_seconds_limit}, arguments.value("max-seconds"));
    }
    if (arguments.has("max-memory")) {
        told.memory = parse_amount({"max-memory", Counted::bytes, mebibyte, max_memory_limit, "MiB"},
                                   arguments.value("max-memory"));
    }
    return budget_for(told);
}

Reading read_reading(const Arguments& arguments, Notes* notes) {
    return {decode_options(arguments, notes), read_budget(arguments), max_frames(arguments)};
}

DecodeOptions decode_options(const Arguments& arguments, Notes* notes) {
    DecodeOptions options{.notes = notes};
    options.alone = !arguments.places.empty() && arguments.places.front() == "-";
    options.keep_partial = arguments.has("keep-partial");
    if (arguments.has("max-pixels")) {
        options.max_pixels = count_of(arguments, "max-pixels", max_pixels_limit);
    }
    options.max_pixels = allowed_pixels(read_budget(arguments), options.max_pixels);
    return options;
}

ArrayReader array_reader(const Arguments& arguments) {
    const bool has_type = arguments.has("dtype");
    return {arguments.command->name,
            has_type ? std::optional(FieldText<ArrayType>::parse({"dtype", "", {}}, arguments.value("dtype")))
                     : std::nullopt};
}

} // namespace glproc::cli
